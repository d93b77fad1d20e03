"""Link-context prediction: a link is worth what its page and the words around it promise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from focuslab.features.link_context import check_beta, predict
from focuslab.types import Assessor, Proposal, Strategy, Task, Topic, Visit


class LinkContext(Strategy):
    """Score a link with β·(relevance of its page) + (1-β)·(relevance of the words around it).

    The baseline of the OTIE paper, by its eq. 4. A link found on several pages keeps the largest
    score.

    Parameters
    ----------
    assessor : Assessor
        Scores the words around a link.
    beta : float
        Weight of the page against the context; 1 is best-first. Default: the paper's.

    Notes
    -----
    Our choices, where the paper is silent: the largest score of several sources, and of several
    links to one URL on the same page the first.

    References
    ----------
    Guan, Z., Wang, C., Chen, C., Bu, J. and Wang, J. "Guide focused crawler efficiently and
    effectively using on-line topical importance estimation." SIGIR 2008. Longer, by the same group:
    "On-line topical importance estimation." Journal of Zhejiang University Science A 10(8), 1114-1124,
    2009. doi:10.1631/jzus.A0820481
    """

    name: ClassVar[str] = "link_context"
    frontier: ClassVar[Mapping[str, Any]] = {"rediscovery": "max"}

    def __init__(self, assessor: Assessor, beta: float = 0.25) -> None:
        self.assessor = assessor
        self.beta = beta

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        """Let the task's classifiers score the words around links."""
        return cls(**({"assessor": task.assessor} | parameters))

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        check_beta(self.beta)

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        links = visit.page.out
        page = visit.assessment.relevance
        for link, (context, score) in zip(
            links, predict(self.assessor, visit, links, self.beta), strict=True
        ):
            yield Proposal(link, score, {"page": page, "context": context})
