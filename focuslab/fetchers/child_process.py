"""Fetching in a process of its own, so that a crawl uses a second core.

In one process, threads that fetch and the thread that reads pages take turns, for only one of them can run
Python at a time. Here a child process fetches, unpacks and records; the parent parses, classifies and scores.
They talk through the child's standard input and output.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, NamedTuple

from focuslab.fetchers import warc
from focuslab.fetchers.pdf import as_page
from focuslab.fetchers.threads import Threads
from focuslab.types import Arrival, Crew, LiveFetcher, Response

__all__ = ["Apart"]

COMMAND = (sys.executable, "-c", "from focuslab.fetchers.child_process import serve; serve()")
LAST_WORDS = 5.0
"""Seconds the child has to put its record on the disk and end."""


class _Found(NamedTuple):
    """What a child tells of its fetcher."""

    polite: bool
    recorded: int


class Apart(Crew):
    """A recording fetcher that lives in a child process, and works on ``width`` URLs at a time.

    Parameters
    ----------
    build
        Makes the fetcher, in the child: a function of a module, or a ``functools.partial`` of one.
    record
        The file it records in, which is read here on resuming.
    width
        Fetches at a time.

    Notes
    -----
    If this process dies, however it dies, the child sees its input end and ends too.
    """

    def __init__(self, build: Callable[[], LiveFetcher], record: Path, width: int) -> None:
        self.record = record
        self._child = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._came: SimpleQueue[Any] = SimpleQueue()
        self._found: _Found | None = None
        self._send(sys.path)  # first, for it may take it to find what comes next
        self._send((build, width))
        threading.Thread(target=self._listen, name="listen to the fetching process", daemon=True).start()

    @property
    def recorded(self) -> int:
        """How many fetches the record held when it was opened; waits until the child has looked."""
        return self._opened().recorded

    @property
    def polite(self) -> bool:
        return self._opened().polite

    def fetch(self, url: str) -> Response:
        """One URL, waited for."""
        self.ask(url)
        while (come := self.come(60.0)) is None:
            pass
        if isinstance(come[1], BaseException):
            raise come[1]
        return come[1]

    def ask(self, url: str) -> None:
        self._send(url)

    def come(self, timeout: float) -> Arrival | None:
        self._opened()
        try:
            come = self._came.get(timeout=timeout)
        except Empty:
            return None
        if isinstance(come, BaseException):
            raise come
        return come

    def past(self) -> Iterator[tuple[str, Response]]:
        """What the record held when it was opened, in the order it came."""
        fetches = ((entry.asked, as_page(entry.response)) for entry in warc.read(self.record) if entry.asked)
        return islice(fetches, self.recorded)

    def close(self) -> None:
        """End the child; what it is still fetching is not recorded."""
        with suppress(OSError):
            self._input.close()
        try:
            self._child.wait(LAST_WORDS)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()

    def _opened(self) -> _Found:
        """What the child has told of its fetcher, as soon as it has."""
        if self._found is None:
            found = self._came.get()
            if isinstance(found, BaseException):
                raise found
            self._found = _Found(*found)
        return self._found

    @property
    def _input(self) -> IO[bytes]:
        assert self._child.stdin is not None
        return self._child.stdin

    def _send(self, message: object) -> None:
        with suppress(BrokenPipeError):  # whoever waits for an answer hears that the child ended
            pickle.dump(message, self._input)
            self._input.flush()

    def _listen(self) -> None:
        assert self._child.stdout is not None
        with suppress(EOFError, OSError, ValueError):
            while True:
                self._came.put(pickle.load(self._child.stdout))
        self._came.put(OSError("the process that fetches has ended; what it brought is recorded, so resume"))


def serve() -> None:
    """The child: fetch what is asked for on standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then closes the input
    warnings.simplefilter("ignore")  # the parent has warned
    source, out = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed by mistake must not be taken for an answer
    sys.path[:] = pickle.load(source)
    build, width = pickle.load(source)
    try:
        fetcher = build()
        found = (fetcher.polite, sum(1 for _ in fetcher.past()))
    except (OSError, ValueError) as problem:
        _tell(out, problem)
        return
    _tell(out, found)
    crew = Threads(fetcher, width)
    threading.Thread(target=_report, args=(crew, out), daemon=True).start()
    with suppress(EOFError):
        while True:
            crew.ask(pickle.load(source))
    fetcher.close()


def _report(crew: Threads, out: IO[bytes]) -> None:
    while True:
        come = crew.come(60.0)
        if come is not None:
            _tell(out, come)


def _tell(out: IO[bytes], message: object) -> None:
    with suppress(BrokenPipeError):
        pickle.dump(message, out, pickle.HIGHEST_PROTOCOL)
        out.flush()
