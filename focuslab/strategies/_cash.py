"""Cash that moves along links: the machine that OPIC and OTIE share.

Every page holds some cash. A fetched page pays all of it to the pages it links to; the richest page
that waits is fetched next. One fetch costs O(links of the page), and a logarithm for those of its
links that were fetched before: nothing is scanned and no graph is recomputed.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from focuslab.types import Link, Visit

__all__ = ["CashMachine", "Settlement", "in_scale", "links_of", "shares"]

LARGEST, SMALLEST = 1e100, 1e-100
GUARD_EVERY = 100
"""Fetches between two looks at the scale, so that the pass over all accounts stays rare."""


class Fetched:
    """The account of a fetched page: its place in the order of fetches, similarity, cash and links."""

    __slots__ = ("cash", "number", "predicted", "sim", "targets")

    def __init__(self, number: int, sim: float) -> None:
        self.number, self.sim, self.cash = number, sim, 0.0
        self.targets: tuple[str, ...] = ()
        self.predicted = array("d")


def in_scale(cash: float) -> bool:
    """True for amounts that are far from the limits of a float; nothing at all is fine too."""
    return cash == 0 or SMALLEST <= cash <= LARGEST


def links_of(visit: Visit) -> tuple[Link, ...]:
    """Distinct links to other pages; the address that was redirected here is this page too."""
    return tuple(link for link in visit.page.out if link.url != visit.link.url)


def shares(weights: Sequence[float]) -> list[float]:
    """Weights as parts of one; equal parts where all weights are 0.

    Examples
    --------
    >>> shares([3.0, 1.0, 0.0]), shares([0.0, 0.0])
    ([0.75, 0.25, 0.0], [0.5, 0.5])
    """
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights)] * len(weights)


class Settlement(NamedTuple):
    """What a fetched page paid out, the share of each link, and the links that must be rescored."""

    paid: float
    shares: list[float]
    changed: tuple[str, ...]


class CashMachine:
    """Accounts of all pages a crawl has heard of.

    Parameters
    ----------
    seeds : iterable of str
        They share ``total`` equally.
    total : float
        Cash at the start; the order of a crawl does not depend on it.
    recrawl_every : int
        After so many fetches the richest fetched page pays again; 0: never.

    Attributes
    ----------
    waiting : dict of str to float
        Cash of pages heard of and not fetched. What a page that cannot be fetched holds stays here.
    sink : float
        Cash of pages without links to other pages.
    exponent : int
        All amounts are in units of 2**exponent, see Notes.
    recrawls : int
        How often a fetched page paid again. On the live web each would be one more fetch.

    Notes
    -----
    A recrawl needs the links of a page fetched before. A live crawler would fetch it once more; a
    strategy must not fetch, so the machine keeps the links of every page with their predicted
    similarities: 16 bytes a link beside the URLs themselves, which the frontier holds anyway. With
    ``recrawl_every=0`` none are kept and the state is URL to cash and similarity, as in the paper.

    When the richest page passes 1e100 or falls under 1e-100, all cash is divided by a power of two,
    which is exact and so keeps order and ties.
    """

    def __init__(self, seeds: Iterable[str], total: float = 1.0, recrawl_every: int = 100) -> None:
        if recrawl_every < 0:
            raise ValueError(f"recrawl_every is {recrawl_every}; give a number of fetches, or 0 for never")
        if not 0 < total < math.inf:
            raise ValueError(f"the cash at the start is {total}; give a positive number")
        owners = dict.fromkeys(seeds)
        self.waiting: dict[str, float] = {url: total / len(owners) for url in owners}
        self.sink = 0.0
        self.exponent = 0
        self.recrawls = 0
        self.recrawl_every = recrawl_every
        self._fetched: dict[str, Fetched] = {}
        self._fetches = self._guard_at = 0
        self._rich = 0
        self._heap: list[tuple[float, int, Fetched]] = []

    def fetched(self, url: str) -> bool:
        """True for a page that was opened."""
        return url in self._fetched

    def cash(self, url: str) -> float:
        """What a page holds now, whether it waits or was fetched."""
        account = self._fetched.get(url)
        return self.waiting.get(url, 0.0) if account is None else account.cash

    @property
    def total(self) -> float:
        """All cash there is, the sink included; a scan, for tests and reports."""
        return math.fsum([*self.waiting.values(), *(page.cash for page in self._accounts()), self.sink])

    def settle(
        self,
        visit: Visit,
        targets: tuple[str, ...],
        sims: Sequence[float],
        sim: float = 1.0,
        factor: Callable[[float], float] | None = None,
        factor_again: Callable[[float], float] | None = None,
    ) -> Settlement:
        """Do all that one fetch asks for: mind the scale, revise, pay, and recrawl when it is time.

        Parameters
        ----------
        visit : Visit
            The page just fetched.
        targets : tuple of str
            Its distinct links.
        sims : sequence of float
            Predicted similarity of each target; unused for those that were fetched.
        sim : float
            Measured similarity of the page.
        factor, factor_again : callable, optional
            What cash is multiplied with, given the page's similarity, at a fetch and at a recrawl.
        """
        rescaled = self.guard(visit.link.url)
        cash = self.open(visit.page.url, sim, visit.link.url) * (factor(sim) if factor else 1.0)
        parts = self.pay(visit.page.url, cash, targets, sims)
        again = self.recrawl(factor_again) if self.recrawl_due else ()
        return Settlement(cash, parts, tuple(self.waiting) if rescaled else targets + again)

    def open(self, url: str, sim: float, alias: str = "") -> float:
        """Take the cash of a page just fetched, with that of the address (alias) that led to it."""
        self._fetches += 1
        self._fetched[url] = self._fetched[alias or url] = Fetched(self._fetches, sim)
        return self.waiting.pop(url, 0.0) + self.waiting.pop(alias, 0.0)

    def pay(self, url: str, cash: float, targets: Sequence[str], predicted: Sequence[float]) -> list[float]:
        """Share cash among the distinct links of a page; the shares, in their order.

        A target counts by its similarity, as measured if it was fetched, else as predicted.
        """
        if self.recrawl_every:
            account = self._fetched[url]
            account.targets, account.predicted = tuple(targets), array("d", predicted)
        return self._distribute(cash, targets, predicted)

    @property
    def recrawl_due(self) -> bool:
        """True after every ``recrawl_every`` fetches."""
        return self.recrawl_every > 0 and self._fetches % self.recrawl_every == 0

    def recrawl(self, factor: Callable[[float], float] | None = None) -> tuple[str, ...]:
        """Let the richest fetched page pay again (ties: the earliest fetched); the links it paid.

        With a factor, its cash is first revised by ``factor(similarity)``.
        """
        page = self._richest()
        if page is None:
            return ()
        cash, page.cash = page.cash, 0.0
        self._rich -= 1
        self.recrawls += 1
        self._distribute(cash if factor is None else cash * factor(page.sim), page.targets, page.predicted)
        return page.targets

    def guard(self, url: str) -> bool:
        """Bring all cash back to scale before a page is opened; True if amounts have changed.

        The page to open is the richest, or nearly, so all accounts are looked at only if its cash is
        out of scale, and at most once in ``GUARD_EVERY`` fetches.
        """
        if in_scale(self.waiting.get(url, 0.0)) or self._fetches < self._guard_at:
            return False
        self._guard_at = self._fetches + GUARD_EVERY
        top = max([*self.waiting.values(), *(page.cash for page in self._accounts())], default=0.0)
        if top == 0 or in_scale(top):
            return False
        self._shift(-math.frexp(top)[1])
        return True

    def _shift(self, bits: int) -> None:
        self.exponent -= bits
        self.sink = math.ldexp(self.sink, bits)
        for url, cash in self.waiting.items():
            self.waiting[url] = math.ldexp(cash, bits)
        for page in self._accounts():
            page.cash = math.ldexp(page.cash, bits)
        self._rebuild()

    def _distribute(self, cash: float, targets: Sequence[str], predicted: Sequence[float]) -> list[float]:
        if not targets:
            self.sink += cash
            return []
        accounts = [self._fetched.get(url) for url in targets]
        parts = shares([p if page is None else page.sim for page, p in zip(accounts, predicted, strict=True)])
        for url, page, part in zip(targets, accounts, parts, strict=True):
            if page is None:
                self.waiting[url] = self.waiting.get(url, 0.0) + part * cash
            elif part * cash > 0:
                self._deposit(page, part * cash)
        return parts

    def _deposit(self, page: Fetched, gain: float) -> None:
        """Credit a fetched page; its older heap item is stale from now on."""
        self._rich += page.cash == 0
        page.cash += gain
        if self.recrawl_every:
            heappush(self._heap, (-page.cash, page.number, page))
            if len(self._heap) > 2 * self._rich + 1_000:
                self._rebuild()

    def _richest(self) -> Fetched | None:
        while self._heap:
            cash, _, page = heappop(self._heap)
            if page.cash == -cash:
                return page
        return None

    def _rebuild(self) -> None:
        """Forget what is stale; every fetched page with cash has an item in the heap."""
        pages = {page.number: page for _, _, page in self._heap if page.cash > 0}
        self._heap = [(-page.cash, page.number, page) for page in pages.values()]
        heapify(self._heap)

    def _accounts(self) -> Iterable[Fetched]:
        """Every fetched page once, though two addresses may lead to it."""
        return {page.number: page for page in self._fetched.values()}.values()
