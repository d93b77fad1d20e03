"""Pages that ask not to be followed are not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

import numpy as np

from focuslab.pages.directives import directives
from focuslab.types import Proposal, Strategy, Topic, Visit

__all__ = ["Respectful"]


class Respectful(Strategy):
    """Wrap a strategy: it still sees a page that says ``nofollow``, but none of its links."""

    name: ClassVar[str] = "respectful"

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.name = strategy.name  # type: ignore[misc]
        self.frontier = strategy.frontier  # type: ignore[misc]

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        self.strategy.start(topic, rng)

    def seed_score(self, url: str) -> float:
        return self.strategy.seed_score(url)

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        return self.strategy.propose(self._shown(visit))

    def revise(self, visit: Visit) -> Iterable[tuple[str, float]]:
        return self.strategy.revise(self._shown(visit))

    def _shown(self, visit: Visit) -> Visit:
        if not visit.page.links or "nofollow" not in directives(visit.response, visit.page):
            return visit
        return replace(visit, page=replace(visit.page, links=()))
