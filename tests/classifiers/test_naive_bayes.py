"""Naive Bayes with a density for each word: the worked numbers, plain formulas, scikit-learn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity
from sklearn.utils.estimator_checks import parametrize_with_checks
from tiny import TinyAssessor, TinyWeb, name, topic
from tiny_matrices import column, matrices, split, trained

from focuslab.classifiers.naive_bayes import KernelNB, NormalNB
from focuslab.crawling.loop import crawl
from focuslab.strategies.naive_bayes import NaiveBayes

BOTH = [KernelNB, NormalNB]


both = pytest.mark.parametrize("kind", BOTH)


@parametrize_with_checks([KernelNB(), NormalNB()])
def test_they_keep_the_contract_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_w2_kernel() -> None:
    model, queries = trained(KernelNB())
    np.testing.assert_allclose(
        model.predict_proba(queries)[:, 1], [0.93754028, 0.06337901, 0.45661432], atol=1e-8
    )
    np.testing.assert_allclose(model.log_likelihood(queries)[0], [-7.90299364, -5.19425582], atol=1e-8)
    assert model.predict(queries).tolist() == [1, 0, 0]


def test_w3_normal() -> None:
    model, queries = trained(NormalNB())
    assert model.predict_proba(queries)[2, 1] == pytest.approx(0.291339175, abs=1e-9)
    np.testing.assert_allclose(model.log_likelihood(queries)[0], [-1433.108051, 7.362102], atol=1e-6)
    assert model.predict_proba(queries)[0].tolist() == [0.0, 1.0]


def test_w4_w5_normal_in_one_dimension() -> None:
    rows, labels = column(1, 3, 5, 7), [1, 1, 0, 0]
    model = NormalNB().fit(rows, labels)
    np.testing.assert_allclose(model.log_likelihood([[2.0]])[0], [-8.9189385332, -0.9189385332], atol=1e-10)
    assert model.predict_proba([[2.0]])[0, 1] == pytest.approx(0.9996646499, abs=1e-10)
    assert model.predict_proba([[4.0]])[0, 1] == pytest.approx(0.5)
    biased = NormalNB(priors=[0.25, 0.75]).fit(rows, labels)
    assert biased.predict_proba([[4.0]])[0, 1] == pytest.approx(0.75)


def test_w6_kernel_in_one_dimension() -> None:
    model = KernelNB().fit(column(0, 1, 2, 3), [1, 1, 0, 0])
    np.testing.assert_allclose(
        np.exp(model.log_likelihood([[0.0]])[0]), [0.0052015596, 0.3858716661], atol=1e-10
    )
    assert model.predict_proba([[0.0]])[0, 1] == pytest.approx(0.9866992694, abs=1e-10)


@pytest.mark.parametrize(
    ("prior", "literal", "bayes"), [(0.5, (0.375, 0.125), 0.75), (0.8, (0.6, 0.05), 0.9230769231)]
)
def test_w8_both_posteriors(prior: float, literal: tuple, bayes: float) -> None:
    """Two normal classes, placed so that the likelihoods of x = 0 are .3 and .1."""
    spread = 1.0

    def at(likelihood: float) -> float:
        return spread * math.sqrt(-2 * math.log(likelihood * spread * math.sqrt(2 * math.pi)))

    rows = column(at(0.3) - 1, at(0.3) + 1, at(0.1) - 1, at(0.1) + 1)
    labels, priors = [1, 1, 0, 0], [1 - prior, prior]
    model = NormalNB(px="literal", priors=priors).fit(rows, labels)
    np.testing.assert_allclose(np.exp(model.log_likelihood([[0.0]])[0]), [0.1, 0.3], atol=1e-12)
    np.testing.assert_allclose(model.predict_proba([[0.0]])[0][::-1], literal, atol=1e-12)
    model = NormalNB(priors=priors).fit(rows, labels)
    assert model.predict_proba([[0.0]])[0, 1] == pytest.approx(bayes, abs=1e-10)


def test_w9_a_word_that_never_varies_and_products_that_vanish() -> None:
    flat = NormalNB().fit(column(0, 0, 0, 0), [1, 1, 0, 0])
    assert flat.log_likelihood([[0.0]])[0, 0] == pytest.approx(2.53493911, abs=1e-8)
    assert flat.log_likelihood([[0.1]])[0, 0] == pytest.approx(-2.46506089, abs=1e-8)
    # 2,000 features whose density is 1e-3 each: their product is 0 in floating point, its logarithm is not.
    place = math.sqrt(-2 * math.log(1e-3 * math.sqrt(2 * math.pi)))
    rows = np.repeat(column(place - 1, place + 1, 1 - place, -1 - place), 2_000, axis=1)
    model = NormalNB().fit(rows, [1, 1, 0, 0])
    assert 1e-3**2_000 == 0
    np.testing.assert_allclose(model.log_likelihood(np.zeros((1, 2_000))), -13815.510558, atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(np.zeros((1, 2_000))), 0.5)


@given(matrices)
@settings(max_examples=60, deadline=None)
def test_normal_is_the_plain_formula(rows: np.ndarray) -> None:
    labels = split(rows)
    told = NormalNB().fit(csr_matrix(rows), labels).log_likelihood(rows)
    for code, chosen in enumerate([~labels, labels]):
        spread = np.sqrt(np.maximum(rows[chosen].var(axis=0), 1e-3))
        wanted = norm.logpdf(rows, rows[chosen].mean(axis=0), spread).sum(axis=1)
        np.testing.assert_allclose(told[:, code], wanted, rtol=1e-9, atol=1e-7)


@both
@given(matrices)
@settings(max_examples=30, deadline=None)
def test_sparse_and_dense_one_and_many_agree(kind: type, rows: np.ndarray) -> None:
    labels = split(rows)
    dense, sparse = kind().fit(rows, labels), kind().fit(csr_matrix(rows), labels)
    told = dense.log_likelihood(rows)
    np.testing.assert_array_equal(told, sparse.log_likelihood(csr_matrix(rows)))
    single = [dense.log_likelihood(row[None])[0] for row in rows]
    np.testing.assert_allclose(told, single, rtol=1e-12)


@both
@given(matrices, st.floats(0.05, 0.95))
@settings(max_examples=30, deadline=None)
def test_both_posteriors_give_the_same_order_and_decision(kind: type, rows: np.ndarray, prior: float) -> None:
    labels, priors = split(rows), [1 - prior, prior]
    bayes = kind(priors=priors).fit(rows, labels)
    literal = kind(priors=priors, px="literal").fit(rows, labels)
    first, second = bayes.predict_log_proba(rows)[:, 1], literal.predict_log_proba(rows)[:, 1]
    order = np.argsort(bayes.decision_function(rows), kind="stable")
    assert (np.diff(first[order]) >= -1e-9).all()
    assert (np.diff(second[order]) >= -1e-9).all()
    np.testing.assert_array_equal(bayes.predict(rows), literal.predict(rows))
    np.testing.assert_allclose(bayes.predict_proba(rows).sum(axis=1), 1)


def test_scikit_learn_agrees() -> None:
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(60, 4)), np.arange(60) % 3
    ours, theirs = (
        NormalNB(var_floor=1e-9).fit(rows, labels),
        GaussianNB(var_smoothing=1e-12).fit(rows, labels),
    )
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-6)
    kernel = KernelNB().fit(rows[:, :1], labels)
    theirs = KernelDensity(bandwidth=1 / math.sqrt(20)).fit(rows[labels == 1, :1])
    np.testing.assert_allclose(
        kernel.log_likelihood(rows[:, :1])[:, 1], theirs.score_samples(rows[:, :1]), atol=1e-9
    )


@both
def test_of_equal_posteriors_irrelevant_wins(kind: type) -> None:
    model = kind().fit(column(0, 1, 0, 1), [True, True, False, False])
    assert model.predict_proba([[0.4]]).tolist() == [[0.5, 0.5]]
    assert not model.predict([[0.4]])[0]


def test_a_class_of_more_rows_wins_where_nothing_is_known() -> None:
    """What the notes of KernelNB warn of: the curves of the larger class are narrower."""
    rows = csr_matrix((5, 300))
    assert KernelNB().fit(rows, [1, 0, 0, 0, 0]).predict_proba(rows[:1])[0, 1] < 1e-50
    equal = KernelNB(bandwidth=0.5).fit(rows, [1, 0, 0, 0, 0])
    assert equal.predict_proba(rows[:1])[0, 1] == pytest.approx(0.2)


def test_the_floor_can_be_the_kernels_variance() -> None:
    model = NormalNB(var_floor="kernel").fit(column(0, 0, 0, 0, 0), [1, 1, 0, 0, 0])
    np.testing.assert_allclose(model.var_, [[1 / 3], [1 / 2]])


@both
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"px": "frequentist"}, "no px named 'frequentist'; try bayes, literal"),
        ({"priors": [0.5, 0.6]}, "2 positive shares that sum to 1"),
        ({"priors": [1.0]}, "2 positive shares"),
    ],
)
def test_bad_parameters_are_named(kind: type, parameters: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kind(**parameters).fit(column(0, 1), [0, 1])


def test_bad_widths_are_named() -> None:
    with pytest.raises(ValueError, match="give a number above 0, or 'kernel'"):
        NormalNB(var_floor=0.0).fit(column(0, 1), [0, 1])
    with pytest.raises(ValueError, match="give a number above 0, or 'kernel'"):
        NormalNB(var_floor="wide").fit(column(0, 1), [0, 1])
    with pytest.raises(ValueError, match="or None for 1/√n"):
        KernelNB(bandwidth=-1).fit(column(0, 1), [0, 1])


def order(web: TinyWeb, strategy: NaiveBayes, seeds: str, guide: TinyAssessor) -> str:
    return " ".join(name(visit.page.url) for visit in crawl(topic(seeds), web, strategy, guide))
