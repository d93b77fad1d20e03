"""Kernels of fish-search and shark-search: links with a depth of their own, and what they inherit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.features.vectors import cosine, terms
from focuslab.graphs.kernels.fixed_scores import page_cosine
from focuslab.graphs.kernels.heap import Floats, Ints, drop_best, push, rescore
from focuslab.graphs.kernels.kernel import POPPED, UNSEEN, WAITING, Ground, Kernel, fixed, takes, tie_key
from focuslab.strategies.fish_search import mentions
from focuslab.types import Link, Page

UNKNOWN = -1
"""The depth of a link that no page has given one."""


def _shark(strategy: Any, ground: Ground) -> Ints:
    anchor, context = ground.links["anchor_cosine"], ground.links["context_cosine"]
    near = strategy.beta * anchor + (1 - strategy.beta) * np.where(anchor > 0, 1.0, context)
    graph, shares = ground.graph, (float(strategy.delta), float(strategy.gamma))
    fits, near = fixed(ground.pages["cosine"]), fixed(near)
    return _by_depth(
        graph.indptr, graph.indices, fits, near, False, *shares, 0, 0, strategy.depth, *ground.rules
    )


def _fish(strategy: Any, ground: Ground) -> Ints:
    graph, fits, none = ground.graph, fixed(ground.pages["mentions"]), fixed(np.empty(0))
    favoured = (math.floor(strategy.a * strategy.width), strategy.width)
    return _by_depth(
        graph.indptr, graph.indices, fits, none, True, 0.0, 0.0, *favoured, strategy.depth, *ground.rules
    )


def _mentions(strategy: Any, page: Page) -> float:
    return float(mentions(f"{page.title} {page.text}", strategy.keywords_))


def _anchor_cosine(strategy: Any, page: Page, link: Link) -> float:
    return cosine(terms(link.anchor, page.language), strategy.query_)


def _context_cosine(strategy: Any, page: Page, link: Link) -> float:
    return cosine(terms(link.context, page.language), strategy.query_)


KERNELS = {
    "shark_search": Kernel(
        _shark,
        pages={"cosine": page_cosine},
        links={"anchor_cosine": _anchor_cosine, "context_cosine": _context_cosine},
    ),
    "fish_search": Kernel(_fish, pages={"mentions": _mentions}),
}


@njit(cache=True, nogil=True)
def _by_depth(
    indptr: NDArray[np.int64],
    indices: Ints,
    fits: Floats,
    near: Floats,
    fish: bool,
    delta: float,
    gamma: float,
    favoured_if_fits: int,
    favoured_else: int,
    most: int,
    seeds: Ints,
    budget: int,
    dead: NDArray[np.bool_],
    tie_rule: int,
    again: int,
    lots: Floats,
) -> Ints:
    """Crawl while depth lasts: a page that fits gives its links the full depth, another its own less one.

    Sharks hand down a score, which goes with the link that won the place in the frontier; fish favour the
    first links of a page.
    """
    pages = len(indptr) - 1
    state = np.full(pages, UNSEEN, np.int8)
    depth = np.full(pages, UNKNOWN, np.int64)
    inherited = np.ones(pages, np.float64)
    order = np.empty(budget, np.int32)
    heap, place = np.empty(pages, np.int32), np.empty(pages, np.int32)
    score, tie = np.empty(pages, np.float64), np.empty(pages, np.float64)
    size, count, done = 0, 0, 0
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
        left = most if depth[page] == UNKNOWN else depth[page]
        if left <= 0:
            continue
        fit = fits[page] > 0
        below = most if fit else left - 1
        handed = delta * (fits[page] if fit else inherited[page])
        favoured = indptr[page] + (favoured_if_fits if fit else favoured_else)
        for link in range(indptr[page], indptr[page + 1]):
            target = indices[link]
            depth[target] = max(below, depth[target])
            if fish:
                value = (1.0 if fit else 0.5) if link < favoured else 0.0
            else:
                value = gamma * handed + (1 - gamma) * near[link]
            if state[target] == UNSEEN:
                state[target] = WAITING
                inherited[target] = handed
                size = push(heap, score, tie, place, size, target, value, tie_key(tie_rule, count, lots))
                count += 1
            elif state[target] == WAITING and takes(again, score[place[target]], value):
                inherited[target] = handed
                rescore(heap, score, tie, place, size, target, value)
    return order[:done]
