"""OTIE: importance flows along links, more of it to pages that are on topic."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from focuslab.features.link_context import check_beta, predict
from focuslab.strategies._cash import CashMachine, links_of
from focuslab.types import Assessor, Link, Proposal, Strategy, Task, Topic, Visit


def revision(relevance: float, a: float = 0.85, d: float = 3.0) -> float:
    """Factor on the cash of a page just fetched: 1 + max(-1, a·(2r-1)^d), the power taken by size and sign.

    Examples
    --------
    >>> [round(revision(r), 5) for r in (0, 0.5, 0.75, 1)]
    [0.15, 1.0, 1.10625, 1.85]
    """
    lean = 2 * relevance - 1
    return 1 + max(-1.0, a * math.copysign(abs(lean) ** d, lean))


class Otie(Strategy):
    """Score a link with the cash it holds; a fetched page shares its own by similarity to the topic.

    The cash of a page just fetched is first revised by its relevance r, cash·(1 + max(-1, a·(2r-1)^d)).
    Then each distinct link gets a part in proportion to the similarity of its target: the measured
    relevance if it was fetched, else β·r + (1-β)·(relevance of the words around the link). Now and
    then the richest page among those fetched pays again.

    Parameters
    ----------
    assessor : Assessor
        Scores the words around a link.
    a : float
        How far cash is revised.
    d : float
        How flat the revision is around r = 0.5.
    beta : float
        Weight of the page against the context in predictions.
    recrawl_every : int
        Fetches between two recrawls, 0 for none. The paper says "periodically"; 100 is our choice.
    revise_on_recrawl : bool
        Revise cash at a recrawl too. Off by our choice: revision repairs predicted similarities, and
        what reaches a fetched page was shared by measured ones.
    even_d : bool
        Accept an even integer d, read as sign(x)·|x|^d. The paper asks for an odd function, and x^2
        is none, so such a d is refused unless you say so.
    total : float
        Cash of all seeds together; the order does not depend on it.

    Attributes
    ----------
    machine_ : CashMachine
        The accounts: ``cash(url)``, ``sink``, ``recrawls``.

    Notes
    -----
    Our choices, where the paper is silent: a page keeps no cash after paying; pages without links pay
    a sink; where all similarities are 0 the links share equally; a recrawl costs no budget but is
    counted; of several links to one URL on a page the first is read; cash is brought back to scale
    when it leaves 1e-100 to 1e100. What a recrawl costs in memory: see `CashMachine`.

    References
    ----------
    Guan, Z., Wang, C., Chen, C., Bu, J. and Wang, J. "Guide focused crawler efficiently and
    effectively using on-line topical importance estimation." SIGIR 2008. Longer, by the same group:
    "On-line topical importance estimation." Journal of Zhejiang University Science A 10(8), 1114-1124,
    2009. doi:10.1631/jzus.A0820481
    """

    name: ClassVar[str] = "otie"
    frontier: ClassVar[Mapping[str, Any]] = {"rediscovery": "last"}

    def __init__(
        self,
        assessor: Assessor,
        a: float = 0.85,
        d: float = 3.0,
        beta: float = 0.25,
        recrawl_every: int = 100,
        revise_on_recrawl: bool = False,
        even_d: bool = False,
        total: float = 1.0,
    ) -> None:
        self.assessor = assessor
        self.a, self.d, self.beta = a, d, beta
        self.recrawl_every, self.revise_on_recrawl, self.even_d = recrawl_every, revise_on_recrawl, even_d
        self.total = total

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        """Let the task's classifiers score the words around links."""
        return cls(**({"assessor": task.assessor} | parameters))

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        check_beta(self.beta)
        if self.a <= 0 or self.d <= 0:
            raise ValueError(f"a is {self.a} and d is {self.d}; both must be positive")
        if self.d % 2 == 0 and not self.even_d:
            raise ValueError(
                f"x^{self.d:g} is no odd function; give an odd d, or even_d=True for sign(x)·|x|^d"
            )
        self.machine_ = CashMachine(topic.seeds, self.total, self.recrawl_every)
        self.changed_: tuple[str, ...] = ()

    def seed_score(self, url: str) -> float:
        """Seeds compete by the cash they hold, as links do."""
        return self.machine_.cash(url)

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        links = links_of(visit)
        sims = self._predicted(visit, links)
        paid, shares, self.changed_ = self.machine_.settle(
            visit,
            tuple(link.url for link in links),
            sims,
            visit.assessment.relevance,
            self._factor,
            self._factor if self.revise_on_recrawl else None,
        )
        return list(self._proposals(visit, paid, zip(links, sims, shares, strict=True)))

    def revise(self, visit: Visit) -> Iterable[tuple[str, float]]:
        waiting = self.machine_.waiting
        return [(url, waiting[url]) for url in self.changed_ if url in waiting]

    def _factor(self, relevance: float) -> float:
        return revision(relevance, self.a, self.d)

    def _predicted(self, visit: Visit, links: Sequence[Link]) -> list[float]:
        """Predicted similarity of links not fetched; what was fetched has a measured one."""
        new = [link for link in links if not self.machine_.fetched(link.url)]
        scores = predict(self.assessor, visit, new, self.beta)
        found = {link.url: score for link, (_, score) in zip(new, scores, strict=True)}
        return [found.get(link.url, 0.0) for link in links]

    def _proposals(
        self, visit: Visit, paid: float, parts: Iterable[tuple[Link, float, float]]
    ) -> Iterable[Proposal]:
        factor = self._factor(visit.assessment.relevance)
        waiting = self.machine_.waiting
        for link, sim, share in parts:
            if link.url in waiting:
                cash = waiting[link.url]
                terms = {"cash": cash, "gain": share * paid, "share": share, "sim": sim, "factor": factor}
                yield Proposal(link, cash, terms)
