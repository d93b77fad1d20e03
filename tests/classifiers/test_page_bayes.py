"""The naive Bayes of Wang et al. on pages: scores, words that explain them, and mistakes by name."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tiny import url
from tiny_matrices import CORPUS, QUERIES, trained

from focuslab.classifiers.naive_bayes import KernelNB, NormalNB
from focuslab.classifiers.page_bayes import PageBayes
from focuslab.types import Page


def pages(documents: list[list[str]]) -> list[Page]:
    return [Page(url(f"p{n}"), text=" ".join(words)) for n, words in enumerate(documents)]


@pytest.mark.parametrize(("density", "kind"), [("kernel", KernelNB), ("normal", NormalNB)])
def test_a_page_is_scored_by_its_words(density: str, kind: type) -> None:
    classifier = PageBayes(density).fit(pages(CORPUS), [True, True, False, False])
    model, queries = trained(kind())
    told = [classifier.score(page) for page in pages(QUERIES)]
    np.testing.assert_allclose(told, model.predict_proba(queries)[:, 1], atol=1e-12)
    assert [classifier.score_text(" ".join(words)) for words in QUERIES] == told
    odds = [classifier.log_odds(page) for page in pages(QUERIES)]
    np.testing.assert_allclose(odds, model.decision_function(queries), atol=1e-9)


@pytest.mark.parametrize("density", ["kernel", "normal"])
def test_every_word_says_what_it_adds(density: str) -> None:
    classifier = PageBayes(density).fit(pages(CORPUS), [True, True, False, False])
    page, empty = Page(url("x"), "nba stock", "stock zebra"), Page(url("y"))
    told = classifier.word_odds(page)
    assert list(told) == ["stock", "nba"]
    assert told["stock"] < 0 < told["nba"]
    assert sum(told.values()) == pytest.approx(classifier.log_odds(page) - classifier.log_odds(empty))


def test_title_counts_and_stop_words_do_not() -> None:
    classifier = PageBayes().fit(pages(CORPUS), [True, True, False, False])
    told = classifier.score(Page(url("x"), "NBA team", "and the game of a"))
    assert told == pytest.approx(0.93754028, abs=1e-8)


def test_the_larger_class_is_cut_by_the_seed_only() -> None:
    documents = [*CORPUS, *[["stock", f"word{n}"] for n in range(30)]]
    labels = [True, True] + [False] * 32
    learned = [list(PageBayes(seed=n).fit(pages(documents), labels).weigh_.vocabulary_) for n in (0, 0, 1)]
    assert learned[0] == learned[1] != learned[2]
    assert PageBayes().fit(pages(documents), labels).model_.class_log_prior_ == pytest.approx(math.log(0.5))
    assert len(PageBayes(balance=False).fit(pages(documents), labels).weigh_.vocabulary_) == 37


def test_one_rare_word_can_outweigh_the_topic() -> None:
    """Why min_pages exists: the second page is all nba, but for a word that one stock page had."""
    documents = [["nba", "game", f"a{n}"] for n in range(20)] + [
        ["stock", "bank", f"b{n}"] for n in range(20)
    ]
    learned = pages(documents), [True] * 20 + [False] * 20
    all_words, common = PageBayes().fit(*learned), PageBayes(min_pages=2).fit(*learned)
    assert all_words.score_text("nba game") > 0.99
    assert all_words.score_text("nba game b3") < 0.01
    assert common.score_text("nba game b3") > 0.99


def test_an_empty_page_has_a_score() -> None:
    assert 0 <= PageBayes().fit(pages(CORPUS), [True, True, False, False]).score(Page(url("x"))) <= 1


def test_mistakes_of_training_are_named() -> None:
    with pytest.raises(ValueError, match="no density named 'flat'; try kernel, normal"):
        PageBayes("flat")
    with pytest.raises(ValueError, match="4 relevant, 0 irrelevant"):
        PageBayes().fit(pages(CORPUS), [True] * 4)
