"""Kernels of OPIC and OTIE: cash that moves along links, as `focuslab.strategies._cash` moves it."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.graphs.kernels.fixed_scores import context_relevance, predicted
from focuslab.graphs.kernels.heap import Floats, Ints, drop_best, heapify, push, rescore
from focuslab.graphs.kernels.kernel import POPPED, UNSEEN, WAITING, Ground, Kernel, fixed, tie_key
from focuslab.strategies._cash import GUARD_EVERY, LARGEST, SMALLEST
from focuslab.strategies.otie import revision

COMPENSATED = sys.version_info >= (3, 12)
"""From this version on Python's own ``sum`` carries the rounding error along."""


def _opic(strategy: Any, ground: Ground) -> Ints:
    ones = np.ones(len(ground.graph))
    every, total = strategy.recrawl_every, strategy.total
    return _crawl(ground, np.ones(ground.graph.links), ones, ones, ones, every, total)


def _otie(strategy: Any, ground: Ground) -> Ints:
    sims = ground.graph.relevance
    factor = np.array([revision(sim, strategy.a, strategy.d) for sim in sims.tolist()])
    again = factor if strategy.revise_on_recrawl else np.ones(len(sims))
    promise = predicted(ground.graph, ground.links["context"], strategy.beta)
    return _crawl(ground, promise, sims, factor, again, strategy.recrawl_every, strategy.total)


def _crawl(
    ground: Ground,
    promise: Floats,
    sims: Floats,
    factor: Floats,
    factor_again: Floats,
    recrawl_every: int,
    total: float,
) -> Ints:
    graph = ground.graph
    start = np.fromiter(dict.fromkeys(ground.seeds.tolist()), np.int32)
    return _by_cash(
        graph.indptr,
        graph.indices,
        fixed(promise),
        fixed(sims),
        fixed(factor),
        fixed(factor_again),
        fixed(start),
        ground.budget,
        ground.dead,
        ground.tie,
        fixed(ground.lots),
        int(recrawl_every),
        float(total / len(start)),
    )


KERNELS = {"opic": Kernel(_opic), "otie": Kernel(_otie, links={"context": context_relevance})}


@njit(cache=True, nogil=True)
def _in_scale(cash: float) -> bool:
    return cash == 0 or SMALLEST <= cash <= LARGEST


@njit(cache=True, nogil=True)
def _total(first: int, stop: int, indices: Ints, promise: Floats, sims: Floats, fetched: Ints) -> float:
    """The weights of a page's links added up as Python does it."""
    high, low = 0.0, 0.0
    for link in range(first, stop):
        target = indices[link]
        x = sims[target] if fetched[target] else promise[link]
        both = high + x
        if COMPENSATED:
            low += (high - both) + x if abs(high) >= abs(x) else (x - both) + high
        high = both
    return high + low if low != 0 and math.isfinite(low) else high


@njit(cache=True, nogil=True)
def _by_cash(
    indptr: NDArray[np.int64],
    indices: Ints,
    promise: Floats,
    sims: Floats,
    factor: Floats,
    factor_again: Floats,
    seeds: Ints,
    budget: int,
    dead: NDArray[np.bool_],
    tie_rule: int,
    lots: Floats,
    recrawl_every: int,
    seed_cash: float,
) -> Ints:
    """Crawl by cash. A link's score is always the cash it holds, so the rediscovery rule has no say.

    Two heaps: pages that wait, and, for recrawls, fetched pages that hold cash (the earliest fetched first
    among equals).
    """
    pages = len(indptr) - 1
    state = np.full(pages, UNSEEN, np.int8)
    fetched = np.zeros(pages, np.int32)  # the number of the fetch, 0 for none
    cash = np.zeros(pages, np.float64)
    order = np.empty(budget, np.int32)
    heap, place = np.empty(pages, np.int32), np.empty(pages, np.int32)
    score, tie = np.empty(pages, np.float64), np.empty(pages, np.float64)
    rich, rich_place = np.empty(pages, np.int32), np.full(pages, -1, np.int32)
    rich_score, rich_tie = np.empty(pages, np.float64), np.empty(pages, np.float64)
    size, rich_size, count, done, guard_at = 0, 0, 0, 0, 0
    for page in seeds:
        state[page] = WAITING
        cash[page] = seed_cash
        size = push(heap, score, tie, place, size, page, seed_cash, tie_key(tie_rule, count, lots))
        count += 1
    while size > 0 and done < budget:
        page = heap[0]
        size = drop_best(heap, score, tie, place, size)
        state[page] = POPPED
        if dead[page]:
            continue
        if not _in_scale(cash[page]) and done >= guard_at:
            guard_at = done + GUARD_EVERY
            top = cash.max()
            if not _in_scale(top):
                bits = -math.frexp(top)[1]
                for i in range(pages):
                    cash[i] = math.ldexp(cash[i], bits)
                for at in range(size):
                    score[at] = cash[heap[at]]
                heapify(heap, score, tie, place, size)
                for at in range(rich_size):
                    rich_score[at] = cash[rich[at]]
                heapify(rich, rich_score, rich_tie, rich_place, rich_size)
        order[done] = page
        done += 1
        fetched[page] = done
        payer, paid = page, cash[page] * factor[page]
        cash[page] = 0.0
        for turn in range(2):  # the page just fetched, then, when it is time, the richest of all fetched
            if turn == 1:
                if not recrawl_every or done % recrawl_every or not rich_size or rich_score[0] <= 0:
                    break
                payer = rich[0]
                rich_size = drop_best(rich, rich_score, rich_tie, rich_place, rich_size)
                rich_place[payer] = -1
                paid = cash[payer] * factor_again[payer]
                cash[payer] = 0.0
            first, stop = indptr[payer], indptr[payer + 1]
            total = _total(first, stop, indices, promise, sims, fetched)
            for link in range(first, stop):
                target = indices[link]
                weight = sims[target] if fetched[target] else promise[link]
                gain = (weight / total if total > 0 else 1 / (stop - first)) * paid
                if not fetched[target]:
                    cash[target] += gain
                elif gain > 0:
                    cash[target] += gain
                    if recrawl_every and rich_place[target] >= 0:
                        rescore(rich, rich_score, rich_tie, rich_place, rich_size, target, cash[target])
                    elif recrawl_every:
                        number = float(fetched[target])
                        rich_size = push(
                            rich, rich_score, rich_tie, rich_place, rich_size, target, cash[target], number
                        )
            for link in range(first, stop):
                target = indices[link]
                if state[target] == UNSEEN:
                    state[target] = WAITING
                    key = tie_key(tie_rule, count, lots)
                    size = push(heap, score, tie, place, size, target, cash[target], key)
                    count += 1
                elif state[target] == WAITING:
                    rescore(heap, score, tie, place, size, target, cash[target])
    return order[:done]
