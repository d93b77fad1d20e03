"""How a public archive is asked: few connections, a name, patience, and one pause for all when it says so."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from urllib3 import BaseHTTPResponse, PoolManager, Timeout
from urllib3.exceptions import HTTPError

from focuslab.fetchers.sockets import BOUNDS, Bounds, pools

try:
    import fcntl
except ImportError:  # Windows has none: processes there must not begin at the same time
    fcntl = None  # type: ignore[assignment]

__all__ = ["REPLAYED", "Answer", "Service", "UnreachableError"]

SLOW_DOWN = frozenset({403, 429, 503})
"""Common Crawl says 403 to who asks far too often; the other two are what everybody says."""
BUSY = SLOW_DOWN | {500, 502, 504}
REPLAYED = "memento-datetime"
"""Says that a status is not the archive's own: it was 503 long ago, and is shown as it was."""
LONGEST_PAUSE = 120.0
CHUNK = 1 << 16


class UnreachableError(OSError):
    """The archive could not be asked. What was fetched before is kept."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: bytes
    headers: Mapping[str, str] = {}


@dataclass
class Service:
    """One archive's servers. Threads may share one.

    Parameters
    ----------
    contact
        An e-mail address or a page about your crawl, told in the User-Agent.
    connections
        Requests at a time (our choice: few).
    gap
        Seconds between the starts of two requests.
    attempts
        How often something is asked for before giving up. Pauses double from one second, unless the
        server says how long; with eight attempts that is two minutes of patience.
    read, total
        Seconds between two pieces of an answer, and for all of it.
    busy
        What a server says that wants to be asked again later.
    max_bytes
        No answer larger than this is taken.

    Attributes
    ----------
    requests, bytes, pauses : int
        What was asked, what came, and how often the archive asked to slow down.
    """

    contact: str = ""
    connections: int = 4
    gap: float = 0.0
    attempts: int = 8
    read: float = 60.0
    total: float = 300.0
    busy: frozenset[int] = BUSY
    max_bytes: int = 100_000_000
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    requests: int = field(default=0, init=False)
    bytes: int = field(default=0, init=False)
    pauses: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(self.connections)
        self._next = float("-inf")
        self._pools: dict[str, PoolManager] = {}

    def get(self, url: str, start: int | None = None, length: int = 0) -> Answer:
        """What an address gives, or ``length`` bytes of it from ``start``; raises when it cannot be asked."""
        asked = {} if start is None else {"Range": f"bytes={start}-{start + length - 1}"}
        problem = ""
        for attempt in range(self.attempts):
            with self._free:
                self._wait()
                try:
                    answer = self._once(url, asked, length or self.max_bytes)
                except (HTTPError, OSError) as error:
                    answer, problem = None, _short(error)
            if answer is not None and (answer.status not in self.busy or REPLAYED in answer.headers):
                return self._checked(url, answer, start, length)
            problem = f"status {answer.status}" if answer else problem
            self._pause(2.0**attempt if answer is None else _asked_pause(answer, 2.0**attempt))
        raise UnreachableError(
            f"{urlsplit(url).netloc} could not be asked ({problem}, {self.attempts} times); "
            "what was fetched is kept, so run the same again later"
        )

    def download(self, url: str, file: Path) -> bool:
        """Bring a large file, piece by piece and from where an earlier try ended; False if there is none.

        Of several processes that want it one brings it, and the others wait.
        """
        part = file.with_name(file.name + ".part")
        part.parent.mkdir(parents=True, exist_ok=True)
        with part.open("ab") as stream:
            if fcntl is not None:
                fcntl.flock(stream, fcntl.LOCK_EX)
            found = file.exists() or self._pieces(url, stream)
            if found and not file.exists():
                stream.flush()
                part.replace(file)
        return found

    def _pieces(self, url: str, stream: BinaryIO) -> bool:
        step = self.max_bytes // 10
        while True:
            answer = self.get(url, stream.tell(), step)
            if answer.status in (400, 404):
                return False
            if answer.status == 416:  # nothing is left
                return True
            stream.write(answer.body)
            if len(answer.body) < step:
                return True

    def _checked(self, url: str, answer: Answer, start: int | None, length: int) -> Answer:
        if start is not None and answer.status == 200:
            # A server that knows no ranges sends the file from its start.
            if len(answer.body) < start:
                return Answer(416, b"")
            return Answer(206, answer.body[start : start + length], answer.headers)
        return answer

    def _once(self, url: str, asked: Mapping[str, str], most: int) -> Answer:
        token = BOUNDS.set(
            Bounds(time.monotonic() + self.total, True)
        )  # the address is a setting, not a link
        try:
            headers = {"User-Agent": self._name(), "Accept-Encoding": "identity", **asked}
            reply = self._pool(url).urlopen(
                "GET",
                url,
                headers=headers,
                timeout=Timeout(connect=min(10.0, self.total), read=self.read),
                retries=False,
                redirect=False,
                preload_content=False,
            )
            return self._received(reply, most if reply.status == 206 else self.max_bytes, plain=bool(asked))
        finally:
            BOUNDS.reset(token)

    def _received(self, reply: BaseHTTPResponse, most: int, plain: bool) -> Answer:
        pieces: list[bytes] = []
        size = 0
        try:
            for piece in reply.stream(CHUNK, decode_content=not plain):
                pieces.append(piece)
                size += len(piece)
                if size > most:
                    raise HTTPError(f"more than {most:,} bytes")
        except BaseException:
            reply.close()  # a connection with leftovers is not used again
            raise
        reply.release_conn()
        with self._lock:
            self.bytes += size
        headers = {name.lower(): value for name, value in reply.headers.items()}
        return Answer(reply.status, b"".join(pieces), headers)

    def _wait(self) -> None:
        """Until the pause that holds for all is over."""
        with self._lock:
            now = self.clock()
            start = max(now, self._next)
            self._next = max(self._next, start + self.gap)
            self.requests += 1
        if start > now:
            self.sleep(start - now)

    def _pause(self, seconds: float) -> None:
        with self._lock:
            self.pauses += 1
            self._next = max(self._next, self.clock() + min(seconds, LONGEST_PAUSE))

    def _name(self) -> str:
        return f"focuslab (+{self.contact})" if self.contact else "focuslab"

    def _pool(self, url: str) -> PoolManager:
        parts = urlsplit(url)
        proxy = "" if proxy_bypass(parts.netloc) else getproxies().get(parts.scheme, "")
        with self._lock:
            if proxy not in self._pools:
                self._pools[proxy] = pools(self.connections, proxy)
            return self._pools[proxy]


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def _asked_pause(answer: Answer, usual: float) -> float:
    said = answer.headers.get("retry-after", "").strip()
    return float(said[:6]) if said.isdecimal() else usual
