"""OPIC, greedy: fetch the page that the pages seen so far think most important."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from focuslab.strategies._cash import CashMachine, links_of
from focuslab.types import Proposal, Strategy, Topic, Visit


class Opic(Strategy):
    """Score a link with the cash it holds; a fetched page shares its own equally among its links.

    The crawler knows no topic: it is what OTIE becomes without bias and revision.

    Parameters
    ----------
    recrawl_every : int
        After so many fetches the richest fetched page pays again; 0 never. Our choice is 100, as for
        OTIE, so that the two differ in nothing but the bias. A recrawl is no fetch of the budget;
        ``machine_.recrawls`` counts them. Its memory cost: see `focuslab.strategies._cash.CashMachine`.
    total : float
        Cash of all seeds together; the order does not depend on it.

    Attributes
    ----------
    machine_ : CashMachine
        The accounts.
    history_ : dict of str to float
        Cash each page held when it was fetched: the estimate of its importance. Cash that comes later
        is in ``machine_.cash(url)``.

    Notes
    -----
    Cash of pages
    without links goes to a sink; the virtual page of the original is left out, as in OTIE.

    References
    ----------
    Abiteboul, S., Preda, M. and Cobena, G. "Adaptive on-line page importance computation." WWW 2003,
    280-290. doi:10.1145/775152.775192
    """

    name: ClassVar[str] = "opic"
    frontier: ClassVar[Mapping[str, Any]] = {"rediscovery": "last"}

    def __init__(self, recrawl_every: int = 100, total: float = 1.0) -> None:
        self.recrawl_every = recrawl_every
        self.total = total

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        self.machine_ = CashMachine(topic.seeds, self.total, self.recrawl_every)
        self.history_: dict[str, float] = {}
        self.changed_: tuple[str, ...] = ()

    def seed_score(self, url: str) -> float:
        """Seeds compete by the cash they hold, as links do."""
        return self.machine_.cash(url)

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        links = links_of(visit)
        targets = tuple(link.url for link in links)
        paid, shares, self.changed_ = self.machine_.settle(visit, targets, [1.0] * len(links))
        self.history_[visit.page.url] = math.ldexp(paid, self.machine_.exponent)
        waiting = self.machine_.waiting
        return [
            Proposal(
                link, waiting[link.url], {"cash": waiting[link.url], "gain": share * paid, "share": share}
            )
            for link, share in zip(links, shares, strict=True)
            if link.url in waiting
        ]

    def revise(self, visit: Visit) -> Iterable[tuple[str, float]]:
        waiting = self.machine_.waiting
        return [(url, waiting[url]) for url in self.changed_ if url in waiting]
