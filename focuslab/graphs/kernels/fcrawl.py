"""Kernels of crawlers of the kind FCrawl: a page that fits raises the links that wait beside it, or on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.graphs.kernels.heap import Floats, Ints, drop_best, push, rescore
from focuslab.graphs.kernels.kernel import POPPED, UNSEEN, WAITING, Ground, Kernel, fixed, takes, tie_key
from focuslab.strategies._fcrawl import POLICIES
from focuslab.types import Page

NOBODY = -1


def _fcrawl(strategy: Any, ground: Ground) -> Ints:
    graph, rule = ground.graph, POLICIES[strategy.policy]
    f = ground.pages[f"{strategy.name}_f"]
    fires = f > strategy.change_threshold if rule.threshold else np.ones(len(f), np.bool_)
    return _by_similarity(
        graph.indptr,
        graph.indices,
        fixed(f),
        fixed(fires),
        rule.children,
        rule.siblings,
        strategy.siblings == "all_parents",
        strategy.change == "max",
        strategy.depth,
        strategy.width,
        *ground.rules,
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
    budget: int,
    dead: NDArray[np.bool_],
    tie_rule: int,
    again: int,
    lots: Floats,
) -> Ints:
    """Crawl by the similarity that pages hand to links.

    ``own`` is the score the strategy has in mind, which differs from the frontier's after a rediscovery.
    The links on which a page was found are chained: ``found_on`` has its latest, ``earlier`` the one before
    each, and ``first_on`` the page that named it first.
    """
    pages = len(indptr) - 1
    state = np.full(pages, UNSEEN, np.int8)
    closed = np.zeros(pages, np.bool_)  # fetched, or a seed: no page raises them
    own = np.full(pages, np.nan, np.float64)
    depth = np.zeros(pages, np.int64)
    first_on = np.full(pages, NOBODY, np.int32)
    found_on = np.full(pages if all_parents else 0, NOBODY, np.int64)
    earlier = np.empty(len(indices) if all_parents else 0, np.int64)
    owner = np.empty(len(indices) if all_parents else 0, np.int32)
    order = np.empty(budget, np.int32)
    heap, place = np.empty(pages, np.int32), np.empty(pages, np.int32)
    score, tie = np.empty(pages, np.float64), np.empty(pages, np.float64)
    size, count, done = 0, 0, 0
    for page in seeds:
        if state[page] == UNSEEN:
            state[page] = WAITING
            closed[page] = True
            size = push(heap, score, tie, place, size, page, np.inf, tie_key(tie_rule, count, lots))
            count += 1
    while size > 0 and done < budget:
        page = heap[0]
        size = drop_best(heap, score, tie, place, size)
        state[page] = POPPED
        if dead[page]:
            continue
        order[done] = page
        done += 1
        closed[page] = True
        first = indptr[page]
        stop = min(first + width, indptr[page + 1]) if depth[page] < deepest else first
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
            if state[target] == UNSEEN:
                state[target] = WAITING
                depth[target] = depth[page] + 1
                size = push(heap, score, tie, place, size, target, value, tie_key(tie_rule, count, lots))
                count += 1
            elif state[target] == WAITING:
                if takes(again, score[place[target]], value):
                    depth[target] = depth[page] + 1
                    rescore(heap, score, tie, place, size, target, value)
                if changes:
                    rescore(heap, score, tie, place, size, target, f[page])
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
                if state[target] == WAITING:
                    rescore(heap, score, tie, place, size, target, f[page])
            if chained == NOBODY:
                parent = NOBODY
    return order[:done]
