"""Strategies side by side: the same web, topics, starting pages and judge, with intervals and p-values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from focuslab.classifiers.assessor import train_classifiers
from focuslab.experiments import metrics as measure
from focuslab.experiments.majority import MAJORITY
from focuslab.experiments.progress import counted, tick_up_to
from focuslab.experiments.significance import bootstrap_mean, holm, sign_flip_test
from focuslab.experiments.trials import (
    DEFAULT_METRICS,
    METRICS,
    Factory,
    Metric,
    Plan,
    Run,
    Setup,
    Trials,
    crawl_all,
)
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.graph_web import GraphWeb
from focuslab.graphs.spread import Workers
from focuslab.strategies import all_strategies
from focuslab.types import Task, Web

__all__ = ["METRICS", "Comparison", "Run", "Workers", "compare", "default_setup", "summarise"]

BOUNDS = ("random", "oracle")
POINTS = 500
"""At most so many steps of each curve are kept."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `compare` found.

    Attributes
    ----------
    runs : DataFrame
        A row per strategy, topic, seed and metric: ``value``.
    curves : DataFrame
        A row per strategy, topic, seed and step: ``harvest`` and ``coverage``. A crawl that ran dry keeps
        its last values up to the budget.
    summary : DataFrame
        A row per metric and strategy; see `summarise`.
    settings : dict
        What a caption must name: judge, ties, rediscovery, hosts apart, caps, seeds, budget and the rest.
    """

    runs: pd.DataFrame
    curves: pd.DataFrame
    summary: pd.DataFrame
    settings: Mapping[str, Any]

    def table(self, *metrics: str, digits: int = 2) -> pd.DataFrame:
        """The summary for readers: a row per strategy, best first by the first metric.

        Each cell is the mean with its 95 % interval, and a star where the difference to the baseline has a
        corrected p-value below 0.05.
        """
        rows = self.summary.sort_values("mean", ascending=False, kind="stable")
        spelled = rows.apply(_spelled, axis=1, digits=digits)
        cells = rows.assign(cell=spelled).pivot(index="strategy", columns="metric", values="cell")
        chosen = list(metrics or self.summary["metric"].unique())
        order = rows.loc[rows["metric"] == chosen[0], "strategy"]
        return cells.loc[order, chosen].rename_axis(columns=None)


def _spelled(row: pd.Series, digits: int) -> str:
    star = " *" if row["p_holm"] < 0.05 else ""
    return f"{row['mean']:.{digits}f} [{row['low']:.{digits}f}, {row['high']:.{digits}f}]{star}"


def compare(
    strategies: Sequence[str] | Mapping[str, str | Factory],
    web: Web | WebGraph,
    topics: Sequence[str] | None = None,
    seeds: Sequence[int] = (0,),
    budget: int = 500,
    baseline: str = "best_first",
    metrics: Sequence[str] | Mapping[str, Metric] | None = None,
    judge: str = "truth",
    jobs: int | Workers | None = None,
    setup: Setup | None = None,
    frontier: Mapping[str, Any] | None = None,
    bounds: Sequence[str] = BOUNDS,
) -> Comparison:
    """Crawl every topic with every strategy and every seed, and say which differences are more than luck.

    Parameters
    ----------
    strategies
        Names, or a mapping of labels to names or to functions that build a strategy from a Task.
    web : Web, Reading or WebGraph
        A web must give the same response whenever it is asked for the same URL: each page is fetched and
        parsed once, and assessed once for each topic, however many crawls come by. A `Reading` of one
        (`focuslab.graphs.read_web.read`) has done that before. A graph has one topic and no words: compiled
        kernels crawl it, and strategies that need what it does not hold are refused.
    topics
        Names of topics; all of the web's if not given.
    seeds
        Repeats of each topic: they draw the starting pages and all chance in the crawl. The classifiers are
        trained once for each topic, with the first of the seeds.
    budget : int
        Pages to fetch in each crawl besides its seeds, which count neither as fetches nor as finds.
    baseline : str
        The strategy the others are measured against; added if it is not among them.
    metrics
        Names out of `METRICS`, or a mapping of names to functions of a `Run`.
    judge : {"truth", "guide", "majority"}
        Who calls a page relevant: the web's truth, the crawler's own classifier, or the majority of three
        others (`focuslab.experiments.majority`), for a web without truth. The latter two know no
        total, so coverage and area are undefined under it.
    jobs : int or Workers, optional
        Processes to spread the topics over; all cores if not given. `Workers` can also name a Dask cluster.
        The result does not depend on it.
    setup
        ``setup(web, topic, seed) -> Task``; by default `default_setup`.
    frontier
        The rules of the crawl for all strategies, over their own: ``tie``, ``rediscovery``, ``hosts_apart``,
        ``host_cap`` and what else the `Frontier` knows.
    bounds
        Strategies that are run for orientation and not tested: random below, the oracle above.

    Examples
    --------
    >>> compare(["best_first", "breadth_first"], web, seeds=range(3)).summary    # doctest: +SKIP
    """
    entrants = _entrants(strategies, baseline)
    web = GraphWeb(web) if isinstance(web, WebGraph) else web
    topics, seeds = tuple(topics or web.topics()), tuple(seeds)
    _check(web, topics, seeds, budget, judge)
    by, rules = Workers.of(jobs), dict(frontier or {})
    steps = tuple(int(n) for n in np.unique(np.linspace(1, budget, min(POINTS, budget)).round()))
    known = [name for name in bounds if name != "oracle" or judge != MAJORITY]  # it follows the truth
    field = entrants | {name: name for name in known if name not in entrants}
    chosen, named = _chosen(metrics), not isinstance(metrics, Mapping)
    how = (setup or default_setup, rules, steps, topics, by.kernels and named)
    each, parts = len(seeds) * len(field), []
    with counted(each * len(topics), "crawl") as ticks:
        plan = Plan(field, seeds, budget, chosen, judge, *how, ticks)
        for part in crawl_all(plan, web, by):
            parts.append(part)
            tick_up_to(ticks, each * len(parts))
    runs = pd.concat([part.runs for part in parts], ignore_index=True)
    curves = pd.concat([part.curves for part in parts], ignore_index=True)
    summary = summarise(runs, baseline, tested=tuple(entrants))
    return Comparison(runs, curves, summary, _settings(plan, parts, topics, baseline))


def default_setup(web: Web, topic: str, seed: int) -> Task:
    """Train the classifiers on the web's own labelled pages for the topic."""
    if isinstance(web, GraphWeb):  # judged already
        return Task(web.topic(topic, seed), web)
    task, examples = web.topic(topic, seed), web.examples(topic, seed=seed)
    return Task(task, train_classifiers(examples, task, seed), examples)


def summarise(runs: pd.DataFrame, baseline: str, tested: Sequence[str] | None = None) -> pd.DataFrame:
    """One row per metric and strategy, the best mean first.

    Parameters
    ----------
    runs : DataFrame
        Columns strategy, topic, seed, metric, value.
    baseline : str
        Strategy that all are compared with, unit by unit.
    tested
        Strategies that get a p-value; all if not given. Holm's correction counts these, within each metric.

    Notes
    -----
    With several topics the unit is the topic: its seeds are averaged first and topics are resampled, since
    two crawls of one topic are not independent. With a single topic the unit is the seed, and nothing is
    said about other topics. Units where a metric is undefined are left out; ``n`` counts what remains.

    Columns: metric, strategy, unit, n, mean, low, high (95 % bootstrap interval), difference (to the
    baseline, paired by unit), difference_low, difference_high, gain (relative), p (sign-flip test), p_holm,
    of_oracle (mean as a share of the oracle's).
    """
    unit = "topic" if runs["topic"].nunique() > 1 else "seed"
    tables = []
    for metric in runs["metric"].unique():
        units = runs[runs["metric"] == metric].pivot_table("value", unit, "strategy", dropna=False, sort=True)
        rows = [_row(units, name, baseline, tested) for name in units.columns]
        table = pd.DataFrame(rows).sort_values("mean", ascending=False, kind="stable", ignore_index=True)
        table["p_holm"] = holm(table["p"])
        table.insert(0, "metric", metric)
        table.insert(2, "unit", unit)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def _row(units: pd.DataFrame, name: str, baseline: str, tested: Sequence[str] | None) -> dict[str, Any]:
    values = units[name].dropna()
    gaps = (units[name] - units[baseline]).dropna() if name != baseline else values[:0]
    low, high = bootstrap_mean(values)
    gap_low, gap_high = bootstrap_mean(gaps)
    base, oracle = units[baseline].mean(), units["oracle"].mean() if "oracle" in units else np.nan
    return {
        "strategy": name,
        "n": len(values),
        "mean": values.mean(),
        "low": low,
        "high": high,
        "difference": gaps.mean(),
        "difference_low": gap_low,
        "difference_high": gap_high,
        "gain": measure.relative_gain(values.mean(), base) if len(gaps) else np.nan,
        "p": sign_flip_test(gaps) if tested is None or name in tested else np.nan,
        "p_holm": np.nan,
        "of_oracle": measure.share_of(values.mean(), oracle),
    }


# --- before the crawls: what was asked for


def _entrants(
    strategies: Sequence[str] | Mapping[str, str | Factory], baseline: str
) -> dict[str, str | Factory]:
    if isinstance(strategies, str):
        raise ValueError(f"strategies={strategies!r} is one name; give a list, such as [{strategies!r}]")
    named: dict[str, str | Factory] = {name: name for name in (baseline, *strategies)}
    if isinstance(strategies, Mapping):
        named |= strategies
    for maker in named.values():
        if isinstance(maker, str) and maker not in all_strategies():
            raise ValueError(f"no strategy named {maker!r}; try {', '.join(all_strategies())}")
    return named


def _chosen(
    metrics: Sequence[str] | Mapping[str, Metric] | None,
) -> Mapping[str, Metric]:
    if isinstance(metrics, Mapping):
        return metrics
    unknown = [name for name in metrics or () if name not in METRICS]
    if unknown:
        raise ValueError(f"no metric named {unknown[0]!r}; try {', '.join(METRICS)}")
    return {name: METRICS[name] for name in metrics or DEFAULT_METRICS}


def _check(web: Web, topics: tuple[str, ...], seeds: tuple[int, ...], budget: int, judge: str) -> None:
    if not topics or not seeds:
        raise ValueError("nothing to compare on; give at least one topic and one seed")
    for topic in topics:
        if topic not in web.topics():
            raise ValueError(f"no topic named {topic!r}; try {', '.join(web.topics())}")
    if budget < 1:
        raise ValueError(f"budget={budget} pages is too few; give 1 or more")
    if judge not in (judges := ("truth", measure.GUIDE, MAJORITY)):
        raise ValueError(f"no judge named {judge!r}; try {', '.join(judges)}")


# --- after the crawls


def _settings(plan: Plan, parts: Sequence[Trials], topics: tuple[str, ...], baseline: str) -> dict[str, Any]:
    crawls = [crawl for part in parts for crawl in part.settings]
    return {
        "judge": ", ".join(dict.fromkeys(crawl["judge"] for crawl in crawls)),
        "tie": {crawl["strategy"]: crawl["tie"] for crawl in crawls},
        "rediscovery": {crawl["strategy"]: crawl["rediscovery"] for crawl in crawls},
        "hosts_apart": {crawl["strategy"]: crawl.get("hosts_apart", 1) for crawl in crawls},
        "topics": topics,
        "seeds": plan.seeds,
        "budget": plan.budget,
        "host_cap": plan.frontier.get("host_cap"),
        "seeds_count": False,
        "baseline": baseline,
        "crawls": len(crawls),
        "ran_dry": sum(crawl["pages"] < plan.budget for crawl in crawls),
    } | (_of_an_archive(crawls) if plan.judge == MAJORITY else {})


def _of_an_archive(crawls: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """How often the three judges agree, and how much of what was asked for the archive has."""
    return {name: float(np.mean([crawl[name] for crawl in crawls])) for name in ("agreement", "captured")}
