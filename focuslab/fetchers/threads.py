"""Many fetches at a time, by threads; what a crawl asks of whoever fetches for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import Protocol, TypeAlias

from focuslab.types import Fetcher, Response

__all__ = ["Arrival", "Crew", "Threads"]

Arrival: TypeAlias = tuple[str, Response | BaseException, float]
"""A URL, what it brought, and how many seconds its host now wants to be left alone."""


class Crew(Protocol):
    """Fetches several URLs at a time."""

    polite: bool
    """Whether hosts are to be asked one page at a time, with the rests they want."""

    def ask(self, url: str) -> None: ...

    def come(self, timeout: float) -> Arrival | None: ...

    def past(self) -> Iterator[tuple[str, Response]]: ...


class Threads:
    """Makes a crew of any fetcher: as many threads as there are fetches at a time.

    The threads are daemons, for a program that is to end waits for no server.
    """

    def __init__(self, fetcher: Fetcher, width: int) -> None:
        self._fetcher, self._width = fetcher, width
        self.polite = hasattr(fetcher, "ready_in")
        self._asked: SimpleQueue[str | None] = SimpleQueue()
        self._came: SimpleQueue[Arrival] = SimpleQueue()
        self._threads = 0

    def ask(self, url: str) -> None:
        """Have a URL fetched."""
        self._asked.put(url)
        if self._threads < self._width:
            self._threads += 1
            threading.Thread(target=self._fly, name=f"fetch-{self._threads}", daemon=True).start()

    def come(self, timeout: float) -> Arrival | None:
        """What arrived next; None if nothing did in time."""
        try:
            return self._came.get(timeout=timeout)
        except Empty:
            return None

    def past(self) -> Iterator[tuple[str, Response]]:
        """What the fetcher has on record."""
        recorded = getattr(self._fetcher, "past", None)
        return recorded() if recorded else iter(())

    def close(self) -> None:
        """Fetch no more; what is in the air lands unnoticed."""
        for _ in range(self._threads):
            self._asked.put(None)

    def _fly(self) -> None:
        while (url := self._asked.get()) is not None:
            try:
                response = self._fetcher.fetch(url)
                rest = self._fetcher.ready_in(url) if self.polite else 0.0  # type: ignore[attr-defined]
                self._came.put((url, response, rest))
            except BaseException as error:  # raised again in the thread that crawls
                self._came.put((url, error, 0.0))
