"""What the archives have in common as fetchers: they look up, follow inside, count and keep."""

from __future__ import annotations

import json
import threading
from abc import abstractmethod
from collections import Counter
from pathlib import Path

from focuslab.fetchers.archives.cabinet import Cabinet
from focuslab.fetchers.archives.captures import Capture
from focuslab.fetchers.archives.service import Service
from focuslab.fetchers.archives.zipped_index import DamagedError
from focuslab.fetchers.failures import Reason
from focuslab.fetchers.redirects import follow
from focuslab.pages.urls import canonical
from focuslab.types import LiveFetcher, Response

__all__ = ["Archived"]

HOPS = 10
DAMAGED = "!"
"""Begins an answer that says why there is none."""


class Archived(LiveFetcher):
    """An archive as a fetcher. Threads may share one; another process that gets it opens it anew.

    Redirects are followed inside the archive. What cannot be had is a `Response` with an error that starts
    with ``not-captured``, ``revisit``, ``damaged`` or ``redirect-loop`` and a colon; a capture of a failure
    has the status it had. What was asked once is answered from the folder ever after, failures too.

    Attributes
    ----------
    name : str
        Of the archive, to be named in reports.
    counts : Counter
        Look-ups by what they found: ``page``, ``redirect``, ``failure``, ``not-captured``, ``revisit``,
        ``damaged``, and of the pages the ``truncated``.
    service : Service
        Whom it asks: ``requests``, ``bytes`` and ``pauses``.
    """

    name: str
    service: Service
    folder: Path
    max_bytes: int

    def _open(self) -> None:
        self.cabinet = Cabinet(self.folder)
        self.counts: Counter[str] = Counter()
        self._counting = threading.Lock()

    def fetch(self, url: str) -> Response:
        """The page as the archive has it, after redirects."""
        return follow(self._one, canonical(url) or url, HOPS)

    def captured(self, url: str) -> bool:
        """Whether the archive has anything of an address."""
        try:
            return self._known(canonical(url) or url) is not None
        except DamagedError:
            return False

    def close(self) -> None:
        """Let go of the folder."""
        self.cabinet.close()

    @abstractmethod
    def _lookup(self, url: str) -> Capture | None:
        """The capture to answer with, from the archive's own index."""

    @abstractmethod
    def _stored(self, capture: Capture) -> Response:
        """What a capture holds, kept or fetched; a redirect as it is."""

    def _one(self, url: str) -> Response:
        """What the archive has of an address, redirects as they are."""
        try:
            capture = self._known(url)
            if capture is None:
                self._count(Reason.NOT_CAPTURED)
                return Response(url, 404, error=Reason.NOT_CAPTURED.because(f"not in {self.name}"))
            return self._answer(capture)
        except DamagedError as problem:
            self._count(Reason.DAMAGED)
            self.cabinet.remember(url, f"{DAMAGED}{problem}")
            return Response(url, error=Reason.DAMAGED.because(problem)[:300])

    def _known(self, url: str) -> Capture | None:
        """The capture to answer with, as it was answered before."""
        answer = self.cabinet.answer(url)
        if answer is None:
            capture = self._lookup(url) if canonical(url) else None
            self.cabinet.remember(url, json.dumps(capture) if capture else "")
            return capture
        if answer.startswith(DAMAGED):
            raise DamagedError(answer.removeprefix(DAMAGED))
        return Capture(*json.loads(answer)) if answer else None

    def _answer(self, capture: Capture) -> Response:
        """What a capture says; of failures, and of redirects whose goal is known, its status is enough."""
        if capture.revisit:
            self._count(Reason.REVISIT)
            why = Reason.REVISIT.because("only that it had not changed was stored")
            return Response(capture.url, capture.status, error=why)
        self._count(("page", "redirect", "failure")[capture.worth])
        if capture.worth == 2:
            return Response(capture.url, capture.status)
        if capture.redirect:
            return Response(capture.url, capture.status, headers={"location": capture.redirect})
        return self._stored(capture)

    def _count(self, what: str) -> None:
        with self._counting:
            self.counts[str(what)] += 1
