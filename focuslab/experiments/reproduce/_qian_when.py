"""Beyond Qian et al.: when does genre help?"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd

from focuslab.experiments.reproduce._ground import SEED, built_in, summed, whole
from focuslab.experiments.reproduce._qian_ground import PRESETS, SEEDS
from focuslab.experiments.reproduce._qian_live import crawled, genre_enhanced
from focuslab.experiments.reproduce.experiment import Finding, Part, Scale
from focuslab.graphs.estimate_pig import estimate
from focuslab.strategies.best_first import BestFirst

DENSITIES, PURITIES = (10.0, 20.0, 40.0, 63.0), (1.0, 0.5, 0.0)


def when_parts(scale: Scale) -> list[Part]:
    return [{"links_per_page": links, "r": r} for links, r in product(DENSITIES, PRESETS)]


def _pages(scale: Scale) -> int:
    return scale.pick(3_000, 42_447)


def when_webs(scale: Scale) -> list[Part]:
    """A web for each link density."""
    return [{"pages": _pages(scale), "links_per_page": links} for links in DENSITIES]


def when(scale: Scale, links_per_page: float, r: str) -> pd.DataFrame:
    """Gain in harvest by link density, graded R, and how much of the genre labels is left.

    ``purity`` is the share of pages that keep their genre; the others get that of a page drawn by lot, so
    that at 0 genre says nothing. P_IG is estimated on the same web and with the same labels.
    """
    pages, (budget, sets) = _pages(scale), scale.pick((200, 3), (3_000, 10))
    graph, web, found = (
        whole(pages, "baseball", PRESETS[r], links_per_page=links_per_page),
        built_in(pages, links_per_page=links_per_page),
        [],
    )
    starts = [graph.find(web.topic("baseball", seed=n, count=SEEDS).seeds) for n in range(sets)]
    for purity in PURITIES:
        rng = np.random.default_rng([SEED, round(100 * purity)])
        drawn = graph.genre[rng.permutation(len(graph))]
        mixed = replace(graph, genre=np.where(rng.random(len(graph)) < purity, graph.genre, drawn))
        rows = crawled(
            mixed, starts, budget, {"best_first": BestFirst(), **genre_enhanced(estimate(mixed), "baseball")}
        )
        found.append(_gains(rows).assign(purity=purity))
    return pd.concat(found, ignore_index=True)[["purity", "rule", "n", "gain", "low", "high", "best_first"]]


def _gains(rows: pd.DataFrame) -> pd.DataFrame:
    table = rows.pivot(index=["seeds", "rule"], columns="crawler", values="truth").reset_index()
    table["gain"] = table["genre_enhanced"] / table["best_first"] - 1
    means = table.groupby("rule", sort=False)["best_first"].mean()
    return (
        summed(table, ["rule"], "gain")
        .rename(columns={"mean": "gain"})
        .assign(best_first=lambda frame: frame["rule"].map(means))
    )


def when_finding(rows: pd.DataFrame) -> Finding:
    pure = rows[rows["purity"] == 1.0]
    told = [
        f"{group['links_per_page'].iloc[0]:.0f} links, {r} R, {rule} score {group['gain'].iloc[0]:+.1%}"
        for (_, r, rule), group in pure.groupby(["links_per_page", "r", "rule"], sort=False)
    ]
    blind = rows[rows["purity"] == 0.0]
    why = (
        f"Gains that exclude 0: {(pure['low'] > 0).sum()} of {len(pure)} with the genres as told, "
        f"{(blind['low'] > 0).sum()} of {len(blind)} with genres drawn by lot."
    )
    return Finding("not in the paper", "; ".join(told), "cannot be tested", why)
