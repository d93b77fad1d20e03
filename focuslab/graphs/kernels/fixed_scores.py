"""Kernels of strategies whose links have a score once and for all: one per page, or one per link."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.features.link_context import blend
from focuslab.features.pig import PigTable
from focuslab.features.vectors import cosine, page_terms
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.kernels.heap import Floats, Ints, drop_best, push, rescore
from focuslab.graphs.kernels.kernel import (
    FIRST,
    LIFO,
    POPPED,
    RANDOM,
    UNSEEN,
    WAITING,
    Ground,
    Kernel,
    fixed,
    takes,
    tie_key,
)
from focuslab.strategies.genre_enhanced import genre_score
from focuslab.types import Link, Page

PER_PAGE, PER_LINK, AS_READ = range(3)


def by_page(ground: Ground, value: Floats) -> Ints:
    """Crawl with one score per page, given to all its links."""
    graph = ground.graph
    if ground.again == FIRST and ground.tie != RANDOM:
        newest_first = ground.tie == LIFO
        links = (graph.indptr, graph.indices, fixed(value))
        start, dead = fixed(ground.seeds), ground.dead
        return _by_block(*links, start, ground.budget, dead, ground.reach, newest_first)
    return _by_link(graph.indptr, graph.indices, fixed(value), PER_PAGE, *ground.rules)


def by_link(ground: Ground, value: Floats) -> Ints:
    """Crawl with one score per link, in the order of ``graph.indices``."""
    return _by_link(ground.graph.indptr, ground.graph.indices, fixed(value), PER_LINK, *ground.rules)


def page_scores(graph: WebGraph, pig: PigTable, w_r: float) -> NDArray[np.float64]:
    """S of the genre-enhanced crawler for every page of a graph."""
    table = pig.matrix(graph.genres)
    found = table[graph.relevant.astype(np.intp), graph.genre]  # genre -1 reads the last column: no genre
    return genre_score(w_r, graph.relevance, graph.confidence, found)


def sources(graph: WebGraph) -> NDArray[np.int64]:
    """The page that each link stands on."""
    return np.repeat(np.arange(len(graph)), np.diff(graph.indptr))


def predicted(graph: WebGraph, context: Floats, beta: float) -> Floats:
    """The relevance that each link promises, from its page and the words around it."""
    return np.asarray(blend(graph.relevance[sources(graph)], context, beta))  # type: ignore[arg-type]


def page_cosine(strategy: Any, page: Page) -> float:
    """How close a page is to the strategy's topic vector."""
    return cosine(page_terms(page), strategy.query_)


def context_relevance(strategy: Any, page: Page, link: Link) -> float:
    """What the classifiers say of the words around a link."""
    return float(strategy.assessor.score_text(link.context, page.language))


def _oracle(strategy: Any, ground: Ground) -> Ints:
    graph = ground.graph
    truth = np.fromiter(map(strategy.truth, graph.urls), np.bool_, len(graph))
    behind = np.where(truth, 0.5, 0.0)[sources(graph)]
    return by_link(ground, np.where(truth[graph.indices], 1.0, behind))


def _random(strategy: Any, ground: Ground) -> Ints:
    """Links draw their lots as their pages are read, so the lots are one row in that order."""
    graph = ground.graph
    return _by_link(
        graph.indptr, graph.indices, fixed(ground.chance.random(graph.links)), AS_READ, *ground.rules
    )


def _link_context(strategy: Any, ground: Ground) -> Ints:
    return by_link(ground, predicted(ground.graph, ground.links["context"], strategy.beta))


KERNELS = {
    "breadth_first": Kernel(lambda strategy, ground: by_page(ground, np.zeros(len(ground.graph)))),
    "best_first": Kernel(lambda strategy, ground: by_page(ground, ground.graph.relevance)),
    "genre_enhanced": Kernel(
        lambda strategy, ground: by_page(ground, page_scores(ground.graph, strategy.pig, strategy.w_r))
    ),
    "cosine_best_first": Kernel(
        lambda strategy, ground: by_page(ground, ground.pages["cosine"]), pages={"cosine": page_cosine}
    ),
    "link_context": Kernel(_link_context, links={"context": context_relevance}),
    "oracle": Kernel(_oracle),
    "random": Kernel(_random),
}


@njit(cache=True, nogil=True)
def _by_block(
    indptr: NDArray[np.int64],
    indices: Ints,
    page_score: Floats,
    seeds: Ints,
    budget: int,
    dead: NDArray[np.bool_],
    reach: int,
    newest_first: bool,
) -> Ints:
    """Crawl when all links of a page share one score and a link keeps its first score.

    The links a page is the first to show are then a block: consecutive in the order of discovery, and
    equal in score. So the frontier is a heap of blocks, each read from its start (FIFO) or its end
    (LIFO), instead of a heap of links. Block 0 holds the seeds, block k what the k-th page showed first;
    among equal scores the earlier block has the earlier links, which makes the order the same.
    """
    pages = len(indptr) - 1
    found = np.empty(pages, np.int32)  # pages in the order of discovery
    seen = np.zeros(pages, np.bool_)
    order = np.empty(budget, np.int32)
    start, stop = np.zeros(pages + 1, np.int32), np.zeros(pages + 1, np.int32)
    heap, place = np.empty(pages + 1, np.int32), np.empty(pages + 1, np.int32)
    score, tie = np.empty(pages + 1, np.float64), np.empty(pages + 1, np.float64)
    count = 0
    for page in seeds:
        if not seen[page]:
            seen[page] = True
            found[count] = page
            count += 1
    stop[0] = count
    size = push(heap, score, tie, place, 0, 0, np.inf, 0.0)
    done = 0
    while size > 0 and done < budget:
        block = heap[0]
        if newest_first:
            stop[block] -= 1
            page = found[stop[block]]
        else:
            page = found[start[block]]
            start[block] += 1
        if dead[page]:
            if start[block] == stop[block]:
                size = drop_best(heap, score, tie, place, size)
            continue
        order[done] = page
        done += 1
        start[done] = count
        if count < reach:
            for link in range(indptr[page], indptr[page + 1]):
                target = indices[link]
                if not seen[target]:
                    seen[target] = True
                    found[count] = target
                    count += 1
        stop[done] = count
        if start[block] == stop[block]:
            size = drop_best(heap, score, tie, place, size)
        if start[done] < count:
            key = -float(done) if newest_first else float(done)
            size = push(heap, score, tie, place, size, done, page_score[page], key)
    return order[:done]


@njit(cache=True, nogil=True)
def _by_link(
    indptr: NDArray[np.int64],
    indices: Ints,
    scores: Floats,
    per: int,
    seeds: Ints,
    budget: int,
    dead: NDArray[np.bool_],
    tie_rule: int,
    again: int,
    lots: Floats,
) -> Ints:
    """Crawl with one heap entry per waiting page, for every tie and rediscovery rule."""
    pages = len(indptr) - 1
    state = np.full(pages, UNSEEN, np.int8)
    order = np.empty(budget, np.int32)
    heap, place = np.empty(pages, np.int32), np.empty(pages, np.int32)
    score, tie = np.empty(pages, np.float64), np.empty(pages, np.float64)
    size, count, done, read = 0, 0, 0, 0
    for page in seeds:
        if state[page] == UNSEEN:
            state[page] = WAITING
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
        for link in range(indptr[page], indptr[page + 1]):
            target = indices[link]
            value = scores[page] if per == PER_PAGE else scores[link if per == PER_LINK else read]
            read += 1
            if state[target] == UNSEEN:
                state[target] = WAITING
                size = push(heap, score, tie, place, size, target, value, tie_key(tie_rule, count, lots))
                count += 1
            elif state[target] == WAITING and takes(again, score[place[target]], value):
                rescore(heap, score, tie, place, size, target, value)
    return order[:done]
