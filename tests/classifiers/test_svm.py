"""The SVM against scikit-learn's own, its sigmoid, and what TF-IDF makes of a page."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.svm import SVC
from tiny_pages import corpus, page, spaced

from focuslab.classifiers.svm import SvmClassifier, platt


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_decisions_are_those_of_scikit_learn(kernel: str) -> None:
    pages, labels = corpus()
    svm = SvmClassifier(kernel, segmenter=spaced).fit(pages, labels)
    rows = svm.vectors_.rows
    theirs = SVC(C=svm.cost_, kernel=kernel, gamma=svm.gamma_ or "scale", tol=1e-3).fit(rows, labels)
    others, _ = corpus(20, seed=1)
    ours = [svm._decision(svm.vectors_.of_page(p)) for p in others]
    other_rows = svm.vectors_._stacked([svm.vectors_.of_page(p) for p in others])
    np.testing.assert_allclose(ours, theirs.decision_function(other_rows), atol=5e-3)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_it_ranks_unseen_pages(kernel: str) -> None:
    svm = SvmClassifier(kernel, segmenter=spaced).fit(*corpus())
    pages, labels = corpus(200, seed=1)
    right = [(svm.score(p) > 0.5) == label for p, label in zip(pages, labels, strict=True)]
    assert np.mean(right) > 0.8


@pytest.mark.parametrize("seed", [10, 11, 12])
def test_the_score_is_a_probability_worth_its_name(seed: int) -> None:
    """Also where nearly every page is a support vector, and the folds see fewer pages than the final fit."""
    svm = SvmClassifier(segmenter=spaced).fit(*corpus(300, seed))
    pages, labels = corpus(600, seed + 40)
    scores, truth = np.array([svm.score(p) for p in pages]), np.array(labels)
    assert abs(scores.mean() - truth.mean()) < 0.05
    for low in (0.0, 0.25, 0.5, 0.75):
        part = (scores >= low) & (scores <= low + 0.25)
        assert abs(scores[part].mean() - truth[part].mean()) < 0.15


def test_few_relevant_pages_meet_only_some_of_the_others() -> None:
    pages = [page(f"good{n % 2} w{n}") for n in range(4)] + [page(f"bad{n % 3} w{n}") for n in range(90)]
    svm = SvmClassifier(negatives=5).fit(pages, [True] * 4 + [False] * 90)
    assert svm.vectors_.rows.shape[0] == 4 + 20
    again = SvmClassifier(negatives=5, seed=1).fit(pages, [True] * 4 + [False] * 90)
    assert list(again.vectors_.places) != list(svm.vectors_.places)


def test_the_language_it_was_made_for() -> None:
    pages = [page(text, language="en") for text in ("game score", "game", "stock", "price stock")]
    svm = SvmClassifier(language="en").fit(
        [*pages, page("jeu", language="fr")], [True, True, False, False, True]
    )
    assert "jeu" not in svm.vectors_.places
    assert svm.score(page("game", language="fr")) == 0
    assert svm.score(page("game", language="en")) > 0.5


@pytest.mark.parametrize(
    ("pages", "labels", "message"),
    [
        ([], [], "no pages to train on; give some of both kinds"),
        (["a", "b", "c"], [True, False, False], "needs 2 pages of each kind; 1 relevant and 2 irrelevant"),
        (["a", "b"], [True], "2 pages need as many labels"),
        (
            ["the", "of", "a", "to"],
            [True, True, False, False],
            "have no words; check their text and language",
        ),
    ],
)
def test_what_it_cannot_learn_from(pages: list[str], labels: list[bool], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SvmClassifier().fit([page(text) for text in pages], labels)


def test_an_unknown_kernel_lists_the_known() -> None:
    with pytest.raises(ValueError, match="no kernel named 'poly'; try rbf, linear"):
        SvmClassifier("poly")


def test_platt_finds_the_sigmoid_that_made_the_labels() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=20_000) * 3
    found = platt(values, rng.random(20_000) < expit(2 * values - 1))
    assert found.slope == pytest.approx(2, abs=0.1)
    assert found.shift == pytest.approx(-1, abs=0.1)


@given(st.lists(st.tuples(st.floats(-5, 5), st.booleans()), min_size=1, max_size=30))
def test_platt_never_turns_the_order_round(rows: list[tuple[float, bool]]) -> None:
    rows = [*rows, (0.5, True), (-0.5, False)]
    found = platt(np.array([x for x, _ in rows]), np.array([y for _, y in rows]))
    assert found.slope >= 0
    assert math.isfinite(found.slope)
    assert math.isfinite(found.shift)
