"""Oracle: the upper bound on every plot. It knows the truth, so it is no crawler."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from focuslab.types import Proposal, Strategy, Task, Truth, Visit


class Oracle(Strategy):
    """Fetch relevant pages first, and among the others those found on relevant pages.

    A link scores 1 when its target is relevant, else 0.5 when its source is, else 0. Greedy, so not
    the best order there could be where relevant pages hide behind irrelevant ones, but no strategy
    that sees fetched pages only can be expected to reach it.

    Parameters
    ----------
    truth : Truth
        The answer key. `from_task` reads it from ``task.extras["truth"]``, which only a comparison
        puts there, and only for this strategy.

    References
    ----------
    Chakrabarti, S., van den Berg, M. and Dom, B. "Focused crawling: a new approach to topic-specific
    Web resource discovery." Computer Networks 31, 1623-1640, 1999.
    doi:10.1016/S1389-1286(99)00052-3
    """

    name: ClassVar[str] = "oracle"

    def __init__(self, truth: Truth) -> None:
        self.truth = truth

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        if "truth" not in task.extras:
            raise ValueError(
                "the oracle needs the answer key: give Task(..., extras={'truth': web.truth(name)})"
            )
        return cls(task.extras["truth"], **parameters)

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        behind = 0.5 if self.truth(visit.page.url) else 0.0
        return (Proposal(link, 1.0 if self.truth(link.url) else behind) for link in visit.page.out)
