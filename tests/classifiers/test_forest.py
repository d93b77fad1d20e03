"""The flattened forest answers as scikit-learn's own."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from focuslab.classifiers.forest import Forest


@pytest.mark.parametrize("seed", range(3))
def test_it_answers_as_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, labels = rng.normal(size=(200, 5)), rng.integers(0, 3, 200)
    model = RandomForestClassifier(10, random_state=seed).fit(rows, labels)
    forest, unseen = Forest.of(model, 3), rng.normal(size=(50, 5))
    found = np.array([forest.probabilities(row) for row in unseen])
    np.testing.assert_allclose(found, model.predict_proba(unseen), atol=1e-12)


def test_a_class_without_examples_gets_nothing() -> None:
    model = RandomForestClassifier(5, random_state=0).fit([[0.0], [1.0], [2.0]], [0, 2, 2])
    assert Forest.of(model, 4).probabilities(np.array([1.5]))[[1, 3]].tolist() == [0.0, 0.0]


def test_values_are_rounded_before_they_are_compared() -> None:
    """scikit-learn reads rows in single precision: 0.1 as a double is not the 0.1 it learned."""
    model = RandomForestClassifier(1, bootstrap=False, random_state=0).fit([[0.1], [0.3]], [0, 1])
    for value in np.nextafter(0.2, [0, 1]):
        found = Forest.of(model, 2).probabilities(np.array([value]))
        np.testing.assert_array_equal(found, model.predict_proba([[value]])[0])
