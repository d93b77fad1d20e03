"""The naive Bayes crawler: follow the links of pages that are more likely relevant than not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.page_bayes import PageBayes
from focuslab.types import Assessment, Assessor, Proposal, Strategy, Task, Topic, Visit

CONTEXTS = ("page", "link")


class NaiveBayes(Strategy):
    """Score a link with the posterior of its context; discard all links of an irrelevant page.

    Links wait by posterior, equal ones by time of discovery, and any 100 fetches in a row come from 100
    hosts as long as there are so many (``frontier={"hosts_apart": k}`` of a crawl sets another number).

    Parameters
    ----------
    guide : Assessor, optional
        Judges pages and link contexts. By default the crawl's own assessor judges pages. From a task with
        examples: the paper's classifier, `PageBayes`, trained on them.
    context : {"page", "link"}
        What a link is judged by: the whole page it stands on, which the paper calls the extreme case, or
        the words around it. The former is our choice of default.
    expand_seeds : bool
        Follow the links of a seed whatever it is about. Our choice: the paper starts from portals, which
        are about everything.

    Notes
    -----
    The paper announces reinforcement learning and does not describe it, so there is none.

    Most posteriors are so close to 0 or 1 that they are equal in floating point. Among relevant pages the
    crawl is then nearly breadth-first: what steers it is the discarding.

    References
    ----------
    Wang, W., Chen, X., Zou, Y., Wang, H. and Dai, Z. "A focused crawler based on naive Bayes classifier."
    IITSI 2010. doi:10.1109/IITSI.2010.30
    """

    name: ClassVar[str] = "naive_bayes"
    frontier: ClassVar[Mapping[str, Any]] = {"hosts_apart": 100}

    def __init__(
        self, guide: Assessor | None = None, context: str = "page", expand_seeds: bool = True
    ) -> None:
        self.guide = guide
        self.context = context
        self.expand_seeds = expand_seeds

    @classmethod
    def from_task(
        cls,
        task: Task,
        guide: Assessor | None = None,
        context: str = "page",
        expand_seeds: bool = True,
        **classifier: Any,
    ) -> Self:
        """Train the paper's classifier on the task's examples; ``classifier``: parameters of `PageBayes`."""
        if guide is None:
            guide = _trained(task, classifier) if task.examples else task.assessor
        return cls(guide, context, expand_seeds)

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        if self.context not in CONTEXTS:
            raise ValueError(f"no context named {self.context!r}; try {', '.join(CONTEXTS)}")
        if self.context == "link" and self.guide is None:
            raise ValueError("context='link' needs guide=, an assessor that scores the words around links")

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        judged = self._judge(visit)
        if not judged.relevant and not (self.expand_seeds and visit.depth == 0):
            return
        terms = {"page": judged.relevance}
        for link in visit.page.out:
            if self.guide is None or self.context == "page":
                yield Proposal(link, judged.relevance, terms)
            else:
                score = self.guide.score_text(link.context, visit.page.language)
                yield Proposal(link, score, terms | {"context": score})

    def _judge(self, visit: Visit) -> Assessment:
        return visit.assessment if self.guide is None else self.guide.assess(visit.page)


def _trained(task: Task, parameters: Mapping[str, Any]) -> Classifiers:
    pages, labels = [each.page for each in task.examples], [each.relevant for each in task.examples]
    return Classifiers(PageBayes(**parameters).fit(pages, labels), language=task.topic.language)
