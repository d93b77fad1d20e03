"""Kernels of fish-search and shark-search: links with a depth of their own, and what they inherit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.features.vectors import cosine, terms
from focuslab.graphs.kernels.fixed_scores import page_cosine
from focuslab.graphs.kernels.frontier import NOBODY, REFUSED, Queue, enter_seeds, next_page, offer, trail
from focuslab.graphs.kernels.heap import Floats, Ints
from focuslab.graphs.kernels.kernel import Ground, Kernel, fixed
from focuslab.strategies.fish_search import mentions
from focuslab.types import Link, Page

UNKNOWN = -1
"""The depth of a link that no page has given one."""


def _shark(strategy: Any, ground: Ground) -> Ints:
    anchor, context = ground.links["anchor_cosine"], ground.links["context_cosine"]
    near = strategy.beta * anchor + (1 - strategy.beta) * np.where(anchor > 0, 1.0, context)
    fits, shares = fixed(ground.pages["cosine"]), (float(strategy.delta), float(strategy.gamma))
    way = (*ground.roads, fits, fixed(near), False)
    return _by_depth(*way, *shares, 0, 0, strategy.depth, ground.start, ground.queue())


def _fish(strategy: Any, ground: Ground) -> Ints:
    favoured = (math.floor(strategy.a * strategy.width), strategy.width)
    way = (*ground.roads, fixed(ground.pages["mentions"]), fixed(np.empty(0)), True)
    return _by_depth(*way, 0.0, 0.0, *favoured, strategy.depth, ground.start, ground.queue())


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
    q: Queue,
) -> Ints:
    """Crawl while depth lasts: a page that fits gives its links the full depth, another its own less one.

    Sharks hand down a score, which goes with the link that won the place in the frontier; fish favour the
    first links of a page.
    """
    pages = len(indptr) - 1
    left = np.full(pages, UNKNOWN, np.int64)
    inherited = np.ones(pages, np.float64)
    enter_seeds(q, seeds)
    while True:
        page = next_page(q)
        if page == NOBODY:
            return trail(q)
        depth = most if left[page] == UNKNOWN else left[page]
        if depth <= 0:
            continue
        fit = fits[page] > 0
        below = most if fit else depth - 1
        handed = delta * (fits[page] if fit else inherited[page])
        favoured = indptr[page] + (favoured_if_fits if fit else favoured_else)
        for link in range(indptr[page], indptr[page + 1]):
            target = indices[link]
            left[target] = max(below, left[target])
            if fish:
                value = (1.0 if fit else 0.5) if link < favoured else 0.0
            else:
                value = gamma * handed + (1 - gamma) * near[link]
            if offer(q, target, value, q.depth[page] + 1) != REFUSED:
                inherited[target] = handed
