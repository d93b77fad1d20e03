"""A crawl with its memory: every visit, and the best links that waited before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from focuslab.crawling.frontier import Frontier
from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import Crawl
from focuslab.types import Assessor, Strategy, Topic, Visit

__all__ = ["SHOWN", "Candidate", "Queue", "Recording", "look", "record"]

SHOWN = 15
"""Waiting links that are kept of each step: as many as fit beside a map and can be read from the last row."""


class Candidate(NamedTuple):
    """A link that waits, and why it is worth what it is worth."""

    url: str
    score: float
    source: str
    anchor: str
    terms: Mapping[str, float]


class Queue(NamedTuple):
    """The frontier at one moment: its best links, how many share the best score, how many wait."""

    best: tuple[Candidate, ...]
    sharing: int
    waiting: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Recording:
    """One crawl as it was made.

    Attributes
    ----------
    name : str
        What the crawler is called in pictures.
    log : CrawlLog
        One row per page.
    visits : tuple of Visit
        The same with the pages, but without their bytes; empty if only a log is left of the crawl.
    queues : tuple of Queue
        The queue before each visit, and the one that was left at the end; empty if there are no visits.
    topic, strategy, assessor : optional
        What the crawl was made with, for questions that begin with "what if".
    """

    name: str
    log: CrawlLog
    visits: tuple[Visit, ...] = ()
    queues: tuple[Queue, ...] = ()
    topic: Topic | None = None
    strategy: Strategy | None = None
    assessor: Assessor | None = None

    def __len__(self) -> int:
        return len(self.log)

    @property
    def rules(self) -> dict[str, Any]:
        """The settings of its frontier."""
        names = ("tie", "rediscovery", "hosts_apart", "host_cap", "domain_cap", "max_depth")
        return {name: self.log.settings[name] for name in names if name in self.log.settings}


def record(visits: Crawl, budget: int | None = None, name: str = "", **made_with: Any) -> Recording:
    """Run a crawl, in memory or live, until ``budget`` pages are fetched, and keep what it had in mind.

    ``made_with`` are the last three attributes of a `Recording`.
    """
    kept: list[Visit] = []
    queues = [look(visits.frontier)]

    def seen() -> Iterator[Visit]:
        for visit in islice(visits, budget):
            kept.append(replace(visit, response=replace(visit.response, body=b"")))
            queues.append(look(visits.frontier))
            yield visit

    log = CrawlLog.record(seen())
    visits.close()
    log.settings, log.failures = dict(visits.settings), list(visits.failures)
    title = name or str(visits.settings["strategy"])
    return Recording(title, log, tuple(kept), tuple(queues), **made_with)


def look(frontier: Frontier, count: int = SHOWN) -> Queue:
    """The best waiting links; the frontier stays as it is."""
    best = tuple(
        Candidate(entry.link.url, entry.score, entry.link.source, entry.link.anchor, dict(entry.terms))
        for entry in frontier.best(count)
    )
    return Queue(best, frontier.sharing(best[0].score) if best else 0, len(frontier))
