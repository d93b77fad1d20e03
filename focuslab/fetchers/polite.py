"""Manners for any fetcher: robots.txt, a pause between requests to a host, caps, and backing off."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from focuslab.fetchers.http import redirect
from focuslab.fetchers.robots import Robots
from focuslab.pages.urls import host, registered_domain
from focuslab.types import Fetcher, Response

__all__ = ["Polite"]

MAX_REDIRECTS = 5
LONGEST_BACK_OFF = 24 * 3600.0


@dataclass(slots=True)
class _Host:
    turn: threading.Lock = field(default_factory=threading.Lock)
    next_start: float = float("-inf")
    pages: int = 0
    strikes: int = 0
    """How often in a row it said that it is busy."""


@dataclass
class Polite:
    """Wrap a fetcher so that no host is asked too often, too much, or against its wishes.

    One request at a time per host, ``delay`` seconds between the starts of two, or more if robots.txt says
    so. A host that answers 429 or 503 is left alone for as long as its Retry-After asks, or for a time that
    doubles. Threads may share one; a thread that waits for one host keeps no other thread from another host.

    What is not fetched comes back as a `Response` without a status whose error starts with ``robots``,
    ``robots-unreachable``, ``host-cap``, ``domain-cap`` or ``back-off`` and a colon.

    Around ``Http(max_redirects=0)`` every hop of a redirect waits its turn and is checked like any other
    request; around a fetcher that follows redirects itself, only the page it arrived at is checked.
    Around a simulated web, use ``delay=0``; around an archive, which may not hold them, ``robots=False``.

    Parameters
    ----------
    delay
        Seconds between requests to one host.
    robots
        Whether to heed robots.txt, or the `Robots` to ask.
    agent
        The name to look for in robots.txt.
    host_cap, domain_cap
        Most requests to one host, to one registered domain (failures count, robots.txt does not); None: no
        cap. 300 pages per site is what Qian et al. use.
    patience
        Most seconds a thread is kept waiting: a host that wants more is answered for with ``back-off``.
    retries
        How often a page is asked for again after 429 or 503.
    clock, sleep
        How time is told and spent.

    Examples
    --------
    >>> class Site:
    ...     def fetch(self, url):
    ...         return Response(url, 200, b"User-agent: *\\nDisallow: /private")
    >>> Polite(Site(), delay=0).fetch("http://a.example/private").error
    'robots: disallowed by http://a.example/robots.txt'
    """

    fetcher: Fetcher
    delay: float = 1.0
    robots: bool | Robots = True
    agent: str = "focuslab"
    host_cap: int | None = 300
    domain_cap: int | None = None
    patience: float = 60.0
    retries: int = 1
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        if self.delay < 0:
            raise ValueError(f"delay={self.delay} must be 0 or more seconds")
        rules = Robots(_Paced(self), self.agent, clock=self.clock) if self.robots is True else self.robots
        self._rules: Robots | None = rules or None
        self._hosts: dict[str, _Host] = {}
        self._domains: Counter[str] = Counter()
        self._lock = threading.Lock()

    def fetch(self, url: str) -> Response:
        """Fetch a page when its host's turn has come."""
        response = self._in_turn(url)
        for _ in range(MAX_REDIRECTS):
            target = redirect(response)
            if not target:
                return self._arrived(url, response)
            url = target
            response = self._in_turn(url)
        if redirect(response):
            return replace(response, error=f"too-many-redirects: more than {MAX_REDIRECTS}", body=b"")
        return self._arrived(url, response)

    def ready_in(self, url: str) -> float:
        """Seconds until the host of a page may be asked again, so that a crawl can take another one first."""
        return max(0.0, self._host(url).next_start - self.clock())

    def _in_turn(self, url: str) -> Response:
        """One page of one host, while all others who want that host wait."""
        with self._host(url).turn:
            refusal, gap = self._wishes(url)
            if refusal:
                return Response(url, error=refusal)
            response = self._paced(url, gap)
            for _ in range(self.retries):
                if not _is_busy(response) or self.ready_in(url) > self.patience:
                    break
                response = self._paced(url, gap)
            return response

    def _arrived(self, url: str, response: Response) -> Response:
        """The response, unless its fetcher was led to a page that it should not have asked for."""
        refusal = self._wishes(response.url)[0] if response.ok and response.url != url else ""
        return Response(response.url, error=refusal) if refusal else response

    def _wishes(self, url: str) -> tuple[str, float]:
        """What robots.txt says of a page: why it may not be fetched, and the pause that is asked for."""
        if self._rules is None or not host(url):  # a URL without a host is the fetcher's to refuse
            return "", self.delay
        return self._rules.refusal(url), max(self.delay, self._rules.delay(url))

    def _paced(self, url: str, gap: float, page: bool = True) -> Response:
        """One request, when the host has had its pause."""
        with self._lock:
            refusal = self._refusal(url, page)
            if refusal:
                return Response(url, error=refusal)
            wait = self._reserve(url, gap, page)
        if wait > 0:
            self.sleep(wait)
        response = self.fetcher.fetch(url)
        with self._lock:
            self._heed(url, response)
        return response

    def _refusal(self, url: str, page: bool) -> str:
        name, domain, wait = host(url), registered_domain(url), self.ready_in(url)
        if page and self.host_cap is not None and self._host(url).pages >= self.host_cap:
            return f"host-cap: {name} was asked {self.host_cap} times"
        if page and self.domain_cap is not None and self._domains[domain] >= self.domain_cap:
            return f"domain-cap: {domain} was asked {self.domain_cap} times"
        return f"back-off: {name} is to be left alone for {wait:.0f} s" if wait > self.patience else ""

    def _reserve(self, url: str, gap: float, page: bool) -> float:
        """Take the host's next free moment; gives the seconds until then."""
        place, now = self._host(url), self.clock()
        start = max(now, place.next_start)
        place.next_start = start + gap
        place.pages += page
        self._domains[registered_domain(url)] += page
        return start - now

    def _heed(self, url: str, response: Response) -> None:
        """Leave a host alone that says it is busy."""
        place = self._host(url)
        if not _is_busy(response):
            place.strikes = 0
            return
        asked = _retry_after(response)
        seconds = max(1.0, self.delay) * 2.0 ** min(place.strikes, 20) if asked is None else asked
        place.strikes += 1
        place.next_start = max(place.next_start, self.clock() + min(seconds, LONGEST_BACK_OFF))

    def _host(self, url: str) -> _Host:
        return self._hosts.setdefault(host(url), _Host())


@dataclass
class _Paced:
    """How robots.txt files are fetched: with the same pauses as pages, outside the caps."""

    polite: Polite

    def fetch(self, url: str) -> Response:
        return self.polite._paced(url, self.polite.delay, page=False)


def _is_busy(response: Response) -> bool:
    return response.status in (429, 503)


def _retry_after(response: Response) -> float | None:
    """Seconds a busy host asks for, given as a number or a date; None if it does not say."""
    asked = response.headers.get("retry-after", "").strip()
    if asked.isdecimal():
        return float(asked[:9])
    try:
        until = parsedate_to_datetime(asked)
        now = _date(response) or datetime.now(UTC)
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _date(response: Response) -> datetime | None:
    """The server's own time, which its dates are meant in."""
    said = response.headers.get("date", "")
    return parsedate_to_datetime(said) if said else None
