"""Manners for any fetcher: robots.txt, a pause between requests to a host, and backing off."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from focuslab.fetchers.failures import Reason
from focuslab.fetchers.redirects import follow
from focuslab.fetchers.robots import Robots
from focuslab.fetchers.wrapper import Wrapper
from focuslab.pages.urls import host
from focuslab.types import LiveFetcher, Response

__all__ = ["Polite"]

LONGEST_BACK_OFF = 24 * 3600.0


@dataclass(slots=True)
class _Host:
    turn: threading.Lock = field(default_factory=threading.Lock)
    next_start: float = float("-inf")
    strikes: int = 0
    """How often in a row it said that it is busy."""


@dataclass
class Polite(Wrapper):
    """Wrap a fetcher so that no host is asked too often, or against its wishes.

    One request at a time per host, ``delay`` seconds between the starts of two, or more if robots.txt says
    so. A host that answers 429 or 503 is left alone for as long as its Retry-After asks, or for a time that
    doubles. Threads may share one; a thread that waits for one host keeps no other thread from another host.

    What is not fetched comes back as a `Response` without a status whose error starts with ``robots``,
    ``robots-unreachable`` or ``back-off`` and a colon. How many pages a host
    may give is for the frontier to say.

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

    delay: float = 1.0
    robots: bool | Robots = True
    agent: str = "focuslab"
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
        self._lock = threading.Lock()

    def fetch(self, url: str) -> Response:
        """Fetch a page when its host's turn has come."""
        return follow(self._hop, url)

    @property
    def polite(self) -> bool:
        return True

    def ready_in(self, url: str) -> float:
        """Seconds until the host of a page may be asked again, so that a crawl can take another one first."""
        return max(0.0, self._host(url).next_start - self.clock())

    def _hop(self, url: str) -> Response:
        """One page, unless its fetcher was led to another that it should not have asked for."""
        response = self._in_turn(url)
        refusal = self._wishes(response.url)[0] if response.ok and response.url != url else ""
        return Response(response.url, error=refusal) if refusal else response

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

    def _wishes(self, url: str) -> tuple[str, float]:
        """What robots.txt says of a page: why it may not be fetched, and the pause that is asked for."""
        if self._rules is None or not host(url):  # a URL without a host is the fetcher's to refuse
            return "", self.delay
        return self._rules.refusal(url), max(self.delay, self._rules.delay(url))

    def _paced(self, url: str, gap: float, fetch: Callable[[str], Response] | None = None) -> Response:
        """One request, when the host has had its pause."""
        with self._lock:
            wait = self.ready_in(url)
            if wait > self.patience:
                return Response(url, error=_back_off(url, wait))
            self._host(url).next_start = self.clock() + wait + gap
        if wait > 0:
            self.sleep(wait)
        response = (fetch or self.fetcher.fetch)(url)
        with self._lock:
            self._heed(url, response)
        return response

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
class _Paced(LiveFetcher):
    """How robots.txt files are fetched: with the same pauses as pages."""

    owner: Polite

    def fetch(self, url: str) -> Response:
        return self.owner._paced(url, self.owner.delay, self.owner.rules)


def _back_off(url: str, seconds: float) -> str:
    return Reason.BACK_OFF.because(f"{host(url)} is to be left alone for {seconds:.0f} s")


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
