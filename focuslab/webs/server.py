"""Any web, put on loopback as an HTTP proxy that answers for all its host names.

A browser, curl, requests or Scrapy that is told to use the proxy can then walk the web as if it were out
there, and nothing is ever passed on to a real host.
"""

from __future__ import annotations

import asyncio
import html
import logging
import socket
import struct
import tempfile
import threading
from collections.abc import Iterator, Sized
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast

from focuslab.fetchers.answers import lines as sent
from focuslab.fetchers.failures import Reason
from focuslab.pages.urls import canonical
from focuslab.types import Fetcher, Response
from focuslab.webs.certificates import Authority

__all__ = ["Served", "serve"]

LONGEST_HEAD = 65_536
PHRASES = {status.value: status.phrase for status in HTTPStatus}
RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # SO_LINGER of no seconds: what is closed is reset
TRUST = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
TUNNEL = b"HTTP/1.1 200 Connection established\r\n\r\n"
OURS = frozenset({"content-type", "content-length", "content-encoding", "transfer-encoding", "connection"})
NO_TUNNEL = (
    "This proxy answers for a web in memory, over plain http only: it opens no tunnels (CONNECT), "
    "so ask for http:// addresses, or serve the web with https.\n"
)


@dataclass(frozen=True)
class Served:
    """Where a served web is, in the forms clients want it."""

    url: str
    """The address of the proxy, such as ``http://127.0.0.1:40123``."""
    authority: str = ""
    """Who vouches for its https pages: a file for ``requests.get(..., verify=…)``, if it serves them."""

    @property
    def proxies(self) -> dict[str, str]:
        """For requests: ``requests.get(page, proxies=served.proxies)``."""
        return {"http": self.url, "https": self.url}

    def environment(self) -> dict[str, str]:
        """For other programs: ``subprocess.run(..., env=os.environ | served.environment())``."""
        proxies = {f"{scheme}_proxy": self.url for scheme in ("http", "https", "all")}
        upper = {name.upper(): value for name, value in proxies.items()}
        trust = dict.fromkeys(TRUST if self.authority else (), self.authority)
        return proxies | upper | {"no_proxy": "", "NO_PROXY": ""} | trust


@contextmanager
def serve(
    web: Fetcher, host: str = "127.0.0.1", port: int = 0, delay: float = 0.0, https: bool = False
) -> Iterator[Served]:
    """Serve a web from a thread of its own until the block ends.

    Parameters
    ----------
    web
        Anything with ``fetch(url) -> Response``. It is asked from one thread, one page at a time.
    host, port
        Where to listen; port 0 takes a free one.
    delay
        Seconds every answer is late, as a network would be.
    https
        Open tunnels for https pages too, and speak TLS in them by certificates of the lab's own.

    Notes
    -----
    A page whose ``Response.url`` is not the URL asked for is answered by a redirect to it. Of responses
    without a status (failing hosts), those that start with ``timeout`` become 504, all others a
    connection reset. A page with an ``etag`` is answered by 304 where the visitor knows that tag.

    Examples
    --------
    >>> class Hello:
    ...     def fetch(self, url):
    ...         return Response(url, 200, b"hello", "text/plain")
    >>> import requests
    >>> with serve(Hello()) as served:
    ...     requests.get("http://any.example/", proxies=served.proxies).text
    'hello'
    """
    loop = asyncio.new_event_loop()
    talks: set[_Talk] = set()
    # All of the loop's life is in its thread: a notebook has a loop of its own running in this one.
    thread = threading.Thread(target=_run, args=(loop,), name="focuslab-serve", daemon=True)
    thread.start()
    done = ExitStack()
    folder = Path(done.enter_context(tempfile.TemporaryDirectory())) if https else None
    authority = Authority(folder) if folder else None
    opening = loop.create_server(lambda: _Talk(web, delay, talks, loop, authority), host, port, backlog=1024)
    try:
        listening = asyncio.run_coroutine_threadsafe(opening, loop).result()
    except OSError as error:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        raise OSError(
            f"cannot serve on {host}:{port}: {error.strerror or error}; port=0 takes a free port"
        ) from error
    try:
        address = _authority(listening.sockets[0].getsockname())
        yield Served(f"http://{address}", str(authority.file) if authority else "")
    finally:
        done.close()
        loop.call_soon_threadsafe(_stop, loop, listening, talks)
        thread.join()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()


def _stop(loop: asyncio.AbstractEventLoop, listening: asyncio.Server, talks: set[_Talk]) -> None:
    listening.close()
    for talk in list(talks):
        talk.transport.abort()
    loop.call_soon(loop.stop)  # after the transports have closed their sockets


def _authority(address: tuple[Any, ...]) -> str:
    return f"[{address[0]}]:{address[1]}" if ":" in address[0] else f"{address[0]}:{address[1]}"


class _Talk(asyncio.Protocol):
    """One connection: requests come in one after the other, answers go out in the same order."""

    transport: asyncio.Transport

    def __init__(
        self,
        web: Fetcher,
        delay: float,
        talks: set[_Talk],
        loop: asyncio.AbstractEventLoop,
        authority: Authority | None,
    ) -> None:
        self.web, self.delay, self.talks, self.loop, self.authority = web, delay, talks, loop, authority
        self.received, self.origin = b"", ""
        self.tunnel: asyncio.Task[None] | None = None
        self.own = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.own = _authority(transport.get_extra_info("sockname"))
        self.talks.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.talks.discard(self)

    def data_received(self, data: bytes) -> None:
        self.received += data
        while not self.tunnel and not self.transport.is_closing():
            head, end, rest = self.received.partition(b"\r\n\r\n")
            if not end:
                break
            self.received = rest
            if self.delay:
                self.loop.call_later(self.delay, self.answer, head)
            else:
                self.answer(head)
        if len(self.received) > LONGEST_HEAD:
            self.send(_text(431, "The request's head is longer than 64 KB.\n"), keep=False)

    def answer(self, head: bytes) -> None:
        """Answer one request, given all of it up to the empty line."""
        first, *rest = head.decode("latin-1").lstrip("\r\n").split("\r\n")
        words = first.split(" ")
        if self.transport.is_closing():
            return
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            self.send(_text(400, "This is not an HTTP/1 request.\n"), keep=False)
        elif words[0] == "CONNECT" and self.authority and not self.origin:
            self.tunnel = self.loop.create_task(self.secure(words[1], self.authority))
        elif words[0] not in ("GET", "HEAD"):
            # Whatever body comes with it is not read, so the connection cannot go on.
            refusal = _text(501, NO_TUNNEL) if words[0] == "CONNECT" else _text(405, "Only GET and HEAD.\n")
            self.send(refusal, keep=False)
        else:
            headers = {name.lower(): value.strip() for name, _, value in map(_split, rest)}
            self.answer_get(words[0], words[1], words[2], headers)

    async def secure(self, target: str, authority: Authority) -> None:
        """Go on in TLS, as the host that was asked for."""
        host = target.removesuffix(":443")
        self.transport.write(TUNNEL)
        try:
            context = authority.context(host.rpartition(":")[0] or host)
            safe = await self.loop.start_tls(self.transport, self, context, server_side=True)
        except (OSError, ValueError) as problem:  # a visitor who does not trust us, or no host name
            logging.getLogger(__name__).info("no TLS with a visitor of %s: %s", target, problem)
            self.transport.abort()
            return
        self.transport, self.origin = cast(asyncio.Transport, safe), f"https://{host}"
        self.tunnel = None
        self.data_received(b"")  # a visitor may have asked before we were told that all is safe

    def answer_get(self, method: str, target: str, version: str, headers: dict[str, str]) -> None:
        keep = version != "HTTP/1.0" and "close" not in headers.get("connection", "").lower()
        keep = keep and headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
        response = self.response(target, headers.get("host", ""))
        tag = response.headers.get("etag", "")
        if response.status == 200 and tag and headers.get("if-none-match") == tag:
            response = Response(response.url, 304, headers={"etag": tag})
        if Reason.TIMEOUT.explains(response.error) and not response.status:
            response = _text(504, response.error + "\n")
        if response.status:
            self.send(response, keep, only_head=method == "HEAD")
        else:
            self.reset()

    def response(self, target: str, host: str) -> Response:
        """What the web says of a request's target; redirects become answers that say so."""
        asked = f"{self.origin or f'http://{host}'}{target}" if target.startswith("/") else target
        authority, _, path = asked.partition("://")[2].partition("/")
        if authority in (self.own, self.own.replace("127.0.0.1", "localhost"), ""):
            found = not path and authority
            return (
                _page(_index(self.web, self.own))
                if found
                else _text(404, f"Nothing here; see http://{self.own}/\n")
            )
        url = canonical(asked) or asked
        try:
            response = self.web.fetch(url)
        except Exception as error:  # a fault in the web must show, and must not end the server
            logging.getLogger(__name__).exception("the web failed on %s", url)
            return _text(500, f"The web failed on this page: {type(error).__name__}: {error}\n")
        if response.status and response.url != url:
            return Response(url, 302, headers={"location": response.url})
        return response

    def send(self, response: Response, keep: bool, only_head: bool = False) -> None:
        """Write an answer; the connection goes on if ``keep``."""
        lines = [
            f"HTTP/1.1 {response.status} {PHRASES.get(response.status, 'Unknown')}",
            f"Content-Length: {len(response.body)}",
        ]
        if response.content_type:
            lines.append(f"Content-Type: {response.content_type}")
        lines += [f"{name}: {value}" for name, value in sent(response.headers) if name.lower() not in OURS]
        if not keep:
            lines.append("Connection: close")
        # A line break in a header would let a page write headers of its own.
        head = "\r\n".join(line.replace("\r", " ").replace("\n", " ") for line in lines)
        body = b"" if only_head else response.body
        self.transport.write(head.encode("latin-1", "replace") + b"\r\n\r\n" + body)
        if not keep:
            self.transport.close()

    def reset(self) -> None:
        """Drop the connection the hard way, as a failing host does."""
        sock = self.transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        self.transport.abort()


def _split(line: str) -> tuple[str, str, str]:
    return line.partition(":")


def _text(status: int, text: str) -> Response:
    headers = {"Allow": "GET, HEAD"} if status == 405 else {}
    return Response("", status, text.encode(), "text/plain; charset=utf-8", headers=headers)


def _page(markup: str) -> Response:
    return Response("", 200, markup.encode(), "text/html; charset=utf-8")


def _index(web: Fetcher, own: str) -> str:
    """The page a person sees who opens the proxy's own address."""
    names = web.topics() if hasattr(web, "topics") else ()
    topics = "".join(_topic(name, web.topic(name).seeds) for name in names)  # type: ignore[attr-defined]
    pages = f" of {len(web):,} pages" if isinstance(web, Sized) else ""
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>A served web</title>
<style>body {{ font: 16px/1.5 sans-serif; max-width: 45em; margin: 2em auto; padding: 0 1em }}</style>
<h1>A web{pages} is served here</h1>
<p>Its pages have made-up host names. To walk it, set <b>{own}</b> as the <i>HTTP proxy</i> of your browser;
then the links below work. From a shell or from Python:</p>
<pre>curl -x http://{own} URL
requests.get(URL, proxies={{"http": "http://{own}"}})
focuslab.fetchers.http.Http(proxy="http://{own}").fetch(URL)</pre>
{topics}</html>
"""


def _topic(name: str, seeds: tuple[str, ...]) -> str:
    links = "".join(
        f'<li><a href="{html.escape(url)}">{html.escape(url)}</a>' for url in seeds if _is_web(url)
    )
    return f"<h2>{html.escape(name)}</h2><ul>{links}</ul>"


def _is_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))
