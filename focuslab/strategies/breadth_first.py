"""Breadth-first: every link in the order it was found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from focuslab.types import Proposal, Strategy, Visit


class BreadthFirst(Strategy):
    """Follow every link, first found first fetched; the rival that every focused crawler must beat.

    All links share one score, so the Frontier's FIFO rule makes the order.

    References
    ----------
    Najork, M. and Wiener, J. L. "Breadth-first crawling yields high-quality pages." Proc. 10th
    International World Wide Web Conference, 114-118, 2001. doi:10.1145/371920.371965
    """

    name: ClassVar[str] = "breadth_first"

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        return (Proposal(link, 0.0) for link in visit.page.out)
