"""What a page asks of robots in its headers and its markup: not to be listed, not to be followed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from focuslab.types import Page, Response

__all__ = ["OURSELVES", "directives", "in_header", "in_meta"]

OURSELVES = "focuslab"
_NAME = re.compile(r"\s*([a-z][\w.-]*)\s*:", re.IGNORECASE)
_DATED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def directives(response: Response, page: Page, agent: str = OURSELVES) -> frozenset[str]:
    """All that is meant for us, of the answer's headers and of the page itself.

    >>> answer = Response("http://a.example/", 200, headers={"x-robots-tag": "noindex, otherbot: nofollow"})
    >>> sorted(directives(answer, Page(answer.url, directives=frozenset({"noarchive"}))))
    ['noarchive', 'noindex']
    """
    return in_header(response.headers.get("x-robots-tag", ""), agent) | page.directives


def in_header(value: str, agent: str = OURSELVES) -> frozenset[str]:
    """What an ``X-Robots-Tag`` asks of ``agent``, or of all, in lower case; ``none`` counts as two.

    A header that came several times has a line for each.

    >>> sorted(in_header("otherbot: noindex\\nFocuslab: NoFollow"))
    ['nofollow']
    """
    return _whole(part for line in value.lower().split("\n") for part in _for(agent, line))


def in_meta(name: str, content: str, agent: str = OURSELVES) -> frozenset[str]:
    """What a ``<meta name content>`` asks.

    >>> sorted(in_meta("Robots", "NONE"))
    ['nofollow', 'noindex', 'none']
    """
    meant = name.strip().lower() in ("robots", agent)
    return _whole(content.lower().split(",")) if meant else frozenset()


def _for(agent: str, value: str) -> Iterable[str]:
    """``noindex, otherbot: nofollow``: a name holds for all that follows it, up to the next name."""
    meant = True
    for part in value.split(","):
        name = _NAME.match(part)
        if name and name[1] not in _DATED:
            meant = name[1] == agent
            part = part[name.end() :]
        if meant:
            yield part


def _whole(found: Iterable[str]) -> frozenset[str]:
    said = frozenset(part.strip() for part in found if part.strip())
    return said | {"noindex", "nofollow"} if "none" in said else said
