"""The Wayback Machine as a fetcher, against a server on loopback that has the real one's ways."""

from __future__ import annotations

import json
import pickle
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from focuslab import webs
from focuslab.fetchers.archives.wayback import FIELDS, Wayback

A = "http://a.example/"
OTHER_TIMES = {"20150601000000": "20150602000000"}
"""A capture that the index names and the archive has under another time."""


class Machine(BaseHTTPRequestHandler):
    """The CDX API and raw captures.

    ``captures[url]`` is a list of (time, status in the index, status when shown, body or location).
    """

    captures: dict[str, list[tuple[str, str, int, str]]]
    asked: list[str]
    busy: int
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if len(self.asked) <= self.busy:
            self.send(429, b"<h1>Too Many Requests</h1>", {"Retry-After": "1"})
        elif self.path.startswith("/cdx/search/cdx?"):
            self.index({name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()})
        else:
            _, _, time, url = self.path.split("/", 3)
            self.capture(time, url)

    def index(self, asked: dict[str, str]) -> None:
        if asked["url"].startswith("http://hidden."):
            said = {"x-archive-wayback-runtime-error": "AdministrativeAccessControlException"}
            self.send(403, b"Blocked Site Error", said)
            return
        found = self.captures.get(asked["url"], [])
        rows = [
            [time, asked["url"], "warc/revisit" if status == "-" else "text/html", status, "X", "99"]
            for time, status, *_ in found
        ]
        # An address without captures is answered with nothing at all.
        self.send(200, json.dumps([list(FIELDS), *rows]).encode() if rows else b"", {})

    def capture(self, time: str, url: str) -> None:
        assert time.endswith("id_")
        real = OTHER_TIMES.get(time[:14], time[:14])
        if real != time[:14]:
            self.send(302, b"", {"Location": f"/web/{real}id_/{url}"})
            return
        found = [one for one in self.captures[url] if OTHER_TIMES.get(one[0], one[0]) == real]
        _, _, status, body = found[0]
        said = {"Memento-Datetime": "x", "x-archive-orig-server": "Apache", "x-archive-src": "part.warc.gz"}
        if status in (301, 302):
            said["Location"] = f"http://127.0.0.1/web/{real}id_/{body}"
        else:
            said["Content-Type"] = "text/html; charset=utf-8"
        self.send(status, body.encode(), said)

    def send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


CAPTURES = {
    A: [
        ("20140101000000", "200", 200, "<p>early"),
        ("20150613000000", "200", 200, "<p>near"),
        ("20150615120000", "503", 503, "down"),
    ],
    "http://moved.example/": [("20150610000000", "301", 301, A)],
    "http://gone.example/": [("20150101000000", "404", 404, "<p>gone")],
    "http://same.example/": [("20150611000000", "-", 200, "<p>as before")],
    "http://other.example/": [("20150601000000", "200", 200, "<p>a day later")],
    "http://busy.example/": [("20150601120000", "-", 503, "shown as it was")],
    "http://loop.example/": [("20150610000000", "302", 302, "http://loop.example/")],
}


@contextmanager
def machine(busy: int = 0) -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    handler = type("Served", (Machine,), {"captures": CAPTURES, "asked": asked, "busy": busy})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked
    finally:
        server.shutdown()
        server.server_close()


def opened(url: str, cache: Path, at: str = "2015-06", gap: float = 0.0) -> Wayback:
    return Wayback(at, server=url, cache=cache, gap=gap, sleep=lambda seconds: None)


def test_the_nearest_capture_that_is_no_failure_is_what_a_page_was(tmp_path: Path) -> None:
    with machine() as (url, asked):
        page = opened(url, tmp_path).fetch(A)
        assert (page.url, page.status, page.body) == (A, 200, b"<p>near")
        assert page.content_type == "text/html; charset=utf-8"
        assert page.headers["server"] == "Apache"
        assert "closest=20150615120000" in asked[0]
        assert asked[1] == f"/web/20150613000000id_/{A}"
        assert opened(url, tmp_path / "2013", "2013").fetch(A).body == b"<p>early"


def test_its_peculiarities_are_understood(tmp_path: Path) -> None:
    with machine() as (url, _):
        web = opened(url, tmp_path)
        moved, gone = web.fetch("http://moved.example/"), web.fetch("http://gone.example/")
        assert (moved.url, moved.body) == (A, b"<p>near")
        assert (gone.status, gone.error) == (404, "")
        assert web.fetch("http://same.example/").body == b"<p>as before"
        assert web.fetch("http://other.example/").body == b"<p>a day later"
        assert web.fetch("http://busy.example/").status == 503
        assert web.fetch("http://never.example/").error.startswith("not-captured")
        assert web.fetch("http://hidden.example/").error.startswith("not-captured")
        assert web.fetch("http://loop.example/").error.startswith("redirect-loop")
        assert web.service.pauses == 0


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    with machine() as (url, asked):
        first = [opened(url, tmp_path).fetch(page) for page in CAPTURES]
        count = len(asked)
        again = pickle.loads(pickle.dumps(Wayback("2015-06", server=url, cache=tmp_path)))
        assert [again.fetch(page) for page in CAPTURES] == first
        assert len(asked) == count
    assert webs.archive(tmp_path).fetch(A).body == b"<p>near"


def test_it_waits_when_there_were_too_many_requests(tmp_path: Path) -> None:
    with machine(busy=3) as (url, asked):
        web = opened(url, tmp_path)
        assert web.fetch(A).ok
        assert web.service.pauses == 3
        assert len(asked) == 5


def test_fifteen_requests_a_minute_are_the_default(tmp_path: Path) -> None:
    slept: list[float] = []
    with machine() as (url, _):
        web = Wayback("2015", server=url, cache=tmp_path, clock=lambda: 0.0, sleep=slept.append)
        web.fetch(A)
        web.fetch("http://gone.example/")
    assert slept == [4.0, 8.0]


@pytest.mark.parametrize("at", ["yesterday", "2015-13", "15", ""])
def test_what_is_no_time_is_refused(at: str) -> None:
    with pytest.raises(ValueError, match="is no time; write 2015, 2015-06 or 2015-06-30"):
        Wayback(at)
