"""Common Crawl's index as its server answers: one request for all captures of a host, then one for each URL.

For a few hundred pages. The server is a single one that everybody shares; for more, read the zipped index.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from urllib.parse import quote, urlencode

from focuslab.fetchers.archives.captures import Capture, sort_key
from focuslab.fetchers.archives.service import Service
from focuslab.fetchers.archives.zipped_index import DamagedError
from focuslab.pages.urls import host

__all__ = ["IndexServer"]

LINES = 3_000
"""Most captures of a host that one request brings (our choice: a block's worth)."""
HOSTS = 1_000
"""Hosts whose captures are held in memory."""


class IndexServer:
    """Looks URLs up by the API of pywb, which is what Common Crawl's server runs.

    Parameters
    ----------
    service
        Whom to ask.
    url
        The ``cdx-api`` of the crawl, as ``collinfo.json`` has it.
    """

    def __init__(self, service: Service, url: str) -> None:
        self.service, self.url = service, url
        self._hosts: OrderedDict[str, _Host] = OrderedDict()
        self._lock = threading.Lock()

    def captures(self, url: str) -> list[Capture]:
        """All captures under the key of a URL."""
        key = sort_key(url)
        with self._lock:
            known = self._hosts.setdefault(host(url), _Host())
            self._hosts.move_to_end(host(url))
            while len(self._hosts) > HOSTS:
                self._hosts.popitem(last=False)
        with known.turn:
            if known.captures is None:
                known.fill(
                    self._ask(f"{url.split('://')[0]}://{host(url)}/", matchType="host", limit=str(LINES))
                )
            if known.holds(key):
                return known.captures.get(key, []) if known.captures else []
        return self._ask(url)

    def _ask(self, url: str, **more: str) -> list[Capture]:
        question = urlencode({"url": url, "output": "json", **more}, quote_via=quote)
        answer = self.service.get(f"{self.url}?{question}")
        if answer.status == 404:  # "No Captures found"
            return []
        if answer.status != 200:
            raise DamagedError(f"the index server says {answer.status} to {url}")
        try:
            lines = answer.body.decode().splitlines()
            return [Capture.of(json.loads(line)) for line in lines if line.strip()]
        except (ValueError, KeyError, TypeError, AttributeError):
            raise DamagedError(f"the index server's answer for {url} is no list of captures") from None


class _Host:
    """What is known of a host: the captures up to some key, which are all if there are few."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.captures: dict[str, list[Capture]] | None = None
        self._whole = False
        self._last = ""

    def fill(self, found: list[Capture]) -> None:
        self._whole = len(found) < LINES
        self.captures = {}
        for capture in found:
            self._last = sort_key(capture.url)
            self.captures.setdefault(self._last, []).append(capture)

    def holds(self, key: str) -> bool:
        """Whether nothing more is to be learned of a key: lines come in the order of keys."""
        return self._whole or key < self._last
