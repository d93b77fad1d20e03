"""Captures as an index names them: the CDXJ lines that Common Crawl publishes and its index server sends.

A line has a sort key (SURT: the host backwards, then the path), a time, and the rest as JSON::

    com,example)/a 20261018093000 {"url": "http://example.com/a", "status": "200", "mime": "text/html", …}
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple, Self

from focuslab.fetchers.redirects import STATUSES
from focuslab.pages.urls import canonical

__all__ = ["Capture", "best", "sort_key"]

REVISIT = "warc/revisit"


class Capture(NamedTuple):
    """One line of an index."""

    url: str
    time: str
    status: int
    mime: str = ""
    digest: str = ""
    file: str = ""
    offset: int = 0
    length: int = 0
    redirect: str = ""

    @classmethod
    def read(cls, line: str) -> Self:
        """A capture from a line; what is not in the format is a ValueError."""
        _, time, rest = line.split(" ", 2)
        return cls.of({"timestamp": time, **json.loads(rest)})

    @classmethod
    def of(cls, said: dict[str, str]) -> Self:
        """A capture from the fields by their names in JSON."""
        return cls(
            canonical(said["url"]),
            str(said["timestamp"]),
            _number(said.get("status", "")),
            said.get("mime", ""),
            said.get("digest", "").removeprefix("sha1:"),
            said.get("filename", ""),
            _number(said.get("offset", "")),
            _number(said.get("length", "")),
            said.get("redirect", ""),
        )

    @property
    def revisit(self) -> bool:
        """Whether only "the same as before" was stored."""
        return self.mime == REVISIT

    @property
    def worth(self) -> int:
        """0 for a page, 1 for a redirect, 2 for a failure, as in `focuslab.webs.archive`."""
        if 200 <= self.status < 300 and not self.revisit:
            return 0
        return 1 if self.status in STATUSES else 2


def sort_key(url: str) -> str:
    """The key a URL is sorted under.

    >>> sort_key("https://www.Example.com/b/?z=1&a=2")
    'com,example)/b?a=2&z=1'
    """
    try:
        from surt import surt
    except ImportError as error:
        raise ValueError(
            "Common Crawl's index needs the package surt; install focuslab[common-crawl]"
        ) from error
    return str(surt(url))


def best(captures: Iterable[Capture], url: str) -> Capture | None:
    """Of several captures of one key: of this very URL before others, then pages before redirects before
    failures, then the first (our choice)."""
    found = sorted(captures, key=lambda capture: (capture.url != url, capture.worth, capture.time))
    return found[0] if found else None


def _number(text: str) -> int:
    return int(text) if str(text).isdecimal() else 0
