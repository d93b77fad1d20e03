"""Several relevance classifiers that vote: a page is on topic when most of them say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from focuslab.classifiers.mlp import NeuralClassifier
from focuslab.classifiers.relevance import RELEVANT, RelevanceClassifier
from focuslab.classifiers.svm import SvmClassifier
from focuslab.types import Assessment, Example, Page, Topic

__all__ = ["Majority", "train_majority"]

RULES = ("votes", "mean")


class Voter(Protocol):
    """What is asked of each classifier."""

    def score(self, page: Page) -> float: ...

    def score_text(self, text: str, language: str = "") -> float: ...


class Majority:
    """An assessor made of several: relevant when more than half of them score above 0.5.

    The relevance it reports is the mean of their scores, so it can be on the other side of 0.5 than the
    vote.

    Parameters
    ----------
    voters : sequence of classifiers
        Each with ``score`` and ``score_text``.
    rule : {"votes", "mean"}
        Count votes, or ask whether the mean score is above 0.5.

    References
    ----------
    Guan, Z., Wang, C., Chen, C., Bu, J. and Wang, J. "Guide focused crawler efficiently and effectively
    using on-line topical importance estimation." SIGIR 2008. All three of SVM, naive Bayes and neural
    network classify pages there; how they are combined is our choice.
    """

    def __init__(self, voters: Sequence[Voter], rule: str = "votes") -> None:
        if not voters:
            raise ValueError("a majority of none; give at least one trained classifier")
        if rule not in RULES:
            raise ValueError(f"no rule named {rule!r}; try {', '.join(RULES)}")
        self.voters, self.rule = tuple(voters), rule

    def assess(self, page: Page) -> Assessment:
        """The mean score, and whether most say that the page is relevant."""
        scores = [voter.score(page) for voter in self.voters]
        mean = sum(scores) / len(scores)
        votes = sum(score > RELEVANT for score in scores)
        return Assessment(mean, 2 * votes > len(scores) if self.rule == "votes" else mean > RELEVANT)

    def score(self, page: Page) -> float:
        """Mean score of a page."""
        return self.assess(page).relevance

    def score_text(self, text: str, language: str = "") -> float:
        """Mean score of a piece of text."""
        return sum(voter.score_text(text, language) for voter in self.voters) / len(self.voters)


def train_majority(
    examples: Sequence[Example], topic: Topic | None = None, seed: int = 0, rule: str = "votes"
) -> Majority:
    """Naive Bayes, a linear SVM and a small neural network, trained on the same labelled pages."""
    language = topic.language if topic else ""
    voters = (
        RelevanceClassifier(language=language),
        SvmClassifier("linear", language=language, seed=seed),
        NeuralClassifier(language=language, seed=seed),
    )
    pages, labels = [example.page for example in examples], [example.relevant for example in examples]
    return Majority([voter.fit(pages, labels) for voter in voters], rule)
