"""Genre-enhanced best-first: the genre of the source page says how far its relevance can be trusted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from focuslab.features.pig import PUBLISHED, PigTable
from focuslab.types import Proposal, Strategy, Task, Topic, Visit

Number = TypeVar("Number", float, NDArray[np.float64])

PRESETS = {"baseball": ("baseball", 0.95), "gaming_sim": ("gaming", 0.85), "gaming_live": ("gaming", 0.90)}
"""P_IG table and w_R as published. For gaming the paper found 0.85 in simulation and used 0.90 live."""


def genre_score(w_r: float, relevance: Number, confidence: Number, pig: Number) -> Number:
    """S = w_R·R + w_G·(C·P_IG) with w_G = 1 - w_R, for one page or for arrays of pages.

    Examples
    --------
    >>> round(genre_score(0.95, 0.9, 0.8, 0.764), 5)
    0.88556
    """
    return w_r * relevance + (1 - w_r) * (confidence * pig)


class GenreEnhanced(Strategy):
    """Score every link of a page with S = w_R·R + w_G·(C·P_IG), w_G = 1 - w_R.

    R is the relevance of the page the link stands on, C the confidence in its genre G, and P_IG the
    share of links that lead to relevant pages from pages of its relevance class I and genre G. All
    links of a page get the same score, and none is discarded.

    Parameters
    ----------
    pig : PigTable
        P_IG, best estimated on a part of the web that is not crawled afterwards
        (`focuslab.features.pig.estimate`). Default: the paper's table for baseball.
    w_r : float
        Weight of relevance against genre; 1 is best-first. Default: the paper's for baseball.

    Notes
    -----
    A URL found on several pages keeps the score of the first, as in the public crawler of one of the
    authors; the paper does not say. ``frontier={"rediscovery": "max"}`` is the alternative.

    References
    ----------
    Qian, J., Suebchua, T. and Yamana, H. "Enhancing focused crawler through genre detection."
    Waseda University.
    """

    name: ClassVar[str] = "genre_enhanced"

    def __init__(self, pig: PigTable = PUBLISHED["baseball"], w_r: float = 0.95) -> None:
        self.pig = pig
        self.w_r = w_r

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        """Take the P_IG table that a pre-analysis left in the task as ``pig``, where there is one."""
        found = {"pig": task.extras["pig"]} if "pig" in task.extras else {}
        return cls(**(found | parameters))

    @classmethod
    def preset(cls, name: str) -> Self:
        """Build the crawler with published settings: baseball, gaming_sim or gaming_live."""
        if name not in PRESETS:
            raise ValueError(f"no preset named {name!r}; try {', '.join(PRESETS)}")
        table, w_r = PRESETS[name]
        return cls(PUBLISHED[table], w_r)

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        if not 0 <= self.w_r <= 1:
            raise ValueError(f"w_r is {self.w_r}; it is a share, so give a number from 0 to 1")

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        page = visit.assessment
        pig = self.pig.probability(page.relevant, page.genre)
        score = genre_score(self.w_r, page.relevance, page.confidence, pig)
        terms = {
            "R": page.relevance,
            "C": page.confidence,
            "P_IG": pig,
            "w_R·R": self.w_r * page.relevance,
            "w_G·C·P_IG": (1 - self.w_r) * (page.confidence * pig),
        }
        return (Proposal(link, score, terms) for link in visit.page.out)
