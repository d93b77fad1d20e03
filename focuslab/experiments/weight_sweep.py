"""How much relevance, how much genre: simulated crawls for every weight, and the best of them.

Qian et al. tune P_IG and the weight on the same graph they show it on. `sweep` does as they do; `tune` does
it on one half of the hosts and shows the result on the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import t as student
from tqdm import tqdm

from focuslab.experiments.metrics import area, coverage
from focuslab.features.pig import PigTable
from focuslab.graphs.estimate_pig import estimate
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.kernels.fixed_scores import page_scores
from focuslab.graphs.simulate import simulate

RESAMPLES = 2_000


class Published(NamedTuple):
    """What Qian et al. report of one topic's graph and sweep."""

    hops: tuple[int, int, int]
    links: int
    relevant: int
    best: float
    area: float

    @property
    def pages(self) -> int:
        """Pages of the graph: seeds, first hop and second hop."""
        return sum(self.hops)


PUBLISHED = {
    "baseball": Published((82, 4_868, 37_497), 2_675_069, 7_124, best=0.95, area=36_595),
    "gaming": Published((156, 5_914, 42_724), 2_033_538, 6_901, best=0.85, area=34_814),
}
"""Table 1, section 4.4 and Figure 3 of the paper."""


def weight_grid(include_zero: bool = False) -> tuple[float, ...]:
    """The weights of relevance: 1, 0.95, …, 0.05, twenty as in the paper, and 0 on request.

    Examples
    --------
    >>> weight_grid()[:3], len(weight_grid()), weight_grid(include_zero=True)[-1]
    ((1.0, 0.95, 0.9), 20, 0.0)
    """
    return tuple(step / 20 for step in range(20, -1 if include_zero else 0, -1))


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Simulated crawls of one graph from one set of seeds, one for each weight.

    Attributes
    ----------
    weights : tuple of float
        The weights w_R.
    hits : array of bool
        For each weight, whether the n-th page visited is relevant.
    total : int
        Relevant pages within reach of the seeds, so that every crawl ends at coverage 1.
    judge : str
        Who says what is relevant: ``truth`` or ``guide``.
    """

    weights: tuple[float, ...]
    hits: NDArray[np.bool_]
    total: int
    judge: str

    @property
    def frame(self) -> pd.DataFrame:
        """Area under coverage by weight: the sum as the paper counts it, per page, and by trapezoids."""
        measures = {
            "area": partial(area),
            "area_per_page": partial(area, normalised=True),
            "trapezoid": partial(area, method="trapezoid"),
        }
        columns = {name: [of(row, self.total) for row in self.hits] for name, of in measures.items()}
        return pd.DataFrame({"weight": self.weights, **columns})

    @property
    def curves(self) -> pd.DataFrame:
        """Coverage after each page, one column a weight."""
        rows = [coverage(row, self.total) for row in self.hits]
        steps = pd.RangeIndex(1, self.hits.shape[1] + 1, name="pages")
        return pd.DataFrame(dict(zip(self.weights, rows, strict=True)), index=steps)

    @property
    def best(self) -> float:
        """The weight with the largest area; among equals the largest weight."""
        return _best(self.weights, self.frame["area"].to_numpy())


def sweep(
    graph: WebGraph,
    pig: PigTable,
    seeds: Sequence[int] | NDArray[np.int32] | None = None,
    weights: Iterable[float] | None = None,
    *,
    judge: str = "truth",
    threads: int = 2,
    tie: str = "fifo",
    rediscovery: str = "first",
    seed: int = 0,
    progress: bool = False,
) -> Sweep:
    """Crawl the graph once for every weight, as threads over the one graph, until no link is left.

    Parameters
    ----------
    graph : WebGraph
        The assessed web.
    pig : PigTable
        P_IG, as `focuslab.features.pig.estimate` counts it.
    seeds : pages, optional
        Where to start; the graph's own seeds by default.
    weights : iterable of float, optional
        `weight_grid` by default.
    judge : {"truth", "guide"}
        The paper judges by the guide, its own classifier.
    threads : int
        Crawls at a time; the result does not depend on it.
    """
    found = sweep_by(
        (judge,),
        graph,
        pig,
        seeds,
        weights,
        threads=threads,
        tie=tie,
        rediscovery=rediscovery,
        seed=seed,
        progress=progress,
    )
    return found[judge]


def sweep_by(
    judges: Sequence[str],
    graph: WebGraph,
    pig: PigTable,
    seeds: Sequence[int] | NDArray[np.int32] | None = None,
    weights: Iterable[float] | None = None,
    *,
    threads: int = 2,
    tie: str = "fifo",
    rediscovery: str = "first",
    seed: int = 0,
    progress: bool = False,
) -> dict[str, Sweep]:
    """The same crawls judged by several: who judges has no say in where a crawl goes."""
    grid = weight_grid() if weights is None else tuple(weights)
    start = graph.seeds if seeds is None else np.asarray(seeds, np.int32)
    within = graph.hops(start) >= 0
    totals = {judge: int(graph.judged(judge)[within].sum()) for judge in judges}
    if none := [judge for judge, total in totals.items() if not total]:
        raise ValueError(f"by {none[0]} no relevant page is within reach of the seeds; give other seeds")
    rules: dict[str, Any] = {"tie": tie, "rediscovery": rediscovery, "seed": seed, "reach": int(within.sum())}

    def crawled(w_r: float) -> NDArray[np.int32]:
        return simulate(graph, page_scores(graph, pig, w_r), start, **rules)

    with ThreadPoolExecutor(threads) as pool:
        crawls = pool.map(crawled, grid)
        orders = np.array(
            list(tqdm(crawls, total=len(grid), unit="crawl", leave=False) if progress else crawls)
        )
    return {judge: Sweep(grid, graph.judged(judge)[orders], total, judge) for judge, total in totals.items()}


class Interval(NamedTuple):
    """A value and the bounds of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Repeats:
    """The same sweep from several sets of seeds: how far the best weight and its gain can be trusted.

    Attributes
    ----------
    weights : tuple of float
        The weights w_R.
    areas : array
        Area per page, one row a seed set, one column a weight.
    judge : str
        Who says what is relevant.
    """

    weights: tuple[float, ...]
    areas: NDArray[np.float64]
    judge: str

    @property
    def frame(self) -> pd.DataFrame:
        """One row for each seed set and weight, with the gain over w_R = 1 where that was crawled."""
        sets, grid = self.areas.shape
        frame = pd.DataFrame(
            {
                "repeat": np.repeat(np.arange(sets), grid),
                "weight": np.tile(self.weights, sets),
                "area_per_page": self.areas.ravel(),
            }
        )
        if 1.0 in self.weights:
            frame["gain"] = (self.areas / self._baseline[:, None] - 1).ravel()
        return frame

    def best(self, seed: int = 0) -> Interval:
        """The weight with the largest mean area, and where it falls when seed sets are drawn anew."""
        rng = np.random.default_rng(seed)
        drawn = rng.integers(0, len(self.areas), (RESAMPLES, len(self.areas)))
        found = [_best(self.weights, self.areas[sample].mean(axis=0)) for sample in drawn]
        low, high = np.quantile(found, [0.025, 0.975], method="nearest")
        return Interval(_best(self.weights, self.areas.mean(axis=0)), float(low), float(high))

    def gain(self, weight: float | None = None) -> Interval:
        """Mean relative gain in area over best-first (w_R = 1), with Student's interval over seed sets."""
        chosen = self.best().value if weight is None else weight
        if chosen not in self.weights:
            raise ValueError(f"weight {chosen} was not crawled; those are {self.weights}")
        gains = self.areas[:, self.weights.index(chosen)] / self._baseline - 1
        mean, count = float(gains.mean()), len(gains)
        if count < 2:
            return Interval(mean, np.nan, np.nan)
        half = float(student.ppf(0.975, count - 1) * gains.std(ddof=1) / np.sqrt(count))
        return Interval(mean, mean - half, mean + half)

    @property
    def _baseline(self) -> NDArray[np.float64]:
        if 1.0 not in self.weights:
            raise ValueError("a gain is over w_R = 1, which is not among the weights; add it")
        return self.areas[:, self.weights.index(1.0)]


def repeat(
    graph: WebGraph,
    pig: PigTable,
    seed_sets: Sequence[Sequence[int] | NDArray[np.int32]],
    weights: Iterable[float] | None = None,
    *,
    judge: str = "truth",
    threads: int = 2,
    rediscovery: str = "first",
    progress: bool = False,
) -> Repeats:
    """Sweep the weights from each set of seeds."""
    grid = weight_grid() if weights is None else tuple(weights)
    sets = tqdm(seed_sets, unit="seed set", leave=False) if progress else seed_sets
    sweeps = [
        sweep(graph, pig, seeds, grid, judge=judge, threads=threads, rediscovery=rediscovery)
        for seeds in sets
    ]
    return Repeats(grid, np.array([one.frame["area_per_page"] for one in sweeps]), judge)


def draw_seeds(
    graph: WebGraph,
    sets: int = 10,
    size: int = 7,
    seed: int = 0,
    among: NDArray[np.int32] | None = None,
) -> list[NDArray[np.int32]]:
    """Sets of seeds drawn by lot among the pages that the classifier calls relevant (the paper used 7).

    The lot depends on the order of the pages: ``among`` gives another than that of the graph.
    """
    every = np.arange(len(graph), dtype=np.int32) if among is None else among
    pool = every[graph.relevant[every]]
    if len(pool) < size:
        raise ValueError(
            f"{len(pool)} pages are relevant to the guide, {size} seeds are asked; ask for fewer"
        )
    rng = np.random.default_rng(seed)
    return [rng.choice(pool, size, replace=False) for _ in range(sets)]


class Tuned(NamedTuple):
    """P_IG and weight found on one part of a web, and what they do on the other."""

    pig: PigTable
    weight: float
    tuning: Repeats
    shown: Repeats


def tune(
    graph: WebGraph,
    *,
    fraction: float = 0.5,
    sets: int = 10,
    size: int = 7,
    weights: Sequence[float] | None = None,
    tune_by: str = "guide",
    judge: str = "truth",
    threads: int = 2,
    rediscovery: str = "first",
    seed: int = 0,
    progress: bool = False,
) -> Tuned:
    """Estimate P_IG and choose the weight on some hosts, then measure the gain on the others.

    On the first part only the classifiers speak (``tune_by="guide"``), as for the paper's authors; on the
    second the truth judges. No host is in both parts.
    """
    here, there = graph.split(fraction, seed)
    pig = estimate(here)
    again = partial(repeat, weights=weights, threads=threads, rediscovery=rediscovery, progress=progress)
    tuning = again(here, pig, draw_seeds(here, sets, size, seed), judge=tune_by)
    shown = again(there, pig, draw_seeds(there, sets, size, seed), judge=judge)
    return Tuned(pig, tuning.best().value, tuning, shown)


def _best(weights: Sequence[float], areas: NDArray[np.float64]) -> float:
    return max(zip(areas.tolist(), weights, strict=True))[1]
