"""Random: the lower bound on every plot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from focuslab.types import Proposal, Strategy, Topic, Visit


class Random(Strategy):
    """Fetch any of the waiting links with equal chance.

    Each link draws its score once, when it is found; the order of fixed lots among all waiting links
    is the same as drawing anew at every step. Links of the same page are thus not fetched together,
    unlike breadth-first, whose early pages stay near the seeds.

    References
    ----------
    Menczer, F., Pant, G. and Srinivasan, P. "Topical web crawlers: evaluating adaptive algorithms."
    ACM Transactions on Internet Technology 4(4), 378-419, 2004. doi:10.1145/1031114.1031117
    """

    name: ClassVar[str] = "random"

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        self.rng_ = rng

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        links = visit.page.out
        return (
            Proposal(link, float(lot)) for link, lot in zip(links, self.rng_.random(len(links)), strict=True)
        )
