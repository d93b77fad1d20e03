"""The fetcher against a hostile server: real sockets, on loopback only."""

from __future__ import annotations

import gzip
import itertools
import socket
import socketserver
import struct
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import brotli
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focuslab.fetchers import sockets
from focuslab.fetchers.http import WANG_BYTES, Http
from focuslab.fetchers.redirects import redirect
from focuslab.fetchers.sockets import is_public, literal
from focuslab.types import Fetcher, Response

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Behaviour = Callable[[socket.socket, bytes], None]


class Hostile(socketserver.ThreadingTCPServer):
    """Answers each path as a test says, in raw bytes; remembers the request heads."""

    allow_reuse_address = daemon_threads = True
    request_queue_size = 64  # more than ever knock at once

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), None)  # type: ignore[arg-type]
        self.paths: dict[str, bytes | Behaviour] = {}
        self.heads: list[bytes] = []
        self.connections = 0
        self.ended = threading.Event()

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.server_address[1]}{path}"

    def finish_request(self, request: socket.socket, client_address: object) -> None:
        self.connections += 1
        with request.makefile("rb") as stream:
            while head := b"".join(iter(lambda: stream.readline().strip(b"\r\n") + b"\n", b"\n")):
                self.heads.append(head)
                answer = self.paths[head.split(b" ")[1].decode()]
                if callable(answer):
                    answer(request, head)
                    break
                request.sendall(answer)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what these tests are about."""


@pytest.fixture
def server() -> Iterator[Hostile]:
    with Hostile() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.ended.set()
        server.shutdown()
        thread.join()


def make(**settings: object) -> Http:
    """A fetcher for loopback with short limits, whatever proxy the environment has."""
    return Http(
        **({"allow_private": True, "proxy": "", "connect": 0.5, "read": 0.3, "total": 0.6} | settings)
    )


@pytest.fixture
def http() -> Http:
    return make()


def answer(body: bytes = b"", status: str = "200 OK", kind: str = "text/html", **headers: object) -> bytes:
    lines = {"Content-Type": kind, "Content-Length": len(body)}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value is not None)
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def to(location: str, status: str = "302 Found") -> bytes:
    return answer(status=status, Location=location)


def forever(*pieces: bytes, pause: float = 0.0) -> Behaviour:
    """The first piece once, then the others again and again until the client hangs up."""

    def behave(sock: socket.socket, head: bytes) -> None:
        sock.sendall(pieces[0])
        for piece in itertools.cycle(pieces[1:]):
            time.sleep(pause)
            sock.sendall(piece)

    return behave


# ---------------------------------------------------------------- what goes well


def test_a_page_as_it_is(server, http):
    server.paths["/a"] = answer(b"<p>hi", kind="text/html; charset=shift_jis", X_Thing="1")
    response = http.fetch(server.url("/a#part"))
    assert isinstance(http, Fetcher)
    assert response.ok
    assert (response.url, response.status, response.body) == (server.url("/a"), 200, b"<p>hi")
    assert response.content_type == "text/html; charset=shift_jis"
    assert response.headers["x-thing"] == "1"
    assert response.seconds > 0


def test_says_who_asks(server):
    server.paths["/"] = answer()
    make(contact="me@lab.example").fetch(server.url())
    assert b"user-agent: focuslab/0.1 (+me@lab.example)\n" in server.heads[0].lower()


def test_asks_for_a_contact_once_it_goes_out():
    with pytest.warns(UserWarning, match="contact"):
        assert Http(proxy="").user_agent == "focuslab/0.1 (+contact unset)"


@pytest.mark.parametrize(
    "bad", [{"max_bytes": 0}, {"total": -1}, {"user_agent": "a\r\nX: b"}, {"contact": "é"}]
)
def test_settings_that_cannot_work_are_refused(bad):
    with pytest.raises(ValueError, match="must be"):
        Http(**bad)


def test_hints_before_the_answer_are_not_the_answer(server, http):
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </x.css>\r\n\r\n"
    server.paths = {"/": 2 * hints + answer(b"page"), "/hints": 20 * hints + answer(b"page")}
    assert http.fetch(server.url()).body == b"page"
    assert http.fetch(server.url("/hints")).error.startswith("not-http: more than 10 answers")


def test_headers_that_come_twice_are_kept(server, http):
    lines = "X-Robots-Tag: b: noindex|Content-Type: text/plain|X-Robots-Tag: nofollow|Content-Type: text/html"
    head = f"HTTP/1.1 200 OK|{lines}|Content-Length: 1||".replace("|", "\r\n")
    server.paths["/"] = head.encode() + b"x"
    response = http.fetch(server.url())
    assert response.headers["x-robots-tag"] == "b: noindex\nnofollow"
    assert response.content_type == "text/html"


def test_connections_are_kept_alive(server, http):
    server.paths = {"/": answer(b"x"), "/r": to("/"), "/gone": answer(b"gone", "404 Not Found")}
    for path in ("/", "/gone", "/r", "/"):
        http.fetch(server.url(path))
    assert len(server.heads) == 5
    assert server.connections == 1


def test_threads_do_not_wait_for_each_other(server):
    barrier = threading.Barrier(8, timeout=5)

    def together(sock: socket.socket, head: bytes) -> None:
        barrier.wait()  # nobody is answered before all eight have asked
        sock.sendall(answer(head.split(b" ")[1]))

    server.paths = {f"/{n}": together for n in range(8)}
    http = make(width=8, read=5, total=5)
    with ThreadPoolExecutor(8) as threads:
        bodies = list(threads.map(lambda n: http.fetch(server.url(f"/{n}")).body, range(8)))
    assert bodies == [f"/{n}".encode() for n in range(8)]


def test_a_page_that_did_not_change(server, http):
    server.paths = {"/": answer(b"", "304 Not Modified"), "/r": to("/")}
    assert http.fetch(server.url(), etag='"v1"', modified="Sat, 01 Jan 2000 00:00:00 GMT").status == 304
    head = server.heads[0].lower()
    assert b'if-none-match: "v1"\n' in head
    assert b"if-modified-since: sat, 01 jan 2000 00:00:00 gmt\n" in head
    http.fetch(server.url("/r"), etag='"v1"')
    assert b"if-none-match" not in server.heads[2].lower()


# ---------------------------------------------------------------- size


def test_a_long_page_is_cut_not_failed(server):
    server.paths["/"] = answer(b"x" * 50_000)
    http = make(max_bytes=WANG_BYTES)
    for _ in range(2):  # the second comes over a fresh connection, not from the rest of the first
        response = http.fetch(server.url())
        assert response.ok
        assert len(response.body) == 10_240


def test_a_connection_with_the_rest_of_a_page_still_to_come_is_not_used_again(server):
    def hold(sock: socket.socket, head: bytes) -> None:
        sock.sendall(answer(b"x" * 10_240, Content_Length=50_000))
        server.ended.wait(5)

    server.paths["/"] = hold
    http = make(max_bytes=WANG_BYTES)
    assert [len(http.fetch(server.url()).body) for _ in range(2)] == [10_240] * 2
    assert server.connections == 2


def test_an_endless_body_is_cut(server):
    server.paths["/"] = forever(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"y" * 10_000)
    response = make(max_bytes=100_000, total=5).fetch(server.url())
    assert (response.error, response.body) == ("", b"y" * 100_000)


def test_an_endless_chunked_body_is_cut(server):
    start = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.paths["/"] = forever(start, b"3e8\r\n" + b"y" * 1000 + b"\r\n")
    assert make(max_bytes=10_500, total=5).fetch(server.url()).body == b"y" * 10_500


PACK = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstd.compress}


@pytest.mark.parametrize("encoding", PACK)
def test_a_compressed_page(server, http, encoding):
    packed = PACK[encoding](b"hello " * 1000)
    server.paths["/"] = answer(packed, Content_Encoding=encoding)
    assert http.fetch(server.url()).body == b"hello " * 1000


@pytest.mark.parametrize("encoding", ["br", "zstd"])
def test_a_small_bomb_of_another_kind_stops_at_the_limit(server, encoding):
    server.paths["/"] = answer(PACK[encoding](bytes(50_000_000)), Content_Encoding=encoding)
    assert len(make(max_bytes=10_000).fetch(server.url()).body) <= 10_000


def test_a_gzip_bomb_stops_at_the_limit(server):
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(bytes(1_000_000)) for _ in range(200)) + packer.flush()
    server.paths["/"] = answer(bomb, Content_Encoding="gzip")
    response = make(max_bytes=300_000, total=5).fetch(server.url())
    assert response.ok
    assert response.body == bytes(300_000)


def test_a_page_that_is_not_compressed_as_it_says(server, http):
    server.paths["/"] = answer(b"plain text", Content_Encoding="gzip")
    assert http.fetch(server.url()).error.startswith("bad-encoding: ")


@pytest.mark.parametrize("kind", ["application/pdf", "image/png", "application/json; charset=utf-8"])
def test_other_types_are_not_read(server, http, kind):
    server.paths["/"] = forever(answer(b"%PDF", kind=kind, Content_Length=10**12), b"z")
    response = http.fetch(server.url())
    assert (response.status, response.body, response.error) == (200, b"", f"not-html: {kind}")


@pytest.mark.parametrize("kind", ["TEXT/HTML;x", "application/xhtml+xml", "text/plain", None])
def test_pages_and_answers_without_a_type_are_read(server, http, kind):
    server.paths["/"] = answer(b"ok", Content_Type=kind)
    assert http.fetch(server.url()).ok


def test_robots_is_read_whatever_its_type_and_up_to_its_own_limit(server):
    server.paths["/robots.txt"] = answer(b"#" * 600_000, kind="application/octet-stream")
    response = make(max_bytes=WANG_BYTES, total=5).fetch(server.url("/robots.txt"))
    assert response.ok
    assert len(response.body) == 512_000


# ---------------------------------------------------------------- what goes wrong on the way


def test_nobody_listens(http):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    response = http.fetch(f"http://127.0.0.1:{port}/")
    assert (response.status, response.ok) == (0, False)
    assert response.error.startswith("refused: ")


def test_a_reset(server, http):
    def reset(sock: socket.socket, head: bytes) -> None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.close()

    server.paths["/"] = reset
    assert http.fetch(server.url()).error.startswith("reset: ")


@pytest.mark.parametrize(
    "said", [b"", b"HTTP/1.1 200 OK\r\nContent-Le", b"HTTP/1.1 200 O"], ids=["nothing", "half", "less"]
)
def test_an_answer_that_breaks_off_in_its_head(server, http, said):
    server.paths["/"] = lambda sock, head: sock.sendall(said)
    response = http.fetch(server.url())
    # Half a head is a head to Python's parser: an empty page then, never a hang.
    assert response.error.startswith(("reset: ", "not-http: ")) or (
        response.status == 200 and not response.body
    )


def test_less_than_announced(server, http):
    server.paths["/"] = lambda sock, head: sock.sendall(answer(b"short", Content_Length=500))
    response = http.fetch(server.url())
    assert response.error.startswith("incomplete: ")
    assert not response.ok


def test_more_than_announced_does_not_leak_into_the_next_page(server, http):
    server.paths = {
        "/": answer(b"abcHTTP/1.1 200 OK\r\n\r\nevil", Content_Length=3),
        "/next": answer(b"next"),
    }
    assert http.fetch(server.url()).body == b"abc"
    assert http.fetch(server.url("/next")).body == b"next"


@pytest.mark.parametrize("length", ["-5", "many", "5, 6"])
def test_a_length_that_is_none(server, http, length):
    server.paths["/"] = lambda sock, head: sock.sendall(answer(b"abcde", Content_Length=length))
    response = http.fetch(server.url())
    assert response.ok or response.error


def test_a_connection_that_was_kept_but_closes_when_used_again_costs_no_page(server, http):
    def only_once(sock: socket.socket, head: bytes) -> None:
        sock.sendall(answer(b"page"))
        sock.recv(65_536)  # the next request on this connection is taken, and never answered

    server.paths["/"] = only_once
    assert [http.fetch(server.url()).body for _ in range(3)] == [b"page"] * 3
    assert server.connections == 3


def test_a_new_connection_that_is_reset_is_not_tried_again(server, http):
    server.paths = {"/": answer(b"page"), "/down": lambda sock, head: None}
    http.fetch(server.url())
    assert http.fetch(server.url("/down")).error.startswith("reset: ")
    assert server.connections == 2  # the one kept alive, and one more to be sure


def test_nobody_takes_the_connection():
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        for sock in waiting:
            sock.setblocking(False)
            sock.connect_ex(address)
        response = make(connect=0.2).fetch("http://{}:{}/".format(*address))
        for sock in waiting:
            sock.close()
    assert response.error == "timeout: no connection within 0.2 s"


def test_silence_ends_at_the_read_limit(server, http):
    server.paths["/"] = lambda sock, head: server.ended.wait(5)
    response = http.fetch(server.url())
    assert (response.status, response.error) == (0, "timeout: no answer within 0.3 s")


@pytest.mark.parametrize(
    "start",
    [b"", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"],
    ids=["status line", "header", "body"],
)
def test_a_slow_drip_ends_at_the_total_limit(server, http, start):
    server.paths["/"] = forever(start, b"a", pause=0.05)
    response = http.fetch(server.url())
    assert response.error == "timeout: not finished within 0.6 s"
    assert response.seconds < 2


def test_redirects_share_one_total(server):
    def late(sock: socket.socket, head: bytes) -> None:
        time.sleep(0.2)
        sock.sendall(to("/" + "x" * len(head)))

    server.paths = {"/": late} | {"/" + "x" * n: late for n in range(1000)}
    assert make(total=0.5, max_redirects=50).fetch(server.url()).error == "timeout: not finished within 0.5 s"


def test_endless_interim_answers_end_too(server, http):
    server.paths["/"] = forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n")
    assert http.fetch(server.url()).error.startswith("timeout: ")


@pytest.mark.parametrize(
    "said",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 500,
        b"\x00" * 70_000,
    ],
    ids=["ssh", "status", "many headers", "zeros"],
)
def test_what_is_not_http(server, http, said):
    server.paths["/"] = lambda sock, head: sock.sendall(said)
    assert http.fetch(server.url()).error.startswith(("not-http: ", "reset: "))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=80),
    st.sampled_from([b"", b"HTTP/1.1 ", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r\n"]),
)
def test_no_bytes_make_it_raise(server, http, noise, start):
    server.paths["/"] = lambda sock, head: sock.sendall(start + noise)
    response = http.fetch(server.url())
    assert response.status or response.error


# ---------------------------------------------------------------- redirects


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]
)
def test_a_redirect_is_followed(server, http, status):
    server.paths = {"/a/old": to("../new?q=1", status), "/new?q=1": answer(b"new")}
    response = http.fetch(server.url("/a/old"))
    assert (response.url, response.body) == (server.url("/new?q=1"), b"new")


def test_a_redirect_in_raw_utf8(server, http):
    server.paths = {"/": to("/日本"), "/%E6%97%A5%E6%9C%AC": answer(b"here")}
    assert http.fetch(server.url()).body == b"here"


def test_five_redirects_are_enough(server, http):
    server.paths = {f"/{n}": to(f"/{n + 1}") for n in range(9)} | {"/9": answer(b"end")}
    assert http.fetch(server.url("/4")).body == b"end"
    response = http.fetch(server.url("/3"))
    assert (response.error, response.status) == ("too-many-redirects: more than 5", 302)


def test_a_redirect_loop(server, http):
    server.paths = {"/": to("/b"), "/b": to("/")}
    assert http.fetch(server.url()).error.startswith("redirect-loop: ")
    server.paths = {"/": to("#again")}
    assert http.fetch(server.url()).error.startswith("redirect-loop: ")


def test_without_redirects_they_are_handed_back(server):
    server.paths = {"/": to("/b")}
    response = make(max_redirects=0).fetch(server.url())
    assert (response.status, response.error, redirect(response)) == (302, "", server.url("/b"))


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://a.example/", "javascript:alert(1)", "http://[::1", "data:,x"]
)
def test_a_redirect_out_of_the_web_is_refused(server, http, target):
    server.paths["/"] = to(target)
    response = http.fetch(server.url())
    assert (response.status, response.url) == (0, target)
    assert response.error.startswith("invalid-url: ")


def test_a_redirect_without_a_target_is_an_answer(server, http):
    server.paths["/"] = answer(status="302 Found")
    assert (http.fetch(server.url()).status, http.fetch(server.url()).error) == (302, "")


# ---------------------------------------------------------------- where it goes


@pytest.fixture
def names(monkeypatch) -> dict[str, list[str]]:
    """Host names and the addresses they shall have, one after the other; only these are looked up."""
    table: dict[str, list[str]] = {}

    def look_up(host: str, port: int, **_: object) -> list[tuple]:
        address = table[host].pop(0) if len(table[host]) > 1 else table[host][0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(sockets.socket, "getaddrinfo", look_up)
    return table


@pytest.fixture
def careful() -> Http:
    """As it goes out on the web: private addresses are not asked."""
    return make(allow_private=False, contact="tests")


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.1", "0x7f000001", "2130706433", "017700000001", "0.0.0.0"),
        *("10.0.0.1", "172.16.9.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
        *("255.255.255.255", "198.18.0.1", "240.0.0.1", "[::1]", "[::]", "[::ffff:127.0.0.1]"),
        *("[fe80::1]", "[fc00::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "localhost", "LOCALHOST."),
        *("a.localhost",),
    ],
)
def test_private_addresses_are_not_asked_with_or_without_a_proxy(careful, host):
    for http in (careful, make(allow_private=False, proxy="http://127.0.0.1:1")):
        assert http.fetch(f"http://{host}:9/").error.startswith("private-address: ")


def test_a_name_that_leads_inside_is_not_connected_to(server, careful, names):
    names["inside.example"] = ["127.0.0.1"]
    response = careful.fetch(server.url(host="inside.example"))
    assert response.error == "private-address: inside.example is at 127.0.0.1"
    assert server.connections == 0
    server.paths["/"] = answer(b"lab")
    assert make().fetch(server.url(host="inside.example")).body == b"lab"


def test_a_name_that_changes_its_mind_is_looked_up_once(server, careful, names, monkeypatch):
    names["rebind.example"] = ["93.184.215.14", "127.0.0.1"]
    tried = []
    monkeypatch.setattr(
        sockets._PlainSocket, "connect", lambda self, address: tried.append(address) or _refuse()
    )
    assert careful.fetch(server.url(host="rebind.example")).error.startswith("refused: ")
    assert [address[0] for address in tried] == ["93.184.215.14"]
    assert careful.fetch(server.url(host="rebind.example")).error.startswith("private-address: ")
    assert len(tried) == 1


def _refuse() -> None:
    raise ConnectionRefusedError("refused")


def test_a_redirect_inside_is_refused(server, names, monkeypatch):
    names |= {"public.example": ["127.0.0.1"], "inside.example": ["127.0.0.2"]}
    monkeypatch.setattr(sockets, "is_public", lambda address: address == "127.0.0.1")
    http = make(allow_private=False, contact="tests")
    for target in ("http://inside.example/", "http://10.0.0.1/", "http://[::1]/"):
        server.paths["/"] = to(target)
        response = http.fetch(server.url(host="public.example"))
        assert (response.url, response.status) == (target, 0)
        assert response.error.startswith("private-address: ")


def test_no_such_name(http, monkeypatch):
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(sockets.socket, "getaddrinfo", unknown)
    assert http.fetch("http://nowhere.example/").error.startswith("dns: ")


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            " ",
            "http",
            "http:",
            "http://",
            "http:///",
            "http://?",
            "http://#",
            "//a.example/",
            "/a",
            "a.example/x",
        ),
        *("file:///etc/passwd", "ftp://a.example/", "mailto:a@b.example", "gopher://a.example/", "\x00"),
        *("http://a.example:99999/", "http://a.example:x/", "http://a.example:0/", "http://a..example/"),
        *("http://[::1", "http://a b.example/", "http://\x00/", "http://\ud800.example/"),
        *("http://" + "a" * 64 + ".example/", "http://a.example/" + "x" * 100_000),
    ],
)
def test_urls_that_are_none(careful, url):
    response = careful.fetch(url)
    assert (response.status, response.body) == (0, b"")
    assert response.error.startswith("invalid-url: ")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30), st.sampled_from(["", "http://", "https://127.0.0.1:1/", "http://127.0.0.1:1/?"]))
def test_no_url_makes_it_raise(text, start):
    # A proxy that refuses, so that no name is ever looked up.
    response = make(proxy="http://127.0.0.1:1").fetch(start + text)
    assert response.error.startswith(("invalid-url: ", "proxy: "))


def test_judges_addresses_by_what_they_are():
    assert all(map(is_public, ["93.184.215.14", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]))
    assert literal("a.example") == literal("1.2.3.4.5") == literal("") == ""


# ---------------------------------------------------------------- what it keeps to itself


def test_no_cookies_no_passwords_no_referrer(server, http):
    server.paths = {"/": to("/b")[:-2] + b"Set-Cookie: id=1\r\n\r\n", "/b": answer(b"b", Set_Cookie="id=2")}
    response = http.fetch(server.url().replace("http://", "http://user:secret@"))
    http.fetch(server.url("/b"))
    assert response.url == server.url("/b")
    assert len(server.heads) == 3
    for head in server.heads:
        assert not any(name in head.lower() for name in (b"cookie", b"authorization", b"referer", b"secret"))


def test_a_proxy_from_the_environment(server, names, monkeypatch):
    names |= {"127.0.0.1": ["127.0.0.1"]}
    monkeypatch.setenv("http_proxy", server.url())
    monkeypatch.setenv("no_proxy", "direct.example")
    server.paths["http://a.example/"] = answer(b"by proxy")
    assert (
        make(proxy=None, allow_private=False, contact="tests").fetch("http://a.example/").body == b"by proxy"
    )
    names["direct.example"] = ["127.0.0.1"]
    server.paths["/"] = answer(b"direct")
    assert make(proxy=None).fetch(server.url(host="direct.example")).body == b"direct"
    assert make(proxy="").fetch(server.url(host="direct.example")).body == b"direct"


def test_the_proxys_password_goes_to_the_proxy_only(server):
    server.paths = {"http://a.example/": answer(b"x")}
    make(proxy=server.url().replace("http://", "http://me:pw@")).fetch("http://a.example/")
    assert b"proxy-authorization: basic bwu6chc=\n" in server.heads[0].lower()


def test_a_proxy_that_is_not_there():
    response = make(proxy="http://127.0.0.1:1").fetch("http://a.example/")
    assert isinstance(response, Response)
    assert response.error.startswith("proxy: ")


def test_after_close_it_opens_again(server, http):
    server.paths["/"] = answer(b"x")
    http.fetch(server.url())
    http.close()
    assert http.fetch(server.url()).ok
    assert server.connections == 2
