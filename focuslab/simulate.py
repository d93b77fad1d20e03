"""Crawl a WebGraph with a compiled kernel: the same order as the crawl loop, hundreds of times faster.

Only steps 1, 6 and 7 of a crawl are left here: take the best link, score the links of its page, put them
into the frontier. The heap below serves every kernel; all of them live in this file because the compiler's
cache does not notice changes in other files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from focuslab.frontier import REDISCOVERIES, TIES

if TYPE_CHECKING:
    from focuslab.graph import WebGraph

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

FIFO, LIFO, RANDOM = range(3)
FIRST, MAX, LAST = range(3)
UNSEEN, WAITING, POPPED = range(3)
ARITY = 4  # children of a heap position: a flat heap moves less


def simulate(
    graph: WebGraph,
    scores: ArrayLike,
    seeds: Sequence[int] | Ints | None = None,
    *,
    per: str = "page",
    budget: int | None = None,
    tie: str = "fifo",
    rediscovery: str = "first",
    seed: int = 0,
    reach: int | None = None,
) -> Ints:
    """Crawl the graph and return the pages in the order they are visited.

    Parameters
    ----------
    graph : WebGraph
        The assessed web.
    scores : array
        What a link is worth: one number per page, given to all its links (``per="page"``), or one per
        link in the order of ``graph.indices`` (``per="link"``).
    seeds : pages, optional
        Where to start, before everything else; the graph's own by default.
    budget : int, optional
        Stop after so many pages; None: when no link waits.
    tie, rediscovery : str
        The rules of `focuslab.frontier.Frontier`.
    seed : int
        Of the lots of ``tie="random"``, drawn as `focuslab.crawl.crawl` draws them. Links that lead
        to no page of the graph draw none here, so with dead links the two draw different lots.
    reach : int, optional
        How many pages the seeds can reach, where that is known: once all are found, links need no
        more reading. Without it, all pages of the graph are expected.

    Examples
    --------
    ``simulate(graph, graph.relevance)`` is best-first, ``simulate(graph, np.zeros(len(graph)))``
    breadth-first.
    """
    value = _scores(graph, scores, per)
    start = _seeds(graph, seeds)
    tie_rule, again = _rule("tie", tie, TIES), _rule("rediscovery", rediscovery, REDISCOVERIES)
    pages = len(graph) if reach is None else reach
    most = len(graph) if budget is None else max(0, min(budget, len(graph)))
    if per == "page" and again == FIRST and tie_rule != RANDOM:
        return _crawl_by_block(graph.indptr, graph.indices, value, start, most, pages, tie_rule == LIFO)
    lots = np.random.default_rng(seed).spawn(2)[1].random(len(graph) if tie_rule == RANDOM else 0)
    return _crawl_by_link(
        graph.indptr, graph.indices, value, per == "link", start, most, tie_rule, again, lots
    )


def _scores(graph: WebGraph, scores: ArrayLike, per: str) -> Floats:
    value = np.ascontiguousarray(scores, dtype=np.float64)
    expected = {"page": len(graph), "link": graph.links}
    if per not in expected:
        raise ValueError(f"no scores per {per!r}; try page, link")
    if value.shape != (expected[per],):
        raise ValueError(f"scores have shape {value.shape}; give one per {per}, {expected[per]} in all")
    if np.isnan(value).any():
        raise ValueError(f"the score of {per} {np.isnan(value).argmax()} is not a number; give finite scores")
    frozen = value.view()
    frozen.flags.writeable = False  # one type of array for the compiler, wherever the scores are from
    return frozen


def _seeds(graph: WebGraph, seeds: Sequence[int] | Ints | None) -> Ints:
    start = np.array(graph.seeds if seeds is None else seeds, dtype=np.int32)
    if not len(start):
        raise ValueError("no seeds; give page numbers, such as graph.find(topic.seeds), to start from")
    if start.min() < 0 or start.max() >= len(graph):
        raise ValueError(f"seeds must be pages 0 to {len(graph) - 1}; -1 stands for a URL not in the graph")
    return start


def _rule(name: str, value: str, known: tuple[str, ...]) -> int:
    if value not in known:
        raise ValueError(f"no {name} named {value!r}; try {', '.join(known)}")
    return known.index(value)


# The heap: position i holds the entry heap[i], its score score[i] and its tie key tie[i], side by side, for
# comparing neighbours is what a heap does most; place[entry] is the position of an entry.


@njit(cache=True, nogil=True)
def sift_up(heap: Ints, score: Floats, tie: Floats, place: Ints, at: int) -> int:
    """Move the entry at a position up to where it belongs; return that position."""
    entry, value, key = heap[at], score[at], tie[at]
    while at > 0:
        parent = (at - 1) // ARITY
        if value < score[parent] or (value == score[parent] and key >= tie[parent]):
            break
        _set(heap, score, tie, place, at, heap[parent], score[parent], tie[parent])
        at = parent
    _set(heap, score, tie, place, at, entry, value, key)
    return at


@njit(cache=True, nogil=True)
def sift_down(heap: Ints, score: Floats, tie: Floats, place: Ints, size: int, at: int) -> None:
    """Move the entry at a position down to where it belongs."""
    entry, value, key = heap[at], score[at], tie[at]
    while ARITY * at + 1 < size:
        best = ARITY * at + 1
        for child in range(best + 1, min(best + ARITY, size)):
            if score[child] > score[best] or (score[child] == score[best] and tie[child] < tie[best]):
                best = child
        if value > score[best] or (value == score[best] and key < tie[best]):
            break
        _set(heap, score, tie, place, at, heap[best], score[best], tie[best])
        at = best
    _set(heap, score, tie, place, at, entry, value, key)


@njit(cache=True, nogil=True)
def push(
    heap: Ints, score: Floats, tie: Floats, place: Ints, size: int, entry: int, value: float, key: float
) -> int:
    """Add an entry; return the new size."""
    _set(heap, score, tie, place, size, entry, value, key)
    sift_up(heap, score, tie, place, size)
    return size + 1


@njit(cache=True, nogil=True)
def drop_best(heap: Ints, score: Floats, tie: Floats, place: Ints, size: int) -> int:
    """Remove the best entry, ``heap[0]``; return the new size."""
    size -= 1
    _set(heap, score, tie, place, 0, heap[size], score[size], tie[size])
    sift_down(heap, score, tie, place, size, 0)
    return size


@njit(cache=True, nogil=True)
def rescore(heap: Ints, score: Floats, tie: Floats, place: Ints, size: int, entry: int, value: float) -> None:
    """Give a waiting entry another score, in place: nothing stale is left behind."""
    score[place[entry]] = value
    at = sift_up(heap, score, tie, place, place[entry])
    sift_down(heap, score, tie, place, size, at)


@njit(cache=True, nogil=True, inline="always")
def _set(
    heap: Ints, score: Floats, tie: Floats, place: Ints, at: int, entry: int, value: float, key: float
) -> None:
    heap[at], score[at], tie[at] = entry, value, key
    place[entry] = at


@njit(cache=True, nogil=True)
def _crawl_by_block(
    indptr: NDArray[np.int64],
    indices: Ints,
    page_score: Floats,
    seeds: Ints,
    budget: int,
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
def _crawl_by_link(
    indptr: NDArray[np.int64],
    indices: Ints,
    scores: Floats,
    by_link: bool,
    seeds: Ints,
    budget: int,
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
    size, count, done = 0, 0, 0
    for page in seeds:
        if state[page] == UNSEEN:
            state[page] = WAITING
            key = _tie_key(tie_rule, count, lots)
            size = push(heap, score, tie, place, size, page, np.inf, key)
            count += 1
    while size > 0 and done < budget:
        page = heap[0]
        size = drop_best(heap, score, tie, place, size)
        state[page] = POPPED
        order[done] = page
        done += 1
        for link in range(indptr[page], indptr[page + 1]):
            target = indices[link]
            value = scores[link] if by_link else scores[page]
            if state[target] == UNSEEN:
                state[target] = WAITING
                key = _tie_key(tie_rule, count, lots)
                size = push(heap, score, tie, place, size, target, value, key)
                count += 1
            elif again != FIRST and state[target] == WAITING and _takes(again, score[place[target]], value):
                rescore(heap, score, tie, place, size, target, value)
    return order[:done]


@njit(cache=True, nogil=True)
def _tie_key(rule: int, count: int, lots: Floats) -> float:
    if rule == RANDOM:
        return lots[count]
    return float(count) if rule == FIFO else -float(count)


@njit(cache=True, nogil=True)
def _takes(again: int, old: float, new: float) -> bool:
    """Whether a waiting link takes the new score; seeds, at infinity, never do."""
    if np.isinf(old):
        return False
    return new > old if again == MAX else new != old
