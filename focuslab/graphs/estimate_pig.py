"""P_IG counted on a web that was read: the pre-analysis of Qian et al."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focuslab.features.pig import PigTable
from focuslab.graphs.graph import WebGraph

__all__ = ["estimate"]


def estimate(graph: WebGraph, classes: str = "guide") -> PigTable:
    """Count P_IG over the links of a web graph: distinct, no self-links, both ends assessed.

    Parameters
    ----------
    graph : WebGraph
        The pre-analysed web.
    classes : {"guide", "truth"}
        Whose relevance and genre: the classifiers', as in the paper, or the true ones, where the web
        knows them. The difference between the two tables is what the classifiers' errors do.
    """
    relevant, genre = _classes_of(graph, classes)
    hits = _hits_by_source(graph.indptr, relevant[graph.indices])
    out = np.diff(graph.indptr)
    width = len(graph.genres)
    known = genre >= 0
    cell = relevant[known].astype(np.int64) * width + genre[known]
    found, counted = (
        np.bincount(cell, weights=by_page[known], minlength=2 * width).astype(np.int64).reshape(2, width)
        for by_page in (hits, out)
    )
    return PigTable.from_counts(found, counted, graph.genres, source=f"estimated by {classes}")


def _classes_of(graph: WebGraph, classes: str) -> tuple[NDArray[np.bool_], NDArray[np.int8]]:
    if classes == "guide":
        return graph.relevant, graph.genre
    if classes != "truth":
        raise ValueError(f"no classes named {classes!r}; try guide, truth")
    if graph.truth is None or graph.true_genre is None:
        raise ValueError("this graph has no truth; build it with truth= and true_genre=, or use 'guide'")
    return graph.truth, graph.true_genre


def _hits_by_source(indptr: NDArray[np.int64], hit: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many links of each page hit; reduceat cannot do empty rows, so only the others are given to it."""
    hits = np.zeros(len(indptr) - 1, dtype=np.int64)
    filled = np.diff(indptr) > 0
    if filled.any():
        hits[filled] = np.add.reduceat(hit, indptr[:-1][filled], dtype=np.int64)
    return hits
