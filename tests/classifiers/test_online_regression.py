"""A belief learned one example at a time equals the regression on all of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from focuslab.classifiers.online_regression import OnlineRegression


def test_the_model_equals_ridge_regression() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(50, 4)), rng.normal(size=50)
    prior, variance, noise = np.array([1.0, 0.0, -1.0, 0.5]), 0.25, 0.1
    model = OnlineRegression(prior, variance, noise=noise)
    for row, outcome in zip(x, y, strict=True):
        model.learn(row, np.zeros(3, np.int32), outcome)
    precision = np.eye(4) / variance + x.T @ x / noise
    expected = np.linalg.solve(precision, prior / variance + x.T @ y / noise)
    np.testing.assert_allclose(model.mean, expected, atol=1e-9)
    np.testing.assert_allclose(model.covariance, np.linalg.inv(precision), atol=1e-9)


def test_words_learn_and_no_word_does_not() -> None:
    model = OnlineRegression(np.zeros(1), words=4)
    for _ in range(50):
        model.learn(np.ones(1), np.array([1, 0]), 1.0)
        model.learn(np.ones(1), np.array([2, 0]), -1.0)
    said = model.said(np.array([[1, 0], [2, 0], [3, 0], [0, 0]]))
    assert said[0] > 0.5 > -0.5 > said[1]
    assert said[2] == said[3] == 0


def test_doubt_shrinks_where_there_is_experience() -> None:
    model = OnlineRegression(np.zeros(2), words=3)
    one, other = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
    before = model.spread(one, np.array([[1]]))
    model.learn(one[0], np.array([1]), 0.0)
    assert model.spread(one, np.array([[1]])) < before
    assert model.spread(other, np.array([[2]])) == before


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=1, max_size=30))
def test_the_covariance_stays_one(examples: list[tuple[float, float]]) -> None:
    model = OnlineRegression(np.zeros(2), words=2)
    for x, y in examples:
        model.learn(np.array([1.0, x]), np.array([1]), y)
    assert np.linalg.eigvalsh(model.covariance).min() > -1e-9
    assert model.word_variance.min() >= 0


def test_noisy_examples_teach_less() -> None:
    quiet, noisy = OnlineRegression(np.zeros(1)), OnlineRegression(np.zeros(1))
    quiet.learn(np.ones(1), np.array([0]), 1.0)
    noisy.learn(np.ones(1), np.array([0]), 1.0, noise=10.0)
    assert 0 < noisy.mean[0] < quiet.mean[0]
