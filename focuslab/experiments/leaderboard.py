"""One fair leaderboard: every strategy of the lab, the same webs, starting pages, budget and judge."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import crawl
from focuslab.experiments.compare import BOUNDS, Comparison, compare, default_setup
from focuslab.experiments.trials import Factory, Library, Remembering
from focuslab.experiments.weight_sweep import draw_seeds, repeat
from focuslab.graphs.estimate_pig import estimate
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.judging import Judged
from focuslab.graphs.read_web import read, seeds_of
from focuslab.graphs.reading import Reading
from focuslab.graphs.simulate import simulate
from focuslab.graphs.spread import Workers
from focuslab.pages.parse import parse
from focuslab.strategies import all_strategies, make
from focuslab.strategies.best_first import BestFirst
from focuslab.strategies.genre_enhanced import GenreEnhanced
from focuslab.strategies.naive_bayes import NaiveBayes
from focuslab.types import Strategy, Task, Web

__all__ = ["CAPS", "METRICS", "PreAnalysed", "entrants", "leaderboard", "microseconds"]

METRICS = ("area", "harvest_1", "harvest_5", "harvest_10", "coverage", "hosts", "requests", "bytes")
CAPS = (None, 100, 10)
"""Most pages of a site: as many as there are, 100, 10."""


class PreAnalysed:
    """A setup for `compare` that knows the topic's web beforehand, as the genre-enhanced crawler asks.

    P_IG is counted, and the weight tuned with the guide as the judge, on all pages within reach of the
    starting pages: the very web that is crawled afterwards. That favours ``genre_enhanced``; no other
    strategy looks at it (our choice).
    """

    def __init__(self, sets: int = 10) -> None:
        self.sets = sets

    def __call__(self, web: Web, topic: str, seed: int) -> Task:
        """The task, the web being read for it alone."""
        return self.prepare(read(web, seeds=seeds_of(web, web.topics(), (seed,)), jobs=1), topic, seed)

    def prepare(self, reading: Reading, topic: str, seed: int) -> Task:
        """The task, given what was read of the web."""
        web = reading.web
        task, seeds = default_setup(web, topic, seed), seeds_of(web, web.topics(), (seed,))
        if reading.whole:
            graph = Judged.of(reading, task.assessor).graph
        else:
            graph = WebGraph.crawl(web, seeds, task.assessor)
        known = graph.find(seeds)  # those of other topics may be out of reach
        first = simulate(graph, np.zeros(len(graph)), known[known >= 0])  # pages as a survey finds them
        pig, starts = estimate(graph), draw_seeds(graph, self.sets, seed=seed, among=first)
        weights = {
            rule: repeat(graph, pig, starts, judge="guide", rediscovery=rule).best().value
            for rule in ("first", "max")
        }
        bayes = NaiveBayes.from_task(task).guide
        return replace(task, extras={**task.extras, "pig": pig, "w_r": weights, "bayes": bayes})


class BestFirstMax(BestFirst):
    """Best-first that trusts the best of the pages that link somewhere, not the first."""

    name: ClassVar[str] = "best_first_max"
    frontier: ClassVar[Mapping[str, Any]] = {"rediscovery": "max"}


class GenreEnhancedMax(GenreEnhanced):
    """Genre-enhanced under the same rule."""

    name: ClassVar[str] = "genre_enhanced_max"
    frontier: ClassVar[Mapping[str, Any]] = {"rediscovery": "max"}


class NaiveBayesAnywhere(NaiveBayes):
    """Naive Bayes under the host rule of all others; the paper's own, 100 hosts apart, is another row."""

    frontier: ClassVar[Mapping[str, Any]] = {}


def _best_first_max(task: Task) -> Strategy:
    return BestFirstMax.from_task(task)


def _tuned(task: Task) -> Strategy:
    return GenreEnhanced.from_task(task, w_r=task.extras["w_r"]["first"])


def _tuned_max(task: Task) -> Strategy:
    return GenreEnhancedMax.from_task(task, w_r=task.extras["w_r"]["max"])


def _naive_bayes(task: Task) -> Strategy:
    return NaiveBayesAnywhere.from_task(task, guide=task.extras.get("bayes"))


def _naive_bayes_apart(task: Task) -> Strategy:
    return NaiveBayes.from_task(task, guide=task.extras.get("bayes"))


def entrants() -> dict[str, str | Factory]:
    """Every strategy that competes, by name; genre-enhanced with its tuned weight.

    All go by one host rule: any link may follow any other. Where a paper asks for another, its own setting
    is one more row (``naive_bayes_100_apart``). Best-first and genre-enhanced run under both rules for
    rediscovered links, since the paper names none.
    """
    named: dict[str, str | Factory] = {name: name for name in all_strategies() if name not in BOUNDS}
    own: dict[str, str | Factory] = {"genre_enhanced": _tuned, "genre_enhanced_max": _tuned_max}
    own |= {"naive_bayes": _naive_bayes, "naive_bayes_100_apart": _naive_bayes_apart}
    return {**named, **own, "best_first_max": _best_first_max}


def leaderboard(
    web: Web,
    topics: Sequence[str] | None = None,
    seeds: Sequence[int] = (0,),
    host_cap: int | None = None,
    jobs: int | Workers | None = None,
) -> Comparison:
    """Every strategy on every topic until a tenth of the web is fetched, best-first as the baseline."""
    return compare(
        entrants(),
        web,
        topics,
        seeds,
        budget=max(1, len(web) // 10),
        metrics=METRICS,
        jobs=jobs,
        setup=PreAnalysed(),
        frontier={} if host_cap is None else {"host_cap": host_cap},
    )


def microseconds(
    web: Web, topic: str, seed: int = 0, names: Sequence[str] = (), pages: int = 200
) -> pd.Series:
    """Processor time of a strategy and its frontier for each page, pages being read and judged before.

    The row ``reading and judging`` is what every crawler pays for a page besides.
    """
    task, library = default_setup(web, topic, seed), Library(web)
    known = Remembering(task.assessor)
    found = {}
    for name in names or [name for name in all_strategies() if name not in BOUNDS]:
        _seconds(library, replace(task, assessor=known), name, seed, pages)  # so that its pages are known
        fresh = Remembering(task.assessor)  # knows the pages, but no words around links
        fresh.assessments = known.assessments
        found[name] = 1e6 * _seconds(library, replace(task, assessor=fresh), name, seed, pages)
    return pd.Series({"reading and judging": 1e6 * _reading(web, task, list(known.assessments)), **found})


def _seconds(library: Library, task: Task, name: str, seed: int, pages: int) -> float:
    strategy, start = make(name, task), time.process_time()
    visits = crawl(task.topic, library, strategy, task.assessor, seed=seed, parse=library.parse)
    fetched = len(CrawlLog.record(visits, pages))
    return (time.process_time() - start) / max(1, fetched)


def _reading(web: Web, task: Task, urls: Sequence[str]) -> float:
    responses = [web.fetch(url) for url in urls]
    start = time.process_time()
    for response in responses:
        task.assessor.assess(parse(response))
    return (time.process_time() - start) / max(1, len(responses))
