"""Keeps every response of a crawl in a WARC file, and answers from it when the crawl is taken up again."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from io import FileIO
from pathlib import Path
from typing import Self

from focuslab.fetchers import warc
from focuslab.fetchers.exchanges import Exchanges
from focuslab.fetchers.wrapper import Wrapper
from focuslab.types import Fetcher, Response

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["FullError", "LimitError", "Recorder"]

SYNC_EVERY = 5.0
"""Seconds after which the system is asked to put what was written on the disk itself (our choice)."""
FAR = 1 << 40
LEAST_BODY = 1_000
"""Bytes of a body from which on a record that refers to it is smaller (our choice)."""
CLAIM_WITHIN = 1.0
"""Seconds to wait for a crawl to end that was killed just now (our choice)."""


class FullError(OSError):
    """The record may not, or cannot, grow any further. What is in it is safe."""


class LimitError(FullError):
    """The record has the size that it was allowed."""


class Recorder(Wrapper):
    """Wrap a fetcher: what it brings is written down before anybody sees it, failures too.

    A response is in the file when `fetch` returns, so killing the program at any moment loses nothing but
    fetches in flight; a power cut loses what came in the last five seconds. A URL that is in the file already
    is answered from there. That is all a crawl needs to be resumed: run again with the same settings, it
    asks for the same URLs, finds them recorded, and goes on from where the record ends.

    Parameters
    ----------
    fetcher
        Brings what is not recorded yet. It should be the whole of it, `Polite` included: what politeness
        decided depends on the time of day, so that is recorded too.
    path
        The file, such as ``crawl.warc.gz``; made if it is not there. If its end is damaged, by a power cut
        say, the damaged part is moved to a file of its own beside it.
    max_bytes
        All files together grow no larger: `FullError` then.
    file_bytes
        When a file has this size another is begun beside it, ``crawl-00002.warc.gz`` say; None: never.
    repeats
        Whether a body that is in the record already is recorded again, rather than referred to.
    about
        Written into a new file's first record.
    way
        What was exchanged on the way to a page, redirects and robots.txt, which is recorded before it.
    sent
        Headers of every request, for a request record beside each answer; without them there is none.
    cut_at
        Bytes at which bodies are cut: those are marked so.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> class Once:
    ...     def fetch(self, url):
    ...         return Response(url, 200, b"fresh", "text/html")
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "crawl.warc.gz"
    ...     with Recorder(Once(), file) as recorder:
    ...         _ = recorder.fetch("http://a.example/")
    ...     with Recorder(None, file) as recorder:
    ...         recorder.fetch("http://a.example/").body
    b'fresh'
    """

    def __init__(
        self,
        fetcher: Fetcher,
        path: str | Path,
        max_bytes: int | None = None,
        about: Mapping[str, str] | None = None,
        way: Exchanges | None = None,
        sent: Mapping[str, str] | None = None,
        cut_at: int | None = None,
        file_bytes: int | None = None,
        repeats: bool = True,
    ) -> None:
        super().__init__(fetcher)
        self.path, self.max_bytes = Path(path), max_bytes
        self.way, self.sent, self.cut_at = way, sent or {}, cut_at
        self.torn = 0
        """Bytes at the end of the file that were no whole record, and were moved aside."""
        self.file_bytes, self.repeats, self.about = file_bytes, repeats, about or {}
        self._lock = threading.Lock()
        self._places: dict[str, warc.Place] = {}
        self._bodies: dict[str, warc.Original] = {}
        self.path.touch()
        self._claimed = self.path.open("r+b", buffering=0)
        _claim(self._claimed, self.path)
        self._files = warc.series(self.path)
        self._open(self._files[-1])
        self._before = sum(file.stat().st_size for file in self._files[:-1])
        self._size = self._index()
        self._synced = time.monotonic()
        if not self._size:
            self._append(self._information())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def recorded(self) -> int:
        """How many fetches the file held when it was opened."""
        return len(self._places)

    def __contains__(self, url: str) -> bool:
        return url in self._places

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return self._before + self._size

    def fetch(self, url: str) -> Response:
        """The recorded response, or else a fresh one, recorded."""
        if url in self._places:
            return warc.load(self._places[url])
        way = self.way.taken if self.way else list
        way()
        response = warc.as_recorded(self.fetcher.fetch(url))
        before = b"".join(warc.on_the_way(url, each) for each in way())
        asked = warc.request(url, response.url, self.sent) if response.status and self.sent else b""
        date = warc.now()
        same = self._bodies.get(self._digest(response))
        self._append(before + warc.record(url, response, self.cut_at, date, same) + asked)
        self._remember(response, date)
        return response

    def past(self) -> Iterator[tuple[str, Response]]:
        """What the file held when it was opened, in the order it came."""
        for url, place in self._places.items():
            yield url, warc.load(place)

    def close(self) -> None:
        """Put the file on the disk and let go of it; what is still being fetched is not recorded."""
        with self._lock:
            if not self._file.closed:
                os.fsync(self._file.fileno())
                self._file.close()
                self._claimed.close()
        super().close()

    def _index(self) -> int:
        """Find every record's place; gives the size of what is whole, and moves the rest aside."""
        end = 0
        for asked, response, date, place in warc.read(self.path):
            if asked:
                self._places.setdefault(asked, place)
                self._remember(response, date)
            end = place.end if place.file == self._files[-1] else 0
        self._file.seek(end)
        rest = self._file.read()
        if rest:
            _aside(self._files[-1]).write_bytes(rest)
            self._file.truncate(end)
        self.torn = len(rest)
        return end

    def _digest(self, response: Response) -> str:
        """Of a body that may be referred to: of a whole page, and long enough; else ""."""
        size, whole = len(response.body), not response.error and warc.UNCHANGED not in response.headers
        if self.repeats or not whole or not LEAST_BODY <= size < (self.cut_at or size + 1):
            return ""
        return warc.digest(response.body)

    def _remember(self, response: Response, date: str) -> None:
        if found := self._digest(response):
            self._bodies.setdefault(found, warc.Original(response.url, date))

    def _open(self, file: Path) -> None:
        self._file = file.open("r+b", buffering=0)  # unbuffered: written means out of our hands

    def _append(self, record: bytes) -> None:
        with self._lock:
            if self.max_bytes is not None and self.size + len(record) > self.max_bytes:
                raise LimitError(f"{self.path} has reached its limit of {self.max_bytes:,} bytes; allow more")
            if self.file_bytes is not None and self._size >= self.file_bytes:
                self._turn()
            self._put(record)

    def _turn(self) -> None:
        """Begin the next file."""
        os.fsync(self._file.fileno())
        self._file.close()
        self._before, self._size = self.size, 0
        self._files.append(warc.further(self.path, len(self._files) + 1))
        self._files[-1].touch()
        self._open(self._files[-1])
        self._put(self._information())

    def _information(self) -> bytes:
        return warc.information({"software": "focuslab", **self.about})

    def _put(self, record: bytes) -> None:
        try:
            self._write(record)
        except OSError as problem:
            self._file.truncate(self._size)  # half a record would be found on opening, but need not be
            raise _explained(problem, self.path) from problem
        self._size += len(record)

    def _write(self, record: bytes) -> None:
        self._file.seek(self._size)
        while record:
            record = record[self._file.write(record) :]
        if time.monotonic() - self._synced > SYNC_EVERY:
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()


def _claim(file: FileIO, path: Path) -> None:
    """One crawl writes a file at a time; the claim ends with the process, however that ends."""
    end = time.monotonic() + CLAIM_WITHIN
    while True:
        try:
            _lock(file)
            return
        except OSError:
            if time.monotonic() > end:
                file.close()
                raise ValueError(f"{path} is being written by another crawl; stop it first") from None
            time.sleep(0.05)


def _lock(file: FileIO) -> None:
    if sys.platform == "win32":
        file.seek(FAR)  # locks are of bytes there, and keep readers out too: so of one that no file has
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _aside(path: Path) -> Path:
    """A name that is free."""
    number = 1
    while (place := path.with_name(f"{path.name}.torn-{number}")).exists():
        number += 1
    return place


def _explained(problem: OSError, path: Path) -> OSError:
    if problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return FullError(f"no space is left for {path} ({problem.strerror}); free some, then resume")
    return OSError(f"cannot write {path} ({problem.strerror or problem})")
