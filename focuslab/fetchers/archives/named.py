"""An archive by its name on the command line: ``common-crawl:CC-MAIN-2026-43``, ``wayback:2015-06``."""

from __future__ import annotations

from urllib.parse import parse_qsl

from focuslab.fetchers.archives.archived import Archived
from focuslab.fetchers.archives.common_crawl import CommonCrawl
from focuslab.fetchers.archives.wayback import Wayback

__all__ = ["archive_named", "settled"]

KINDS = {"common-crawl": CommonCrawl, "wayback": Wayback}
NUMBERS = {"connections": int, "attempts": int, "max_bytes": int, "gap": float, "read": float, "total": float}


def archive_named(name: str, contact: str = "", max_bytes: int = 2_000_000) -> Archived:
    """The archive of a name such as ``common-crawl:latest``.

    Other servers, another folder and other manners stand behind a question mark, as in an address:
    ``common-crawl:CC-MAIN-2026-43?index=server&connections=1``; see `CommonCrawl` and `Wayback`.
    """
    kind, _, rest = name.partition(":")
    which, _, said = rest.partition("?")
    if kind not in KINDS or not which:
        raise ValueError(f"no web named {name!r}; try common-crawl:latest or wayback:2015-06")
    options = {key: NUMBERS.get(key, str)(value) for key, value in parse_qsl(said)}
    try:
        return KINDS[kind](which, contact=contact, **{"max_bytes": max_bytes, **options})
    except TypeError as problem:
        raise ValueError(f"{kind} cannot be opened with {said!r}: {problem}") from None


def settled(name: str) -> str:
    """The same archive by a name that means it next month too: ``latest`` becomes the crawl it is today."""
    kind, _, rest = name.partition(":")
    which, mark, said = rest.partition("?")
    if not name or which != "latest":
        return name
    found = archive_named(name)
    found.close()
    return f"{kind}:{found.name}{mark}{said}"
