"""Best-first: a link is worth what its source page is worth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from focuslab.types import Proposal, Strategy, Visit


class BestFirst(Strategy):
    """Score every link with the relevance R of the page it stands on: S = R.

    The baseline of Qian et al. (their w_R = 1). No link is discarded.

    References
    ----------
    Qian, J., Suebchua, T. and Yamana, H. "Enhancing focused crawler through genre detection."
    Cho, J., Garcia-Molina, H. and Page, L. "Efficient crawling through URL ordering." Computer
    Networks and ISDN Systems 30, 161-172, 1998. doi:10.1016/S0169-7552(98)00108-1
    """

    name: ClassVar[str] = "best_first"

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        score = visit.assessment.relevance
        terms = {"R": score}
        return (Proposal(link, score, terms) for link in visit.page.out)
