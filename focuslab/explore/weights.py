"""How much relevance, how much genre: a slider for the weight, answered by the compiled kernel at once."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import seaborn as sns

from focuslab.experiments.metrics import area, coverage
from focuslab.experiments.weight_sweep import sweep, weight_grid
from focuslab.explore.panel import Panel
from focuslab.explore.still import still_of_weights
from focuslab.features.pig import PigTable
from focuslab.graphs.estimate_pig import estimate
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.kernels.fixed_scores import page_scores
from focuslab.graphs.simulate import simulate

__all__ = ["WeightLab", "weight_lab"]

POINTS = 200
JUDGES = ("truth", "guide")
RULES = ("first", "max")


class WeightLab(Panel):
    """Graphs by name, such as a topic or a classifier, each crawled anew for every move of the slider."""

    kind = "weights"

    def __init__(self, graphs: Mapping[str, WebGraph], pigs: Mapping[str, PigTable], w_r: float) -> None:
        self.graphs, self.pigs = dict(graphs), dict(pigs)
        self._halves: dict[str, tuple[WebGraph, WebGraph, PigTable]] = {}
        self._sweeps: dict[tuple[str, str, str], dict[str, list[float]]] = {}
        self._bases: dict[tuple[str, str, str], tuple[list[float], float]] = {}
        self._reach = {name: self._within(graph) for name, graph in self.graphs.items()}
        judges = [judge for judge in JUDGES if judge == "guide" or _truths(graphs)]
        first = {"graph": next(iter(graphs)), "judge": judges[0], "rediscovery": RULES[0]}
        self.scene = {
            "graphs": list(graphs),
            "judges": judges,
            "rules": RULES,
            "w_r": w_r,
            "palette": sns.color_palette("colorblind").as_hex(),
            "first": self.crawl(w_r=w_r, **first),
            "sweep": self.sweep(**first),
        }

    def summary(self) -> str:
        """Area, ties and the best weights of the first graph."""
        first, swept = self.scene["first"], self.scene["sweep"]
        best = {half: swept["weights"][int(np.argmax(swept[half]))] for half in ("tuned", "held_out")}
        return (
            f"{self.scene['graphs'][0]}, w_R {first['w_r']:.2f}, judged by {self.scene['judges'][0]}: "
            f"area per page {first['area']:.3f} (best-first {first['base_area']:.3f})\n"
            f"{first['tied']:,} pages share the best R, {first['top']:.2f}; "
            f"by S they have {first['scores']:,} different scores\n"
            f"best weight: {best['tuned']:.2f} on the half for tuning, {best['held_out']:.2f} on the other"
        )

    def still(self) -> bytes:
        """The first weight as a PNG."""
        return still_of_weights(self.scene)

    def answer(self, ask: str, about: Mapping[str, Any]) -> dict[str, Any]:
        """A crawl at a weight, or the sweep over all weights."""
        chosen = {name: str(about[name]) for name in ("graph", "judge", "rediscovery") if name in about}
        if ask == "weight":
            return self.crawl(w_r=float(about["w_r"]), **chosen)
        if ask == "sweep":
            return self.sweep(**chosen)
        return super().answer(ask, about)

    def crawl(
        self, graph: str, w_r: float, judge: str = "truth", rediscovery: str = "first"
    ) -> dict[str, Any]:
        """The crawl of the whole graph at this weight, beside best-first, and what became of the ties."""
        if not 0 <= w_r <= 1:
            raise ValueError(f"w_r is {w_r}; it is a share, so give a number from 0 to 1")
        web, began = self._graph(graph), time.perf_counter()
        scores = page_scores(web, self.pigs[graph], w_r)
        curve, size = self._curve(graph, scores, judge, rediscovery)
        took = time.perf_counter() - began
        base, base_size = self._base(graph, judge, rediscovery)
        top = web.relevance.max()
        tied = web.relevance == top
        return {
            "w_r": w_r,
            "curve": curve,
            "area": size,
            "base": base,
            "base_area": base_size,
            "milliseconds": round(1_000 * took, 1),
            "pages": len(web),
            "top": float(top),
            "tied": int(tied.sum()),
            "scores": len(np.unique(scores[tied])),
            "genres": _by_genre(web, scores, tied),
        }

    def sweep(self, graph: str, judge: str = "truth", rediscovery: str = "first") -> dict[str, list[float]]:
        """Area per page by weight on the hosts where P_IG was counted, and on the others."""
        key = (graph, judge, rediscovery)
        if key not in self._sweeps:
            if graph not in self._halves:
                here, there = self._graph(graph).split()
                self._halves[graph] = here, there, estimate(here)
            here, there, pig = self._halves[graph]
            how: dict[str, Any] = {"judge": judge, "rediscovery": rediscovery}
            tuned, held = (sweep(half, pig, **how).frame["area_per_page"].tolist() for half in (here, there))
            self._sweeps[key] = {"weights": list(weight_grid()), "tuned": tuned, "held_out": held}
        return self._sweeps[key]

    def _graph(self, name: str) -> WebGraph:
        if name not in self.graphs:
            raise ValueError(f"no graph named {name!r}; try {', '.join(self.graphs)}")
        return self.graphs[name]

    def _within(self, graph: WebGraph) -> tuple[Any, int]:
        within = graph.hops() >= 0
        return within, int(within.sum())

    def _base(self, graph: str, judge: str, rediscovery: str) -> tuple[list[float], float]:
        key = (graph, judge, rediscovery)
        if key not in self._bases:
            self._bases[key] = self._curve(graph, self._graph(graph).relevance, judge, rediscovery)
        return self._bases[key]

    def _curve(self, name: str, scores: Any, judge: str, rediscovery: str) -> tuple[list[float], float]:
        graph, (within, reach) = self.graphs[name], self._reach[name]
        relevant = graph.judged(judge)
        hits = relevant[simulate(graph, scores, rediscovery=rediscovery, reach=reach)]
        total = int(relevant[within].sum())
        found = coverage(hits, total)
        if found is None:
            raise ValueError(f"by {judge} no relevant page is within reach of the seeds; give other seeds")
        places = np.linspace(0, len(found) - 1, min(POINTS, len(found))).astype(int)
        return found[places].round(4).tolist(), float(area(hits, total, normalised=True) or 0)


def weight_lab(
    graphs: WebGraph | Mapping[str, WebGraph], pig: PigTable | None = None, w_r: float = 0.95
) -> WeightLab:
    """Move the weight of relevance and see the crawl.

    Parameters
    ----------
    graphs : WebGraph, or mapping of names to graphs
        Such as one for each topic and each classifier.
    pig : PigTable, optional
        P_IG for all of them; by default each graph's own, counted on all of it. (The sweep counts it on one
        half of the hosts and shows the other half as well.)
    w_r : float
        Where the slider stands first.
    """
    named = {"web": graphs} if isinstance(graphs, WebGraph) else dict(graphs)
    if not named:
        raise ValueError("no graph to crawl; give a WebGraph, or several by name")
    return WeightLab(named, {name: pig or estimate(graph) for name, graph in named.items()}, w_r)


def _truths(graphs: Mapping[str, WebGraph]) -> bool:
    return all(graph.truth is not None for graph in graphs.values())


def _by_genre(graph: WebGraph, scores: Any, tied: Any) -> list[list[Any]]:
    """Of the pages that tie at the best R: genre, how many, and their middle score, the best first."""
    found: Sequence[list[Any]] = [
        [genre, int(rows.sum()), round(float(np.median(scores[rows])), 4)]
        for code, genre in enumerate(graph.genres)
        if (rows := tied & (graph.genre == code)).any()
    ]
    return sorted(found, key=lambda row: -row[2])
