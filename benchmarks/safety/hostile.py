"""A web that means harm, on loopback: one crawl through all of it, and what came of each case.

Every case is a host. Prints a table and one JSON line: ``python benchmarks/safety/hostile.py``;
with ``--each`` a JSON line for each case alone, with its seconds and megabytes.
"""

from __future__ import annotations

import gzip
import itertools
import json
import re
import resource
import socket
import socketserver
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import brotli
import trustme

from focuslab import live
from focuslab.classifiers.training.topic_file import Examples, TopicFile
from focuslab.crawling.live.watch import Watch
from focuslab.crawling.log import CrawlLog
from focuslab.types import Topic

Behaviour = Callable[[socket.socket, str, "Web"], None]
PAGE_BYTES = 1_500_000
PATIENT = {"connect": 2.0, "read": 1.0, "total": 3.0}


def answer(body: bytes = b"", status: str = "200 OK", kind: str = "text/html", **headers: object) -> bytes:
    lines = {"Content-Type": kind, "Content-Length": len(body)}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value is not None)
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def links(*targets: str) -> bytes:
    return answer("".join(f'<p>ball <a href="{target}">game</a>' for target in targets).encode())


def to(location: str) -> bytes:
    return answer(status="302 Found", Location=location)


def forever(start: bytes, piece: bytes, pause: float = 0.0) -> Behaviour:
    def behave(sock: socket.socket, path: str, web: Web) -> None:
        sock.sendall(start)
        while not web.ended.wait(pause) if pause else not web.ended.is_set():
            sock.sendall(piece)

    return behave


def then_silence(start: bytes) -> Behaviour:
    def behave(sock: socket.socket, path: str, web: Web) -> None:
        sock.sendall(start)
        web.ended.wait(30)

    return behave


def then_gone(start: bytes) -> Behaviour:
    return lambda sock, path, web: sock.sendall(start)


def reset(sock: socket.socket, path: str, web: Web) -> None:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def by_path(make: Callable[[str], bytes]) -> Behaviour:
    return lambda sock, path, web: sock.sendall(make(path))


def calendar(path: str) -> bytes:
    day = int(path.rpartition("=")[2] or 0) if "=" in path else 0
    return links(f"/?day={day + 1}", f"/?day={day + 40}")


def calendar_of_folders(path: str) -> bytes:
    return links(f"{path.rstrip('/')}/next/", f"{path.rstrip('/')}/day/")


def sessions(path: str, numbers: Iterator[int] = itertools.count()) -> bytes:  # noqa: B008
    return links(*(f"/page?sid={next(numbers):08x}" for _ in range(20)))


def bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(b"\0" * 50_000_000) + packer.flush()


def cookie(path: str) -> bytes:
    return answer(b'<p>ball <a href="/second">game</a>', Set_Cookie="who=you; Path=/; Domain=.example")


def numbered(piece: bytes, count: int) -> bytes:
    return b"".join(piece % number for number in range(count))


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
INVALID = (
    *("javascript:alert(1)", "mailto:a@b.example", "http://", "http:///", "http://[::1", "http://a:99999/"),
    *("data:text/html,x", "//", "http://exa mple/", "http://a..b/", "http://\x00/", "ftp://a.example/", "?"),
    *("http://" + "a" * 300 + ".example/", "http://a.example:port/", "/%zz%", "http://%31%32/", "\\\\x\\y"),
    "http://ball.example/" + "x" * 5_000,
)


class Case(NamedTuple):
    """What a host does, and what must come of asking for its page (a pattern)."""

    does: bytes | Behaviour
    becomes: str
    path: str = "/"
    robots: bytes | Behaviour = answer(status="404 Not Found")


PAGE = links("/")
MISSING = answer(status="404 Not Found")
MANY = answer(b"".join(b"<a href=%x>" % n for n in range(100_000)))
CASES: dict[str, Case] = {
    "a good page": Case(PAGE, "page"),
    "connection reset": Case(reset, "reset"),
    "half a header, then gone": Case(
        then_gone(b"HTTP/1.1 200 OK\r\nContent-"), "reset|not-http|incomplete|page"
    ),
    "half a header, then silence": Case(then_silence(b"HTTP/1.1 200 OK\r\nContent-"), "timeout"),
    "no answer at all": Case(then_silence(b""), "timeout"),
    "not HTTP": Case(then_gone(b"SSH-2.0-OpenSSH_9.6\r\n"), "not-http"),
    "endless header": Case(forever(HEAD, b"X-Filler: " + b"y" * 1_000 + b"\r\n"), "not-http"),
    "endless body": Case(forever(HEAD + b"\r\n", b"<p>ball" * 1_000), rf"page, {PAGE_BYTES:,} bytes"),
    "endless chunks": Case(
        forever(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\n<p>ba\r\n" * 500),
        f"page, {PAGE_BYTES:,}",
    ),
    "bad chunks": Case(
        then_gone(HEAD + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\nball"), "incomplete|not-http"
    ),
    "slow drip": Case(forever(HEAD + b"\r\n", b"a", pause=0.05), "timeout"),
    "redirect loop": Case(to("/"), "redirect-loop"),
    "redirect chain": Case(by_path(lambda path: to(path + "x")), "too-many-redirects"),
    "redirect to file:": Case(to("file:///etc/passwd"), "invalid-url: only http and https"),
    "redirect to 127.0.0.1": Case(to("http://127.0.0.1:22/"), "private-address"),
    "redirect to link-local": Case(to("http://169.254.169.254/latest/meta-data/"), "private-address"),
    "redirect to [::1]": Case(to("http://[::1]/"), "private-address"),
    "redirect to 0x7f.1": Case(to("http://0x7f.1/"), "private-address"),
    "redirect to nowhere": Case(to("http://"), "invalid-url|status 302"),
    "gzip bomb, 50 MB": Case(answer(bomb(), Content_Encoding="gzip"), f"page, {PAGE_BYTES:,}"),
    "gzip that is none": Case(answer(b"ball game", Content_Encoding="gzip"), "bad-encoding"),
    "gzip inside gzip": Case(
        answer(gzip.compress(gzip.compress(b"<p>ball")), Content_Encoding="gzip, gzip"), "page"
    ),
    "Content-Length too long": Case(then_gone(answer(b"<p>ball", Content_Length=5_000)), "incomplete"),
    "Content-Length too short": Case(then_gone(answer(b"<p>ball game", Content_Length=5)), "page, 5 bytes"),
    "Content-Length negative": Case(
        then_gone(answer(b"<p>ball", Content_Length=-5)), "page|incomplete|not-http"
    ),
    "lying charset": Case(answer("<p>ball é 野球".encode("utf-16"), kind="text/html; charset=ascii"), "page"),
    "unknown charset": Case(answer(b"<p>ball", kind="text/html; charset=../../etc/passwd"), "page"),
    "binary as HTML": Case(answer(bytes(range(256)) * 500), "page"),
    "PDF said to be one": Case(answer(b"%PDF-1.7", kind="application/pdf"), "not-html"),
    "1 MB of attributes": Case(answer(b"<p " + b"a=1 b=2 " * 125_000 + b">ball"), "page"),
    "nested 60,000 deep": Case(answer(b"<div>" * 50_000 + b"<b>" * 10_000 + b"ball"), "page"),
    "100,000 links": Case(by_path(lambda path: MANY if path == "/" else MISSING), "page"),
    "calendar of queries": Case(by_path(calendar), "page", path="/?day=0"),
    "calendar of folders": Case(by_path(calendar_of_folders), "page"),
    "session ids": Case(by_path(sessions), "page"),
    "invalid links": Case(links(*INVALID), "page"),
    "cookies": Case(by_path(cookie), "page"),
    "429 without end": Case(answer(status="429 Too Many Requests", Retry_After=1), "status 429|back-off"),
    "429 for an hour": Case(answer(status="429 Too Many Requests", Retry_After=3_600), "status 429|back-off"),
    "503, Retry-After nonsense": Case(
        answer(status="503 Service Unavailable", Retry_After="soon, 9e99"), "status 503|back-off"
    ),
    "robots.txt forbids": Case(PAGE, "robots", robots=answer(b"User-agent: *\nDisallow: /")),
    "robots.txt 500": Case(PAGE, "robots-unreachable", robots=answer(status="500 Oops")),
    "robots.txt never comes": Case(PAGE, "robots-unreachable", robots=then_silence(b"")),
    "robots.txt endless": Case(PAGE, "page", robots=forever(HEAD + b"\r\n", b"# nothing to say\n" * 500)),
    "robots.txt redirects": Case(
        PAGE, "robots", path="/secret", robots=to("http://rules.example/robots.txt")
    ),
    "robots.txt in circles": Case(PAGE, "page", robots=to("/robots.txt")),
    "robots.txt is binary": Case(PAGE, "page", robots=answer(bytes(range(256)) * 10)),
    "title that attacks a terminal": Case(answer(b"<title>\x1b[2J\x1b]0;x\x07</title><p>ball game"), "page"),
    "title that attacks the report": Case(
        answer(b"<title></table><script>alert(1)</script></title>ball game"), "page"
    ),
    "links in brackets": Case(
        links("http://[:]/?a=1", "http://[1:2]/", "http://[::1%25x]/", "//[::]::/"), "page"
    ),
    "redirect to brackets": Case(to("http://[:]/"), "invalid-url"),
    "brotli bomb, 50 MB": Case(
        answer(brotli.compress(bytes(50_000_000)), Content_Encoding="br"), f"page, {PAGE_BYTES:,}"
    ),
    "1,500 attributes, then <a": Case(
        answer(b"<p " + numbered(b" x%d", 1_500) + b">" + b"<a" * 80_000), "page"
    ),
    "attributes without spaces": Case(answer(b"<p " + numbered(b"x%d='1'", 120_000) + b">ball"), "page"),
    "attributes with < and >": Case(answer(b"<p " + numbered(b" x%d='<>'", 100_000) + b">ball"), "page"),
    "a comment that hides a tag": Case(
        answer(b"<!--<a x='--><p " + numbered(b" x%d", 150_000) + b">'ball"), "page"
    ),
    "a million marks on a letter": Case(answer(b"a" + "\u0301\u0316".encode() * 350_000), "page"),
    "half a million tags": Case(answer(b"<p>" * 500_000), "page"),
    "tags with tags in their names": Case(answer(b"<meta<b><button>" * 90_000), "page"),
    "103 before 200": Case(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + links("/"), "page"),
    "UTF-16 without a mark": Case(answer("<p>ball 野球".encode("utf-16-le")), "page"),
    "robots.txt busy": Case(PAGE, "robots-unreachable", robots=answer(status="429 Too Many Requests")),
    "robots.txt of CR lines": Case(PAGE, "robots:", robots=answer(b"User-agent: *\rDisallow: /\r")),
    "robots.txt with a version": Case(PAGE, "robots:", robots=answer(b"User-agent: focuslab/9\nDisallow: /")),
    "robots.txt is an image": Case(
        PAGE, "robots:", robots=answer(b"User-agent: *\nDisallow: /", kind="image/png")
    ),
    "robots.txt in brackets": Case(PAGE, "robots-unreachable", robots=to("http://[:]/")),
}


def host(name: str) -> str:
    """The host of a case: ``a good page`` is at a-good-page.example."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") + ".example"


class Web(socketserver.ThreadingTCPServer):
    """A proxy that answers for all the hosts itself, each as its case says."""

    allow_reuse_address = daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), None)  # type: ignore[arg-type]
        self.hosts = {host(name): case for name, case in CASES.items()}
        self.hosts["rules.example"] = Case(b"", "", robots=answer(b"User-agent: *\nDisallow: /secret"))
        self.heads: list[bytes] = []
        self.ended = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def finish_request(self, request: socket.socket, client_address: object) -> None:
        with request.makefile("rb") as stream:
            while head := b"".join(iter(lambda: stream.readline().strip(b"\r\n") + b"\n", b"\n")):
                self.heads.append(head)
                _, _, name, *path = head.split(b" ")[1].decode("latin-1").split("/", 3)
                case = self.hosts.get(name)
                place = "/" + "".join(path)
                if case is None:
                    request.sendall(answer(status="404 Not Found"))
                    continue
                does = case.robots if place == "/robots.txt" else case.does
                if callable(does):
                    does(request, place, self)
                    break
                request.sendall(does)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what this is about."""


@contextmanager
def served() -> Iterator[Web]:
    with Web() as web:
        thread = threading.Thread(target=web.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield web
        web.ended.set()
        web.shutdown()
        thread.join()


def explore(web: Web, out: Path, said: StringIO, width: int = 16, host_cap: int = 120) -> CrawlLog:
    """Crawl all of it, with time limits that suit a machine rather than the world."""
    seeds = tuple(f"http://{host(name)}{case.path}" for name, case in CASES.items())
    topic = TopicFile(Topic("ball games", seeds, content_terms=("ball", "game")), Examples())
    return live.crawl(
        topic,
        out=out,
        proxy=web.url,
        width=width,
        delay=0,
        patience=3,
        host_cap=host_cap,
        page_bytes=PAGE_BYTES,
        budget=100 * host_cap,
        contact="lab@crawl.example",
        timeouts=PATIENT,
        watch=Watch(said),
    )


def alone(web: str, name: str, out: Path) -> None:
    """A crawl of one page, whatever comes of it."""
    topic = Topic("ball games", (f"http://{host(name)}{CASES[name].path}",), content_terms=("ball", "game"))
    with suppress(ValueError):  # of a crawl without a page
        live.crawl(
            TopicFile(topic, Examples()),
            out=out,
            proxy=web,
            width=1,
            delay=0,
            patience=3,
            budget=1,
            page_bytes=PAGE_BYTES,
            contact="lab@crawl.example",
            timeouts=PATIENT,
            watch=Watch(StringIO()),
        )


def cost(web: str, name: str, folder: Path) -> dict[str, float]:
    """What a case takes beyond what is loaded for any: a good page is crawled first."""
    alone(web, "a good page", folder / "good")
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, cpu = time.perf_counter(), time.process_time()
    alone(web, name, folder / "case")
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - used
    seconds = (time.perf_counter() - start, time.process_time() - cpu)
    return {"seconds": round(seconds[0], 2), "cpu_seconds": round(seconds[1], 2), "MB": round(more / 1024)}


def each() -> None:
    """Every case alone in a process, a JSON line for each, and the worst of them."""
    rows = []
    with tempfile.TemporaryDirectory() as folder, served() as web:
        for number, name in enumerate(CASES):
            command = [sys.executable, __file__, "--alone", web.url, name, f"{folder}/{number}"]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=300, check=True)
            rows.append({"case": name, **json.loads(done.stdout.splitlines()[-1])})
            print(json.dumps({"benchmark": "hostile", **rows[-1]}), flush=True)
    worst = {most: max(row[most] for row in rows) for most in ("seconds", "cpu_seconds", "MB")}
    print(json.dumps({"benchmark": "hostile", "worst": worst, "each": rows}))


def outcomes(log: CrawlLog) -> dict[str, str]:
    """What came of each case's own page, in words."""
    asked = {row.asked: f"page, {row.bytes:,} bytes" for row in log.frame.itertuples()}
    asked |= {failure.link.url: failure.reason for failure in log.failures}
    return {name: asked[f"http://{host(name)}{case.path}"] for name, case in CASES.items()}


@contextmanager
def untrusted() -> Iterator[str]:
    """An https server with a certificate of an authority nobody knows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    with Web() as web:
        web.socket = context.wrap_socket(web.socket, server_side=True)
        threading.Thread(target=web.serve_forever, args=(0.05,), daemon=True).start()
        yield f"https://127.0.0.1:{web.server_address[1]}/"
        web.ended.set()
        web.shutdown()


def main() -> None:
    if sys.argv[1:2] == ["--alone"]:
        print(json.dumps(cost(sys.argv[2], sys.argv[3], Path(sys.argv[4]))))
        return
    if sys.argv[1:2] == ["--each"]:
        each()
        return
    said, start = StringIO(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, served() as web:
        log = explore(web, Path(folder) / "crawl", said)
        found = outcomes(log)
        size = (Path(folder) / "crawl" / "crawl.warc.gz").stat().st_size
        sent = [head for head in web.heads if b"\ncookie:" in head.lower()]
    as_expected = {name: bool(re.match(CASES[name].becomes, found[name])) for name in CASES}
    for name, outcome in found.items():
        print(f"{'ok ' if as_expected[name] else 'BAD'}  {name:32} {outcome[:100]}")
    print(
        json.dumps(
            {
                "benchmark": "hostile",
                "cases": len(CASES),
                "as_expected": sum(as_expected.values()),
                "pages": len(log),
                "failures": len(log.failures),
                "traps_refused": sum(failure.reason.startswith("trap") for failure in log.failures),
                "cookies_sent": len(sent),
                "record_bytes": size,
                "seconds": round(time.perf_counter() - start, 1),
                "stopped": log.settings["stopped"],
            }
        )
    )


if __name__ == "__main__":
    main()
