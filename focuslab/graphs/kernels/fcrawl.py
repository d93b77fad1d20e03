"""Kernels of crawlers of the kind FCrawl: a page that fits raises the links that wait beside it, or on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.graphs.kernels.frontier import NOBODY, Queue, enter_seeds, next_page, offer, rescore, trail
from focuslab.graphs.kernels.heap import Floats, Ints
from focuslab.graphs.kernels.kernel import Ground, Kernel, fixed
from focuslab.strategies._fcrawl import POLICIES
from focuslab.types import Page


def _fcrawl(strategy: Any, ground: Ground) -> Ints:
    rule = POLICIES[strategy.policy]
    f = ground.pages[f"{strategy.name}_f"]
    fires = f > strategy.change_threshold if rule.threshold else np.ones(len(f), np.bool_)
    return _by_similarity(
        *ground.roads,
        fixed(f),
        fixed(fires),
        rule.children,
        rule.siblings,
        strategy.siblings == "all_parents",
        strategy.change == "max",
        strategy.depth,
        strategy.width,
        ground.start,
        ground.queue(),
    )


def _similarity(strategy: Any, page: Page) -> float:
    return float(strategy.similarity(page)["f"])


KERNELS = {name: Kernel(_fcrawl, pages={f"{name}_f": _similarity}) for name in ("genre_aware", "svm_guided")}


@njit(cache=True, nogil=True)
def _by_similarity(
    indptr: NDArray[np.int64],
    indices: Ints,
    f: Floats,
    fires: NDArray[np.bool_],
    children: bool,
    siblings: bool,
    all_parents: bool,
    keep_larger: bool,
    deepest: int,
    width: int,
    seeds: Ints,
    q: Queue,
) -> Ints:
    """Crawl by the similarity that pages hand to links.

    ``own`` is the score the strategy has in mind, which differs from the frontier's after a rediscovery.
    The links on which a page was found are chained: ``found_on`` has its latest, ``earlier`` the one before
    each, and ``first_on`` the page that named it first.
    """
    pages = len(indptr) - 1
    closed = np.zeros(pages, np.bool_)  # fetched, or a seed: no page raises them
    own = np.full(pages, np.nan, np.float64)
    first_on = np.full(pages, NOBODY, np.int32)
    found_on = np.full(pages if all_parents else 0, NOBODY, np.int64)
    earlier = np.empty(len(indices) if all_parents else 0, np.int64)
    owner = np.empty(len(indices) if all_parents else 0, np.int32)
    enter_seeds(q, seeds)
    for page in seeds:
        closed[page] = True
    while True:
        page = next_page(q)
        if page == NOBODY:
            return trail(q)
        closed[page] = True
        first = indptr[page]
        stop = min(first + width, indptr[page + 1]) if q.depth[page] < deepest else first
        raises = fires[page]
        value = f[page] if raises and children else 0.0
        for link in range(first, stop):
            target = indices[link]
            if closed[target]:
                continue
            known = not np.isnan(own[target])
            changes = known and raises and children and not (keep_larger and own[target] >= f[page])
            if changes or not known:
                own[target] = value
            if first_on[target] == NOBODY:
                first_on[target] = page
            if all_parents:
                earlier[link], owner[link] = found_on[target], page
                found_on[target] = link
            offer(q, target, value, q.depth[page] + 1)
            if changes:
                rescore(q, target, f[page])
        if not (raises and siblings) or first_on[page] == NOBODY:
            continue
        parent = first_on[page]
        chained = found_on[page] if all_parents else NOBODY
        while parent != NOBODY:
            if all_parents:
                parent = owner[chained]
                chained = earlier[chained]
            for link in range(indptr[parent], min(indptr[parent] + width, indptr[parent + 1])):
                target = indices[link]
                if closed[target] or (keep_larger and own[target] >= f[page]):
                    continue
                own[target] = f[page]
                rescore(q, target, f[page])
            if chained == NOBODY:
                parent = NOBODY
