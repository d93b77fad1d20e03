"""What robots.txt lets a crawler do, by RFC 9309."""

from __future__ import annotations

import math
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from protego import Protego

from focuslab.fetchers.failures import Reason
from focuslab.fetchers.http import ROBOTS_BYTES
from focuslab.fetchers.redirects import follow
from focuslab.pages.urls import canonical
from focuslab.types import Fetcher, LiveFetcher, Response

__all__ = ["Robots"]

FRESH = 24 * 3600.0
"""Seconds until rules are read again: the longest the RFC allows."""
UNREACHABLE_FOR = 600.0
"""Seconds until a host whose rules could not be read is tried again (our choice)."""

BUSY = 429
_LINE_END = re.compile(r"\r\n|\r|\n")
_RULE = re.compile(
    r"\s*+(?:(?P<agent>user[- ]?agent)|(?P<allow>allow)|(?P<disallow>diss?all?[oa]w|diasllow)"
    r"|(?P<delay>crawl[- ]delay))(?:\s*+:|\s++(?=\S++\s*+\Z))\s*+(?P<said>.*)",
    re.IGNORECASE,
)
"""The lines that count, with the slips of the pen that Google and Protego overlook: they are meant."""
_NAMES = {"allow": "allow", "disallow": "disallow", "delay": "crawl-delay"}
_PRODUCT = re.compile(r"[a-zA-Z_-]+")

ANYTHING = Protego.parse("")
NOTHING = Protego.parse("User-agent: *\nDisallow: /")


class _Entry(NamedTuple):
    rules: Protego
    until: float
    problem: str = ""


class Robots:
    """The rules of the hosts asked last, fetched when first needed. Threads may share one.

    A missing robots.txt (4xx, or more than five redirects) allows everything; one that cannot be had (5xx, no
    answer, and 429: a busy host has said nothing of its rules, our choice) allows nothing; of a long one the
    first 500 KiB count, as far as lines are whole.

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
        response = follow(self._ask, address)
        fresh = self.clock() + FRESH
        if response.ok:
            return _Entry(Protego.parse("\n".join(_lines(response.body, self.agent.lower()))), fresh)
        if 300 <= response.status < 500 and response.status != BUSY:
            return _Entry(ANYTHING, fresh)
        cause = response.error or f"status {response.status}"
        if not Reason.PRIVATE_ADDRESS.explains(
            cause
        ):  # that is the whole reason, whatever the rules would be
            cause = Reason.ROBOTS_UNREACHABLE.because(f"{address} ({cause})")
        return _Entry(NOTHING, self.clock() + UNREACHABLE_FOR, cause)

    def _ask(self, url: str) -> Response:
        return self.fetcher.rules(url) if isinstance(self.fetcher, LiveFetcher) else self.fetcher.fetch(url)


def _address(url: str) -> str:
    """Where the rules for a URL are: each scheme, host and port has its own."""
    return canonical("/robots.txt", url)


def _lines(body: bytes, agent: str) -> Iterator[str]:
    """The lines that count, in the plainest spelling: others would close a group for Protego.

    A ``User-agent`` is known by its product token, the letters it begins with, and by the whole of that.

    >>> list(_lines(b"User-Agent: Me/1.0 (x)\\rNonsense: 1\\rDisalow: /x # why\\rUser-agent: m", "me"))
    ['user-agent: me', 'disallow: /x', 'user-agent: nobody-else']
    """
    text = body[:ROBOTS_BYTES].decode("utf-8-sig", "replace")
    lines = _LINE_END.split(text)
    if len(body) >= ROBOTS_BYTES:  # half a line could forbid more than the whole one, so drop it
        lines.pop()
    for line in lines:
        rule = _RULE.match(line.partition("#")[0])
        if rule and rule["agent"]:
            yield f"user-agent: {_meant(rule['said'], agent)}"
        elif rule:
            name = next(name for group, name in _NAMES.items() if rule[group])
            yield f"{name}: {rule['said'].strip()}"


def _meant(said: str, agent: str) -> str:
    """Who a ``User-agent`` speaks to: all, us, or others."""
    token = _PRODUCT.match(said)
    if said.startswith("*"):
        return "*"
    return agent if token and token[0].lower() == agent else "nobody-else"
