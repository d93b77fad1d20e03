"""Pages that only scripts build, rendered by a real browser; needs the extra ``browser`` and a Chromium."""

from __future__ import annotations

import importlib
import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from focuslab.fetchers.warc import UNCHANGED
from focuslab.fetchers.wrapper import Wrapper
from focuslab.pages.parse import parse
from focuslab.types import Fetcher, Response

__all__ = ["AUTO", "NEEDED", "Rendered", "chromium"]

AUTO = "auto"
RENDERED = "x-focuslab-rendered"
NEEDED = (
    "text/javascript",
    "application/javascript",
    "application/json",
    "text/css",
    "application/x-javascript",
)
"""Types of what a page needs to build itself; pictures, films and letters it does without."""
SHELL_LETTERS = 200
"""Visible letters below which a page with scripts is taken for a shell (our choice)."""
SECONDS = 30.0
"""Most time for a page to build itself (our choice)."""
MOST_REQUESTS = 50
"""Of one page (our choice)."""
KEPT = 500
"""Scripts and the like that are kept, so that they are asked for once (our choice)."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ("--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "--disable-quic")
"""The browser itself reaches nobody: all it wants goes through our own fetcher."""
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)


def chromium() -> str:
    """Where a Chromium is, "" if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), "")


class Rendered(Wrapper):
    """Wrap a polite fetcher: shells are rendered, and what they ask for is fetched with the same manners.

    A page is rendered if it is a shell, which shows fewer than 200 letters and has scripts, or if its address
    matches ``pattern``. Every request of the page goes through the wrapped fetcher: robots.txt, pauses,
    bounds and the refusal of private addresses hold for it as for any page. Pictures, films, fonts,
    web sockets and service workers are left out.

    Parameters
    ----------
    fetcher
        With manners; it should bring `NEEDED` types.
    pattern
        A regular expression of addresses; "auto": shells are found.
    """

    def __init__(self, fetcher: Fetcher, pattern: str = AUTO) -> None:
        super().__init__(fetcher)
        self.pattern = pattern
        self._thread = ThreadPoolExecutor(1, "browser")  # a browser may be talked to by one thread only
        self._browser: Any = None
        self._kept: dict[str, Response] = {}

    def fetch(self, url: str) -> Response:
        response = super().fetch(url)
        if not self._wanted(response):
            return response
        return self._thread.submit(self._render, response).result()

    def close(self) -> None:
        self._thread.submit(self._quit).result()
        self._thread.shutdown()
        super().close()

    def _wanted(self, response: Response) -> bool:
        if not response.ok or "html" not in response.content_type or not _SCRIPT.search(response.body):
            return False
        if RENDERED in response.headers:  # an earlier crawl did that, and it did not change since
            return False
        if self.pattern != AUTO:
            return bool(re.search(self.pattern, response.url))
        return len(parse(response).text) < SHELL_LETTERS

    def _render(self, response: Response) -> Response:
        context = self._started().new_context(service_workers="block")
        try:
            page = context.new_page()
            page.route_web_socket("**/*", lambda socket: socket.close())
            asked: list[str] = []
            context.route("**/*", partial(self._answer, response, asked))
            with suppress(self._error):  # a page that never rests is taken as it is by then
                page.goto(response.url, wait_until="networkidle", timeout=SECONDS * 1000)
            body = page.content().encode("utf-8", "replace")
        except self._error as problem:
            return replace(response, headers={**response.headers, RENDERED: f"failed: {problem}"[:200]})
        finally:
            context.close()
        return _marked(replace(response, body=body, content_type="text/html; charset=utf-8"), "chromium")

    def _answer(self, document: Response, asked: list[str], route: Any) -> None:
        """Bring what the page asks for, or nothing."""
        request = route.request
        if request.url == document.url:
            route.fulfill(status=200, content_type=document.content_type, body=document.body)
            return
        asked.append(request.url)
        small = request.resource_type in ("script", "xhr", "fetch", "stylesheet")
        if not small or request.method != "GET" or len(asked) > MOST_REQUESTS:
            route.abort()
            return
        found = self._kept.get(request.url) or super().fetch(request.url)
        if len(self._kept) < KEPT:
            self._kept[request.url] = found
        if found.ok:
            route.fulfill(status=found.status, content_type=found.content_type, body=found.body)
        else:
            route.abort()

    def _started(self) -> Any:
        if self._browser is None:
            engine = importlib.import_module("playwright.sync_api")
            self._error = engine.Error
            self._engine = engine.sync_playwright().start()
            sandbox = hasattr(os, "geteuid") and os.geteuid() != 0  # Chromium has none for root
            self._browser = self._engine.chromium.launch(
                executable_path=chromium() or None, args=list(FLAGS), chromium_sandbox=sandbox
            )
        return self._browser

    def _quit(self) -> None:
        if self._browser is not None:
            self._browser.close()
            self._engine.stop()
            self._browser = None


def _marked(response: Response, how: str) -> Response:
    """The record says that this is not what the server sent, now or earlier."""
    sent = {name: value for name, value in response.headers.items() if name != UNCHANGED}
    return replace(response, headers={**sent, RENDERED: how})


def check() -> None:
    """Say what is missing, before a crawl begins."""
    try:
        importlib.import_module("playwright.sync_api")
    except ImportError:
        raise ValueError("--browser needs playwright; run: pip install 'focuslab[browser]'") from None
    if not chromium():
        raise ValueError("--browser needs a Chromium; install one, or run: playwright install chromium")
