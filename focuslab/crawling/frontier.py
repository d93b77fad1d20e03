"""The links that wait to be fetched, best first.

Ties and rediscovery change the order of a crawl, so both are decided here and nowhere else.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from focuslab.crawling.caps import Caps
from focuslab.pages import urls
from focuslab.types import NO_TERMS, Link

TIES = ("fifo", "lifo", "random")
REDISCOVERIES = ("first", "max", "last")
SITES = {"host": urls.host, "domain": urls.registered_domain}


class Waiting:
    """A link in the frontier, with the score it has now and its place in the order of discovery."""

    __slots__ = ("depth", "found", "link", "score", "terms", "tie")

    def __init__(self, link: Link, score: float, depth: int, terms: Mapping[str, float]) -> None:
        self.take(link, score, depth, terms)
        self.found = 0
        self.tie = 0.0

    def take(self, link: Link, score: float, depth: int, terms: Mapping[str, float]) -> None:
        self.link, self.score, self.depth, self.terms = link, score, depth, terms

    def __lt__(self, other: Waiting) -> bool:
        return self.found < other.found


class Chosen(NamedTuple):
    """The link that `pop` gives out, and the state of the frontier at that moment."""

    link: Link
    score: float
    depth: int
    terms: Mapping[str, float]
    rank: int
    ties: int
    waiting: int


Item = tuple[float, float, Waiting]


class Frontier:
    """A priority queue of links that each enter once.

    Parameters
    ----------
    tie : {"fifo", "lifo", "random"}
        Among equal scores: the earliest found, the latest found, or by lot (``rng``). A link that is
        scored anew keeps its place in the order of discovery, and its lot.
    rediscovery : {"first", "max", "last"}
        What a link that waits already does with another score: keep its own, keep the larger, or
        take the new one. A link that was popped never returns.
    hosts_apart : int
        Any so many pops in a row come from different hosts (Wang et al.), as long as the frontier
        allows it; where it does not, the host that rested longest goes first, and
        ``violations`` counts the case.
    host_cap : int, optional
        At most so many pops for a site; further links of it are dropped and counted in ``capped``.
    domain_cap : int, optional
        The same for a registered domain, whatever a site is.
    max_depth : int, optional
        Links further than this from a seed are not taken in, and counted in ``too_deep``.
    site : {"host", "domain"}
        What ``host_cap``, ``hosts_apart`` and `hold` call one site.
    rng : numpy.random.Generator, optional
        Needed for ``tie="random"``.

    Notes
    -----
    `push` and `pop` cost O(log n). A new score adds a fresh heap item and leaves a stale one behind,
    which is skipped when it surfaces; the heap is rebuilt when more than half of it is stale.

    Examples
    --------
    >>> frontier = Frontier()
    >>> frontier.push(Link("http://a.example/"), 0.2)
    >>> frontier.push(Link("http://b.example/"), 0.9)
    >>> frontier.pop().link.url
    'http://b.example/'
    """

    def __init__(
        self,
        tie: str = "fifo",
        rediscovery: str = "first",
        hosts_apart: int = 1,
        host_cap: int | None = None,
        site: str = "host",
        rng: np.random.Generator | None = None,
        domain_cap: int | None = None,
        max_depth: int | None = None,
    ) -> None:
        _require("tie", tie, TIES)
        _require("rediscovery", rediscovery, REDISCOVERIES)
        _require("site", site, tuple(SITES))
        if hosts_apart < 1:
            raise ValueError(
                f"hosts_apart is {hosts_apart}; it counts hosts, so 1 (no spreading) is the least"
            )
        if tie == "random" and rng is None:
            raise ValueError("tie='random' needs rng=, a numpy random Generator")
        self.tie, self.rediscovery, self.hosts_apart, self.host_cap = tie, rediscovery, hosts_apart, host_cap
        self.site, self.domain_cap, self.max_depth = site, domain_cap, max_depth
        self.violations = self.capped = self.too_deep = 0
        self._site_of = SITES[site]
        self._rng = rng
        self._waiting: dict[str, Waiting] = {}
        self._seen: set[str] = set()
        self._found = 0
        self._heap: list[Item] = []
        self._ties: dict[float, int] = {}
        self._caps = Caps(self._site_of, host_cap, domain_cap)
        self._held: set[str] = set()
        self._recent: deque[str] = deque()
        self._resting: dict[str, int] = {}  # hosts among the recent pops, the longest-resting first
        self._parked: dict[str, list[Item]] = {}
        self._parked_links = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, url: str) -> bool:
        return url in self._waiting

    def sites(self) -> int:
        """How many sites have links that wait."""
        return len({self._site_of(url) for url in self._waiting})

    def seen(self, url: str) -> bool:
        """True for a URL that ever entered, whether it waits or is gone."""
        return url in self._seen

    def best(self, count: int) -> list[Waiting]:
        """The links of highest score, the next to go first; those whose host rests stand among them.

        Nothing changes: the heap is read from its top, as far as needed.
        """
        heaps = [self._heap, *self._parked.values()]
        tops = [(heap[0], number, 0) for number, heap in enumerate(heaps) if heap]
        heapify(tops)
        found: dict[int, Waiting] = {}  # an entry whose score came back has two live items
        while tops and len(found) < count:
            item, number, place = heappop(tops)
            if self._live(item):
                found[item[2].found] = item[2]
            for below in (2 * place + 1, 2 * place + 2):
                if below < len(heaps[number]):
                    heappush(tops, (heaps[number][below], number, below))
        return list(found.values())

    def sharing(self, score: float) -> int:
        """How many waiting links have exactly this score."""
        return self._ties.get(score, 0)

    def push(self, link: Link, score: float, depth: int = 0, terms: Mapping[str, float] = NO_TERMS) -> None:
        """Take in a link; one that was seen before goes by the rediscovery rule."""
        if math.isnan(score):
            raise ValueError(
                f"the score of {link.url} is not a number; a strategy must propose finite scores"
            )
        known = self._waiting.get(link.url)
        if known is not None:
            self._rediscover(known, link, score, depth, terms)
        elif self.max_depth is not None and depth > self.max_depth:
            self.too_deep += 1
        elif link.url not in self._seen:
            self._discover(Waiting(link, score, depth, terms))

    def rescore(self, url: str, score: float) -> None:
        """Give a waiting link another score; seeds and links no longer waiting are left alone."""
        entry = self._waiting.get(url)
        if entry is not None and entry.score != score and not math.isinf(entry.score):
            self._move(entry, score)

    def close(self, url: str) -> None:
        """Never give out this URL: it was reached by another way."""
        self._seen.add(url)
        entry = self._waiting.pop(url, None)
        if entry is not None:
            self._untie(entry.score)

    def pop(self) -> Chosen | None:
        """Give out the best link that the rules allow; None when no link waits whose site is not held."""
        while (entry := self._next()) is not None:
            if self._caps.has_room(entry.link.url):
                return self._give(entry)
            self._remove(entry)
            self.capped += 1
            self._unblock(self._site_of(entry.link.url))
        return None

    def take(self, url: str) -> Chosen | None:
        """Give out this very link, whatever its score; None if it does not wait."""
        entry = self._waiting.get(url)
        return None if entry is None else self._give(entry)

    def hold(self, url: str) -> None:
        """Give out no link of this URL's site until it is released."""
        self._held.add(self._site_of(url))

    def release(self, url: str) -> None:
        """The site of this URL may be asked again."""
        site = self._site_of(url)
        self._held.discard(site)
        self._unblock(site)

    def refund(self, url: str) -> None:
        """A popped URL brought no page: it does not count towards the caps, as long as these forgive."""
        self._caps.refund(url)

    def _give(self, entry: Waiting) -> Chosen:
        self._remove(entry)
        self._caps.count(entry.link.url)
        if self.hosts_apart > 1:
            self._rest(self._site_of(entry.link.url))
        rank, ties = 1 + self._parked_links, self._ties.get(entry.score, 0)
        return Chosen(entry.link, entry.score, entry.depth, entry.terms, rank, ties, len(self))

    def _remove(self, entry: Waiting) -> None:
        del self._waiting[entry.link.url]
        self._untie(entry.score)

    def _discover(self, entry: Waiting) -> None:
        self._seen.add(entry.link.url)
        entry.found = self._found
        self._found += 1
        if self._rng is not None and self.tie == "random":
            entry.tie = self._rng.random()
        else:
            entry.tie = entry.found if self.tie == "fifo" else -entry.found
        self._waiting[entry.link.url] = entry
        self._enqueue(entry)

    def _rediscover(
        self, known: Waiting, link: Link, score: float, depth: int, terms: Mapping[str, float]
    ) -> None:
        if self.rediscovery == "first" or math.isinf(known.score):
            return
        if self.rediscovery == "max" and score <= known.score:
            return
        old = known.score
        known.take(link, old, depth, terms)
        if score != old:
            self._move(known, score)

    def _move(self, entry: Waiting, score: float) -> None:
        self._untie(entry.score)
        entry.score = score
        self._enqueue(entry)

    def _enqueue(self, entry: Waiting) -> None:
        self._ties[entry.score] = self._ties.get(entry.score, 0) + 1
        heappush(self._heap, (-entry.score, entry.tie, entry))
        if len(self._heap) > 2 * len(self._waiting) + 1_000:
            self._heap = [item for item in self._heap if self._live(item)]
            heapify(self._heap)
            for site in list(self._parked):  # an item now gone may have stood for those behind it
                self._unblock(site)

    def _untie(self, score: float) -> None:
        left = self._ties[score] - 1
        if left:
            self._ties[score] = left
        else:
            del self._ties[score]

    def _live(self, item: Item) -> bool:
        entry = item[2]
        return -item[0] == entry.score and self._waiting.get(entry.link.url) is entry

    def _next(self) -> Waiting | None:
        """The best waiting entry whose site is not blocked, else the longest-resting site's best."""
        while self._heap:
            item = heappop(self._heap)
            any_blocked = self._resting or self._held or self._parked
            site = self._site_of(item[2].link.url) if any_blocked else ""
            if not self._live(item):
                self._unblock(site)
            elif self._is_blocked(site):
                heappush(self._parked.setdefault(site, []), item)
                self._parked_links += 1
            else:
                return item[2]
        return self._relax()

    def _relax(self) -> Waiting | None:
        for site in self._resting:
            item = None if site in self._held else self._unpark(site)
            if item is not None:
                self.violations += 1
                return item[2]
        return None

    def _is_blocked(self, site: str) -> bool:
        return site in self._resting or site in self._held

    def _unblock(self, site: str) -> None:
        """Let the best link set aside for a site compete again, unless another reason keeps it.

        One is enough: when it is given out its site is blocked again, and when it is not, the next follows.
        """
        if not self._is_blocked(site):
            item = self._unpark(site)
            if item is not None:
                heappush(self._heap, item)

    def _unpark(self, site: str) -> Item | None:
        """The best link set aside for this site."""
        parked = self._parked.get(site, [])
        while parked:
            item = heappop(parked)
            self._parked_links -= 1
            if self._live(item):
                return item
        self._parked.pop(site, None)
        return None

    def _rest(self, site: str) -> None:
        self._recent.append(site)
        self._resting[site] = self._resting.pop(site, 0) + 1
        if len(self._recent) == self.hosts_apart:
            self._wake(self._recent.popleft())

    def _wake(self, site: str) -> None:
        self._resting[site] -= 1
        if self._resting[site] == 0:
            del self._resting[site]
            self._unblock(site)


def _require(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"no {name} named {value!r}; try {', '.join(allowed)}")
