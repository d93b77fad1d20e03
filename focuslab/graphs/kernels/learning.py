"""Kernel of the adaptive crawler: its own arithmetic, with page numbers in the place of addresses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.features.link_records import CODES, LINK, RECORD
from focuslab.features.link_signals import Floats, Records, add, credit, find
from focuslab.features.link_words import LONGEST
from focuslab.features.passages import MOST, reading
from focuslab.features.url_terms import url_phrases
from focuslab.graphs.kernels.fixed_scores import context_relevance
from focuslab.graphs.kernels.frontier import (
    NOBODY,
    WAITING,
    Queue,
    enter_seeds,
    next_page,
    offer,
    rescore,
    trail,
)
from focuslab.graphs.kernels.heap import Ints
from focuslab.graphs.kernels.kernel import Ground, Kernel, fixed
from focuslab.strategies._learning import Mind, score, scores, teach, teach_again
from focuslab.strategies.adaptive import HINDSIGHT_NOISE, NOISE, mind
from focuslab.types import Link, Page

Longs = NDArray[np.int64]


def _adaptive(strategy: Any, ground: Ground) -> Ints:
    graph, words = ground.graph, ground.words["link_words"]
    codes = np.array([*[CODES.get(genre, len(CODES)) for genre in graph.genres], len(CODES)])
    return _by_learning(
        *ground.roads,
        fixed(ground.pages["reading"]),
        fixed(ground.links["context"]),
        fixed(ground.links["anchor"]),
        fixed(ground.links["phrases"]),
        fixed(words.starts),
        fixed(words.numbers),
        "words" not in strategy.without,
        fixed(graph.relevant),
        fixed(codes[graph.genre]),  # no genre, -1, reads the last place
        fixed(graph.host),
        strategy.review,
        strategy.hindsight,
        mind(strategy, _tables(strategy, len(graph), len(graph.hosts)), strategy.model_.belief),
        ground.start,
        ground.queue(),
    )


def _tables(strategy: Any, pages: int, hosts: int) -> Records:
    """Empty records with room for all pages."""
    start = strategy.records_.tables
    return Records(np.zeros(pages, LINK), np.zeros(pages, RECORD), np.zeros(hosts, RECORD), *start[3:])


def _reading(strategy: Any, page: Page) -> float:
    return reading(strategy.assessor, page)


def _anchor(strategy: Any, page: Page, link: Link) -> float:
    return float(strategy.assessor.score_text(link.anchor, page.language))


def _phrases(strategy: Any, page: Page, link: Link) -> float:
    return float(strategy.assessor.score_text(" ".join(url_phrases(link.url)), page.language))


KERNELS = {
    "adaptive": Kernel(
        _adaptive,
        pages={"reading": _reading},
        links={"context": context_relevance, "anchor": _anchor, "phrases": _phrases},
        words=("link_words",),
    )
}


@njit(cache=True, nogil=True)
def _log_odds(probability: float) -> float:
    """`focuslab.features.passages.log_odds`."""
    odds = math.log(max(probability, 1e-300)) - math.log(max(1 - probability, 1e-16))
    return min(MOST, max(-MOST, odds))


@njit(cache=True, nogil=True)
def _read_words(starts: Longs, numbers: NDArray[np.uint16], link: int, into: Ints) -> None:
    into[:] = 0
    for place in range(starts[link], starts[link + 1]):
        into[place - starts[link]] = numbers[place]


@njit(cache=True, nogil=True)
def _by_learning(
    indptr: Longs,
    indices: Ints,
    reads: Floats,
    context: Floats,
    anchor: Floats,
    phrases: Floats,
    starts: Longs,
    numbers: NDArray[np.uint16],
    by_words: bool,
    relevant: NDArray[np.bool_],
    genre: Longs,
    host: Ints,
    review: int,
    hindsight: int,
    mind: Mind,
    seeds: Ints,
    q: Queue,
) -> Ints:
    """Crawl and learn. A link's record is in the row of its discovery, a page's in that of its visit."""
    records, links = mind.records, mind.records.links
    pages, most = len(indptr) - 1, 1
    for page in range(pages):
        most = max(most, indptr[page + 1] - indptr[page])
    row_of, page_of = np.full(pages, NOBODY, np.int64), np.empty(pages, np.int64)
    chosen, rows, new = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.bool_)
    evidence, words = np.empty((most, 3), np.float64), np.zeros((most, LONGEST), np.int32)
    parts, values = (
        np.empty((max(most, review), mind.terms), np.float64),
        np.empty(max(most, review), np.float64),
    )
    turn = np.empty(review, np.int64)
    heard, visited, next_row = 0, 0, 0
    enter_seeds(q, seeds)
    while True:
        page = next_page(q)
        if page == NOBODY:
            return trail(q)
        if row_of[page] == NOBODY:
            row_of[page], page_of[heard] = heard, page
            heard += 1
        row = row_of[page]
        links[row].fetched, links[row].outcome = True, reads[page]
        if links[row].times > 0:
            surprise = teach(mind, row, links[row].words, NOISE)
            credit(records, row, relevant[page], surprise)
        records.pages[visited].kind[0], records.pages[visited].kind[1] = int(relevant[page]), genre[page]
        add(records.page_scale, reads[page : page + 1])
        for again in range(2):  # first the links to pages fetched before, then the others
            count = 0
            for link in range(indptr[page], indptr[page + 1]):
                target = indices[link]
                known = row_of[target] != NOBODY and links[row_of[target]].fetched
                if known == (again == 0) and (again == 1 or count < hindsight):
                    if row_of[target] == NOBODY:
                        row_of[target], page_of[heard] = heard, target
                        heard += 1
                    chosen[count], rows[count] = link, row_of[target]
                    evidence[count, 0] = reads[page]
                    evidence[count, 1], evidence[count, 2] = _log_odds(context[link]), _log_odds(anchor[link])
                    count += 1
            if count == 0:
                continue
            find(records, rows[:count], visited, evidence[:count], float(q.depth[page] + 1), new[:count])
            for i in range(count):
                if by_words:
                    _read_words(starts, numbers, chosen[i], words[i])
                if new[i]:
                    links[rows[i]].host = host[page_of[rows[i]]]
                    links[rows[i]].url = _log_odds(phrases[chosen[i]])
                    for place in range(LONGEST):
                        links[rows[i]].words[place] = words[i, place]
            if again == 0:
                teach_again(mind, rows[:count], words[:count], HINDSIGHT_NOISE)
                continue
            scores(mind, rows[:count], parts[:count], values[:count])
            for i in range(count):
                offer(q, page_of[rows[i]], values[i], q.depth[page] + 1)
        visited += 1
        turns = min(review, heard)
        for i in range(turns):
            turn[i] = (next_row + i) % heard
        next_row = (next_row + turns) % heard
        for i in range(turns):
            target = page_of[turn[i]]
            if not links[turn[i]].fetched and q.state[target] == WAITING:
                rescore(q, target, score(mind, turn[i], links[turn[i]].words, parts[0]))
