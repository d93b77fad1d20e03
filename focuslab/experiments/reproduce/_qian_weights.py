"""Qian et al., section 4.4: how much relevance, how much genre."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from focuslab.experiments.reproduce._ground import SEED, summed
from focuslab.experiments.reproduce._qian_ground import RULES, SEEDS, surveyed
from focuslab.experiments.reproduce.experiment import Finding, Scale
from focuslab.experiments.weight_sweep import PUBLISHED, Repeats, draw_seeds, sweep_by, weight_grid
from focuslab.graphs.estimate_pig import estimate


def weights(scale: Scale, topic: str, r: str) -> pd.DataFrame:
    """Twenty weights from the graph's own seeds, as in the paper, and from ten sets of seven."""
    graph = surveyed(scale, topic, r)
    pig, found = estimate(graph), []
    sets = draw_seeds(graph, 10, SEEDS, SEED)
    judges = ("guide", "truth")
    swept = {
        rule: [sweep_by(judges, graph, pig, start, rediscovery=rule, threads=1) for start in (None, *sets)]
        for rule in RULES
    }
    for rule, judge in product(RULES, judges):
        own, *others = (one[judge].frame for one in swept[rule])
        many = Repeats(weight_grid(), np.array([each["area_per_page"] for each in others]), judge)
        gains = many.frame.assign(area=many.areas.ravel() * len(graph))
        rows = summed(gains, ["weight"], "gain").rename(columns={"mean": "gain"})
        rows["area"] = own["area"].to_numpy()
        rows["mean_area"] = gains.groupby("weight", sort=False)["area"].mean().to_numpy()
        best = many.best(SEED)
        rows = rows.assign(best=best.value, best_low=best.low, best_high=best.high, pages=len(graph))
        found.append(rows.assign(rule=rule, judge=judge).drop(columns="n"))
    frame = pd.concat(found, ignore_index=True)
    return frame[["rule", "judge", *frame.columns.drop(["rule", "judge"])]]


def weights_finding(rows: pd.DataFrame) -> Finding:
    paper = rows[(rows["judge"] == "guide") & (rows["r"] == "plain")]
    published = "; ".join(
        f"{topic}: best {one.best:.2f}, area {one.area:,.0f}" for topic, one in PUBLISHED.items()
    )
    told, fits = [], []
    for (topic, rule), group in paper.groupby(["topic", "rule"], sort=False):
        own, (best, low, high) = group.nlargest(1, "area"), group[["best", "best_low", "best_high"]].iloc[0]
        alone = f"{own['weight'].item():.2f} from its own seeds (area {own['area'].item():,.0f})"
        told.append(f"{topic}, {rule} score: {alone}, {best:.2f} [{low:.2f}, {high:.2f}] from ten sets")
        fits.append(low <= PUBLISHED[str(topic)].best <= high)
    better = (
        paper[(paper["weight"] < 1) & (paper["rule"] == "max")]
        .groupby("topic")["low"]
        .apply(lambda low: (low > 0).sum())
    )
    verdict = "reproduces" if all(fits) else "order only" if any(fits) else "contradicts"
    why = "Weights with a gain over best-first that excludes 0, max rule: " + ", ".join(
        f"{topic} {count} of 19" for topic, count in better.items()
    )
    return Finding(published, "; ".join(told), verdict, why)
