"""A worker's part of a crawl on a cluster: it fetches, records, parses and judges what it is told to."""

from __future__ import annotations

import os
import pickle
import socket
import threading
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from focuslab.crawling.live.fetcher_stack import the_web
from focuslab.crawling.live.folder import Settings
from focuslab.fetchers.recorder import Recorder
from focuslab.pages.parse import parse
from focuslab.types import Assessment, Assessor, Page, Response

__all__ = ["Brought", "Job", "bring", "let_go"]


class Job(NamedTuple):
    """What a worker must know of a crawl; it is sent once."""

    key: str
    settings: Settings
    parts: Path
    """The folder for the workers' WARC files, at the same place on all machines."""
    about: Mapping[str, str]
    assessor: Assessor | None


class Brought(NamedTuple):
    """What a worker sends back."""

    part: str
    """The WARC file that has it."""
    response: Response
    page: Page | None
    assessment: Assessment | None
    rest: float
    """Seconds the host now wants to be left alone."""


class _Hand:
    """One process' own connections, manners and WARC file; its threads share them."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.part = f"{socket.gethostname()}-{os.getpid()}-{job.key}.warc.gz"
        job.parts.mkdir(parents=True, exist_ok=True)
        web, most = the_web(job.settings), job.settings.max_bytes
        self.web = Recorder(web, job.parts / self.part, most, job.about)

    def bring(self, url: str) -> Brought:
        response = self.web.fetch(url)
        page, assessment = self._read(response)
        return Brought(self.part, response, page, assessment, self.web.ready_in(url))

    def _read(self, response: Response) -> tuple[Page | None, Assessment | None]:
        """The page and its assessment; what cannot be read is left to the crawl, which knows what to say."""
        if not response.ok or self.job.assessor is None:
            return None, None
        try:
            page = parse(response)
            return page, self.job.assessor.assess(page)
        except Exception:
            return None, None


_hands: dict[str, _Hand] = {}
_making = threading.Lock()


@lru_cache(maxsize=4)
def _job(packed: bytes) -> Job:
    job: Job = pickle.loads(packed)
    return job


def bring(packed: bytes, url: str, wait: float = 0.0) -> Brought:
    """Fetch a page; after ``wait`` seconds, if another worker was busy with its host when it died."""
    time.sleep(wait)
    with _making:
        job = _job(packed)
        hand = _hands.get(job.key) or _hands.setdefault(job.key, _Hand(job))
    return hand.bring(url)


def let_go(key: str) -> None:
    """Close what a crawl has open in this process."""
    with _making:
        hand = _hands.pop(key, None)
    if hand is not None:
        hand.web.close()
