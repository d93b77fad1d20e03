"""How links leave the frontier and come back as responses: one by one, or many at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import TypeAlias

from focuslab.crawling.frontier import Chosen, Frontier
from focuslab.fetchers.threads import Threads
from focuslab.types import Crew, Fetcher, LiveFetcher, Response

__all__ = ["Flight", "Step"]

Landed: TypeAlias = tuple[Chosen, Response]
LONGEST_WAIT = 1.0
"""Seconds between two looks around: on some systems Ctrl-C is noticed only then."""
PATIENCE = 60.0
"""Seconds a crawl stands still for its last hosts, if all of them want to be left alone (our choice)."""


class Step:
    """One fetch at a time, in the caller's thread: the best link, its response, the next best.

    With ``past_first`` what the fetcher has on record lands before everything else, in its order: links may
    have other scores by now.
    """

    def __init__(self, fetcher: Fetcher, frontier: Frontier, past_first: bool = False) -> None:
        self._fetcher, self._frontier = fetcher, frontier
        self._past: Iterator[tuple[str, Response]] = iter(())
        if past_first and isinstance(fetcher, LiveFetcher):
            self._past = fetcher.past()

    def next(self) -> Landed | None:
        """The best link and what it brought; None when no link waits."""
        for url, response in self._past:
            recorded = self._frontier.take(url)
            if recorded is not None:
                return recorded, response
        chosen = self._frontier.pop()
        return chosen and (chosen, self._fetcher.fetch(chosen.link.url))

    def close(self) -> None:
        """Nothing is in flight."""


class Flight:
    """Several fetches at a time, landing as they complete.

    With a polite crew a site has one fetch in flight, then rests as long as it wants; meanwhile the best
    links of other sites go first. What the crew has on record lands before everything else, in its order.

    Parameters
    ----------
    fetcher : Fetcher or Crew
        What a `LiveFetcher` knows is used: `Polite` has rests, and `Recorder` a past.
    frontier : Frontier
        Where links come from.
    width : int
        Fetches in flight.
    on_wait : callable
        Called whenever nothing has landed for a while; what it raises ends the flight.
    """

    def __init__(
        self,
        fetcher: Fetcher | Crew,
        frontier: Frontier,
        width: int,
        on_wait: Callable[[], None] = lambda: None,
    ) -> None:
        self._own = None if isinstance(fetcher, Crew) else Threads(fetcher, width)
        self._crew = fetcher if isinstance(fetcher, Crew) else Threads(fetcher, width)
        self._frontier, self._width, self._on_wait = frontier, width, on_wait
        self._past = self._crew.past()
        self._flying: dict[str, Chosen] = {}
        self._resting: list[tuple[float, str]] = []

    def next(self) -> Landed | None:
        """The next response to arrive; None when nothing flies and no link waits."""
        for url, response in self._past:
            chosen = self._frontier.take(url)
            if chosen is not None:
                return chosen, response
        while True:
            self._launch()
            if not self._flying and not self._resting:
                return None
            if not self._flying and self._next_ready() > PATIENCE:  # let the fetcher say so for each link
                self._frontier.release(heappop(self._resting)[1])
                continue
            landed = self._land()
            if landed is not None:
                return landed
            self._on_wait()

    def close(self) -> None:
        """Let go of threads of our own; a crew that was brought is its owner's to close."""
        if self._own is not None:
            self._own.close()

    def _launch(self) -> None:
        """Fill the sky, as far as there are links whose sites do not rest."""
        now = time.monotonic()
        while self._resting and self._resting[0][0] <= now:
            self._frontier.release(heappop(self._resting)[1])
        while len(self._flying) < self._width and (chosen := self._frontier.pop()) is not None:
            if self._crew.polite:
                self._frontier.hold(chosen.link.url)
            self._flying[chosen.link.url] = chosen
            self._crew.ask(chosen.link.url)

    def _land(self) -> Landed | None:
        """What lands next; None if a site is ready before that."""
        come = self._crew.come(self._patience())
        if come is None:
            return None
        url, response, rest = come
        if isinstance(response, BaseException):
            raise response
        if self._crew.polite:
            self._rest(url, rest)
        return self._flying.pop(url), response

    def _rest(self, url: str, seconds: float) -> None:
        if seconds > 0:
            heappush(self._resting, (time.monotonic() + seconds, url))
        else:
            self._frontier.release(url)

    def _patience(self) -> float:
        """Seconds to wait for a landing before a site that is ready could use the room."""
        if not self._resting or len(self._flying) == self._width:
            return LONGEST_WAIT
        return min(LONGEST_WAIT, max(0.0, self._next_ready()))

    def _next_ready(self) -> float:
        return self._resting[0][0] - time.monotonic()
