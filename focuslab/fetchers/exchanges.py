"""What was exchanged on the way to a page, for archives: redirects, and the robots.txt of its host."""

from __future__ import annotations

import threading
from typing import Any

from focuslab.fetchers.redirects import redirect
from focuslab.fetchers.wrapper import Wrapper
from focuslab.types import Fetcher, Response

__all__ = ["Exchanges"]

MOST = 20
"""Kept for one page (our choice)."""


class Exchanges(Wrapper):
    """Wrap a fetcher of single answers, and keep those that are no page until they are asked for.

    Each thread has its own, for it works on one page at a time.
    """

    def __init__(self, fetcher: Fetcher) -> None:
        super().__init__(fetcher)
        self._mine = threading.local()

    def fetch(self, url: str, **conditions: Any) -> Response:
        response = self.fetcher.fetch(url, **conditions)
        return self._keep(response) if redirect(response) else response

    def rules(self, url: str) -> Response:
        return self._keep(super().rules(url))

    def _keep(self, response: Response) -> Response:
        if response.status and not response.error:
            self._kept().append(response)
        return response

    def taken(self) -> list[Response]:
        """What this thread exchanged since it last asked."""
        kept, self._mine.kept = self._kept(), []
        return kept[-MOST:]

    def _kept(self) -> list[Response]:
        if not hasattr(self._mine, "kept"):
            self._mine.kept = []
        return self._mine.kept
