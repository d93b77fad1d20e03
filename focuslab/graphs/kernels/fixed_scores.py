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
from focuslab.graphs.kernels.frontier import (
    FIRST,
    LIFO,
    NOBODY,
    RANDOM,
    Queue,
    enter_seeds,
    next_page,
    offer,
    trail,
)
from focuslab.graphs.kernels.heap import Floats, Heap, Ints, drop_best, new_heap, push
from focuslab.graphs.kernels.kernel import Ground, Kernel, fixed
from focuslab.strategies.genre_enhanced import genre_score
from focuslab.types import Link, Page

PER_PAGE, PER_LINK, AS_READ = range(3)
EVERY = fixed(np.empty(0, np.bool_))
"""The links of every page are followed."""


def by_page(ground: Ground, value: Floats) -> Ints:
    """Crawl with one score per page, given to all its links."""
    rules = ground.rules
    if rules.again == FIRST and rules.tie != RANDOM and rules.plain:
        newest_first, most = rules.tie == LIFO, len(ground.graph) + 1
        room = new_heap(most, most)
        return _by_block(
            *ground.roads,
            fixed(value),
            ground.start,
            ground.budget,
            ground.dead,
            ground.reach,
            newest_first,
            room,
        )
    return _by_link(*ground.roads, fixed(value), PER_PAGE, EVERY, ground.start, ground.queue())


def by_link(ground: Ground, value: Floats, follows: NDArray[np.bool_] = EVERY) -> Ints:
    """Crawl with one score per link, in the order of ``graph.indices``."""
    return _by_link(*ground.roads, fixed(value), PER_LINK, fixed(follows), ground.start, ground.queue())


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
    lots = fixed(ground.chance.random(ground.graph.links))
    return _by_link(*ground.roads, lots, AS_READ, EVERY, ground.start, ground.queue())


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
    blocks: Heap,
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
    tried = np.empty(pages, np.int32)
    start, stop = np.zeros(pages + 1, np.int32), np.zeros(pages + 1, np.int32)
    count = len(seeds)
    found[:count] = seeds
    for page in seeds:
        seen[page] = True
    stop[0] = count
    size = push(blocks, 0, 0, 0, np.inf, 0.0)
    done, tries = 0, 0
    while size > 0 and done < budget:
        block = blocks.entry[0]
        if newest_first:
            stop[block] -= 1
            page = found[stop[block]]
        else:
            page = found[start[block]]
            start[block] += 1
        if start[block] == stop[block]:
            size = drop_best(blocks, 0, size)
        tried[tries] = ~page if dead[page] else page
        tries += 1
        if dead[page]:
            continue
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
        if start[done] < count:
            key = -float(done) if newest_first else float(done)
            size = push(blocks, 0, size, done, page_score[page], key)
    return tried[:tries]


@njit(cache=True, nogil=True)
def _by_link(
    indptr: NDArray[np.int64],
    indices: Ints,
    scores: Floats,
    per: int,
    follows: NDArray[np.bool_],
    seeds: Ints,
    q: Queue,
) -> Ints:
    """Crawl with one heap entry per waiting page, by all rules; ``follows``: whose links count."""
    read = 0
    enter_seeds(q, seeds)
    while True:
        page = next_page(q)
        if page == NOBODY:
            return trail(q)
        if len(follows) and not follows[page]:
            continue
        depth = q.depth[page] + 1
        for link in range(indptr[page], indptr[page + 1]):
            value = scores[page] if per == PER_PAGE else scores[link if per == PER_LINK else read]
            read += 1
            offer(q, indices[link], value, depth)
