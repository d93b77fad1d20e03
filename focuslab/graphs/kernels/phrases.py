"""Kernel of UCrawler: links by parent, anchor and URL, whose phrases are learned on the way."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.features.url_terms import MEASURES, UrlKnowledge
from focuslab.features.vectors import cosine, page_terms, terms
from focuslab.graphs.kernels.cash import COMPENSATED
from focuslab.graphs.kernels.frontier import NOBODY, REFUSED, Queue, enter_seeds, next_page, offer, trail
from focuslab.graphs.kernels.heap import Floats, Ints
from focuslab.graphs.kernels.kernel import Ground, Kernel, Words, fixed
from focuslab.types import Link, Page

Longs = NDArray[np.int64]
KNOWN, ALL, STRONGEST = range(len(MEASURES))
ABSENT = np.nan


class Base(NamedTuple):
    """A `UrlKnowledge` on numbers of phrases; what a thesaurus does not have is not a number."""

    starts: Longs
    phrases: Ints
    """Those of each page's address."""
    relevant: Floats
    irrelevant: Floats
    learning: Longs
    since: Longs
    """The order in which irrelevant phrases came."""
    measure: int
    eta: float
    occurrences: int
    least_weight: float
    drop_percent: float


def _ucrawler(strategy: Any, ground: Ground) -> Ints:
    limits = strategy.limits
    return _by_phrases(
        *ground.roads,
        fixed(ground.pages["content"]),
        fixed(ground.links["anchor_likeness"]),
        fixed(ground.graph.host),
        np.array(strategy.weights, np.float64),
        np.array(strategy.bonus, np.float64),
        np.array([limits.high, limits.low, limits.middle], np.float64),
        strategy.hub_threshold,
        strategy.update_every,
        strategy.feedback == "own",
        _base(strategy.knowledge_, ground.words["url_phrases"]),
        ground.start,
        ground.queue(),
    )


def _base(knowledge: UrlKnowledge, words: Words) -> Base:
    """The base by numbers: first the phrases of the web's addresses, then those only it knows."""
    numbers = {name: number for number, name in enumerate(words.names)}
    for phrase in (*knowledge.relevant, *knowledge.irrelevant):
        numbers.setdefault(phrase, len(numbers))
    since = np.zeros(len(numbers), np.int64)
    for place, phrase in enumerate(knowledge.irrelevant):
        since[numbers[phrase]] = place
    learning = np.zeros(len(numbers), np.int64)
    for phrase, count in knowledge.learning.items():
        learning[numbers[phrase]] = count
    ways = (_weights(knowledge.relevant, numbers), _weights(knowledge.irrelevant, numbers), learning, since)
    rules = knowledge.settings
    settings = (float(rules["eta"]), int(rules["occurrences"]), float(rules["least_weight"]))
    measure = list(MEASURES).index(rules["measure"])
    return Base(
        fixed(words.starts), fixed(words.numbers), *ways, measure, *settings, float(rules["drop_percent"])
    )


def _weights(thesaurus: Mapping[str, float], numbers: Mapping[str, int]) -> Floats:
    found = np.full(len(numbers), ABSENT)
    for phrase, weight in thesaurus.items():
        found[numbers[phrase]] = weight
    return found


def _content(strategy: Any, page: Page) -> float:
    return cosine(page_terms(page), strategy.content_)


def _anchor_likeness(strategy: Any, page: Page, link: Link) -> float:
    return cosine(terms(link.anchor, page.language), strategy.anchor_)


KERNELS = {
    "ucrawler": Kernel(
        _ucrawler,
        pages={"content": _content},
        links={"anchor_likeness": _anchor_likeness},
        words=("url_phrases",),
    )
}


@njit(cache=True, nogil=True)
def _sum(values: Floats) -> float:
    """As Python adds up floats."""
    high, low = 0.0, 0.0
    for x in values:
        both = high + x
        if COMPENSATED:
            low += (high - both) + x if abs(high) >= abs(x) else (x - both) + high
        high = both
    return high + low if low != 0 and math.isfinite(low) else high


@njit(cache=True, nogil=True)
def _relevance(base: Base, page: int) -> float:
    """What the phrases of an address say of it."""
    first, stop = base.starts[page], base.starts[page + 1]
    known, count = np.empty(stop - first, np.float64), 0
    for place in range(first, stop):
        phrase = base.phrases[place]
        has = not math.isnan(base.relevant[phrase])
        if has or not math.isnan(base.irrelevant[phrase]):
            known[count] = base.relevant[phrase] if has else 0.0
            count += 1
    if base.measure == STRONGEST:
        return known[:count].max() if count else 0.0
    shared_by = count if base.measure == KNOWN else stop - first
    return _sum(known[:count]) / shared_by if shared_by else 0.0


@njit(cache=True, nogil=True)
def _learn(base: Base, page: int, relevance: float, high: float, low: float, clock: int) -> int:
    """Take in how relevant an address turned out to be; the number of phrases that ever were irrelevant."""
    if relevance < high and relevance > low:
        return clock
    for place in range(base.starts[page], base.starts[page + 1]):
        phrase = base.phrases[place]
        weight, against = base.relevant[phrase], base.irrelevant[phrase]
        known = not math.isnan(weight)
        if relevance >= high:
            if not math.isnan(against):
                continue
            if known and base.learning[phrase] == 0:
                base.relevant[phrase] = (1 - base.eta) * weight + base.eta * relevance
                continue
            base.learning[phrase] += 1
            base.relevant[phrase] = min(1.0, (weight if known else 0.0) + relevance / base.occurrences)
            if base.learning[phrase] >= base.occurrences:
                base.learning[phrase] = 0
        elif known:
            base.relevant[phrase] = (1 - base.eta) * weight + base.eta * relevance
        elif math.isnan(against):
            base.irrelevant[phrase] = 0.0 + (1 - relevance)
            base.since[phrase] = clock
            clock += 1
        else:
            base.irrelevant[phrase] = against + (1 - relevance)
    return clock


@njit(cache=True, nogil=True)
def _update(base: Base) -> None:
    """Drop relevant phrases grown too light, and the lightest share of the irrelevant ones."""
    for phrase in range(len(base.relevant)):
        if base.relevant[phrase] < base.least_weight and base.learning[phrase] == 0:
            base.relevant[phrase] = ABSENT
    against = np.flatnonzero(~np.isnan(base.irrelevant))
    against = against[np.argsort(base.since[against])]
    lightest = against[np.argsort(base.irrelevant[against], kind="mergesort")]
    for phrase in lightest[: math.floor(base.drop_percent * len(against) / 100)]:
        base.irrelevant[phrase] = ABSENT


@njit(cache=True, nogil=True)
def _by_phrases(
    indptr: Longs,
    indices: Ints,
    content: Floats,
    anchor: Floats,
    host: Ints,
    weights: Floats,
    bonus: Floats,
    limits: Floats,
    hub_threshold: int,
    update_every: int,
    own_feedback: bool,
    base: Base,
    seeds: Ints,
    q: Queue,
) -> Ints:
    """Crawl and learn. Of a page that waits, the anchor and the relevance of the link that won are kept."""
    pages, most = len(indptr) - 1, 1
    for page in range(pages):
        most = max(most, indptr[page + 1] - indptr[page])
    alpha, beta, omega = weights
    high, low, theta = limits
    visited_hosts = np.zeros(host.max() + 1, np.bool_)
    anchor_of, predicted = np.zeros(pages, np.float64), np.full(pages, ABSENT)
    scores, added = np.empty(most, np.float64), np.empty(3, np.float64)
    clock, fetched = len(base.since), 0
    enter_seeds(q, seeds)
    while True:
        page = next_page(q)
        if page == NOBODY:
            return trail(q)
        visited_hosts[host[page]] = True
        first, stop = indptr[page], indptr[page + 1]
        hub_links = 0
        for link in range(first, stop):
            url = _relevance(base, indices[link])
            scores[link - first] = alpha * content[page] + beta * anchor[link] + omega * url
            hub_links += scores[link - first] >= theta
        for link in range(first, stop):
            target, score = indices[link], scores[link - first]
            added[0] = bonus[0] if hub_links > hub_threshold else 0.0
            added[1] = 0.0 if visited_hosts[host[target]] else bonus[1]
            added[2] = bonus[2] if score >= theta and host[target] != host[page] else 0.0
            if offer(q, target, score + _sum(added), q.depth[page] + 1) != REFUSED:
                anchor_of[target], predicted[target] = anchor[link], score
        found = predicted[page]
        if own_feedback:
            found = alpha * content[page] + beta * anchor_of[page] + omega * _relevance(base, page)
        if not math.isnan(found):
            clock = _learn(base, page, found, high, low, clock)
        fetched += 1
        if fetched % update_every == 0:
            _update(base)
