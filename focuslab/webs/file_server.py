"""A folder on loopback by HTTP with byte ranges, as the great archives serve their files, faults included."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

__all__ = ["Fault", "FileServer", "serve_files"]

_RANGE = re.compile(r"bytes=(\d+)-(\d+)")


class Fault(NamedTuple):
    """How a request is answered instead: with a status, or late, or with a part of what was asked for."""

    status: int = 0
    seconds: float = 0.0
    share: float = 1.0
    headers: tuple[tuple[str, str], ...] = ()


@dataclass
class FileServer:
    """Where the folder is, and what was asked for."""

    url: str
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Path and range of every request, in order."""
    agents: set[str] = field(default_factory=set)


@contextmanager
def serve_files(
    folder: Path, fault: Callable[[str, int], Fault | None] | None = None
) -> Iterator[FileServer]:
    """Serve a folder until the block ends.

    Parameters
    ----------
    folder
        Its files are answered with, whole or in ranges.
    fault
        ``fault(path, n)`` may spoil the answer to the n-th request, counted from 0.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else every answer waits 40 ms for an acknowledgement
        wbufsize = -1

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path).lstrip("/")
            with lock:
                number = len(served.asked)
                served.asked.append((path, self.headers.get("Range", "")))
                served.agents.add(self.headers.get("User-Agent", ""))
            spoilt = (fault(path, number) if fault else None) or Fault()
            time.sleep(spoilt.seconds)
            if spoilt.status:
                self._send(spoilt.status, b"Please slow down.", dict(spoilt.headers), 1.0)
            else:
                self._send_file((folder / path).resolve(), spoilt.share)

        def _send_file(self, file: Path, share: float) -> None:
            if not file.is_relative_to(folder.resolve()) or not file.is_file():
                self._send(404, b"Not Found", {}, 1.0)
                return
            size, wanted = file.stat().st_size, _RANGE.fullmatch(self.headers.get("Range", ""))
            start, end = (int(wanted[1]), min(int(wanted[2]) + 1, size)) if wanted else (0, size)
            if start >= size > 0:
                self._send(416, b"", {"Content-Range": f"bytes */{size}"}, 1.0)
                return
            with file.open("rb") as stream:
                stream.seek(start)
                body = stream.read(end - start)
            said = {"Content-Range": f"bytes {start}-{end - 1}/{size}"} if wanted else {}
            self._send(206 if wanted else 200, body, said, share)

        def _send(self, status: int, body: bytes, headers: dict[str, str], share: float) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: int(share * len(body))])
            self.close_connection = share < 1

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    lock = threading.Lock()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # whoever hangs up may do so
    served = FileServer(f"http://127.0.0.1:{server.server_port}/")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
