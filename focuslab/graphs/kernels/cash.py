"""Kernels of OPIC and OTIE: cash that moves along links, as `focuslab.strategies._cash` moves it."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.graphs.kernels import heap
from focuslab.graphs.kernels.fixed_scores import context_relevance, predicted
from focuslab.graphs.kernels.frontier import (
    FETCHED,
    NOBODY,
    Queue,
    enter,
    next_page,
    offer,
    rescore,
    rescore_all,
    trail,
)
from focuslab.graphs.kernels.heap import Floats, Heap, Ints, new_heap
from focuslab.graphs.kernels.kernel import Ground, Kernel, fixed
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
    pages = len(ground.graph)
    return _by_cash(
        *ground.roads,
        fixed(promise),
        fixed(sims),
        fixed(factor),
        fixed(factor_again),
        ground.start,
        int(recrawl_every),
        float(total / len(ground.start)),
        new_heap(pages, pages),
        ground.queue(),
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
    recrawl_every: int,
    seed_cash: float,
    rich: Heap,
    q: Queue,
) -> Ints:
    """Crawl by cash: a link's score is always the cash it holds.

    For recrawls, a heap of its own has the fetched pages that hold cash, the earliest fetched first among
    equals.
    """
    pages = len(indptr) - 1
    fetched = np.zeros(pages, np.int32)  # the number of the fetch, 0 for none
    cash = np.zeros(pages, np.float64)
    rich_size, guard_at = 0, 0
    for page in seeds:
        cash[page] = seed_cash
        enter(q, page, seed_cash, 0)
    while True:
        page = next_page(q)
        if page == NOBODY:
            return trail(q)
        done = q.counts[FETCHED]
        if not _in_scale(cash[page]) and done > guard_at:
            guard_at = done - 1 + GUARD_EVERY
            rescaled = _rescale(cash, rich, rich_size)
        else:
            rescaled = False
        fetched[page] = done
        payer, paid = page, cash[page] * factor[page]
        cash[page] = 0.0
        for turn in range(2):  # the page just fetched, then, when it is time, the richest of all fetched
            if turn == 1:
                if not recrawl_every or done % recrawl_every or not rich_size or rich.score[0] <= 0:
                    break
                payer = rich.entry[0]
                rich_size = heap.drop_best(rich, 0, rich_size)
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
                    if recrawl_every:
                        rich_size = _credit(rich, rich_size, target, cash[target], float(fetched[target]))
        for link in range(indptr[page], indptr[page + 1]):
            target = indices[link]
            if not fetched[target]:
                offer(q, target, cash[target], q.depth[page] + 1)
        if rescaled:
            rescore_all(q, cash, np.arange(pages, dtype=np.int32))
            continue
        for owner in (page, payer):
            for link in range(indptr[owner], indptr[owner + 1]):
                rescore(q, indices[link], cash[indices[link]])


@njit(cache=True, nogil=True)
def _rescale(cash: Floats, rich: Heap, rich_size: int) -> bool:
    """Bring all cash back to scale, by a power of two; whether that was needed."""
    top = cash.max()
    if _in_scale(top):
        return False
    bits = -math.frexp(top)[1]
    for page in range(len(cash)):
        cash[page] = math.ldexp(cash[page], bits)
    for at in range(rich_size):
        rich.score[at] = cash[rich.entry[at]]
    heap.heapify(rich, 0, rich_size)
    return True


@njit(cache=True, nogil=True)
def _credit(rich: Heap, size: int, page: int, cash: float, number: float) -> int:
    """Note what a fetched page holds now; the new size of the heap."""
    if rich.place[page] == NOBODY:
        return heap.push(rich, 0, size, page, cash, number)
    heap.rescore(rich, 0, size, page, cash)
    return size
