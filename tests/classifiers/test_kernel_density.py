"""Sums of normal curves, near and far."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from scipy.sparse import csr_matrix
from scipy.stats import norm
from tiny_matrices import column, matrices, split

from focuslab.classifiers.naive_bayes import KernelNB, NormalNB

BOTH = [KernelNB, NormalNB]


both = pytest.mark.parametrize("kind", BOTH)


@given(matrices)
@example(np.full((4, 1), 30.0))
@settings(max_examples=60, deadline=None)
def test_kernel_is_the_plain_sum(rows: np.ndarray) -> None:
    labels = split(rows)
    told = KernelNB().fit(csr_matrix(rows), labels).log_likelihood(rows)
    for code, chosen in enumerate([~labels, labels]):
        sigma = 1 / math.sqrt(chosen.sum())
        for row, found in zip(rows, told[:, code], strict=True):
            terms = norm.logpdf(row, rows[chosen], sigma)
            assert found == pytest.approx((np.logaddexp.reduce(terms) - math.log(chosen.sum())).sum())


@both
def test_far_away_points_do_not_underflow(kind: type) -> None:
    model = kind().fit(column(0, 1, 2, 3), [1, 1, 0, 0])
    told = model.predict_proba(column(-1e4, 1e4, -1e6, 1e6))
    assert np.isfinite(model.log_likelihood(column(1e6))).all()
    assert told[:, 1].tolist() == [1, 0, 1, 0]


def test_the_work_follows_the_words_present() -> None:
    """Absent words are settled once: a model asked about a page touches that page's columns only."""
    rows = csr_matrix(([0.7, 0.7, 0.9, 0.9], ([0, 1, 2, 3], [1, 1, 5, 5])), shape=(4, 50_000))
    model = KernelNB().fit(rows, [1, 1, 0, 0])
    before = model.predict_proba(rows)
    model._zero[[column for column in range(50_000) if column not in (1, 5)]] = np.nan
    np.testing.assert_array_equal(model.predict_proba(rows), before)
    kept = [len(density.values) for density in model.densities_]
    assert kept == [50_000, 50_000]  # a zero for each word, but for the one word that all pages have
