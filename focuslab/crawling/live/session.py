"""Crawls of the real web: polite, recorded, and resumable at any moment.

::

    from focuslab import live
    log = live.crawl("topic.yaml", seeds=["http://www.example.com/"], out="crawl", budget=500)
    log.frame.query("relevant")
    log = live.resume("crawl", budget=1000)
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from focuslab import strategies
from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.training.from_topic import FilesToo, assessor_of, read_examples
from focuslab.classifiers.training.model_file import load_model
from focuslab.classifiers.training.topic_file import Examples, TopicFile, read_topic, topic_names
from focuslab.crawling.live.cluster import Cluster
from focuslab.crawling.live.fetcher_stack import recorded_web, the_web
from focuslab.crawling.live.folder import Folder, Settings
from focuslab.crawling.live.history import History
from focuslab.crawling.live.nofollow import Respectful
from focuslab.crawling.live.parts import join
from focuslab.crawling.live.report import write_report
from focuslab.crawling.live.watch import Watch
from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import Crawl, Failure
from focuslab.fetchers.archives.named import settled
from focuslab.fetchers.archives.service import UnreachableError
from focuslab.fetchers.child_process import Apart
from focuslab.fetchers.failures import strict
from focuslab.fetchers.recorder import LimitError, Recorder
from focuslab.fetchers.traps import Bounded
from focuslab.pages.directives import directives
from focuslab.pages.parse import parse
from focuslab.pages.urls import canonical
from focuslab.types import Assessor, Example, Response, Task, Topic, Visit

__all__ = ["Settings", "crawl", "resume"]

CTRL_C = "Ctrl-C was pressed"
APART_FROM = 16
"""Fetches at a time that keep a core busy, so that they are worth a process of their own (our choice)."""


def crawl(
    topic: str | Path | TopicFile,
    seeds: Iterable[str] = (),
    out: str | Path = "crawl",
    *,
    assessor: Assessor | str | Path | None = None,
    examples: Iterable[Example] = (),
    watch: Watch | None = None,
    **settings: Any,
) -> CrawlLog:
    """Crawl the web for a topic, and keep everything in a folder.

    Parameters
    ----------
    topic : path, name or TopicFile
        See `focuslab.classifiers.training.topic_file`: example pages or terms say what is wanted.
    seeds : iterable of str
        Where to start, besides the seeds the topic's file names.
    out : path
        The folder of the crawl: its record ``crawl.warc.gz``, ``history.sqlite``, and at the end
        ``log.parquet``, ``skipped.csv`` and ``report.html``.
    assessor, examples
        Judge pages by this instead of what the topic's file names: a model that ``focuslab train`` wrote,
        which is copied into the folder, or any assessor. (To resume, give an assessor again.)
    watch : Watch, optional
        Who is told how it goes; default: a line at a terminal, a curve in a notebook.
    **settings
        See `Settings`: budget, strategy, width, delay, contact and others.

    Returns
    -------
    CrawlLog
        One row per page; ``log.settings["stopped"]`` says why the crawl ended. Ctrl-C ends it cleanly.
    """
    named = _topic(topic, assessor)
    named = replace(named, topic=replace(named.topic, seeds=_seeds(seeds, named.topic.seeds)))
    chosen = Settings(**settings)
    if chosen.strategy not in strategies.all_strategies():
        known = ", ".join(strategies.all_strategies())
        raise ValueError(f"no strategy named {chosen.strategy!r}; try {known}")
    chosen = replace(chosen, web=settled(chosen.web))
    folder = Folder(out)
    folder.create(named, chosen)
    try:
        judge = _judge(folder, assessor)
        return _Live(folder, named, chosen, judge, list(examples), watch or Watch()).run()
    except (ValueError, UnreachableError):
        folder.discard()  # if it holds no page, so that it is free for the next try
        raise


def resume(
    out: str | Path,
    *,
    assessor: Assessor | str | Path | None = None,
    examples: Iterable[Example] = (),
    watch: Watch | None = None,
    **changes: Any,
) -> CrawlLog:
    """Go on with a crawl that was stopped, in whatever way; ``changes`` may raise its budget, for example."""
    folder = Folder(out)
    topic, settings = folder.load()
    settings, judge = settings.changed(**changes), _judge(folder, assessor)
    return _Live(folder, topic, settings, judge, list(examples), watch or Watch()).run()


def _topic(topic: str | Path | TopicFile, assessor: Assessor | str | Path | None) -> TopicFile:
    """What is wanted; where a judge is given, the topic need be no more than a name."""
    if isinstance(topic, TopicFile):
        return topic
    if (
        assessor is not None
        and isinstance(topic, str)
        and not Path(topic).suffix
        and topic not in topic_names()
    ):
        return TopicFile(Topic(str(topic)), Examples())
    return read_topic(topic)


def _judge(folder: Folder, given: Assessor | str | Path | None) -> Assessor | None:
    """Who judges pages: what was given, or the model in the crawl's folder; None: what the topic names."""
    if isinstance(given, str | Path):
        folder.keep_model(given)
        given = None
    if given is not None or not folder.model.exists():
        return given
    model = load_model(folder.model)
    if not isinstance(model, Classifiers):
        raise ValueError("the model tells genres only; train one on pages labelled relevant and not")
    return model


def _seeds(given: Iterable[str], named: Iterable[str]) -> tuple[str, ...]:
    seeds: dict[str, None] = {}
    for written in (*given, *named):
        url = canonical(written.strip())
        if not url:
            raise ValueError(f"seed {written!r} is no web address; start it with http:// or https://")
        seeds[url] = None
    if not seeds:
        raise ValueError(
            "there are no seeds; give --seeds FILE with an address on each line, or seeds: in the topic"
        )
    return tuple(seeds)


@dataclass
class _Live:
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
        with closing(self._web()) as web, History(self.folder.path) as history, _few_collections():
            task = self._task()
            visits = self._crawl(task, web)
            self.watch.start(visits, self.settings.budget, web.recorded)
            log = CrawlLog.record(self._until_stopped(self._remembered(visits, history, web.recorded > 0)))
            visits.close()
        return self._finished(log, visits)

    def _web(self) -> Bounded | Apart:
        """What fetches and records; in a process of its own where there is much to fetch."""
        about = {"topic": self.topic.topic.name, "strategy": self.settings.strategy}
        join(self.folder.parts, self.folder.record)  # of a cluster that was stopped
        if self.settings.cluster:
            self.cluster = Cluster(self.settings.cluster, self.settings, self.folder, about)
            return Bounded(self.cluster)
        build = partial(recorded_web, self.settings, self.folder.record, about)
        if self.settings.width < APART_FROM:
            return build()
        return Apart(build, self.folder.record, self.settings.width)

    def _task(self) -> Task:
        """Train on the examples, which are recorded like the crawl, so that a resumed one learns the same."""
        if self.assessor is None:
            with Recorder(FilesToo(the_web(self.settings)), self.folder.examples) as record:
                lenient = bool(self.settings.web)  # nobody can add to an archive what it lacks
                self.examples = read_examples(self.topic, self.settings.genres, record, lenient)
            self.assessor = assessor_of(self.topic, self.examples, self.settings.seed)
        return Task(self.topic.topic, self.assessor, self.examples)

    def _crawl(self, task: Task, web: Bounded | Apart) -> Crawl:
        chosen = self.settings
        strategy = strategies.make(chosen.strategy, task)
        caps = {"host_cap": chosen.host_cap or None, "domain_cap": chosen.domain_cap or None}
        return Crawl(
            task.topic,
            web,
            Respectful(strategy) if chosen.robots else strategy,
            self.cluster.judge_by(task.assessor) if self.cluster else task.assessor,
            width=chosen.width,
            seed=chosen.seed,
            frontier={**caps, "max_depth": chosen.max_depth},
            parse=self.cluster.parse if self.cluster else parse,
            strict=strict(),
        )

    def _remembered(self, visits: Crawl, history: History, resumed: bool) -> Iterator[Visit]:
        """The visits, each in the history before it is passed on, and what failed in between."""
        told = 0
        for visit in visits:
            told = _remember_failures(visits.failures, told, history, resumed)
            link, relevance = visit.link, visit.assessment.relevance
            if not resumed or not history.seen(link.url):
                history.add(
                    visit.response, asked=link.url, parent=link.source, relevance=relevance, keep=False
                )
            yield visit
        _remember_failures(visits.failures, told, history, resumed)

    def _until_stopped(self, visits: Iterator[Visit]) -> Iterator[Visit]:
        """The visits up to the budget, or to whatever else ends the crawl."""
        self.stopped = "no link was left to follow"
        try:
            for visit in visits:
                said = directives(visit.response, visit.page) if self.settings.robots else ()
                self.noindex.append("noindex" in said)
                self.watch.see(visit)
                yield visit
                if len(self.noindex) == self.settings.budget:
                    self.stopped = f"its budget of {self.settings.budget:,} pages was used up"
                    return
        except KeyboardInterrupt:
            self.stopped = CTRL_C
        except (LimitError, UnreachableError) as limit:
            self.stopped = str(limit)

    def _finished(self, log: CrawlLog, visits: Crawl) -> CrawlLog:
        rules = visits.frontier
        log.failures = visits.failures
        log.settings = {
            **visits.settings,
            "stopped": self.stopped,
            "folder": str(self.folder.path),
            "web": self.settings.web,
            "captured": log.captured,
            "capped": rules.capped,
            "too_deep": rules.too_deep,
        }
        self.watch.stop()
        if not len(log) and self.stopped != CTRL_C:
            raise ValueError(_nothing(log.failures))
        log.frame["noindex"] = self.noindex[: len(log)]
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


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for cycles seldom: a frontier of many links has none, and going through it again and again
    would take a fifth of the time of a crawl."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _remember_failures(failures: list[Failure], told: int, history: History, resumed: bool) -> int:
    for link, status, reason in islice(failures, told, None):
        if not resumed or not history.seen(link.url):
            history.add(Response(link.url, status, error=reason), parent=link.source, keep=False)
    return len(failures)


def _nothing(failures: list[Failure]) -> str:
    first = f"{failures[0].link.url} ({failures[0].reason})" if failures else "for its site's cap"
    return (
        f"none of the seeds brought a page, the first {first}; "
        "correct the seeds, or see whether this machine reaches the web"
    )
