"""Many crawls of one web: each page is fetched and parsed once, and assessed once for each topic.

A trial is one topic's crawls: every strategy from every set of seeds, with classifiers trained once.

Correct as long as the web is a function of the URL, which every web in memory is. Where the crawls would see
most of a web anyway, it is read as a whole (`focuslab.graphs.reading`), and kernels crawl it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import joblib
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from focuslab import strategies
from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import Failure, crawl
from focuslab.experiments import metrics as measure
from focuslab.experiments.majority import MAJORITY, MajorityJudge
from focuslab.experiments.progress import tick
from focuslab.graphs.graph_web import GraphWeb
from focuslab.graphs.judging import Ground, Judged, Numbers
from focuslab.graphs.kernels import Kernel, kernel_of
from focuslab.graphs.read_web import read, seeds_of
from focuslab.graphs.reading import Reading
from focuslab.graphs.room import check_memory
from focuslab.graphs.simulate import run_kernel
from focuslab.graphs.spread import Workers, spread
from focuslab.pages.parse import parse
from focuslab.types import Assessment, Assessor, Link, Page, Response, Strategy, Task, Topic, Truth, Web

__all__ = [
    "DEFAULT_METRICS",
    "METRICS",
    "Library",
    "Plan",
    "Remembering",
    "Run",
    "Trials",
    "crawl_all",
    "crawl_topic",
]

PAGES, TEXTS = 50_000, 300_000
"""How many pages, and texts such as link contexts, are remembered at a time."""
SMALL = 10_000
"""Pages of a web of this size are remembered while it is read: crawls may ask for them again."""
LINK_NUMBERS = 10
"""About how many numbers of each link the crawls of one topic keep in memory at a time."""

Factory = Callable[[Task], Strategy]
Metric = Callable[["Run"], float | None]
Setup = Callable[[Web, str, int], Task]


class Run(NamedTuple):
    """One crawl and its judged pages, as a metric sees it: without the seeds, which were given."""

    log: CrawlLog
    hits: NDArray[np.bool_]
    total: int | None
    """Relevant pages there are to find; None where nobody knows, as with the guide for a judge."""
    budget: int
    pages: int = 0
    """Pages of the web."""

    @property
    def padded(self) -> NDArray[np.bool_]:
        """Hits up to the budget: a crawl that ran dry finds nothing more."""
        return np.concatenate([self.hits, np.zeros(self.budget - len(self.hits), dtype=bool)])

    @property
    def coverage(self) -> NDArray[np.float64] | None:
        """Coverage up to the budget, where there is a total."""
        return None if self.total is None else measure.coverage(self.padded, self.total)


def _last(curve: NDArray[np.float64] | None) -> float | None:
    return None if curve is None else float(curve[-1])


def _mean(curve: NDArray[np.float64] | None) -> float | None:
    return None if curve is None else float(curve.mean())


def _harvest_at(share: float, run: Run) -> float | None:
    """Harvest after a share of the web was fetched; a crawl that ran dry before fetches nothing more."""
    fetches = round(share * run.pages)
    return float(run.padded[:fetches].mean()) if 0 < fetches <= run.budget else None


METRICS: Mapping[str, Metric] = {
    "harvest": lambda run: _last(measure.harvest(run.hits)),
    "harvest_1": partial(_harvest_at, 0.01),
    "harvest_5": partial(_harvest_at, 0.05),
    "harvest_10": partial(_harvest_at, 0.10),
    "coverage": lambda run: _last(run.coverage),
    "area": lambda run: _mean(run.coverage),
    "hosts": lambda run: float(run.log.frame["host"].nunique()),
    "topic_hosts": lambda run: float(run.log.frame["host"][run.hits].nunique()),
    "pages": lambda run: float(len(run.hits)),
    "captured": lambda run: run.log.captured,
    "requests": lambda run: float(len(run.hits) + len(run.log.failures)),
    "bytes": lambda run: float(run.log.frame["bytes"].sum()),
    "visited_per_relevant": lambda run: measure.visited_per_relevant(run.hits),
    "share_visited_to_90": lambda run: measure.share_visited_to_reach(run.hits, 0.9),
}
"""Metrics by name, a number per crawl: harvest and coverage at its end, area under coverage / budget, ...

``topic_hosts`` are hosts of which a relevant page was fetched, those of Table 2 of UCrawler. ``harvest_1``,
``_5`` and ``_10`` are taken after that percentage of the web, where the budget goes so far. ``captured`` is
the share of the addresses tried that the web had anything of, which is below 1 in an archive. ``requests``
also counts those that brought no page; ``bytes`` is the size of the pages that came.
"""

DEFAULT_METRICS = ("harvest", "coverage", "area", "hosts")


@dataclass(frozen=True, slots=True)
class Plan:
    """All that one topic's crawls need besides the web; it travels to the worker processes."""

    strategies: Mapping[str, str | Factory]
    seeds: tuple[int, ...]
    budget: int
    metrics: Mapping[str, Metric]
    judge: str
    setup: Setup
    frontier: Mapping[str, Any]
    steps: tuple[int, ...]
    topics: tuple[str, ...]
    kernels: bool = True
    """Whether kernels may stand in for the crawl loop; they know the named metrics only."""
    ticks: Path | None = None
    """Where each crawl leaves its mark, for a bar; see `focuslab.experiments.progress`."""

    def worth_reading(self, pages: int) -> bool:
        """Whether the crawls together fetch as much as there is to read."""
        crawls = len(self.strategies) * len(self.seeds) * len(self.topics)
        return self.kernels and pages <= self.budget * crawls

    @property
    def needs_truth(self) -> bool:
        return self.judge == "truth" or "oracle" in self.strategies.values()


@runtime_checkable
class PreAnalysis(Protocol):
    """A setup that looks at the whole web before the crawls, as some papers do."""

    def prepare(self, reading: Reading, topic: str, seed: int) -> Task:
        """The task, given what was read of the web."""
        ...


class Library:
    """A web whose responses and pages are remembered, and what was read of it as a whole."""

    def __init__(self, web: Web, folder: Path | None = None) -> None:
        self.web, self.folder = web, folder
        self.fetch: Callable[[str], Response] = lru_cache(PAGES)(web.fetch)
        self._pages: dict[str, Page] = {}
        self._reading: Reading | None = None

    def __reduce__(self) -> tuple[type[Library], tuple[Web, Path | None]]:
        """Only the web travels to other processes, which open the same reading."""
        return Library, (self.web, self.folder)

    def parse(self, response: Response) -> Page:
        if response.url not in self._pages:
            if len(self._pages) >= PAGES:
                self._pages.clear()
            self._pages[response.url] = parse(response)
        return self._pages[response.url]

    def page(self, url: str) -> Page:
        """A page by its address."""
        return self.parse(self.fetch(url))

    def read(self, plan: Plan, by: Workers) -> Reading | None:
        """Read the whole web, if that is worth while; what was read already is taken as it is."""
        if isinstance(self.web, Reading):
            self._reading, self.web = self.web, self.web.web
        elif isinstance(self.web, GraphWeb):
            return None
        elif plan.worth_reading(len(self.web)) or isinstance(plan.setup, PreAnalysis):
            seeds = seeds_of(self.web, plan.topics, plan.seeds)
            cached: dict[str, Any] = {"fetcher": self, "parse": self.parse} if len(self.web) <= SMALL else {}
            self._reading = read(self.web, seeds=seeds, jobs=by, **cached)
        self.folder = self._reading.folder if self._reading else None
        return self._reading

    def reading(self, plan: Plan) -> Reading | None:
        """The whole web. Where its files are out of sight, as on another machine, it is read anew."""
        if self._reading is None and self.folder is not None:
            if (self.folder / "reading.json").is_file():
                self._reading = Reading(self.folder, self.web)
            else:
                self.read(plan, Workers(1))
        return self._reading

    def ground(self, plan: Plan, assessor: Assessor) -> Ground | None:
        """What kernels crawl on; None where the crawl loop is needed."""
        if isinstance(self.web, GraphWeb):
            return self.web if plan.kernels else None
        reading = self.reading(plan) if plan.kernels else None
        return Judged(reading, assessor, self.page) if reading is not None and reading.whole else None


class Remembering:
    """An assessor that says of a page or a text what it said before; all else is the assessor's own."""

    def __init__(self, assessor: Assessor) -> None:
        self.remembered = assessor
        self.known: Callable[[str], Assessment | None] = lambda url: None
        self.assessments: dict[str, Assessment] = {}
        self.score_text: Callable[..., float] = lru_cache(TEXTS)(assessor.score_text)

    def assess(self, page: Page) -> Assessment:
        if page.url not in self.assessments:
            self.assessments[page.url] = self.known(page.url) or self.remembered.assess(page)
        return self.assessments[page.url]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.remembered, name)


class Trials(NamedTuple):
    """All crawls of one topic: a row per metric, a row per step, and what a caption must name."""

    runs: pd.DataFrame
    curves: pd.DataFrame
    settings: list[dict[str, Any]]


def crawl_all(plan: Plan, web: Web, by: Workers) -> Iterator[Trials]:
    """Results topic by topic, in the order of the topics; workers share what was read of the web."""
    library = Library(web)
    reading = library.read(plan, by)
    if reading is not None and by.cluster is None:
        _check_room(reading, min(by.jobs or joblib.cpu_count(), len(plan.topics)))
    yield from spread(_crawl_topic, (plan, library), plan.topics, by)


def _check_room(reading: Reading, jobs: int) -> None:
    numbers = LINK_NUMBERS * reading.about["links"] + 4 * LINK_NUMBERS * reading.about["pages"]
    what = f"crawling {reading.about['links']:,} links in {jobs} processes"
    remedy = "use fewer processes (jobs=1), fewer strategies at a time, or several machines (CLUSTER.md)"
    check_memory(8.0 * numbers * jobs, what, remedy)


def _crawl_topic(shared: tuple[Plan, Library], topic: str) -> Trials:
    return crawl_topic(*shared, topic)


def crawl_topic(plan: Plan, library: Library, name: str) -> Trials:
    """Every seed and every strategy on one topic, with classifiers trained once."""
    task = _prepared(plan, library, name)
    task = replace(task, assessor=Remembering(task.assessor))
    truth = library.web.truth(name) if plan.needs_truth else None
    judge = _judge(plan, library, task, truth)
    ground = Trial(plan, library, task, truth)
    runs, curves, settings = [], [], []
    for seed, label in product(plan.seeds, plan.strategies):
        start = library.web.topic(name, seed)
        log = ground.crawl(label, _start_at(task, start), seed).beyond(start.seeds, plan.budget)
        run = _judged(plan, log, judge, len(library.web), start)
        key = {"strategy": label, "topic": name, "seed": seed}
        runs += [{**key, "metric": metric, "value": value(run)} for metric, value in plan.metrics.items()]
        curves.append(_curve(key, run, plan.steps))
        told = {"strategy": label, "judge": measure.judge_name(judge), "pages": len(log)}
        settings.append({**log.settings, **told, "captured": log.captured})
        tick(plan.ticks)
    if isinstance(judge, MajorityJudge):
        settings = [{**crawl, "agreement": judge.agreement} for crawl in settings]
    frame = pd.DataFrame(runs).astype({"value": float})
    return Trials(frame, pd.concat(curves, ignore_index=True), settings)


def _prepared(plan: Plan, library: Library, name: str) -> Task:
    if not isinstance(plan.setup, PreAnalysis):
        return plan.setup(library.web, name, plan.seeds[0])
    reading = library.reading(plan)
    if reading is None:  # such a setup has a web read
        raise ValueError(
            "this setup, such as the leaderboard's, looks at pages, and a graph has none; give the web or a "
            "reading of it, or compare strategies on the graph: compare(['best_first', 'otie'], graph)"
        )
    return plan.setup.prepare(reading, name, plan.seeds[0])


def _start_at(task: Task, topic: Topic) -> Task:
    """The same task from other starting pages; whatever else a setup put into its topic stays."""
    return replace(task, topic=replace(task.topic, seeds=topic.seeds))


class Trial:
    """The crawls of one topic: by kernel where the whole web was read and there is one, else by the loop."""

    def __init__(self, plan: Plan, library: Library, task: Task, truth: Truth | None) -> None:
        self._plan, self._library, self._truth = plan, library, truth
        self._known: dict[str, tuple[Kernel, Strategy, Numbers]] = {}
        remembering = task.assessor
        assert isinstance(remembering, Remembering)
        self._judged = library.ground(plan, remembering.remembered)
        if self._judged is not None:
            remembering.known = self._judged.assessment

    def crawl(self, label: str, task: Task, seed: int) -> CrawlLog:
        """One crawl and its record; a kernel leaves a shorter one."""
        if label in self._known:
            return self._by_kernel(*self._known[label], task, seed)
        strategy = self._strategy(label, task)
        kernel = kernel_of(strategy)
        if self._judged is None or kernel is None:
            if isinstance(self._library.web, GraphWeb):
                raise ValueError(
                    f"{label} with these metrics needs the crawl loop, and a graph has no pages for it; "
                    "use named metrics and strategies of the lab, or give the web or a reading of it"
                )
            return self._by_loop(strategy, task, seed)
        strategy.start(task.topic, np.random.default_rng(seed))
        known = kernel, strategy, Numbers(self._judged, kernel, strategy)
        if isinstance(self._plan.strategies[label], str):  # a named one is the same for every seed
            self._known[label] = known
        return self._by_kernel(*known, task, seed)

    def _strategy(self, label: str, task: Task) -> Strategy:
        maker = self._plan.strategies[label]
        if maker == "oracle":  # the only one that may see the answers
            task = replace(task, extras={**task.extras, "truth": self._truth})
        return strategies.make(maker, task) if isinstance(maker, str) else maker(task)

    def _rules(self, strategy: Strategy) -> dict[str, Any]:
        return {**strategy.frontier, **self._plan.frontier}

    def _by_loop(self, strategy: Strategy, task: Task, seed: int) -> CrawlLog:
        library, rules = self._library, self._plan.frontier
        visits = crawl(
            task.topic, library, strategy, task.assessor, seed=seed, frontier=rules, parse=library.parse
        )
        return CrawlLog.record(visits, self._fetches(task))

    def _fetches(self, task: Task) -> int:
        """Seeds are fetched on top of the budget: they were given, so they count for nobody."""
        return self._plan.budget + len(task.topic.seeds)

    def _by_kernel(
        self, kernel: Kernel, strategy: Strategy, numbers: Numbers, task: Task, seed: int
    ) -> CrawlLog:
        assert self._judged is not None
        graph = self._judged.graph
        rules = {"tie": "fifo", "rediscovery": "first"} | self._rules(strategy)
        start = np.array([self._judged.number[url] for url in task.topic.seeds], np.int32)
        budget = min(self._fetches(task), len(graph))
        run = partial(run_kernel, kernel, strategy, graph, start, budget, rules, seed, task.topic)
        trail = numbers.crawl(lambda known: run(known=known))
        settings = {"topic": task.topic.name, "strategy": strategy.name, "seed": seed, **rules}
        return CrawlLog(self._rows(trail[trail >= 0]), settings, map(self._failure, ~trail[trail < 0]))

    def _rows(self, pages: NDArray[np.int32]) -> list[dict[str, Any]]:
        assert self._judged is not None
        graph, sizes = self._judged.graph, self._judged.sizes
        columns = {
            "url": [graph.urls[page] for page in pages.tolist()],
            "host": [graph.hosts[host] for host in graph.host[pages].tolist()],
            "relevance": graph.relevance[pages].tolist(),
            "relevant": graph.relevant[pages].tolist(),
            "bytes": sizes[pages].tolist(),
        }
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _failure(self, page: int) -> Failure:
        assert self._judged is not None
        return Failure(Link(self._judged.graph.urls[int(page)]), 0, "dead")


def _judge(plan: Plan, library: Library, task: Task, truth: Truth | None) -> measure.Judge:
    if plan.judge == MAJORITY:
        return MajorityJudge.of(library.web, task, plan.seeds[0], library.fetch, library.parse)
    return measure.GUIDE if plan.judge == measure.GUIDE or truth is None else truth


def _judged(plan: Plan, log: CrawlLog, judge: measure.Judge, pages: int, start: Topic) -> Run:
    total = None
    if isinstance(judge, Truth):
        total = len(judge) - sum(map(judge, dict.fromkeys(start.seeds)))
    return Run(log, measure.hits_by(log, judge), total, plan.budget, pages)


def _curve(key: Mapping[str, Any], run: Run, steps: tuple[int, ...]) -> pd.DataFrame:
    harvest, coverage = _held(measure.harvest(run.hits), run.budget), _held(run.coverage, run.budget)
    places = np.array(steps) - 1
    return pd.DataFrame({**key, "step": steps, "harvest": harvest[places], "coverage": coverage[places]})


def _held(curve: NDArray[np.float64] | None, length: int) -> NDArray[np.float64]:
    return np.full(length, np.nan) if curve is None else measure.hold(curve, length)
