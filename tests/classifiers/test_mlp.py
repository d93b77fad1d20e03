"""The neural network against scikit-learn's own answers, and the vote of three classifiers."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier
from tiny_pages import BAD, GOOD, LABELS, Fixed, page

from focuslab.classifiers.mlp import NeuralClassifier
from focuslab.classifiers.vote import Majority
from focuslab.types import Page


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_it_answers_as_the_network_of_scikit_learn() -> None:
    ours = NeuralClassifier(seed=3).fit(GOOD + BAD, LABELS)
    theirs = MLPClassifier(
        (4,), "tanh", alpha=ours.decay, learning_rate_init=ours.rate, max_iter=ours.rounds, random_state=3
    ).fit(ours.vectors_.rows, LABELS)
    expected = theirs.predict_proba(ours.vectors_.rows)[:, 1]
    np.testing.assert_allclose([ours.score(p) for p in GOOD + BAD], expected, atol=1e-9)


def test_it_tells_the_two_kinds_apart_and_the_seed_draws_its_weights() -> None:
    one, other = (NeuralClassifier(seed=seed).fit(GOOD + BAD, LABELS) for seed in (0, 1))
    assert all(one.score(p) > 0.5 for p in GOOD)
    assert all(one.score(p) < 0.5 for p in BAD)
    assert one.score(GOOD[0]) != other.score(GOOD[0])
    assert one.score(GOOD[0]) == NeuralClassifier(seed=0).fit(GOOD + BAD, LABELS).score(GOOD[0])


def test_the_language_it_was_made_for() -> None:
    pages = [Page(p.url, text=p.text, language="en") for p in GOOD + BAD]
    ours = NeuralClassifier(language="en").fit(pages, LABELS)
    assert ours.score(page("game score", language="fr")) == 0
    assert ours.score(page("game score", language="en")) > 0.5


def test_bad_input_names_the_remedy() -> None:
    with pytest.raises(ValueError, match="give at least one trained classifier"):
        Majority([])
    with pytest.raises(ValueError, match="no rule named 'loudest'; try votes, mean"):
        Majority([Fixed(1)], "loudest")
