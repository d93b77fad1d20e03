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

from focuslab.crawling.live.fetcher_stack import recorded_web
from focuslab.crawling.live.settings import Settings
from focuslab.pages.parse import parse
from focuslab.pages.urls import host
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
    rests: Mapping[str, float]
    """Seconds the host now wants to be left alone, and the one where redirects ended."""
    size: int
    """Bytes of the WARC file by now."""


class _Hand:
    """One process' own connections, manners and WARC file; its threads share them."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.part = f"{socket.gethostname()}-{os.getpid()}-{job.key}.warc.gz"
        job.parts.mkdir(parents=True, exist_ok=True)
        self.web = recorded_web(job.settings, job.parts / self.part, job.about)

    def bring(self, url: str) -> Brought:
        response = self.web.fetch(url)
        page, assessment = self._read(response)
        rests = {host(each): self.web.ready_in(each) for each in (url, response.url)}
        size = (self.job.parts / self.part).stat().st_size
        return Brought(self.part, response, page, assessment, rests, size)

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
_ended: set[str] = set()
_making = threading.Lock()


@lru_cache(maxsize=4)
def _job(packed: bytes) -> Job:
    job: Job = pickle.loads(packed)
    return job


def bring(packed: bytes, url: str, wait: float = 0.0) -> Brought | None:
    """Fetch a page; after ``wait`` seconds, if another worker was busy with its host when it died.

    None when the crawl has ended meanwhile, so that nobody waits for it.
    """
    time.sleep(wait)
    with _making:
        job = _job(packed)
        if job.key in _ended:
            return None
        hand = _hands.get(job.key) or _hands.setdefault(job.key, _Hand(job))
    try:
        return hand.bring(url)
    except Exception:
        if job.key in _ended:  # its files were closed on the way
            return None
        raise


def let_go(key: str) -> None:
    """Close what a crawl has open in this process, and begin nothing more for it."""
    with _making:
        _ended.add(key)
        hand = _hands.pop(key, None)
    if hand is not None:
        hand.web.close()
