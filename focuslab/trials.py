"""Many crawls of one web: each page is fetched and parsed once, and assessed once for each topic.

Correct as long as the web is a function of the URL, which every web in memory is.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from focuslab import metrics as measure
from focuslab import strategies
from focuslab.crawl import crawl
from focuslab.log import CrawlLog
from focuslab.parse import parse
from focuslab.types import Assessment, Assessor, Page, Response, Strategy, Task, Topic, Truth, Web

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

Factory = Callable[[Task], Strategy]
Metric = Callable[["Run"], float | None]
Setup = Callable[[Web, str, int], Task]


class Run(NamedTuple):
    """One crawl and its judged pages, as a metric sees it."""

    log: CrawlLog
    hits: NDArray[np.bool_]
    total: int | None
    """Relevant pages there are; None where nobody knows, as with the guide for a judge."""
    budget: int

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


METRICS: Mapping[str, Metric] = {
    "harvest": lambda run: _last(measure.harvest(run.hits)),
    "coverage": lambda run: _last(run.coverage),
    "area": lambda run: _mean(run.coverage),
    "hosts": lambda run: float(run.log.frame["host"].nunique()),
    "pages": lambda run: float(len(run.hits)),
    "visited_per_relevant": lambda run: measure.visited_per_relevant(run.hits),
    "share_visited_to_90": lambda run: measure.share_visited_to_reach(run.hits, 0.9),
}
"""Metrics by name, a number per crawl: harvest and coverage at its end, area under coverage / budget, ..."""

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

    @property
    def needs_truth(self) -> bool:
        return self.judge == "truth" or "oracle" in self.strategies.values()


class Library:
    """A web whose responses and pages are remembered."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.fetch: Callable[[str], Response] = lru_cache(PAGES)(web.fetch)
        self._pages: dict[str, Page] = {}

    def parse(self, response: Response) -> Page:
        if response.url not in self._pages:
            if len(self._pages) >= PAGES:
                self._pages.clear()
            self._pages[response.url] = parse(response)
        return self._pages[response.url]


class Remembering:
    """An assessor that says of a page or a text what it said before; all else is the assessor's own."""

    def __init__(self, assessor: Assessor) -> None:
        self._assessor = assessor
        self._assessments: dict[str, Assessment] = {}
        self.score_text: Callable[..., float] = lru_cache(TEXTS)(assessor.score_text)

    def assess(self, page: Page) -> Assessment:
        if page.url not in self._assessments:
            self._assessments[page.url] = self._assessor.assess(page)
        return self._assessments[page.url]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._assessor, name)


class Trials(NamedTuple):
    """All crawls of one topic: a row per metric, a row per step, and what a caption must name."""

    runs: pd.DataFrame
    curves: pd.DataFrame
    settings: list[dict[str, Any]]


def crawl_all(plan: Plan, web: Web, topics: tuple[str, ...], jobs: int | None = None) -> Iterator[Trials]:
    """Results topic by topic, in the order of the topics whoever finishes first."""
    workers = min(jobs or joblib.cpu_count(), len(topics))
    if workers < 2:
        library = Library(web)
        yield from (crawl_topic(plan, library, topic) for topic in topics)
        return
    with tempfile.TemporaryDirectory() as folder:
        # written once and read once by each worker, which then shares its pages among its topics
        path = Path(folder) / "plan"
        path.write_bytes(pickle.dumps(joblib.wrap_non_picklable_objects((plan, web), keep_wrapper=False)))
        pool = joblib.Parallel(workers, return_as="generator")
        yield from pool(joblib.delayed(_crawl_from)(str(path), topic) for topic in topics)


def _crawl_from(path: str, topic: str) -> Trials:
    return crawl_topic(*_open(path), topic)


@lru_cache(maxsize=1)
def _open(path: str) -> tuple[Plan, Library]:
    plan, web = pickle.loads(Path(path).read_bytes())
    return plan, Library(web)


def crawl_topic(plan: Plan, library: Library, name: str) -> Trials:
    """Every seed and every strategy on one topic, with classifiers trained once."""
    task = plan.setup(library.web, name, plan.seeds[0])
    task = replace(task, assessor=Remembering(task.assessor))
    truth = library.web.truth(name) if plan.needs_truth else None
    runs, curves, settings = [], [], []
    for seed, label in product(plan.seeds, plan.strategies):
        log = _crawl(plan, library, _start_at(task, library.web.topic(name, seed)), label, seed, truth)
        run = _judged(plan, log, truth)
        key = {"strategy": label, "topic": name, "seed": seed}
        runs += [{**key, "metric": metric, "value": value(run)} for metric, value in plan.metrics.items()]
        curves.append(_curve(key, run, plan.steps))
        judge = measure.judge_name(measure.GUIDE if plan.judge == measure.GUIDE else truth or "")
        settings.append({**log.settings, "strategy": label, "judge": judge, "pages": len(log)})
    frame = pd.DataFrame(runs).astype({"value": float})
    return Trials(frame, pd.concat(curves, ignore_index=True), settings)


def _start_at(task: Task, topic: Topic) -> Task:
    """The same task from other starting pages; whatever else a setup put into its topic stays."""
    return replace(task, topic=replace(task.topic, seeds=topic.seeds))


def _crawl(plan: Plan, library: Library, task: Task, label: str, seed: int, truth: Truth | None) -> CrawlLog:
    maker = plan.strategies[label]
    if maker == "oracle":  # the only one that may see the answers
        task = replace(task, extras={**task.extras, "truth": truth})
    strategy = strategies.make(maker, task) if isinstance(maker, str) else maker(task)
    rules = plan.frontier
    visits = crawl(
        task.topic, library, strategy, task.assessor, seed=seed, frontier=rules, parse=library.parse
    )
    return CrawlLog.record(visits, plan.budget)


def _judged(plan: Plan, log: CrawlLog, truth: Truth | None) -> Run:
    if plan.judge == measure.GUIDE or truth is None:
        return Run(log, measure.hits_by(log, measure.GUIDE), None, plan.budget)
    return Run(log, measure.hits_by(log, truth), len(truth), plan.budget)


def _curve(key: Mapping[str, Any], run: Run, steps: tuple[int, ...]) -> pd.DataFrame:
    harvest, coverage = _held(measure.harvest(run.hits), run.budget), _held(run.coverage, run.budget)
    places = np.array(steps) - 1
    return pd.DataFrame({**key, "step": steps, "harvest": harvest[places], "coverage": coverage[places]})


def _held(curve: NDArray[np.float64] | None, length: int) -> NDArray[np.float64]:
    return np.full(length, np.nan) if curve is None else measure.hold(curve, length)
