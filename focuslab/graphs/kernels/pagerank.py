"""Kernel of PageRank order: compiled between two computations of PageRank, which are the strategy's own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.graphs.kernels.frontier import (
    FETCHED,
    NOBODY,
    Queue,
    enter_seeds,
    next_page,
    offer,
    rescore_all,
    trail,
)
from focuslab.graphs.kernels.heap import Floats, Ints
from focuslab.graphs.kernels.kernel import Ground, Kernel
from focuslab.strategies.pagerank import pagerank

HEARD, READ, KNOWN, PAUSED = range(4)
"""Places in the memory of a crawl: pages heard of, links read, pages with a true rank, and the page (or -1)
whose links wait for a computation."""


def _pagerank(strategy: Any, ground: Ground) -> Ints:
    graph, q = ground.graph, ground.queue()
    ranks, number = np.zeros(len(graph)), np.full(len(graph), -1, np.int32)
    sources, targets = np.empty(graph.links, np.int32), np.empty(graph.links, np.int32)
    memory = np.array([0, 0, 0, NOBODY])
    _enter(ground.start, ranks, number, memory, q)
    while True:
        fetched = int(q.counts[FETCHED])
        due = float(fetched + max(strategy.every, strategy.growth * fetched))
        _advance(*ground.roads, sources, targets, due, ranks, number, memory, q)
        if memory[PAUSED] == NOBODY:
            return trail(q)
        heard, read = int(memory[HEARD]), int(memory[READ])
        ranks[:heard] = pagerank(sources[:read], targets[:read], heard, strategy.damping)
        memory[KNOWN] = heard


KERNELS = {"pagerank": Kernel(_pagerank)}


@njit(cache=True, nogil=True)
def _enter(seeds: Ints, ranks: Floats, number: Ints, memory: NDArray[np.int64], q: Queue) -> None:
    """Put the seeds, with equal ranks, into the frontier."""
    enter_seeds(q, seeds)
    for place, page in enumerate(seeds):
        number[page] = place
        ranks[place] = 1 / len(seeds)
    memory[HEARD] = memory[KNOWN] = len(seeds)


@njit(cache=True, nogil=True)
def _advance(
    indptr: NDArray[np.int64],
    indices: Ints,
    sources: Ints,
    targets: Ints,
    due: float,
    ranks: Floats,
    number: Ints,
    memory: NDArray[np.int64],
    q: Queue,
) -> None:
    """Crawl until so many pages are fetched that PageRank is due, and go on from there when called again.

    ``ranks`` are by the order in which pages were heard of, which ``number`` tells.
    """
    heard, read, known, paused = memory
    while True:
        page = paused if paused != NOBODY else next_page(q)
        if page == NOBODY:
            break
        first, stop = indptr[page], indptr[page + 1]
        if paused == NOBODY:
            for link in range(first, stop):
                target = indices[link]
                if number[target] < 0:
                    number[target] = heard
                    heard += 1
                sources[read], targets[read] = number[page], number[target]
                read += 1
                if number[target] >= known:
                    ranks[number[target]] += ranks[number[page]] / (stop - first)
            if q.counts[FETCHED] >= due:
                paused = page
                break
        for link in range(first, stop):
            offer(q, indices[link], ranks[number[indices[link]]], q.depth[page] + 1)
        if paused != NOBODY:  # ranks are new: they are the scores of all that wait, seeds excepted
            rescore_all(q, ranks, number)
            paused = NOBODY
    memory[:] = np.array([heard, read, known, paused])
