"""Many fetches at a time, by threads; whatever the fetcher."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue

from focuslab.fetchers.wrapper import Wrapper
from focuslab.types import Arrival, Crew, Fetcher

__all__ = ["Threads"]


class Threads(Wrapper, Crew):
    """Makes a crew of any fetcher: as many threads as there are fetches at a time.

    The threads are daemons, for a program that is to end waits for no server.
    """

    def __init__(self, fetcher: Fetcher, width: int) -> None:
        super().__init__(fetcher)
        self._width = width
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

    def close(self) -> None:
        """Fetch no more; what is in the air lands unnoticed. The fetcher is its owner's to close."""
        for _ in range(self._threads):
            self._asked.put(None)

    def _fly(self) -> None:
        while (url := self._asked.get()) is not None:
            try:
                response = self.fetch(url)
                self._came.put((url, response, self.ready_in(url)))
            except BaseException as error:  # raised again in the thread that crawls
                self._came.put((url, error, 0.0))
