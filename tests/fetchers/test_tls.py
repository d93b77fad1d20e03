"""HTTPS, alone and through proxies: real handshakes on loopback, by certificates made for the test."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

import pytest
import trustme

from focuslab.fetchers import sockets
from focuslab.fetchers.http import Http

NAME = "safe.example"
NOW = datetime.now(UTC)
DAY = timedelta(days=1)
PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nsecret"
TUNNEL = b"HTTP/1.1 200 Connection established\r\n\r\n"

Behaviour = Callable[[socket.socket, "Server"], None]


class Server(socketserver.ThreadingTCPServer):
    """Does with a connection what a test says, and remembers the heads of requests in the clear."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, does: Behaviour) -> None:
        super().__init__(("127.0.0.1", 0), None)  # type: ignore[arg-type]
        self.does, self.heads, self.ended = does, list[bytes](), threading.Event()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def finish_request(self, request: socket.socket, client_address: object) -> None:
        self.does(request, self)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that trusts nobody hangs up."""


@contextmanager
def serving(does: Behaviour) -> Iterator[Server]:
    with Server(does) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.ended.set()
        server.shutdown()
        thread.join()


def head_of(sock: socket.socket) -> bytes:
    """What comes up to an empty line."""
    head = b""
    while b"\r\n\r\n" not in head and (piece := sock.recv(1_024)):
        head += piece
    return head


def pages(certificate: trustme.LeafCert, newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> Behaviour:
    """A site with this certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    context.maximum_version = newest

    def behave(sock: socket.socket, server: Server) -> None:
        with context.wrap_socket(sock, server_side=True) as safe:
            while head := head_of(safe):
                server.heads.append(head)
                safe.sendall(PAGE)

    return behave


def silent(sock: socket.socket, server: Server) -> None:
    server.ended.wait(10)


def plain(sock: socket.socket, server: Server) -> None:
    sock.recv(65_536)
    sock.sendall(PAGE)


def hang_up(sock: socket.socket, server: Server) -> None:
    sock.recv(65_536)


def tunnel(to: int) -> Behaviour:
    """A proxy that opens a tunnel to a port, whatever name is asked for."""

    def behave(sock: socket.socket, server: Server) -> None:
        server.heads.append(head_of(sock))
        with socket.create_connection(("127.0.0.1", to)) as site:
            sock.sendall(TUNNEL)
            back = threading.Thread(target=_pass_on, args=(site, sock))
            back.start()
            _pass_on(sock, site)
            back.join()

    return behave


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65_536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)


def says(answer: bytes) -> Behaviour:
    """A proxy with one answer to whatever is asked."""

    def behave(sock: socket.socket, server: Server) -> None:
        server.heads.append(head_of(sock))
        sock.sendall(answer)

    return behave


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(autouse=True)
def trusting(authority, tmp_path, monkeypatch) -> Iterator[None]:
    """A machine that trusts our authority, and on which every name is at home."""
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    found = lambda host, port, *_, **__: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]  # noqa: E731
    monkeypatch.setattr(sockets.socket, "getaddrinfo", found)
    sockets._trust.cache_clear()
    yield
    sockets._trust.cache_clear()


def fetch(port: int, proxy: str = "", name: str = NAME, **limits: float):
    http = Http(allow_private=True, proxy=proxy, **limits)  # type: ignore[arg-type]
    response = http.fetch(f"https://{name}:{port}/")
    http.close()
    return response


def test_a_page_by_https(authority):
    with serving(pages(authority.issue_cert(NAME))) as site:
        response = fetch(site.port)
    assert (response.status, response.body, response.error) == (200, b"secret", "")
    assert site.heads[0].startswith(b"GET / HTTP/1.1\r\n")


CERTIFICATES = {
    "nobody vouches": (lambda own: trustme.CA().issue_cert(NAME), "unable to get local issuer certificate"),
    "expired": (
        lambda own: own.issue_cert(NAME, not_before=NOW - 2 * DAY, not_after=NOW - DAY),
        "certificate has expired",
    ),
    "not yet valid": (
        lambda own: own.issue_cert(NAME, not_before=NOW + DAY, not_after=NOW + 2 * DAY),
        "certificate is not yet valid",
    ),
    "another host": (
        lambda own: own.issue_cert("other.example"),
        f"Hostname mismatch, certificate is not valid for '{NAME}'.",
    ),
    "a wildcard one level up": (
        lambda own: own.issue_cert("*.sub.safe.example"),
        f"Hostname mismatch, certificate is not valid for '{NAME}'.",
    ),
}


@pytest.mark.parametrize("case", CERTIFICATES)
@pytest.mark.parametrize("way", ["direct", "through a proxy"])
def test_a_bad_certificate_is_named_and_nothing_is_asked(authority, case, way):
    make, reason = CERTIFICATES[case]
    with serving(pages(make(authority))) as site, serving(tunnel(site.port)) as proxy:
        response = fetch(site.port, f"http://127.0.0.1:{proxy.port}" if way != "direct" else "")
    assert (response.status, response.error) == (0, f"tls: {reason}")
    assert site.heads == []


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        (plain, "tls: wrong version number"),
        (hang_up, "tls: EOF occurred in violation of protocol"),
        (silent, "timeout: no answer within 1 s"),
    ],
)
@pytest.mark.parametrize("way", ["direct", "through a proxy"])
def test_a_server_that_does_not_shake_hands(does, reason, way):
    with serving(does) as site, serving(tunnel(site.port)) as proxy:
        through = f"http://127.0.0.1:{proxy.port}" if way != "direct" else ""
        response = fetch(site.port, through, connect=1.0, read=1.0)
    assert (response.status, response.error) == (0, reason)


@pytest.mark.filterwarnings("ignore:.*TLSv1_1:DeprecationWarning")
def test_encryption_that_is_too_old(authority):
    with serving(pages(authority.issue_cert(NAME), ssl.TLSVersion.TLSv1_1)) as site:
        response = fetch(site.port)
    assert (response.status, response.error) == (0, "tls: tlsv1 alert protocol version")


def test_a_proxy_opens_a_tunnel_and_sees_no_more_than_the_host(authority):
    with serving(pages(authority.issue_cert(NAME))) as site, serving(tunnel(site.port)) as proxy:
        response = fetch(site.port, f"http://me:pw@127.0.0.1:{proxy.port}")
    assert response.body == b"secret"
    assert len(proxy.heads) == 1
    assert proxy.heads[0].startswith(f"CONNECT {NAME}:{site.port} ".encode())
    assert b"proxy-authorization: basic bwu6chc=" in proxy.heads[0].lower()
    assert not any(b"proxy-authorization" in head.lower() for head in site.heads)


def safe_tunnel(certificate: trustme.LeafCert, to: int) -> Behaviour:
    """A proxy that is asked by HTTPS itself, so that there is a tunnel in its encryption."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)

    def behave(sock: socket.socket, server: Server) -> None:
        with context.wrap_socket(sock, server_side=True) as safe:
            tunnel(to)(safe, server)

    return behave


def test_a_proxy_that_is_asked_by_https_itself(authority):
    ours = authority.issue_cert("127.0.0.1")
    with serving(pages(authority.issue_cert(NAME))) as site, serving(safe_tunnel(ours, site.port)) as proxy:
        assert fetch(site.port, f"https://127.0.0.1:{proxy.port}").body == b"secret"


def test_a_proxy_nobody_vouches_for():
    with serving(safe_tunnel(trustme.CA().issue_cert("127.0.0.1"), 1)) as proxy:
        response = fetch(443, f"https://127.0.0.1:{proxy.port}")
    assert response.error == "proxy: unable to get local issuer certificate"
    assert proxy.heads == []


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        (
            says(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"),
            "proxy: Tunnel connection failed: 403 Forbidden",
        ),
        (
            says(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"),
            "proxy: Tunnel connection failed: 407 Proxy Authentication Required",
        ),
        (says(b"SSH-2.0-OpenSSH_9.6\r\n"), "not-http: SSH-2.0-OpenSSH_9.6"),
        (says(TUNNEL), "tls: EOF occurred in violation of protocol"),
        (hang_up, "reset: Remote end closed connection without response"),
        (silent, "timeout: no answer within 1 s"),
    ],
)
def test_a_proxy_that_opens_no_tunnel(does, reason):
    with serving(does) as proxy:
        response = fetch(443, f"http://127.0.0.1:{proxy.port}", connect=1.0, read=1.0)
    assert (response.status, response.error) == (0, reason)
