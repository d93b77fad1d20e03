"""PageRank order: fetch the page that the links found so far make most important."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from focuslab.strategies._cash import links_of
from focuslab.types import Proposal, Strategy, Topic, Visit

MOST_ROUNDS = 10_000


class PageRank(Strategy):
    """Score a link with its PageRank in the graph of all pages fetched and all links waiting.

    After every so many fetches PageRank is computed anew and all waiting links get their new score.
    Between that, a new link is worth the sum of PR(page) / (links of the page) over the fetched pages that
    have it. The crawler knows no topic.

    Parameters
    ----------
    every : int
        Fetches between two computations. Default: the customary 100.
    growth : float
        ... but not before the number of fetched pages has grown by this share. Our choice, 0.1, keeps the
        cost of a crawl proportional to its links; up to 1,000 pages it changes nothing. With 0 a crawl of
        n pages computes n / ``every`` times, over ever more links.
    damping : float
        The chance to follow a link rather than to jump anywhere. Cho et al. used 0.9.

    Attributes
    ----------
    computed_ : int
        How often PageRank was computed.

    Notes
    -----
    Waiting links lead nowhere yet, so their rank is spread over all pages. A redirect counts as a link.

    References
    ----------
    Cho, J., Garcia-Molina, H. and Page, L. "Efficient crawling through URL ordering." Computer
    Networks and ISDN Systems 30, 161-172, 1998. doi:10.1016/S0169-7552(98)00108-1
    As the baseline of: Wang, W., Chen, X., Zou, Y., Wang, H. and Dai, Z. "A focused crawler based on naive
    Bayes classifier." IITSI 2010. doi:10.1109/IITSI.2010.30
    """

    name: ClassVar[str] = "pagerank"
    frontier: ClassVar[Mapping[str, Any]] = {"rediscovery": "last"}

    def __init__(self, every: int = 100, growth: float = 0.1, damping: float = 0.85) -> None:
        self.every = every
        self.growth = growth
        self.damping = damping

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        if self.every < 1 or self.growth < 0:
            raise ValueError(
                f"every={self.every}, growth={self.growth}: give at least 1 fetch, and 0 or more"
            )
        _check(self.damping)
        self.index_ = {url: page for page, url in enumerate(dict.fromkeys(topic.seeds))}
        self.rank_ = [1 / len(self.index_) for _ in self.index_]
        self.sources_, self.targets_ = array("i"), array("i")
        self.fetched_: dict[int, None] = {}
        self.known_ = len(self.index_)  # pages with a true rank; what comes after has an estimate
        self.computed_ = 0
        self.due_ = self._next(0)
        self.revised_: list[tuple[str, float]] = []

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        page = self._arrive(visit)
        links = links_of(visit)
        part = self.rank_[page] / len(links) if links else 0.0
        targets = [self._follow(page, link.url, part) for link in links]
        if len(self.fetched_) >= self.due_:
            self._compute()
        ranks = [self.rank_[target] for target in targets]
        return [Proposal(link, rank, {"PR": rank}) for link, rank in zip(links, ranks, strict=True)]

    def revise(self, visit: Visit) -> Iterable[tuple[str, float]]:
        revised, self.revised_ = self.revised_, []
        return revised

    def _arrive(self, visit: Visit) -> int:
        """The page just fetched; if a redirect led to it, the address that was asked for links to it."""
        asked = self._page(visit.link.url)
        self.fetched_[asked] = None
        if visit.page.url == visit.link.url:
            return asked
        page = self._follow(asked, visit.page.url, self.rank_[asked])
        self.fetched_[page] = None
        return page

    def _page(self, url: str) -> int:
        page = self.index_.setdefault(url, len(self.index_))
        if page == len(self.rank_):
            self.rank_.append(0.0)
        return page

    def _follow(self, source: int, url: str, part: float) -> int:
        """Take in a link; a target that came after the last computation gains its part of the rank."""
        target = self._page(url)
        self.sources_.append(source)
        self.targets_.append(target)
        if target >= self.known_:
            self.rank_[target] += part
        return target

    def _compute(self) -> None:
        self.rank_ = pagerank(self.sources_, self.targets_, len(self.index_), self.damping).tolist()
        self.known_ = len(self.rank_)
        self.computed_ += 1
        self.due_ = self._next(len(self.fetched_))
        self.revised_ = [
            (url, self.rank_[page]) for url, page in self.index_.items() if page not in self.fetched_
        ]

    def _next(self, fetched: int) -> float:
        return fetched + max(self.every, self.growth * fetched)


def pagerank(
    sources: Sequence[int] | NDArray[Any],
    targets: Sequence[int] | NDArray[Any],
    pages: int,
    damping: float = 0.85,
    tolerance: float = 1e-10,
) -> NDArray[np.float64]:
    """PageRank of pages 0, 1, … with links from ``sources[i]`` to ``targets[i]``; it sums to 1.

    PR = (1-d)/n + d·(sum over links of PR(source) / links of the source + rank of pages without links / n),
    by power iteration from equal ranks until a round changes less than ``tolerance`` in total.

    Examples
    --------
    >>> pagerank([0, 0, 1, 2], [1, 2, 2, 0], pages=3).round(4).tolist()
    [0.3878, 0.2148, 0.3974]
    """
    _check(damping)
    source, target = np.asarray(sources, dtype=np.int32), np.asarray(targets, dtype=np.int32)
    degree = np.bincount(source, minlength=pages)
    flow = csr_matrix((damping / degree[source], (target, source)), shape=(pages, pages))
    dangling = degree == 0
    rank = np.full(pages, 1 / pages)
    for _ in range(MOST_ROUNDS):
        before = rank
        rank = flow @ before + (1 - damping + damping * before[dangling].sum()) / pages
        if np.abs(rank - before).sum() < tolerance:
            break
    return rank


def _check(damping: float) -> None:
    if not 0 <= damping < 1:
        raise ValueError(f"damping is {damping}; it is a chance below 1, such as 0.85")
