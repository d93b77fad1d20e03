"""Fetching in a process of its own, so that a crawl uses a second core.

In one process, threads that fetch and the thread that reads pages take turns, for only one of them can run
Python at a time. Here a child process fetches, unpacks and records; the parent parses, classifies and scores.
They talk through the child's standard input and output.
"""

from __future__ import annotations

import pickle
import signal
import struct
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, NamedTuple, cast

from focuslab.fetchers import warc
from focuslab.fetchers.pdf import as_page
from focuslab.fetchers.threads import Threads
from focuslab.types import Arrival, Crew, LiveFetcher, Response

__all__ = ["Apart"]

COMMAND = (sys.executable, "-c", "from focuslab.fetchers.child_process import serve; serve()")
BUFFER = 1 << 20
"""Bytes of the pipes that are read at a time: several pages."""
_SIZE = struct.Struct(">Q")
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
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, bufsize=BUFFER)
        self._came: SimpleQueue[bytes | None] = SimpleQueue()
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
            return cast(Arrival, self._next(timeout))
        except Empty:
            return None

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
            self._found = _Found(*self._next())
        return self._found

    def _next(self, timeout: float | None = None) -> Any:
        """What the child told next; unpacked here, so that the thread that listens keeps nobody waiting."""
        told = self._came.get(timeout=timeout)
        if told is None:
            raise OSError("the process that fetches has ended; what it brought is recorded, so resume")
        come = pickle.loads(told)
        if isinstance(come, BaseException):
            raise come
        return come

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
        out = self._child.stdout
        with suppress(OSError, ValueError, struct.error):  # cut short where the child died
            while len(told := out.read(size := _SIZE.unpack(out.read(_SIZE.size))[0])) == size:
                self._came.put(told)
        self._came.put(None)


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
    told = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    with suppress(BrokenPipeError):
        out.write(_SIZE.pack(len(told)) + told)
        out.flush()
