"""Intervals, the paired test and its correction, against scipy and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from focuslab.experiments.significance import EXACT, bootstrap_band, bootstrap_mean, holm, sign_flip_test

numbers = st.floats(-10, 10).map(lambda x: round(x, 3))


def test_bootstrap_agrees_with_scipy():
    values = np.random.default_rng(1).exponential(size=30)
    chance = np.random.default_rng(0)
    theirs = scipy_stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=10_000, random_state=chance
    )
    assert bootstrap_mean(values, seed=0) == pytest.approx(tuple(theirs.confidence_interval))


def test_bootstrap_covers_the_true_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(2)
    intervals = [bootstrap_mean(rng.normal(5, 1, 40), draws=500, seed=i) for i in range(300)]
    assert 0.88 <= np.mean([low <= 5 <= high for low, high in intervals]) <= 0.99


@given(st.lists(numbers, min_size=2, max_size=20))
@settings(max_examples=30, deadline=None)
def test_bootstrap_stays_within_the_values_and_around_the_mean(values):
    low, high = bootstrap_mean(values, draws=300)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_bootstrap_is_repeatable_and_narrower_at_a_lower_level():
    values = [1, 2, 3, 4, 10]
    assert bootstrap_mean(values) == bootstrap_mean(values)
    wide, narrow = bootstrap_mean(values), bootstrap_mean(values, level=0.5)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_the_band_is_the_interval_at_each_point():
    rows = np.random.default_rng(4).normal(size=(25, 3))
    low, high = bootstrap_band(rows, draws=20_000)
    for point in range(3):
        assert (low[point], high[point]) == pytest.approx(
            bootstrap_mean(rows[:, point], draws=20_000), abs=0.02
        )
    assert bootstrap_band(rows[:1]) is None


def test_one_value_tells_nothing_of_its_spread():
    assert all(math.isnan(end) for end in bootstrap_mean([0.4]))
    assert math.isnan(sign_flip_test([0.4]))
    assert math.isnan(sign_flip_test([]))


def test_equal_values_have_an_interval_of_no_width():
    assert bootstrap_mean([0.5] * 5) == (0.5, 0.5)


@given(st.lists(numbers, min_size=2, max_size=9))
@settings(max_examples=40, deadline=None)
def test_exact_sign_flips_agree_with_scipy(differences):
    theirs = scipy_stats.permutation_test(
        (np.array(differences),), np.sum, permutation_type="samples", n_resamples=np.inf
    )
    assert sign_flip_test(differences) == pytest.approx(theirs.pvalue)


def test_sign_flips_by_hand():
    assert sign_flip_test([1, 1, 1, 1, 1]) == 2 / 32
    assert sign_flip_test([1, -1]) == 1
    assert sign_flip_test([0, 0, 0]) == 1


@given(st.lists(numbers, min_size=2, max_size=8))
@settings(deadline=None)
def test_sign_flips_do_not_care_which_side_is_called_first(differences):
    assert sign_flip_test(differences) == sign_flip_test([-d for d in differences])


def test_sampled_sign_flips_come_near_the_t_test():
    differences = np.random.default_rng(5).normal(0.3, 1, 60)
    assert len(differences) > EXACT
    expected = scipy_stats.ttest_1samp(differences, 0).pvalue
    assert sign_flip_test(differences) == pytest.approx(expected, abs=0.02)
    assert sign_flip_test(differences + 100) == pytest.approx(1 / 10_001)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == pytest.approx([1, 1])
    assert holm([]).tolist() == []


def test_holm_leaves_out_what_was_not_tested():
    assert holm([math.nan, 0.02, 0.03]) == pytest.approx([math.nan, 0.04, 0.04], nan_ok=True)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_lies_between_raw_and_bonferroni_and_keeps_the_order(raw):
    corrected, p = holm(raw), np.array(raw)
    assert (corrected >= p - 1e-12).all()
    assert (corrected <= np.minimum(p * len(p), 1) + 1e-12).all()
    assert (np.diff(corrected[np.argsort(p, kind="stable")]) >= -1e-12).all()
