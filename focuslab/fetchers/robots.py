"""What robots.txt lets a crawler do, by RFC 9309."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from protego import Protego

from focuslab.fetchers.failures import Reason
from focuslab.fetchers.http import ROBOTS_BYTES
from focuslab.fetchers.redirects import follow
from focuslab.pages.urls import canonical
from focuslab.types import Fetcher

__all__ = ["Robots"]

FRESH = 24 * 3600.0
"""Seconds until rules are read again: the longest the RFC allows."""
UNREACHABLE_FOR = 600.0
"""Seconds until a host whose rules could not be read is tried again (our choice)."""

ANYTHING = Protego.parse("")
NOTHING = Protego.parse("User-agent: *\nDisallow: /")


class _Entry(NamedTuple):
    rules: Protego
    until: float
    problem: str = ""


class Robots:
    """The rules of the hosts asked last, fetched when first needed. Threads may share one.

    A missing robots.txt (4xx, or more than five redirects) allows everything; one that cannot be had (5xx, no
    answer) allows nothing; of a long one the first 500 KiB count.

    Parameters
    ----------
    fetcher
        Brings the robots.txt files.
    agent
        The product name the rules are looked up under, as in ``User-agent: focuslab``.
    size
        How many hosts are remembered; the one asked longest ago is forgotten first.

    References
    ----------
    Koster, Illyes, Zeller, Sassman: Robots Exclusion Protocol. RFC 9309, 2022. doi:10.17487/RFC9309.
    (Crawl-delay is not part of it, but widely used, and honoured here.)

    Examples
    --------
    >>> class Site:
    ...     def fetch(self, url):
    ...         return Response(url, 200, b"User-agent: *\\nDisallow: /private/\\nCrawl-delay: 2")
    >>> robots = Robots(Site())
    >>> robots.allowed("http://a.example/"), robots.allowed("http://a.example/private/diary")
    (True, False)
    >>> robots.delay("http://a.example/")
    2.0
    """

    def __init__(
        self,
        fetcher: Fetcher,
        agent: str = "focuslab",
        size: int = 1000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.fetcher, self.agent, self.size, self.clock = fetcher, agent, size, clock
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def allowed(self, url: str) -> bool:
        """Whether this page may be fetched."""
        return not self.refusal(url)

    def refusal(self, url: str) -> str:
        """Why this page may not be fetched; "" if it may."""
        entry = self._entry(url)
        if entry.rules.can_fetch(url, self.agent):
            return ""
        return entry.problem or Reason.ROBOTS.because(f"disallowed by {_address(url)}")

    def delay(self, url: str) -> float:
        """Seconds the host of this page wants between requests; 0 if it does not say."""
        seconds = self._entry(url).rules.crawl_delay(self.agent) or 0.0
        return max(0.0, seconds) if math.isfinite(seconds) else 0.0

    def _entry(self, url: str) -> _Entry:
        address = _address(url)
        with self._lock:
            entry = self._entries.get(address)
            if entry and self.clock() < entry.until:
                self._entries.move_to_end(address)
                return entry
        entry = self._read(address)  # outside the lock: a slow host must not hold up the others
        with self._lock:
            self._entries[address] = entry
            self._entries.move_to_end(address)
            while len(self._entries) > self.size:
                self._entries.popitem(last=False)
        return entry

    def _read(self, address: str) -> _Entry:
        response = follow(self.fetcher.fetch, address)
        fresh = self.clock() + FRESH
        if 200 <= response.status < 300:
            return _Entry(_rules(response.body), fresh)
        if 300 <= response.status < 500:
            return _Entry(ANYTHING, fresh)
        cause = response.error or f"status {response.status}"
        if not Reason.PRIVATE_ADDRESS.explains(
            cause
        ):  # that is the whole reason, whatever the rules would be
            cause = Reason.ROBOTS_UNREACHABLE.because(f"{address} ({cause})")
        return _Entry(NOTHING, self.clock() + UNREACHABLE_FOR, cause)


def _address(url: str) -> str:
    """Where the rules for a URL are: each scheme, host and port has its own."""
    return canonical("/robots.txt", url)


def _rules(body: bytes) -> Protego:
    if len(body) >= ROBOTS_BYTES:  # half a line could forbid more than the whole one, so drop it
        body = body[:ROBOTS_BYTES].rpartition(b"\n")[0]
    return Protego.parse(body.decode("utf-8-sig", "replace"))
