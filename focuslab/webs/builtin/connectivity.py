"""No page is lost: links nobody needs are turned towards pages nobody reaches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order

from focuslab.webs.builtin.structure import Pages

Ints = NDArray[np.int64]


def connect(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], pages: Pages, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Make every page reachable from the most linked one, in place; says which pages lead back to it.

    A link outside the breadth-first tree can be turned to another page of the same class and language without
    cutting anything off, and no count of links by class changes.
    """
    source = np.repeat(np.arange(len(pages), dtype=np.int32), np.diff(indptr))
    root = int(np.bincount(indices, minlength=len(pages)).argmax())
    for attempt in range(50):
        order, parent = breadth_first_order(_graph(indptr, indices), root)
        lost = np.ones(len(pages), bool)
        lost[order] = False
        if not lost.any():
            break
        spare = ~lost[source] & (parent[indices] != source)
        _turn(indices, source, np.flatnonzero(spare), np.flatnonzero(lost), pages, attempt, rng)
    _sort_rows(indptr, indices)
    back, _ = breadth_first_order(_graph(indptr, indices).T.tocsr(), root)
    core = np.zeros(len(pages), bool)
    core[back] = True
    return core


def _graph(indptr: Ints, indices: NDArray[np.int32]) -> csr_matrix:
    size = len(indptr) - 1
    return csr_matrix((np.ones(len(indices), np.int8), indices, indptr), shape=(size, size))


def _turn(
    indices: NDArray[np.int32],
    source: NDArray[np.int32],
    spare: Ints,
    lost: Ints,
    pages: Pages,
    attempt: int,
    rng: np.random.Generator,
) -> None:
    """Give each lost page one spare link to its like; hidden pages only links from other classes."""
    tongue = np.minimum(pages.language, 2) if attempt < 3 else np.zeros(len(pages), np.int8)
    row = (pages.klass.astype(np.int64) * 3 + tongue) * 2
    spare = rng.permutation(spare)
    foreign = pages.klass[source[spare]] != pages.klass[indices[spare]]
    if attempt >= 6:  # A tiny web may have no link of the fitting sort; being found comes first.
        foreign[:] = attempt % 2
    spare_key = row[indices[spare]] + foreign
    lost_key = row[lost] + (pages.hidden[lost] if attempt < 6 else attempt % 2)
    spare = spare[np.argsort(spare_key, kind="stable")]
    spare_key = np.sort(spare_key)
    order = np.argsort(lost_key, kind="stable")
    lost, lost_key = lost[order], lost_key[order]
    rank = np.arange(len(lost)) - np.searchsorted(lost_key, lost_key)
    spot = np.searchsorted(spare_key, lost_key) + rank
    fits = spot < np.searchsorted(spare_key, lost_key, side="right")
    indices[spare[spot[fits]]] = lost[fits]


def _sort_rows(indptr: Ints, indices: NDArray[np.int32]) -> None:
    size = len(indptr) - 1
    keys = np.repeat(np.arange(size), np.diff(indptr)) * size + indices
    keys.sort()
    indices[:] = keys % size
