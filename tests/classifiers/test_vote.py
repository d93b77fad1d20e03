"""Three classifiers vote: two are enough."""

from __future__ import annotations

from tiny_pages import BAD, GOOD, LABELS, Fixed, page

from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.vote import Majority, train_majority
from focuslab.types import Assessor, Example, Topic


def vote(*scores: float, rule: str = "votes") -> tuple[float, bool]:
    told = Majority([Fixed(score) for score in scores], rule).assess(page(""))
    return round(told.relevance, 9), told.relevant


def test_two_of_three_are_enough() -> None:
    assert vote(0.51, 0.9, 0.0) == (0.47, True)
    assert vote(0.5, 0.9, 0.0) == (0.466666667, False)
    assert vote(1.0, 0.4, 0.4) == (0.6, False)


def test_the_mean_can_decide_instead() -> None:
    assert vote(0.51, 0.9, 0.0, rule="mean") == (0.47, False)
    assert vote(1.0, 0.4, 0.4, rule="mean") == (0.6, True)


def test_half_is_no_majority() -> None:
    assert vote(0.9, 0.1) == (0.5, False)


def test_three_kinds_are_trained_and_vote() -> None:
    examples = [Example(p, label) for p, label in zip(GOOD + BAD, LABELS, strict=True)]
    judge = train_majority(examples, Topic("games"))
    kinds = [type(voter).__name__ for voter in judge.voters]
    assert kinds == ["RelevanceClassifier", "SvmClassifier", "NeuralClassifier"]
    assert isinstance(judge, Assessor)
    assert [judge.assess(p).relevant for p in GOOD + BAD] == LABELS
    assert judge.score_text("game pitcher") > 0.5 > judge.score_text("stock market")
    assert Classifiers(judge).assess(GOOD[0]).relevance == judge.score(GOOD[0])
