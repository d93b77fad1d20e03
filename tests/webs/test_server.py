"""The served web, over real sockets on loopback."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest
import requests

from focuslab.fetchers import sockets
from focuslab.fetchers.http import Http
from focuslab.types import Response, Topic
from focuslab.webs.server import Served, serve

HOME = '<title>Home</title><a href="/next">next</a>'.encode("utf-16")
TOPIC = "fish & <script>alert(1)</script>"


@dataclass
class TinyWeb:
    """Two hosts and every kind of answer, made by hand."""

    asked: list[str] = field(default_factory=list)

    def fetch(self, url: str) -> Response:
        self.asked.append(url)
        host, _, path = url.partition("://")[2].partition("/")
        match path:
            case "":
                return Response(url, 200, HOME, "text/html; charset=utf-16", headers={"ETag": '"1"'})
            case "old":
                return Response(f"http://{host}/new", 200, b"new", "text/html")
            case "new":
                return Response(url, 200, b"new", "text/html")
            case "slow":
                return Response(url, error="timeout: no answer within 10 s")
            case "down":
                return Response(url, error="reset: by peer")
            case "busy":
                return Response(url, 429, b"", "text/plain", headers={"Retry-After": "7"})
            case "split":
                return Response(
                    url, 200, b"x", "text/plain\r\nSet-Cookie: a=b", headers={"X-A": "1\r\nX-B: 2"}
                )
            case "bug":
                raise RuntimeError("a fault of ours")
            case _:
                body = f"{host} has no {path}".encode()
                return Response(url, 404, body, "text/plain; charset=utf-8")

    def topics(self) -> tuple[str, ...]:
        return (TOPIC,)

    def topic(self, name: str, seed: int = 0) -> Topic:
        return Topic(name, seeds=("http://a.example/", 'http://b.example/"><b>', "javascript:alert(1)"))


@pytest.fixture
def web() -> TinyWeb:
    return TinyWeb()


@pytest.fixture
def served(web: TinyWeb):
    with serve(web) as served:
        yield served


def get(served: Served, url: str, **settings: object) -> requests.Response:
    session = requests.Session()
    session.trust_env = False
    return session.get(url, proxies=served.proxies, timeout=5, **settings)


def raw(served: Served, request: bytes) -> bytes:
    """All that comes back for a request that ends its connection."""
    host, port = served.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as sock:
        sock.sendall(request)
        return b"".join(iter(lambda: sock.recv(65_536), b""))


def test_answers_for_every_host_name_with_the_bytes_and_the_type_of_the_web(served):
    for host in ("a.example", "b.test"):
        answer = get(served, f"http://{host}/")
        assert (answer.status_code, answer.content) == (200, HOME)
        assert answer.headers["Content-Type"] == "text/html; charset=utf-16"
        assert answer.headers["ETag"] == '"1"'
        assert "Home" in answer.text


def test_http_fetcher_sees_what_the_web_says(web, served):
    http = Http(proxy=served.url)
    there, gone = http.fetch("http://a.example/"), http.fetch("http://a.example/gone")
    assert (there.ok, there.body, there.content_type) == (True, HOME, "text/html; charset=utf-16")
    assert (gone.ok, gone.status, gone.body) == (False, 404, b"a.example has no gone")
    assert web.asked == ["http://a.example/", "http://a.example/gone"]


def test_a_moved_page_is_a_real_redirect(served):
    answer = get(served, "http://a.example/old", allow_redirects=False)
    assert (answer.status_code, answer.headers["Location"]) == (302, "http://a.example/new")
    assert Http(proxy=served.url).fetch("http://a.example/old").url == "http://a.example/new"


def test_failing_hosts_fail_for_real(served):
    assert get(served, "http://a.example/slow").status_code == 504
    with pytest.raises(requests.ConnectionError):
        get(served, "http://a.example/down")
    assert Http(proxy=served.url).fetch("http://a.example/down").error.startswith("reset: ")
    with pytest.raises(ConnectionResetError):  # not merely closed
        raw(served, b"GET http://a.example/down HTTP/1.1\r\n\r\n")


def test_headers_of_the_web_reach_the_client_but_never_break_out(served):
    assert get(served, "http://a.example/busy").headers["retry-after"] == "7"
    answer = get(served, "http://a.example/split")
    assert "x-b" not in answer.headers
    assert not answer.cookies


def test_a_fault_in_the_web_shows_and_the_server_goes_on(served):
    assert "a fault of ours" in get(served, "http://a.example/bug").text
    assert get(served, "http://a.example/").ok


def test_the_url_is_asked_in_canonical_form_without_a_redirect(web, served):
    answer = raw(
        served, b"GET http://A.example:80/a/../new#x HTTP/1.1\r\nHost: A.example\r\nConnection: close\r\n\r\n"
    )
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert web.asked == ["http://a.example/new"]


def test_origin_form_with_a_host_header(served):
    answer = raw(served, b"GET /new HTTP/1.1\r\nhost: a.example\r\nConnection: close\r\n\r\n")
    assert answer.endswith(b"\r\n\r\nnew")


def test_head_has_the_length_and_no_body(served):
    answer = raw(served, b"HEAD http://a.example/new HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert b"Content-Length: 3" in answer
    assert answer.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n", b"501"),
        (b"POST http://a.example/ HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", b"405"),
        (b"\x16\x03\x01\x02\x00\r\n\r\n", b"400"),
        (b"GET /\r\n\r\n", b"400"),
        (b"GET http://a.example/ HTTP/1.1\r\nX: " + b"x" * 70_000, b"431"),
    ],
    ids=["tunnel", "post", "tls", "http-0.9", "endless-head"],
)
def test_what_is_not_served_is_refused_politely(served, request_, status):
    assert raw(served, request_).startswith(b"HTTP/1.1 " + status)


def test_a_tunnel_is_refused_in_words(served):
    assert b"over plain http only" in raw(served, b"CONNECT a.example:443 HTTP/1.1\r\n\r\n")
    assert Http(proxy=served.url).fetch("https://a.example/").error.startswith("proxy: ")


def test_requests_in_pieces_and_in_a_row_on_one_connection(served):
    host, port = served.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as sock:
        for piece in (
            b"GET http://a.exam",
            b"ple/new HTTP/1.1\r\n\r",
            b"\nGET http://b.example/new HTTP/1.1\r\n",
        ):
            sock.sendall(piece)
        sock.sendall(b"Connection: close\r\n\r\n")
        answers = b"".join(iter(lambda: sock.recv(65_536), b""))
    assert answers.count(b"HTTP/1.1 200 OK") == answers.count(b"\r\n\r\nnew") == 2


def test_keep_alive_uses_one_connection(served):
    with requests.Session() as session:
        session.trust_env = False
        ports = set()
        for path in ("new", "gone", ""):
            with session.get(f"http://a.example/{path}", proxies=served.proxies, stream=True) as answer:
                ports.add(answer.raw._connection.sock.getsockname()[1])
                answer.content  # noqa: B018 (to read it is what sends the connection back)
    assert len(ports) == 1


def test_many_threads_each_get_their_own_page(served):
    http = Http(proxy=served.url, width=8)
    with ThreadPoolExecutor(8) as threads:
        bodies = list(threads.map(lambda n: http.fetch(f"http://h{n % 7}.example/{n}").body, range(400)))
    assert bodies == [f"h{n % 7}.example has no {n}".encode() for n in range(400)]


def test_a_delay_makes_answers_late_not_lost(web):
    with serve(web, delay=0.05) as served:
        response = Http(proxy=served.url).fetch("http://a.example/new")
    assert response.ok
    assert response.seconds >= 0.05


def test_the_proxys_own_address_tells_a_person_what_to_do(served):
    for address in (served.url, served.url.replace("127.0.0.1", "localhost")):
        session = requests.Session()
        session.trust_env = False
        page = session.get(address + "/", timeout=5).text
        assert served.url in page
        assert '<a href="http://a.example/">' in page
        assert "<script>" not in page
        assert 'example/">' in page
        assert "<b>&quot;" not in page
        assert "javascript:" not in page
    assert requests.get(served.url + "/x", proxies={"http": ""}, timeout=5).status_code == 404


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_curl_walks_it_with_nothing_but_the_environment(served):
    environment = os.environ | served.environment()
    command = ["curl", "-s", "-L", "--max-time", "5", "http://a.example/old"]
    assert subprocess.run(command, env=environment, capture_output=True, check=True).stdout == b"new"
    secure = subprocess.run(
        [*command[:-1], "https://a.example/"], env=environment, capture_output=True, check=False
    )
    assert secure.returncode == 56  # the tunnel was refused, so nothing left the machine


def test_the_block_ends_the_server_and_its_connections(web):
    before = threading.active_count()
    with serve(web) as served:
        host, port = served.url.removeprefix("http://").split(":")
        open_one = socket.create_connection((host, int(port)), timeout=5)
        get(served, "http://a.example/new")
    assert threading.active_count() == before
    assert open_one.recv(1) == b""
    open_one.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), timeout=5)


def test_a_taken_port_is_said_in_one_sentence(web, served):
    port = int(served.url.rpartition(":")[2])
    with (
        pytest.raises(OSError, match=f"cannot serve on 127.0.0.1:{port}: .*port=0 takes a free port"),
        serve(web, port=port),
    ):
        pass


def test_it_serves_where_a_loop_is_running_already() -> None:
    """As in a notebook, whose cells run inside an event loop."""

    async def cell() -> str:
        with serve(TinyWeb()) as served:
            return requests.get("http://any.example/new", proxies=served.proxies, timeout=10).text

    assert asyncio.run(cell()) == "new"


# https


@pytest.fixture
def served_safely(web: TinyWeb):
    pytest.importorskip("trustme", reason="needs focuslab[https]")
    with serve(web, https=True) as served:
        yield served


def test_https_pages_come_through_a_tunnel(web, served_safely):
    answer = get(served_safely, "https://a.example/new", verify=served_safely.authority)
    assert answer.text == "new"
    moved = get(served_safely, "https://b.example:8443/old", verify=served_safely.authority)
    assert (moved.text, len(moved.history)) == ("new", 1)
    assert get(served_safely, "http://a.example/new").text == "new"
    asked = ["https://a.example/new", "https://b.example:8443/old", "http://b.example:8443/new"]
    assert web.asked == [*asked, "http://a.example/new"]


def test_who_does_not_trust_the_lab_sees_no_page_and_harms_nobody(served_safely):
    with pytest.raises(requests.exceptions.SSLError):
        get(served_safely, "https://a.example/new")
    assert get(served_safely, "https://a.example/new", verify=served_safely.authority).ok


def test_a_tunnel_in_a_tunnel_is_refused_and_so_is_one_to_nowhere(served_safely):
    assert raw(served_safely, b"CONNECT  HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 ")
    assert get(served_safely, "https://a.example/new", verify=served_safely.authority).ok


def test_our_own_fetcher_believes_the_authority_it_is_told(served_safely, monkeypatch):
    for name, value in served_safely.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sockets, "_trust", sockets._trust.__wrapped__)  # certificates are read once a run
    assert Http(proxy=served_safely.url).fetch("https://a.example/new").body == b"new"


def test_curl_walks_it_by_the_environment_alone(served_safely):
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    told = os.environ | served_safely.environment()
    done = subprocess.run(["curl", "-s", "https://a.example/new"], env=told, capture_output=True, timeout=20)
    assert done.stdout == b"new"
