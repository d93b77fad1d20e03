"""Connections that know where they may go and when to stop: what lies under `Http`.

A name is looked up once, every address it gives is checked, and the connection goes to the very address that
was checked, so a name that changes its mind between check and connection (DNS rebinding) gains nothing.
Every wait for bytes ends at the fetch's own deadline, so a server that drips one byte a second ends too.
"""

from __future__ import annotations

import http.client
import ipaddress
import math
import socket
import ssl
import threading
import time
from contextvars import ContextVar
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from urllib3 import PoolManager, ProxyManager, make_headers
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, HTTPError
from urllib3.util import parse_url

__all__ = ["BOUNDS", "OPENED", "Bounds", "PrivateAddressError", "is_public", "literal", "pools"]

NAT64 = ipaddress.ip_network("64:ff9b::/96")
HOSTS_KEPT_ALIVE = 128
PREFACES = 10
"""Most informational answers before the real one (our choice)."""


class PrivateAddressError(HTTPError):
    """An address that is not on the public internet, and nobody allowed it."""


class Bounds(NamedTuple):
    """What holds for every socket of the fetch that is going on in this thread."""

    deadline: float = math.inf
    allow_private: bool = False
    rules: bool = False
    """Whether a robots.txt is fetched, which may be of any type."""


BOUNDS: ContextVar[Bounds] = ContextVar("BOUNDS", default=Bounds())  # noqa: B039 (a NamedTuple is immutable)

OPENED: ContextVar[bool] = ContextVar("OPENED", default=False)
"""Whether this thread's request opened a connection, rather than use one kept alive."""


def is_public(address: str) -> bool:
    """True for an IP address that anybody on the internet may be asked at.

    An IPv4 address inside an IPv6 one (mapped, 6to4, Teredo, NAT64) is judged as itself.

    Examples
    --------
    >>> is_public("93.184.215.14"), is_public("10.0.0.1"), is_public("::ffff:127.0.0.1")
    (True, False, False)
    """
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo and ip.teredo[1])
        if ip in NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner:
            return is_public(str(inner))
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def literal(host: str) -> str:
    """The IP address a host spells out, in any form resolvers take; "" if it is a name.

    Examples
    --------
    >>> literal("[::1]"), literal("127.1"), literal("0x7f000001"), literal("a.example")
    ('::1', '127.0.0.1', '127.0.0.1', '')
    """
    try:
        return str(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host.rstrip(".")))
    except (OSError, UnicodeError):
        return ""


def _addresses(host: str, port: int, allow_private: bool, seconds: float) -> list[tuple[Any, ...]]:
    """Where a name leads, as ``getaddrinfo`` puts it, without the addresses that must not be asked."""
    found = _lookup(host, port) if literal(host) else _within(seconds, host, port)
    allowed = [entry for entry in found if allow_private or is_public(str(entry[4][0]))]
    if found and not allowed:
        raise PrivateAddressError(f"{host} is at {found[0][4][0]}")
    return allowed


def _lookup(host: str, port: int) -> list[tuple[Any, ...]]:
    try:
        return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except UnicodeError as error:  # a label longer than 63 characters, an empty one
        raise socket.gaierror(f"{host!r} cannot be a host name") from error


def _within(seconds: float, host: str, port: int) -> list[tuple[Any, ...]]:
    """Look up a name, in a thread that is left behind if the resolver takes too long: it has no limit."""
    answer: SimpleQueue[list[tuple[Any, ...]] | Exception] = SimpleQueue()

    def ask() -> None:
        try:
            answer.put(_lookup(host, port))
        except Exception as error:
            answer.put(error)

    threading.Thread(target=ask, name=f"look up {host}", daemon=True).start()
    try:
        found = answer.get(timeout=min(seconds, threading.TIMEOUT_MAX))
    except Empty:
        raise TimeoutError(f"{host} was not looked up within {seconds:g} s") from None
    if isinstance(found, Exception):
        raise found
    return found


def _connect(host: str, port: int, seconds: float, allow_private: bool) -> socket.socket:
    """Connect to the first allowed address that answers, all attempts together within ``seconds``."""
    end = time.monotonic() + seconds
    failure: OSError = TimeoutError()
    for family, kind, protocol, _, address in _addresses(host.strip("[]"), port, allow_private, seconds):
        left = end - time.monotonic()
        if left <= 0:
            break
        sock = _PlainSocket(family, kind, protocol)
        try:
            sock.settimeout(left)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.connect(address)
            return sock
        except OSError as error:
            sock.close()
            failure = error
    raise failure


class _Timed:
    """Shortens each wait for bytes to what is left of the fetch's total time."""

    def recv_into(self, *arguments: Any) -> int:
        sock: Any = self
        left = BOUNDS.get().deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the total time is over")
        if left < (sock.gettimeout() or math.inf):
            sock.settimeout(left)
        return super().recv_into(*arguments)  # type: ignore[misc]


class _PlainSocket(_Timed, socket.socket):
    pass


class _SecureSocket(_Timed, ssl.SSLSocket):
    pass


class _Answer(http.client.HTTPResponse):
    """An answer without those that go before it, such as 103 Early Hints."""

    def _read_status(self) -> tuple[str, int, str]:
        for _ in range(PREFACES):
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 102 <= status < 200:
                return version, status, reason
            http.client.parse_headers(self.fp)
        raise http.client.HTTPException(f"more than {PREFACES} answers before the answer")


class _Connection(HTTPConnection):
    response_class = _Answer

    def _new_conn(self) -> socket.socket:
        # Behind a proxy this connects to the proxy, which the user chose; the proxy looks up the names.
        allow_private = self.proxy is not None or BOUNDS.get().allow_private
        seconds = self.timeout if isinstance(self.timeout, int | float) else math.inf
        OPENED.set(True)
        try:
            return _connect(self._dns_host, self.port or self.default_port, seconds, allow_private)
        except TimeoutError as error:
            raise ConnectTimeoutError(self, f"no connection within {seconds:g} s") from error


class _SecureConnection(_Connection, HTTPSConnection):
    pass


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


@cache
def _trust() -> ssl.SSLContext:
    """Certificates are checked against the system's authorities and, where installed, certifi's."""
    context = ssl.create_default_context()
    context.sslsocket_class = _SecureSocket
    try:
        import certifi

        context.load_verify_locations(certifi.where())
    except ImportError:
        pass
    return context


def pools(width: int, proxy: str = "") -> PoolManager:
    """Keep-alive connections, ``width`` per host, shared by threads; through ``proxy`` if there is one."""
    settings: dict[str, Any] = {"maxsize": width, "ssl_context": _trust()}
    if proxy:
        auth = parse_url(proxy).auth
        headers = make_headers(proxy_basic_auth=auth) if auth else None
        manager: PoolManager = ProxyManager(proxy, HOSTS_KEPT_ALIVE, proxy_headers=headers, **settings)
    else:
        manager = PoolManager(HOSTS_KEPT_ALIVE, **settings)
    manager.pool_classes_by_scheme = {"http": _Pool, "https": _SecurePool}
    return manager
