"""A crawler guided by an SVM: what genre-aware crawling was measured against, with either queue."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from focuslab.classifiers.svm import SvmClassifier
from focuslab.strategies._fcrawl import FCrawl
from focuslab.types import Page, Task, Topic


class SvmGuided(FCrawl):
    """f of a page is the probability that an RBF support vector machine gives it.

    With ``policy="PS"`` it is the traditional crawler of the paper ("RBF-…-1"): every link of a page is
    queued with that page's score. With ``policy="FS-2"`` it has the queue of genre-aware crawling
    ("RBF-…-2"): the siblings of a relevant page go first.

    Parameters
    ----------
    judge : SvmClassifier
        A trained one; `make` and ``from_task`` train it on the task's examples, or take ``extras["svm"]``.
    policy : {"PS", "FS-2", "FS-1", "PFS-1", "PFS-2", "plain"}
        Whose scores a page changes.
    change_threshold : float
        A page is relevant, and raises its siblings, if f is larger than this.
    depth : int
        Pages so many links away from a seed are not followed further.
    width : int
        Only so many links of a page count, the first ones.
    siblings, change : str
        As in genre-aware crawling.

    Notes
    -----
    The paper trains on at least 30 relevant pages and 500,000 others, and does not print cost and gamma.
    Here they are chosen by cross-validation on the task's own examples, of which there are far fewer (see
    `SvmClassifier`). Depth, width and ties are those of genre-aware crawling, so that only the judge and
    the queue differ.

    References
    ----------
    de Assis, G. T., Laender, A. H. F., Gonçalves, M. A. and da Silva, A. S. "A genre-aware approach to
    focused crawling." World Wide Web, 2009, section 4.1.2. doi:10.1007/s11280-009-0063-7
    """

    name: ClassVar[str] = "svm_guided"

    def __init__(
        self,
        judge: SvmClassifier | None = None,
        policy: str = "PS",
        change_threshold: float = 0.5,
        depth: int = 7,
        width: int = 200,
        siblings: str = "first_parent",
        change: str = "overwrite",
    ) -> None:
        super().__init__(policy, change_threshold, depth, width, siblings, change)
        self.judge = judge

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        """With the SVM of the task's extras, or one trained on its examples."""
        judge = task.extras.get("svm") or SvmClassifier(language=task.topic.language).fit(
            [example.page for example in task.examples], [example.relevant for example in task.examples]
        )
        return cls(judge, **parameters)

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        if self.judge is None:
            raise ValueError("svm_guided has no judge; build it with make('svm_guided', task), or give one")
        super().start(topic, rng)

    def similarity(self, page: Page) -> dict[str, float]:
        """The probability that the page is relevant."""
        assert self.judge is not None
        return {"f": self.judge.score(page)}
