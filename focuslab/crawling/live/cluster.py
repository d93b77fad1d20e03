"""One brain, many hands: the frontier and the strategy here, fetching, parsing and judging on Dask workers.

The hosts are divided among the workers by hash, so that one worker is polite to a host. The workers write
WARC files of their own into the crawl's folder; at its end, or when it is taken up again, they become its
record. ``distributed`` is an extra, and nothing else of the lab needs it.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import Any, NamedTuple

from focuslab.crawling.live.folder import Folder
from focuslab.crawling.live.hands import Brought, Job, bring, let_go
from focuslab.crawling.live.parts import Journal, Nobody, join
from focuslab.crawling.live.settings import Settings
from focuslab.fetchers.recorder import LimitError, Recorder
from focuslab.pages.parse import parse
from focuslab.pages.urls import host
from focuslab.types import Assessment, Assessor, LiveFetcher, Page, Response

__all__ = ["Cluster", "owner"]

LOOK = 1.0
"""Seconds between two looks at which workers live."""
TRIES = 5
"""Workers that may die over one page before it is held against the page."""
KEPT = 10_000


class _Rest(NamedTuple):
    """Who asked a host last, and until when it wants to be left alone."""

    worker: str
    until: float


class Cluster(LiveFetcher):
    """The workers of a Dask cluster as a fetcher. Threads may share one.

    A worker that dies loses what it was fetching, which others fetch again; they take over its hosts, and
    ask them only after a pause.

    Parameters
    ----------
    address
        Of the scheduler.
    settings, folder, about
        Of the crawl. The folder is at the same path on every machine.
    """

    def __init__(self, address: str, settings: Settings, folder: Folder, about: Mapping[str, str]) -> None:
        self._settings, self._folder, self._about = settings, folder, about
        self._parts = folder.parts.resolve()
        self._client = _client(address)
        self._past = Recorder(Nobody(), folder.record, about=about)
        self._journal = Journal(self._parts)
        self._key = uuid.uuid4().hex[:8]
        self._packed: Any = None
        self._lock = threading.Lock()
        self._looked, self._workers = float("-inf"), ()  # type: float, tuple[str, ...]
        self._rests: dict[str, _Rest] = {}
        self._sizes: dict[str, int] = {}
        self._read: OrderedDict[int, tuple[Response, Page]] = OrderedDict()
        self._judged: OrderedDict[int, tuple[Page, Assessment]] = OrderedDict()

    @property
    def polite(self) -> bool:
        return not self._settings.web

    @property
    def recorded(self) -> int:
        return self._past.recorded

    def past(self) -> Iterator[tuple[str, Response]]:
        return self._past.past()

    def ready_in(self, url: str) -> float:
        rest = self._rests.get(host(url))
        return max(0.0, rest.until - time.monotonic()) if rest else 0.0

    def judge_by(self, assessor: Assessor) -> Assessor:
        """Send the classifiers to the workers; gives an assessor that knows what the workers said.

        A judge that learns from the pages it sees stays here, and sees them in the order of the crawl.
        """
        job = Job(
            self._key, self._settings, self._parts, self._about, None if _learns(assessor) else assessor
        )
        # The result of a task, not scattered data: if the workers that hold it die, it is made again.
        self._packed = self._client.submit(bytes, pickle.dumps(job), pure=False)
        return _Told(assessor, self._judged)

    def fetch(self, url: str) -> Response:
        """A page from the worker that its host belongs to."""
        if url in self._past:
            return self._past.fetch(url)
        wait = 0.0
        for _ in range(TRIES):
            worker = owner(_owned(url), self._alive())
            brought = self._result(worker, url, max(wait, self._inherited(worker, url)))
            if brought is not None:
                return self._landed(worker, url, brought)
            wait = self._settings.delay if self.polite else 0.0
        raise OSError(f"{TRIES} workers died over {url}; look at their memory, then resume")

    def parse(self, response: Response) -> Page:
        """The page as a worker parsed it, or parsed here."""
        response_, page = self._read.pop(id(response), (None, None))
        return page if page is not None and response_ is response else parse(response)

    def close(self) -> None:
        """Join what the workers wrote; what they are still fetching is not waited for."""
        workers = list(self._alive(patience=0.0))
        if workers:  # not as a task, which would stand in line behind slow pages
            self._client.run(let_go, self._key, workers=workers, on_error="ignore")
        self._client.close()
        self._journal.close()
        self._past.close()
        join(self._parts, self._folder.record)

    def _result(self, worker: str, url: str, wait: float) -> Brought | None:
        """What a worker brought; None if it died."""
        from distributed import KilledWorker

        future = self._client.submit(bring, self._packed, url, wait, workers=[worker], pure=False, retries=0)
        while True:
            try:
                brought: Brought | None = future.result(timeout=LOOK)
                return brought
            except (TimeoutError, UnboundLocalError):  # the latter when distributed's own wait was broken off
                if future.cancelled() or worker not in self._alive(patience=0.0):
                    future.cancel()
                    return None
            except (CancelledError, KilledWorker):
                return None

    def _inherited(self, worker: str, url: str) -> float:
        """Seconds a host wants to rest because of another worker, which this one cannot know."""
        rest = self._rests.get(host(url))
        return self.ready_in(url) if rest and rest.worker != worker else 0.0

    def _landed(self, worker: str, url: str, brought: Brought) -> Response:
        self._journal.landed(brought.part, url)
        with self._lock:
            for name, rest in brought.rests.items():
                until = time.monotonic() + rest
                if name not in self._rests or until >= self._rests[name].until:
                    self._rests[name] = _Rest(worker, until)
            self._sizes[brought.part] = brought.size
            size = self._past.size + sum(self._sizes.values())
            if brought.page is not None and brought.assessment is not None:
                _keep(self._read, brought.response, brought.page)
                _keep(self._judged, brought.page, brought.assessment)
        if size > self._settings.max_bytes:
            raise LimitError(
                f"{self._parts} has reached its limit of {self._settings.max_bytes:,} bytes; allow more"
            )
        return brought.response

    def _alive(self, patience: float = 30.0) -> tuple[str, ...]:
        """The workers there are; if there are none, whoever comes in time."""
        end = time.monotonic() + patience
        while True:
            with self._lock:
                if time.monotonic() - self._looked > LOOK:
                    found = self._client.scheduler_info(n_workers=-1)["workers"]
                    self._looked, self._workers = time.monotonic(), tuple(sorted(found))
                workers = self._workers
            if workers or patience == 0.0:
                return workers
            if time.monotonic() > end:
                raise OSError("the cluster has no workers; start some (dask worker ADDRESS), then resume")
            time.sleep(LOOK)


def _owned(url: str) -> str:
    """Whose worker it is: redirects lead to ``www.`` and back so often that both belong to one."""
    return host(url).removeprefix("www.")


def owner(name: str, workers: Sequence[str]) -> str:
    """The worker that a host belongs to; when one leaves, only its hosts move, evenly to the others.

    References
    ----------
    Thaler, D. G. and Ravishankar, C. V. "Using name-based mappings to increase hit rates." IEEE/ACM
    Transactions on Networking 6(1), 1-14, 1998. doi:10.1109/90.663936

    Examples
    --------
    >>> hosts = [f"{letter}.example" for letter in "abcdefgh"]
    >>> before, after = [[owner(name, w) for name in hosts] for w in (["x", "y", "z"], ["x", "z"])]
    >>> [one for one, other in zip(before, after) if one != other] == ["y"] * before.count("y")
    True
    """
    return max(workers, key=lambda worker: hashlib.blake2b(f"{name} {worker}".encode()).digest())


class _Told:
    """An assessor that says of a page what a worker said of it; all else is the assessor's own."""

    def __init__(self, assessor: Assessor, judged: OrderedDict[int, tuple[Page, Assessment]]) -> None:
        self._assessor, self._judged = assessor, judged

    def assess(self, page: Page) -> Assessment:
        known, assessment = self._judged.pop(id(page), (None, None))
        return assessment if assessment is not None and known is page else self._assessor.assess(page)

    def score_text(self, text: str, language: str = "") -> float:
        return self._assessor.score_text(text, language)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._assessor, name)


def _learns(assessor: Any) -> bool:
    return bool(getattr(getattr(assessor, "relevance", assessor), "learn", False))


def _keep(kept: OrderedDict[int, Any], key: object, value: object) -> None:
    """By identity: the crawl gets the very object back, and mostly asks at once."""
    kept[id(key)] = (key, value)
    while len(kept) > KEPT:
        kept.popitem(last=False)


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise ValueError("cluster= needs Dask, which is not installed; install focuslab[cluster]") from error
    try:
        return Client(address, set_as_default=False, timeout=10)
    except (OSError, ValueError) as error:
        raise OSError(f"no Dask scheduler answers at {address}; start one with: dask scheduler") from error
