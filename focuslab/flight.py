"""How links leave the frontier and come back as responses: one by one, or many at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from queue import Empty, SimpleQueue
from typing import TypeAlias

from focuslab.frontier import Chosen, Frontier
from focuslab.types import Fetcher, Response

__all__ = ["Flight", "Step"]

Landed: TypeAlias = tuple[Chosen, Response]
LONGEST_WAIT = 1.0
"""Seconds between two looks around: on some systems Ctrl-C is noticed only then."""
PATIENCE = 60.0
"""Seconds a crawl stands still for its last hosts, if all of them want to be left alone (our choice)."""


class Step:
    """One fetch at a time, in the caller's thread: the best link, its response, the next best."""

    def __init__(self, fetcher: Fetcher, frontier: Frontier) -> None:
        self._fetcher, self._frontier = fetcher, frontier

    def next(self) -> Landed | None:
        """The best link and what it brought; None when no link waits."""
        chosen = self._frontier.pop()
        return chosen and (chosen, self._fetcher.fetch(chosen.link.url))

    def close(self) -> None:
        """Nothing is in flight."""


class Flight:
    """Several fetches at a time, landing as they complete.

    If the fetcher has ``ready_in`` (see `Polite`), a site has one fetch in flight, then rests as long as the
    fetcher says; meanwhile the best links of other sites go first. If it has ``past`` (see `Recorder`), what
    is recorded lands first, in the order of the record.
    """

    def __init__(self, fetcher: Fetcher, frontier: Frontier, width: int) -> None:
        self._fetcher, self._frontier, self._width = fetcher, frontier, width
        self._ready_in: Callable[[str], float] | None = getattr(fetcher, "ready_in", None)
        self._past: Iterator[tuple[str, Response]] = getattr(fetcher, "past", lambda: iter(()))()
        self._resting: list[tuple[float, str]] = []
        self._flying = 0
        self._asked: SimpleQueue[Chosen | None] = SimpleQueue()
        self._landed: SimpleQueue[tuple[Chosen, Response | BaseException]] = SimpleQueue()
        self._threads = 0

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

    def close(self) -> None:
        """Fly no more; what is in the air lands unnoticed."""
        for _ in range(self._threads):
            self._asked.put(None)

    def _fly(self) -> None:
        while (chosen := self._asked.get()) is not None:
            try:
                self._landed.put((chosen, self._fetcher.fetch(chosen.link.url)))
            except BaseException as error:  # raised again in the thread that crawls
                self._landed.put((chosen, error))

    def _launch(self) -> None:
        """Fill the sky, as far as there are links whose sites do not rest."""
        now = time.monotonic()
        while self._resting and self._resting[0][0] <= now:
            self._frontier.release(heappop(self._resting)[1])
        while self._flying < self._width and (chosen := self._frontier.pop()) is not None:
            if self._ready_in is not None:
                self._frontier.hold(chosen.link.url)
            self._flying += 1
            self._asked.put(chosen)
            self._staff()

    def _staff(self) -> None:
        """As many threads as fetches. Daemons, for a program that is to end waits for no server."""
        if self._threads < self._flying:
            self._threads += 1
            threading.Thread(target=self._fly, name=f"fetch-{self._threads}", daemon=True).start()

    def _land(self) -> Landed | None:
        """What lands next; None if a site is ready before that."""
        try:
            chosen, response = self._landed.get(timeout=self._patience())
        except Empty:
            return None
        self._flying -= 1
        if self._ready_in is not None:
            self._rest(chosen.link.url, self._ready_in(chosen.link.url))
        if isinstance(response, BaseException):
            raise response
        return chosen, response

    def _rest(self, url: str, seconds: float) -> None:
        if seconds > 0:
            heappush(self._resting, (time.monotonic() + seconds, url))
        else:
            self._frontier.release(url)

    def _patience(self) -> float:
        """Seconds to wait for a landing before a site that is ready could use the room."""
        if not self._resting or self._flying == self._width:
            return LONGEST_WAIT
        return min(LONGEST_WAIT, max(0.0, self._next_ready()))

    def _next_ready(self) -> float:
        return self._resting[0][0] - time.monotonic()
