"""Kernel of PageRank order: compiled between two computations of PageRank, which are the strategy's own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.graphs.kernels.heap import Floats, Ints, drop_best, heapify, push, rescore
from focuslab.graphs.kernels.kernel import POPPED, UNSEEN, WAITING, Ground, Kernel, takes, tie_key
from focuslab.strategies.pagerank import pagerank

SIZE, FOUND, DONE, READ, KNOWN, PAUSED = range(6)
"""Places in the counters of a crawl: links that wait, pages found, pages fetched, links read, pages with a
true rank, and the page (or -1) whose links wait for a computation."""


def _pagerank(strategy: Any, ground: Ground) -> Ints:
    graph, pages = ground.graph, len(ground.graph)
    order = np.empty(ground.budget, np.int32)
    ranks = np.zeros(pages)  # by place in the order of discovery
    sources, targets = np.empty(graph.links, np.int32), np.empty(graph.links, np.int32)
    state, number = np.full(pages, UNSEEN, np.int8), np.empty(pages, np.int32)
    heap, place = np.empty(pages, np.int32), np.empty(pages, np.int32)
    score, tie = np.empty(pages), np.empty(pages)
    counters = np.zeros(6, np.int64)
    counters[PAUSED] = -1
    seeds, budget, dead, *rules = ground.rules
    frontier: tuple[Any, ...] = (state, number, heap, score, tie, place, counters)
    entered: tuple[Any, ...] = (seeds, ranks, *frontier, rules[0], rules[2])
    _enter(*entered)
    while True:
        due = counters[DONE] + max(strategy.every, strategy.growth * counters[DONE])
        links = (graph.indptr, graph.indices, sources, targets)
        _advance(*links, dead, order, budget, float(due), ranks, *frontier, *rules)
        if counters[PAUSED] < 0:
            return order[: counters[DONE]]
        found, read = int(counters[FOUND]), int(counters[READ])
        ranks[:found] = pagerank(sources[:read], targets[:read], found, strategy.damping)
        counters[KNOWN] = found


KERNELS = {"pagerank": Kernel(_pagerank)}


@njit(cache=True, nogil=True)
def _enter(
    seeds: Ints,
    ranks: Floats,
    state: NDArray[np.int8],
    number: Ints,
    heap: Ints,
    score: Floats,
    tie: Floats,
    place: Ints,
    counters: NDArray[np.int64],
    tie_rule: int,
    lots: Floats,
) -> None:
    """Put the seeds, with equal ranks, into the frontier."""
    count = 0
    for page in seeds:
        if state[page] == UNSEEN:
            state[page] = WAITING
            number[page] = count
            push(heap, score, tie, place, count, page, np.inf, tie_key(tie_rule, count, lots))
            count += 1
    ranks[:count] = 1 / count
    counters[SIZE] = counters[FOUND] = counters[KNOWN] = count


@njit(cache=True, nogil=True)
def _advance(
    indptr: NDArray[np.int64],
    indices: Ints,
    sources: Ints,
    targets: Ints,
    dead: NDArray[np.bool_],
    order: Ints,
    budget: int,
    due: float,
    ranks: Floats,
    state: NDArray[np.int8],
    number: Ints,
    heap: Ints,
    score: Floats,
    tie: Floats,
    place: Ints,
    counters: NDArray[np.int64],
    tie_rule: int,
    again: int,
    lots: Floats,
) -> None:
    """Crawl until so many pages are fetched that PageRank is due, and go on from there when called again."""
    size, found, done, read, known, page = counters
    while True:
        if page < 0:
            if size == 0 or done == budget:
                break
            page = heap[0]
            size = drop_best(heap, score, tie, place, size)
            state[page] = POPPED
            if dead[page]:
                page = -1
                continue
            order[done] = page
            done += 1
            first, stop = indptr[page], indptr[page + 1]
            for link in range(first, stop):
                target = indices[link]
                if state[target] == UNSEEN:
                    state[target] = WAITING
                    number[target] = found
                    push(heap, score, tie, place, size, target, -np.inf, tie_key(tie_rule, found, lots))
                    size += 1
                    found += 1
                sources[read], targets[read] = number[page], number[target]
                read += 1
                if number[target] >= known:
                    ranks[number[target]] += ranks[number[page]] / (stop - first)
            if done >= due:
                break
            for link in range(first, stop):
                target = indices[link]
                if state[target] == WAITING:
                    old, value = score[place[target]], ranks[number[target]]
                    if old == -np.inf or takes(again, old, value):
                        rescore(heap, score, tie, place, size, target, value)
        else:  # ranks are new: they are the scores of all that wait, seeds excepted
            for at in range(size):
                if score[at] != np.inf:
                    score[at] = ranks[number[heap[at]]]
            heapify(heap, score, tie, place, size)
        page = -1
    counters[:] = np.array([size, found, done, read, known, page])
