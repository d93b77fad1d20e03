"""The frontier of every kernel: `focuslab.crawling.frontier.Frontier` on page numbers, with all of its rules.

Pages wait in one heap, or, where hosts are to lie apart, in one heap for each site, under a heap of the sites
that do not rest. A crawl takes pages by `next_page`, which also passes dead addresses by and minds the caps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.crawling.frontier import REDISCOVERIES, TIES, Frontier
from focuslab.graphs.kernels import heap as heaps
from focuslab.graphs.kernels.heap import Floats, Heap, Ints, drop_best, heapify, inner, new_heap, push

FIFO, LIFO, RANDOM = range(len(TIES))
FIRST, MAX, LAST = range(len(REDISCOVERIES))
UNSEEN, WAITING, POPPED = range(3)
REFUSED, NEW, TAKEN = range(3)
"""What becomes of an offer: nothing; a page enters; a page that waits takes another score."""
TRIED, FETCHED, FOUND, SITES, RESTS = range(5)
"""Places in the counts of a crawl: pages tried, those that came, those found, sites awake, rests."""
NOBODY = -1
ENDLESS = np.iinfo(np.int32).max
Longs = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Rules(NamedTuple):
    """The settings of a Frontier, as numbers."""

    tie: int
    again: int
    apart: int
    deepest: int
    site_cap: int
    domain_cap: int
    by_domain: bool
    """Whether a site is a domain."""

    @classmethod
    def of(cls, **settings: object) -> Rules:
        """The rules of the Frontier with these settings."""
        given = Frontier(rng=np.random.default_rng(0), **settings)  # type: ignore[arg-type]
        caps = (given.max_depth, given.host_cap, given.domain_cap)
        deepest, site_cap, domain_cap = (ENDLESS if cap is None else cap for cap in caps)
        tie, again = TIES.index(given.tie), REDISCOVERIES.index(given.rediscovery)
        return cls(tie, again, given.hosts_apart, deepest, site_cap, domain_cap, given.site == "domain")

    @property
    def plain(self) -> bool:
        """Whether pages are given out by score alone."""
        return self.apart == 1 and (self.deepest, self.site_cap, self.domain_cap) == (ENDLESS,) * 3

    @property
    def name_sites(self) -> bool:
        """Whether it matters which site a page is on."""
        return self.apart > 1 or min(self.site_cap, self.domain_cap) < ENDLESS


class Queue(NamedTuple):
    """A frontier under way: rules, pages, and what was popped."""

    rules: Rules
    budget: int
    lots: Floats
    dead: Flags
    waiting: Heap
    state: NDArray[np.int8]
    depth: Ints
    trail: Ints
    counts: Longs
    site: Ints
    """Of each page; empty where it does not matter."""
    domain: Ints
    base: Longs
    """Where the heap of each site starts."""
    size: Longs
    best: Heap
    """The sites that do not rest and have pages, by the best page of each."""
    recent: Ints
    """The sites of the latest pops, round and round."""
    rested: Longs
    """The number of the latest rest of each site."""
    resting: Ints
    """How often each site is among the recent."""
    on_site: Ints
    on_domain: Ints
    forgiven: Ints


def queue(rules: Rules, budget: int, lots: Floats, dead: Flags, site: Ints, domain: Ints) -> Queue:
    """An empty frontier for as many pages as there are dead or alive."""
    pages, apart, named = len(dead), rules.apart > 1, len(site) > 0
    sites = int(site.max()) + 1 if named else 1
    size = np.bincount(site, minlength=sites) if apart else np.zeros(1, np.int64)
    base = np.concatenate([[0], np.cumsum(size)[:-1]]).astype(np.int64)
    per_site = sites if apart else 0
    return Queue(
        rules,
        budget,
        lots,
        dead,
        new_heap(pages, pages),
        np.zeros(pages, np.int8),
        np.zeros(pages, np.int32),
        np.empty(pages, np.int32),
        np.zeros(5, np.int64),
        site,
        domain,
        base,
        np.zeros(sites if apart else 1, np.int64),
        new_heap(per_site, per_site),
        np.empty(min(rules.apart, pages) if apart else 1, np.int32),
        np.zeros(per_site, np.int64),
        np.zeros(per_site, np.int32),
        np.zeros(sites if named else 0, np.int32),
        np.zeros(int(domain.max()) + 1 if len(domain) else 0, np.int32),
        np.zeros(sites if named else 0, np.int32),
    )


@njit(cache=True, nogil=True)
def trail(q: Queue) -> Ints:
    """All that was popped and could be tried, dead addresses as ``~page``."""
    return q.trail[: q.counts[TRIED]]


@inner
def enter(q: Queue, page: int, score: float, depth: int) -> None:
    """Take in a page for the first time."""
    count = q.counts[FOUND]
    q.counts[FOUND] += 1
    q.state[page] = WAITING
    q.depth[page] = depth
    key = float(count) if q.rules.tie == FIFO else -float(count)
    if q.rules.tie == RANDOM:
        key = q.lots[count]
    site = _site(q, page)
    q.size[site] = push(q.waiting, q.base[site], q.size[site], page, score, key)
    _compete(q, site)


@inner
def enter_seeds(q: Queue, seeds: Ints) -> None:
    """Take in the seeds, before all else."""
    for page in seeds:
        if q.state[page] == UNSEEN:
            enter(q, page, np.inf, 0)


@inner
def offer(q: Queue, page: int, score: float, depth: int) -> int:
    """Take in a page, or go by the rediscovery rule if it waits; what has become of it."""
    if q.state[page] == WAITING:
        old = score_of(q, page)
        if q.rules.again == FIRST or np.isinf(old) or (q.rules.again == MAX and score <= old):
            return REFUSED
        q.depth[page] = depth
        put(q, page, score)
        return TAKEN
    if q.state[page] != UNSEEN or depth > q.rules.deepest:
        return REFUSED
    enter(q, page, score, depth)
    return NEW


@inner
def score_of(q: Queue, page: int) -> float:
    """The score of a page that waits."""
    return q.waiting.score[q.base[_site(q, page)] + q.waiting.place[page]]


@inner
def rescore(q: Queue, page: int, score: float) -> None:
    """Give a page another score if it waits and is no seed that goes before all else."""
    if q.state[page] == WAITING and not np.isinf(score_of(q, page)):
        put(q, page, score)


@inner
def put(q: Queue, page: int, score: float) -> None:
    """Give a page that waits another score, whatever it has."""
    site = _site(q, page)
    heaps.rescore(q.waiting, q.base[site], q.size[site], page, score)
    _compete(q, site)


@inner
def rescore_all(q: Queue, scores: Floats, number: Ints) -> None:
    """Give every page that waits its score, ``scores[number[page]]``; seeds at infinity keep theirs."""
    for site in range(len(q.size)):
        base, size = q.base[site], q.size[site]
        for at in range(base, base + size):
            if not np.isinf(q.waiting.score[at]):
                q.waiting.score[at] = scores[number[q.waiting.entry[at]]]
        heapify(q.waiting, base, size)
        _compete(q, site)


@inner
def next_page(q: Queue) -> int:
    """The next page that comes, -1 when the budget is used up or nothing waits."""
    if q.counts[FETCHED] >= q.budget:
        return NOBODY
    while True:
        page = _best(q)
        if page == NOBODY:
            return NOBODY
        site = _site(q, page)
        q.size[site] = drop_best(q.waiting, q.base[site], q.size[site])
        q.state[page] = POPPED
        if not _has_room(q, page):
            _compete(q, site)
            continue
        _count(q, page, 1)
        if q.rules.apart > 1:
            _rest(q, site)
        alive = not q.dead[page]
        q.trail[q.counts[TRIED]] = page if alive else ~page
        q.counts[TRIED] += 1
        if alive:
            q.counts[FETCHED] += 1
            return page
        _refund(q, page)


@inner
def _site(q: Queue, page: int) -> int:
    """The heap a page waits in."""
    return q.site[page] if q.rules.apart > 1 else 0


@inner
def _best(q: Queue) -> int:
    """The best page of a site that does not rest; else the best of the site that rested longest."""
    if q.rules.apart == 1:
        return q.waiting.entry[0] if q.size[0] else NOBODY
    if q.counts[SITES]:
        return q.waiting.entry[q.base[q.best.entry[0]]]
    rests, room = q.counts[RESTS], len(q.recent)
    for rest in range(max(0, rests - q.rules.apart + 1), rests):
        site = q.recent[rest % room]
        if q.rested[site] == rest and q.size[site]:
            return q.waiting.entry[q.base[site]]
    return NOBODY


@inner
def _compete(q: Queue, site: int) -> None:
    """Let a site stand where its best page puts it, unless it rests or has none."""
    if q.rules.apart == 1:
        return
    listed = q.best.place[site] != NOBODY
    if q.resting[site] or not q.size[site]:
        if listed:
            heaps.rescore(q.best, 0, q.counts[SITES], site, np.inf)
            _first(q, site)
            q.counts[SITES] = drop_best(q.best, 0, q.counts[SITES])
        return
    score, key = q.waiting.score[q.base[site]], q.waiting.tie[q.base[site]]
    if listed:
        at = q.best.place[site]
        q.best.score[at], q.best.tie[at] = score, key
        heaps.sift_down(q.best, 0, q.counts[SITES], heaps.sift_up(q.best, 0, at))
    else:
        q.counts[SITES] = push(q.best, 0, q.counts[SITES], site, score, key)


@inner
def _first(q: Queue, site: int) -> None:
    """Bring a site to the very front: before seeds too, which are at infinity as well."""
    at = q.best.place[site]
    q.best.tie[at] = -np.inf
    heaps.sift_up(q.best, 0, at)


@inner
def _rest(q: Queue, site: int) -> None:
    """A site was asked: it rests until so many others were, and the one asked longest ago wakes."""
    rests, room = q.counts[RESTS], len(q.recent)
    q.counts[RESTS] += 1
    awake = q.recent[(rests - q.rules.apart + 1) % room] if rests >= q.rules.apart - 1 else NOBODY
    q.recent[rests % room] = site
    q.rested[site] = rests
    q.resting[site] += 1
    _compete(q, site)
    if awake != NOBODY:
        q.resting[awake] -= 1
        _compete(q, awake)


@inner
def _has_room(q: Queue, page: int) -> bool:
    """Whether another page may come from the site and from the domain of this one."""
    if q.rules.site_cap < ENDLESS and q.on_site[q.site[page]] >= q.rules.site_cap:
        return False
    return q.rules.domain_cap == ENDLESS or q.on_domain[q.domain[page]] < q.rules.domain_cap


@inner
def _count(q: Queue, page: int, pages: int) -> None:
    if q.rules.site_cap < ENDLESS:
        q.on_site[q.site[page]] += pages
    if q.rules.domain_cap < ENDLESS:
        q.on_domain[q.domain[page]] += pages


@inner
def _refund(q: Queue, page: int) -> None:
    """A page that did not come does not count, as long as the caps forgive."""
    forgivable = min(q.rules.site_cap, q.rules.domain_cap)
    if forgivable < ENDLESS and q.forgiven[q.site[page]] < forgivable:
        q.forgiven[q.site[page]] += 1
        _count(q, page, -1)
