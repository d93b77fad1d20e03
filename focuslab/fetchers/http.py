"""Pages from the web itself: bounded in time and size, and only from where a crawler should go."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import threading
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from urllib.request import getproxies, proxy_bypass

from urllib3 import BaseHTTPResponse, PoolManager, Timeout
from urllib3.exceptions import (
    ConnectTimeoutError,
    DecodeError,
    HTTPError,
    IncompleteRead,
    ProxyError,
    TimeoutError,
)
from urllib3.util import Url, parse_url
from urllib3.util.request import ACCEPT_ENCODING

from focuslab.fetchers.answers import by_name
from focuslab.fetchers.failures import Reason
from focuslab.fetchers.redirects import MAX_REDIRECTS, follow
from focuslab.fetchers.sockets import BOUNDS, OPENED, Bounds, PrivateAddressError, is_public, literal, pools
from focuslab.pages.urls import canonical
from focuslab.types import NO_HEADERS, LiveFetcher, Response

__all__ = ["WANG_BYTES", "Http"]

WANG_BYTES = 10_240
"""``Http(max_bytes=WANG_BYTES)`` keeps the first 10 KB of a page, as in Wang et al."""

HTML = ("text/html", "application/xhtml+xml", "text/plain")
ROBOTS_BYTES = 512_000

_OPENSSL = re.compile(r"^\[SSL[^]]*\] | \(_ssl\.c:\d+\)$")
"""Where in OpenSSL something was noticed, which tells nobody anything."""

# The first row that fits anything in an exception's history names the failure. urllib3 calls much
# that happens behind a proxy a ProxyError; what is found above that row is not the proxy's fault.
REASONS: tuple[tuple[Reason, tuple[type[BaseException], ...]], ...] = (
    (Reason.PRIVATE_ADDRESS, (PrivateAddressError,)),
    (Reason.RESET, (ConnectionResetError, ConnectionAbortedError, BrokenPipeError)),
    (Reason.TIMEOUT, (TimeoutError, socket.timeout)),
    (Reason.INCOMPLETE, (http.client.IncompleteRead, IncompleteRead)),
    (Reason.BAD_ENCODING, (DecodeError,)),
    (Reason.NOT_HTTP, (http.client.HTTPException,)),
    (Reason.PROXY, (ProxyError,)),
    (Reason.DNS, (socket.gaierror,)),
    (Reason.TLS, (ssl.SSLError,)),
    (Reason.REFUSED, (ConnectionRefusedError,)),
    (Reason.UNREACHABLE, (OSError,)),
)


class RefusedError(ValueError):
    """A URL that is not asked at all; the message is the reason."""


@dataclass(kw_only=True)
class Http(LiveFetcher):
    """Fetches over HTTP and HTTPS. Threads may share one; nothing the web does makes it raise.

    A failure is a `Response` whose error starts with a word of `focuslab.fetchers.failures` and a colon.
    Its status is 0, or the server's if the answer was whole but is not wanted.

    Parameters
    ----------
    contact
        An e-mail address or a page about your crawl, told to every server in the User-Agent.
    user_agent
        Replaces the whole User-Agent.
    connect, read, total
        Seconds to look up a name and connect, between two pieces of an answer, and for all of a fetch with
        its redirects.
    max_bytes
        A body is cut here, after decompression: a page that unpacks to gigabytes stops here too.
    max_redirects
        0 hands a redirect back as it came, for a wrapper such as `Polite` to follow.
    types
        Content types worth reading; an answer without a type is read. (robots.txt may have any.)
    proxy
        Address of a proxy; None: as the environment says (``http_proxy``, ``no_proxy``); "": none.
    allow_private
        Also ask private, loopback, link-local and reserved addresses. Through a proxy it is the proxy that
        looks up names, so there only addresses written out in a URL can be refused.
    width
        How many threads fetch at once: that many connections are kept alive per host.

    Examples
    --------
    >>> Http(contact="you@example.org").fetch("file:///etc/passwd").error
    "invalid-url: only http and https, not 'file'"
    """

    contact: str = ""
    user_agent: str = ""
    connect: float = 5.0
    read: float = 10.0
    total: float = 30.0
    max_bytes: int = 2_000_000
    max_redirects: int = MAX_REDIRECTS
    types: tuple[str, ...] = HTML
    proxy: str | None = None
    allow_private: bool = False
    width: int = 32
    _pools: dict[str, PoolManager] = field(default_factory=dict, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    _environment: Mapping[str, str] = field(default_factory=getproxies, init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("connect", "read", "total", "max_bytes", "width"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name}={getattr(self, name)} must be more than 0")
        if not (self.contact or self.user_agent or self.allow_private or self.proxy):
            warnings.warn(
                "nobody you visit can reach you: give Http(contact=...) an e-mail or a page about the crawl",
                stacklevel=3,
            )
        self.user_agent = self.user_agent or f"focuslab/0.1 (+{self.contact or 'contact unset'})"
        if not self.user_agent.isprintable() or not self.user_agent.isascii():
            raise ValueError(f"user_agent {self.user_agent!r} must be one line of ASCII")

    def fetch(self, url: str, *, etag: str = "", modified: str = "") -> Response:
        """Fetch a page, following redirects.

        With the ``etag`` or ``last-modified`` header of an earlier answer, an unchanged page comes back as
        status 304 without a body.
        """
        conditions = {"If-None-Match": etag, "If-Modified-Since": modified}
        return self._fetched(url, {name: value for name, value in conditions.items() if value})

    def rules(self, url: str) -> Response:
        """Fetch a robots.txt, or what it moved to: its type does not matter, and 500 KiB count."""
        return self._fetched(url, NO_HEADERS, rules=True)

    def _fetched(self, url: str, said: Mapping[str, str], rules: bool = False) -> Response:
        def ask(address: str) -> Response:
            return self._ask(address, said if address == url else NO_HEADERS)

        start = time.monotonic()
        token = BOUNDS.set(Bounds(start + self.total, self.allow_private, rules))
        try:
            response = follow(ask, url, self.max_redirects) if self.max_redirects else ask(url)
        finally:
            BOUNDS.reset(token)
        return replace(response, seconds=time.monotonic() - start)

    def close(self) -> None:
        """Close the connections kept alive. The next fetch opens new ones."""
        for manager in self._pools.values():
            manager.clear()

    def _ask(self, url: str, conditions: Mapping[str, str]) -> Response:
        """One request, one answer."""
        try:
            parts = self._checked(url)
            url = parts.url
            OPENED.set(False)
            left = BOUNDS.get().deadline - time.monotonic()
            reply = self._pool(parts).urlopen(
                "GET",
                url,
                headers={**self._headers(), **conditions},
                timeout=Timeout(connect=max(0.001, min(self.connect, left)), read=self.read),
                retries=False,
                redirect=False,
                preload_content=False,
            )
            return self._received(url, reply)
        except RefusedError as refusal:
            return Response(canonical(url) or url, error=str(refusal))
        except (HTTPError, http.client.HTTPException, OSError, ValueError) as error:
            reason = self._reason(error)
            if not Reason.RESET.explains(reason) or OPENED.get():
                return Response(url, error=reason)
        # A server may close a connection it kept alive just when it is used again: that says nothing of the
        # page, so ask on another one. This ends, for what fails is not kept and a new one is final. It is
        # done out here lest the second failure be told by the first, its context.
        return self._ask(url, conditions)

    def _checked(self, url: str) -> Url:
        """The URL as it may be sent, in its canonical form: no user name, password or fragment."""
        address = canonical(url)
        if not address:
            raise RefusedError(Reason.INVALID_URL.because(_objection(url)))
        parts = parse_url(address)
        if parts.port == 0:
            raise RefusedError(Reason.INVALID_URL.because("port 0"))
        if not self.allow_private and _is_private(parts.host or ""):
            raise RefusedError(Reason.PRIVATE_ADDRESS.because(f"{parts.host} is not on the public internet"))
        return parts

    @property
    def sent(self) -> Mapping[str, str]:
        """The headers of every request."""
        return self._headers()

    def _headers(self) -> dict[str, str]:
        return {
            "User-Agent": self.user_agent,
            "Accept": ", ".join((*self.types, "*/*;q=0.1")),
            "Accept-Encoding": ACCEPT_ENCODING,
        }

    def _pool(self, parts: Url) -> PoolManager:
        proxy = self._environment_proxy(parts) if self.proxy is None else self.proxy
        if proxy not in self._pools:
            with self._lock:  # reading all certificates takes a while: once is enough
                if proxy not in self._pools:
                    self._pools[proxy] = pools(self.width, proxy)
        return self._pools[proxy]

    def _environment_proxy(self, parts: Url) -> str:
        proxy = self._environment.get(parts.scheme or "") or self._environment.get("all", "")
        return "" if not proxy or proxy_bypass(parts.netloc or "") else proxy

    def _received(self, url: str, reply: BaseHTTPResponse) -> Response:
        """Read as much of the answer as is wanted; a connection with leftovers is not used again."""
        headers = by_name(reply.headers.items())
        kind = headers.get("content-type", "")
        response = Response(url, reply.status, content_type=kind, headers=headers)
        limit = self.max_bytes
        if BOUNDS.get().rules or (url.endswith("/robots.txt") and url.count("/") == 3):
            limit = max(limit, ROBOTS_BYTES)
        elif response.ok and not self._wanted(kind):
            reply.close()
            return replace(response, error=Reason.NOT_HTML.because(kind[:100]))
        try:
            body = reply.read(limit)
        finally:
            if not reply.closed:
                reply.close()
        return replace(response, body=body)

    def _wanted(self, content_type: str) -> bool:
        kind = content_type.partition(";")[0].strip().lower()
        return not kind or kind in self.types

    def _reason(self, error: BaseException) -> str:
        history = list(_history(error))
        for reason, kinds in REASONS:
            for cause in history:
                if isinstance(cause, kinds):
                    return reason.because(self._detail(reason, cause))
        return Reason.NOT_HTTP.because(error)[:200]

    def _detail(self, reason: Reason, cause: BaseException) -> str:
        if isinstance(cause, ProxyError):
            cause = list(_history(cause.original_error))[-1]
        if isinstance(cause, ssl.SSLCertVerificationError):
            return cause.verify_message
        if reason != Reason.TIMEOUT:
            return _OPENSSL.sub("", " ".join(str(cause).split()))[:200] or type(cause).__name__
        if time.monotonic() >= BOUNDS.get().deadline:
            return f"not finished within {self.total:g} s"
        if isinstance(cause, ConnectTimeoutError):
            return f"no connection within {self.connect:g} s"
        return f"no answer within {self.read:g} s"


def _is_private(host: str) -> bool:
    name = host.rstrip(".").lower()
    address = literal(name)
    return not is_public(address) if address else name == "localhost" or name.endswith(".localhost")


def _objection(url: str) -> str:
    scheme, colon, _ = url.strip().partition(":")
    if colon and scheme.isalpha() and scheme.lower() not in ("http", "https"):
        return f"only http and https, not {scheme[:20]!r}"
    return "not an http or https address"


def _history(error: BaseException) -> Iterator[BaseException]:
    """An exception and all that led to it: urllib3 keeps the original as cause, context or argument."""
    waiting, seen = [error], set()
    while waiting:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        linked = (
            current.__cause__,
            current.__context__,
            getattr(current, "original_error", None),
            *current.args,
        )
        waiting += [other for other in linked if isinstance(other, BaseException)]
