"""What a page asks of robots in its headers and its markup: not to be listed, not to be followed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from focuslab.types import Response

__all__ = ["directives"]

OURSELVES = "focuslab"
HEAD = 100_000
"""Bytes of a page in which its directives are looked for (our choice)."""
_META = re.compile(rb"<meta\s[^>]{0,2000}>", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""(name|content)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_NAME = re.compile(r"\s*([a-z][\w.-]*)\s*:", re.IGNORECASE)
_DATED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def directives(response: Response, agent: str = OURSELVES) -> frozenset[str]:
    """The directives meant for ``agent``, or for all, in lower case; ``none`` counts as two.

    >>> page = b"<meta name='robots' content='NOFOLLOW'>"
    >>> sorted(directives(Response("http://a.example/", 200, page, headers={"x-robots-tag": "noindex"})))
    ['nofollow', 'noindex']
    """
    found = set(_in_header(response.headers.get("x-robots-tag", ""), agent))
    head = response.body[:HEAD]
    lowered = head.lower()
    if b"robots" in lowered or agent.encode() in lowered:
        found |= set(_in_markup(lowered, agent))
    return frozenset(found | ({"noindex", "nofollow"} if "none" in found else set()))


def _in_header(value: str, agent: str) -> Iterable[str]:
    """``noindex, otherbot: nofollow``: a name holds for all that follows it, up to the next name."""
    meant = True
    for part in value.lower().split(","):
        name = _NAME.match(part)
        if name and name[1] not in _DATED:
            meant = name[1] == agent
            part = part[name.end() :]
        if meant:
            yield part.strip()


def _in_markup(head: bytes, agent: str) -> Iterable[str]:
    for tag in _META.findall(head):
        said = {name.lower(): b"".join(values).lower() for name, *values in _ATTRIBUTE.findall(tag)}
        if said.get(b"name", b"").strip() in (b"robots", agent.encode()):
            yield from (part.strip() for part in said.get(b"content", b"").decode("latin-1").split(","))
