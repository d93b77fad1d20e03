"""Fish-search: pages with the keywords breed many links, others few, and a line without food dies out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from focuslab.features.vectors import required, task_vector
from focuslab.pages.text import words
from focuslab.types import Proposal, Strategy, Task, Topic, Visit

KEYWORDS = 10


def mentions(text: str, keywords: Iterable[str]) -> bool:
    """True if one of the keywords stands in the text, as whole words.

    >>> mentions("The new mobile phones", ["mobile phone"]), mentions("A Mobile Phone!", ["mobile phone"])
    (False, True)
    """
    spaced = f" {' '.join(words(text))} "
    return any(f" {' '.join(found)} " in spaced for keyword in keywords if (found := words(keyword)))


def brood(
    relevant: bool, depth: int, children: int, width: int, most: int, a: float
) -> list[tuple[float, int]]:
    """Score and depth of each child of a page, in order; none if the page's own depth is used up.

    >>> brood(True, 2, 5, width=2, most=3, a=1.5)
    [(1.0, 3), (1.0, 3), (1.0, 3), (0.0, 3), (0.0, 3)]
    >>> brood(False, 2, 3, width=2, most=3, a=1.5)
    [(0.5, 1), (0.5, 1), (0.0, 1)]
    """
    if depth <= 0:
        return []
    score, favoured, below = (1.0, math.floor(a * width), most) if relevant else (0.5, width, depth - 1)
    return [(score if place < favoured else 0.0, below) for place in range(children)]


class FishSearch(Strategy):
    """Follow a·width links of a page with a keyword first (score 1), width of another (0.5), the rest last.

    Parameters
    ----------
    keywords : sequence of str, optional
        A page is relevant if it mentions one. Default: the topic's; if it has none, the ten strongest
        terms of a task's examples (our choice).
    width : int
        Links to favour on a page (the default is our choice).
    depth : int
        How many irrelevant pages may follow each other.
    a : float
        How many times more links a relevant page may favour.

    Notes
    -----
    A link found again while it waits keeps its greater score and its greater depth.

    References
    ----------
    De Bra, P. and Post, R. "Information retrieval in the World-Wide Web: making client-based searching
    feasible." Computer Networks and ISDN Systems 27, 183-192, 1994. doi:10.1016/0169-7552(94)90132-5
    """

    name: ClassVar[str] = "fish_search"
    frontier: ClassVar[Mapping[str, Any]] = {"rediscovery": "max"}

    def __init__(
        self, keywords: Sequence[str] | None = None, width: int = 10, depth: int = 3, a: float = 1.5
    ) -> None:
        self.keywords, self.width, self.depth, self.a = keywords, width, depth, a

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        """Take the keywords of the topic, else the strongest terms of the task's examples."""
        keywords = task.topic.keywords or tuple(task_vector(task))[:KEYWORDS]
        return cls(**({"keywords": keywords} | parameters))

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        self.keywords_ = tuple(self.keywords or ()) or topic.keywords or tuple(required(None, topic))
        self.depth_: dict[str, int] = {}

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        depth = self.depth_.pop(visit.link.url, self.depth)
        page = visit.page
        relevant = mentions(f"{page.title} {page.text}", self.keywords_)
        links = page.out
        scored = brood(relevant, depth, len(links), self.width, self.depth, self.a)
        for link, (_, below) in zip(links, scored, strict=False):
            self.depth_[link.url] = max(below, self.depth_.get(link.url, 0))
        return [
            Proposal(link, score, {"relevant": float(relevant), "depth": below})
            for link, (score, below) in zip(links, scored, strict=False)
        ]
