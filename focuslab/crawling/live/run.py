"""A crawl of the web under way: everything put together, and written down while it goes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from focuslab import strategies
from focuslab.classifiers.training.from_topic import (
    FilesToo,
    assessor_of,
    read_examples,
    tells_genres,
    with_genres,
)
from focuslab.classifiers.training.topic_file import TopicFile
from focuslab.crawling.few_collections import few_collections
from focuslab.crawling.live.cluster import Cluster
from focuslab.crawling.live.fetcher_stack import readable, recorded_web, the_web
from focuslab.crawling.live.folder import Folder
from focuslab.crawling.live.history import History
from focuslab.crawling.live.limits import (
    CTRL_C,
    SIGTERM,
    EnoughError,
    TerminatedError,
    ran_dry,
    terminable,
    used_up,
)
from focuslab.crawling.live.parts import join
from focuslab.crawling.live.recrawl import write_changes
from focuslab.crawling.live.repeats import Repeats
from focuslab.crawling.live.report import write_report
from focuslab.crawling.live.scope import InLanguages, Kept
from focuslab.crawling.live.settings import Settings
from focuslab.crawling.live.survey import read_pig
from focuslab.crawling.live.watch import Watch
from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import Crawl, Failure
from focuslab.fetchers.archives.service import UnreachableError
from focuslab.fetchers.child_process import Apart
from focuslab.fetchers.failures import strict
from focuslab.fetchers.recorder import LimitError, Recorder
from focuslab.fetchers.traps import Bounded
from focuslab.pages.directives import directives
from focuslab.pages.parse import parse
from focuslab.types import Assessor, Example, Response, Strategy, Task, Visit

__all__ = ["Run"]

APART_FROM = 16
"""Fetches at a time that keep a core busy, so that they are worth a process of their own (our choice)."""
FRESH = 30.0
"""Seconds after which report and log are written anew while a crawl runs (our choice)."""
SHARE = 20
"""A crawl spends at most this part of its time on that: after one second, twenty without (our choice)."""


@dataclass
class Run:
    """A crawl of the web under way."""

    folder: Folder
    topic: TopicFile
    settings: Settings
    assessor: Assessor | None
    examples: list[Example]
    watch: Watch
    stopped: str = ""
    noindex: list[bool] = field(default_factory=list)
    cluster: Cluster | None = None

    def run(self) -> CrawlLog:
        """Crawl until something ends it; everything is written then."""
        with (
            terminable(),
            closing(self._web()) as web,
            History(self.folder.path) as history,
            few_collections(),
        ):
            self._began = time.monotonic()
            self._next_write = self._began + FRESH
            task = self._task()
            self._visits, self._kept = self._crawl(task, web)
            self._least = history.pages()
            self.watch.start(self._visits, max(self.settings.budget, self._least), web.recorded, self.folder)
            self._log = CrawlLog([], {})
            for visit in self._until_stopped(self._remembered(history, web.recorded > 0)):
                self._log.add(visit)
                self._write_now_and_then()
            self._visits.close()
        return self._finished()

    def _web(self) -> Bounded | Apart:
        """What fetches and records; in a process of its own where there is much to fetch."""
        about = {"topic": self.topic.topic.name, "strategy": self.settings.strategy}
        join(self.folder.parts, self.folder.record)  # of a cluster that was stopped
        if self.settings.cluster:
            self.cluster = Cluster(self.settings.cluster, self.settings, self.folder, about)
            return readable(self.cluster, self.settings)
        build = partial(recorded_web, self.settings, self.folder.record, about)
        if self.settings.width < APART_FROM:
            return build()
        return Apart(build, self.folder.record, self.settings.width)

    def _task(self) -> Task:
        """Train on the examples, which are recorded like the crawl, so that a resumed one learns the same."""
        if self.assessor is None:
            self.watch.note(self._examples_to_read())
            with Recorder(FilesToo(the_web(self.settings)), self.folder.examples) as record:
                self.examples = read_examples(self.topic, self.settings.genres, record)
            self.assessor = assessor_of(self.topic, self.examples, self.settings.seed)
        judge = self.assessor
        extras: dict[str, Any] = {"pig": read_pig(self.settings.pig)} if self.settings.pig else {}
        if self.settings.strategy == "genre_enhanced" and not tells_genres(judge):
            judge = with_genres(judge)
            self.watch.note(
                "note: genres are told by a model of made-up pages, right on 61 of 100 real ones; better "
                "give --genres FOLDER with pages in folders News, Blog …, or a --model trained with a column "
                "genre"
            )
        if self.settings.languages:
            judge = InLanguages(judge, self.settings.languages)
        return Task(self.topic.topic, judge, self.examples, extras)

    def _examples_to_read(self) -> str:
        named = self.topic.examples
        count = len(named.relevant) + len(named.irrelevant) + len(self.settings.genres)
        return f"reading {count} example pages" if count else ""

    def _crawl(self, task: Task, web: Bounded | Apart) -> tuple[Crawl, Kept]:
        chosen = self.settings
        weights = {"w_r": chosen.w_r} if chosen.strategy == "genre_enhanced" else {}
        strategy: Strategy = strategies.make(chosen.strategy, task, **weights)
        caps = {"host_cap": chosen.host_cap or None, "domain_cap": chosen.domain_cap or None}
        kept = Kept(strategy, chosen.scope, chosen.robots, chosen.nofollow)
        crawl = Crawl(
            task.topic,
            web,
            kept,
            self.cluster.judge_by(task.assessor) if self.cluster else task.assessor,
            width=chosen.width,
            seed=chosen.seed,
            frontier={**caps, "max_depth": chosen.max_depth},
            parse=self.cluster.parse if self.cluster else parse,
            past_first=chosen.reordered,
            strict=strict(),
            on_failure=lambda failure: self._look(),
            on_wait=self._look,
            repeats=None if chosen.near_duplicates else Repeats(),
        )
        return crawl, kept

    def _remembered(self, history: History, resumed: bool) -> Iterator[Visit]:
        """The visits, each in the history before it is passed on, and what failed in between."""
        told = 0
        for visit in self._visits:
            told = _remember_failures(self._visits.failures, told, history, resumed)
            link, relevance = visit.link, visit.assessment.relevance
            if not resumed or not history.seen(link.url):
                history.add(
                    visit.response, asked=link.url, parent=link.source, relevance=relevance, keep=False
                )
            yield visit
        _remember_failures(self._visits.failures, told, history, resumed)

    def _until_stopped(self, visits: Iterator[Visit]) -> Iterator[Visit]:
        """The visits up to the budget, or to whatever else ends the crawl."""
        try:
            for visit in visits:
                said = directives(visit.response, visit.page) if self.settings.robots else ()
                self.noindex.append("noindex" in said)
                self.watch.see(visit)
                yield visit
                failures = len(self._visits.failures)
                pages, least = len(self.noindex), self._least
                self.stopped = used_up(self.settings, pages, least, failures, self._began)
                if self.stopped:
                    return
            self.stopped = ran_dry(self._visits, self.settings, len(self._kept.refused_))
        except TerminatedError:
            self.stopped = SIGTERM
        except KeyboardInterrupt:
            self.stopped = CTRL_C
        except (EnoughError, LimitError, UnreachableError) as limit:
            self.stopped = str(limit)

    def _look(self) -> None:
        """A crawl that finds no page comes to its limits too, and one that waits for an answer."""
        self.watch.look()
        failures, pages = len(self._visits.failures), len(self.noindex)
        reached = used_up(self.settings, pages, self._least, failures, self._began)
        if reached and pages < self.settings.budget:
            raise EnoughError(reached)

    def _write_now_and_then(self) -> None:
        """Report and log of a crawl that goes on, as fresh as it costs little."""
        now = time.monotonic()
        if now >= self._next_write:
            self._write(self._so_far("it goes on"))
            spent = time.monotonic() - now
            self._next_write = time.monotonic() + max(FRESH, SHARE * spent)

    def _so_far(self, stopped: str) -> CrawlLog:
        rules = self._visits.frontier
        told = {
            **self._visits.settings,
            "stopped": stopped,
            "folder": str(self.folder.path),
            "web": self.settings.web,
            "captured": CrawlLog(self._log.rows(), {}, self._visits.failures).captured,
            "capped": rules.capped,
            "too_deep": rules.too_deep,
            "out_of_scope": len(self._kept.refused_),
        }
        log = CrawlLog(self._log.rows(), told, self._visits.failures)
        log.frame["noindex"] = self.noindex[: len(log)]
        return log

    def _finished(self) -> CrawlLog:
        self.watch.stop(self.stopped)
        if not len(self._log) and self.stopped not in (CTRL_C, SIGTERM):
            raise ValueError(_nothing(self._visits.failures))
        log = self._so_far(self.stopped)
        drift = getattr(getattr(self.assessor, "relevance", self.assessor), "drift", [])
        log.settings["drift"] = [list(line) for line in drift]
        if self.settings.since:
            log.settings["changes"] = write_changes(self.folder, self.settings.since)
        self._write(log)
        return log

    def _write(self, log: CrawlLog) -> None:
        try:
            log.to_parquet(self.folder.log)
            self.folder.write_skipped(log.failures)
            write_report(self.folder.report, log)
        except OSError as problem:
            self.folder.log.unlink(missing_ok=True)  # half a table is none
            where = self.folder.path
            raise OSError(
                f"cannot write the report into {where} ({problem}); every page is recorded: "
                f"free some space, then focuslab crawl --resume {where}"
            ) from problem


def _remember_failures(failures: list[Failure], told: int, history: History, resumed: bool) -> int:
    for link, status, reason in islice(failures, told, None):
        if not resumed or not history.seen(link.url):
            history.add(Response(link.url, status, error=reason), parent=link.source, keep=False)
    return len(failures)


def _nothing(failures: list[Failure]) -> str:
    first = f"{failures[0].link.url} ({failures[0].reason})" if failures else "for its site's cap"
    remedy = "correct the seeds, or see whether this machine reaches the web"
    if failures and "private-address" in failures[0].reason:
        remedy = "to crawl a server of your own, add --allow-private"
    elif failures and failures[0].reason.startswith("proxy"):
        remedy = "correct --proxy, or unset http_proxy and https_proxy"
    elif failures and failures[0].reason.startswith("robots:"):
        remedy = "the site does not want to be crawled; start somewhere else"
    return f"none of the seeds brought a page, the first {first}; {remedy}"
