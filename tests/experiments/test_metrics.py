"""The numbers of the papers, worked by hand, and what must hold for any crawl."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from sklearn.metrics import f1_score, precision_score, recall_score

from focuslab import metrics
from focuslab.types import Truth

TRACE = [1, 1, 0, 1, 0, 0, 1, 0]
traces = st.lists(st.booleans(), max_size=60)


def close(values, expected):
    np.testing.assert_allclose(values, expected, atol=1e-6)


# --- curves


def test_harvest_of_the_worked_trace():  # M1
    close(metrics.harvest(TRACE), [1, 1, 2 / 3, 0.75, 0.6, 0.5, 0.571429, 0.5])


def test_coverage_of_the_worked_trace():  # M2
    close(metrics.coverage(TRACE, 5), [0.2, 0.4, 0.4, 0.6, 0.6, 0.6, 0.8, 0.8])
    assert metrics.area(TRACE, 5) == pytest.approx(4.4)


def test_area_as_sum_and_as_trapezoid():  # Q8
    close(metrics.coverage([1, 0, 1, 1, 0], 3), [1 / 3, 1 / 3, 2 / 3, 1, 1])
    assert metrics.area([1, 0, 1, 1, 0], 3) == pytest.approx(10 / 3)
    assert metrics.area([1, 0, 1, 1, 0], 3, "trapezoid") == pytest.approx(17 / 6)
    assert metrics.area([1, 0, 1, 1, 0], 3, normalised=True) == pytest.approx(2 / 3)


@pytest.mark.parametrize(("order", "total", "trapezoid"), [("best", 9.0, 8.5), ("worst", 2.0, 1.5)])
def test_area_of_the_extreme_orders(order, total, trapezoid):  # Q9
    hits = metrics.ideal(10, 3) if order == "best" else metrics.ideal(10, 3)[::-1]
    assert metrics.area(hits, 3) == pytest.approx(total)
    assert metrics.area(hits, 3, "trapezoid") == pytest.approx(trapezoid)


@pytest.mark.parametrize(
    ("pages", "relevant", "area", "share", "best"),
    [
        ((82, 4_868, 37_497), 7_124, 36_595, 0.862134, 38_885.0),
        ((156, 5_914, 42_724), 6_901, 34_814, 0.713489, 45_343.5),
    ],
)
def test_published_areas_stay_below_the_ideal(pages, relevant, area, share, best):  # Q7
    visits = sum(pages)
    assert metrics.share_of(area, visits) == pytest.approx(share, abs=1e-6)
    assert metrics.area(metrics.ideal(visits, relevant), relevant, "trapezoid") == pytest.approx(best)
    assert area < best


def test_published_relative_gains():  # Q10
    assert 100 * metrics.relative_gain(78.8, 71.8) == pytest.approx(9.7493, abs=5e-5)
    assert 100 * metrics.relative_gain(70.5, 65.8) == pytest.approx(7.1429, abs=5e-5)
    assert metrics.relative_gain(1.0, 0.0) is None


def test_nothing_to_find_is_undefined_not_zero():
    assert metrics.coverage([0, 0], 0) is None
    assert metrics.area([0, 0], 0) is None
    assert metrics.target_recall(["a"], []) is None
    assert metrics.share_visited_to_reach([0, 0], 0.9) is None
    assert metrics.relevant_against_visited([0, 0]) is None
    assert metrics.visited_per_relevant([0, 0]) is None


def test_an_empty_crawl():
    assert metrics.harvest([]) is None
    assert metrics.coverage([], 3).tolist() == []
    assert metrics.area([], 3) == 0
    assert metrics.area([], 3, normalised=True) is None
    assert metrics.precision_at_k([], 5) is None
    assert metrics.visited_per_relevant([]) is None
    assert metrics.share_visited_to_reach([], 0.5) is None
    assert metrics.hosts([]).tolist() == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metrics.coverage([1, 1], 1), "total=1 cannot be less than the 2 pages found"),
        (lambda: metrics.coverage([0], -1), "total=-1"),
        (lambda: metrics.area([1], 1, "simpson"), "try sum, trapezoid"),
        (lambda: metrics.share_visited_to_reach([1], 90), "0.9 stands for 90 %"),
        (lambda: metrics.visits_to_kth([1], -1), "k=-1"),
        (lambda: metrics.precision_at_k([1], 0), "k=0"),
        (lambda: metrics.average([[1.0]], short="pad"), "try cut, hold"),
        (lambda: metrics.at_thresholds([0.1], [1, 0], 3), "1 scores for 2 judged pages"),
        (lambda: metrics.at_thresholds([0.1, 0.2], [1, 1], 1), "total=1"),
        (lambda: metrics.chance(3, 5, 4), "4 pages cannot hold 5"),
        (lambda: metrics.harvest([[1, 0]]), "one True or False for each fetch"),
        (lambda: metrics.hits_by(["a"], "oracle"), "no judge named 'oracle'"),
        (lambda: metrics.hits_by(["a"], metrics.GUIDE), "bare URLs"),
    ],
)
def test_mistakes_are_told_with_their_remedy(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@given(st.integers(1, 40), st.data())
def test_area_of_the_ideal_order_has_a_closed_form(visits, data):
    total = data.draw(st.integers(1, visits))
    hits = metrics.ideal(visits, total)
    assert metrics.area(hits, total) == pytest.approx(visits - (total - 1) / 2)
    assert metrics.area(hits, total, "trapezoid") == pytest.approx(visits - total / 2)


@given(traces, st.integers(1, 3))
def test_the_trapezoid_is_the_usual_one(hits, missed):
    total = sum(hits) + missed
    expected = trapezoid([0, *metrics.coverage(hits, total)])
    assert metrics.area(hits, total, "trapezoid") == pytest.approx(expected)


@given(traces.filter(any), st.integers(0, 5))
def test_curves_keep_their_bounds(hits, missed):
    total = sum(hits) + missed
    cover, rate = metrics.coverage(hits, total), metrics.harvest(hits)
    assert (np.diff(cover) >= 0).all()
    assert 0 <= cover[-1] <= 1
    assert ((rate >= 0) & (rate <= 1)).all()
    close(cover * total, rate * np.arange(1, len(hits) + 1))
    assert (cover <= metrics.coverage(metrics.ideal(len(hits), total), total) + 1e-12).all()


@given(traces.filter(any), st.data())
def test_finding_a_page_earlier_never_lowers_the_area(hits, data):
    swap = data.draw(st.integers(0, len(hits) - 1))
    earlier = sorted(hits[: swap + 1], reverse=True) + hits[swap + 1 :]
    assert metrics.area(earlier, sum(hits)) >= metrics.area(hits, sum(hits)) - 1e-9


# --- bounds


def test_chance_gives_straight_coverage_and_flat_harvest():
    hits = metrics.chance(4, 2, 8)
    close(metrics.coverage(hits, 2), [1 / 8, 2 / 8, 3 / 8, 4 / 8])
    close(metrics.harvest(hits), [0.25] * 4)


@given(st.integers(1, 60), st.data())
def test_chance_over_the_whole_web_finds_everything(pages, data):
    total = data.draw(st.integers(1, pages))
    assert metrics.coverage(metrics.chance(pages, total, pages), total)[-1] == pytest.approx(1)


def test_chance_is_the_mean_of_random_orders():
    rng, hits = np.random.default_rng(3), metrics.ideal(12, 5)
    areas = [metrics.area(rng.permutation(hits), 5) for _ in range(4_000)]
    assert np.mean(areas) == pytest.approx(metrics.area(metrics.chance(12, 5, 12), 5), abs=0.1)


def test_share_of_the_oracle():
    oracle = metrics.area(metrics.ideal(10, 3), 3)
    assert metrics.share_of(4.5, oracle) == 0.5
    assert metrics.share_of(4.5, None) is None
    assert metrics.share_of(1, 0) is None


# --- targets and thresholds


def test_target_recall():  # M7
    targets = ["t1", "t2", "t3", "t4", "t5"]
    assert metrics.target_recall(["t1", "x", "t4", "t1"], targets) == 0.4
    assert metrics.target_recall(["t1", "x", "t4"], Truth(frozenset(targets))) == 0.4


@pytest.mark.parametrize(
    ("counts", "percent"), [((15, 16, 15), 96.7742), ((31, 32, 35), 92.5373), ((5, 28, 15), 23.2558)]
)
def test_published_f1(counts, percent):  # D10
    assert 100 * metrics.f1_of_counts(*counts) == pytest.approx(percent, abs=5e-5)


def test_f1_of_precision_and_recall():  # D10
    assert metrics.f1(0.5, 0.8) == pytest.approx(0.6153846154)
    assert metrics.f1(0.0, 0.0) == 0
    assert metrics.f1_of_counts(0, 0, 3) == 0
    assert metrics.f1_of_counts(0, 0, 0) is None


def test_f1_at_thresholds():  # M5
    scores, truth = [0.9, 0.8, 0.7, 0.6, 0.3], [1, 1, 0, 1, 0]
    rows = metrics.at_thresholds(scores, truth, 4, [0.85, 0.65, 0.5, 0.2])
    close([row.f1 for row in rows], [0.4, 0.57142857, 0.75, 0.66666667])
    assert metrics.best_f1(scores, truth, 4) == (0.6, 0.75, 0.75, 0.75)


def test_thresholds_above_every_score_and_on_a_score():
    above, on = metrics.at_thresholds([0.5], [1], 2, [0.6, 0.5])
    assert above == (0.6, None, 0.0, 0.0)
    assert on == (0.5, 1.0, 0.5, pytest.approx(2 / 3))
    assert metrics.at_thresholds([0.5], [0], 0, [0.1])[0].recall is None
    assert metrics.best_f1([], [], 0) is None


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=30), st.integers(0, 9))
def test_thresholds_agree_with_scikit_learn(pages, cut):
    scores, truth = zip(*pages, strict=True)
    retrieved = [score >= cut for score in scores]
    (row,) = metrics.at_thresholds(scores, truth, sum(truth), [cut])
    assert (row.precision or 0) == pytest.approx(precision_score(truth, retrieved, zero_division=0))
    assert (row.recall or 0) == pytest.approx(recall_score(truth, retrieved, zero_division=0))
    assert (row.f1 or 0) == pytest.approx(f1_score(truth, retrieved, zero_division=0))


# --- cost of finding


def test_share_visited_to_reach():  # M3
    assert metrics.share_visited_to_reach(TRACE, 0.75) == 0.5
    assert metrics.share_visited_to_reach(TRACE, 0.90) == 0.875
    assert metrics.share_visited_to_reach(TRACE, 1.0) == 0.875
    assert metrics.share_visited_to_reach(TRACE, 0.0) == 0.0


@given(st.integers(1, 200), st.data())
def test_share_visited_is_not_misled_by_floating_point(total, data):
    k = data.draw(st.integers(1, total))
    assert metrics.share_visited_to_reach([True] * total, k / total) == pytest.approx(k / total)
    assert metrics.share_visited_to_reach([True] * 10, 0.7) == 0.7


def test_relevant_against_visited():
    visited, relevant = metrics.relevant_against_visited([1, 0, 1, 0])
    close(visited, [0, 0.25, 0.5, 0.75, 1])
    close(relevant, [0, 0.5, 0.5, 1, 1])


def test_visited_per_relevant():  # M4, 4.7-l
    assert metrics.visited_per_relevant(TRACE) == 2.0
    assert [metrics.visits_to_kth(TRACE, k) for k in range(6)] == [0, 1, 2, 4, 7, None]
    assert metrics.visited_per_relevant(TRACE, 3) == pytest.approx(4 / 3)
    assert metrics.visited_per_relevant(TRACE, 5) is None
    assert metrics.visited_per_relevant(TRACE, 0) is None


@given(traces.filter(any))
def test_cost_is_the_inverse_of_harvest(hits):
    assert metrics.visited_per_relevant(hits) == pytest.approx(1 / metrics.harvest(hits)[-1])


def test_precision_at_k():
    assert metrics.precision_at_k(TRACE, 4) == 0.75
    assert metrics.precision_at_k([1, 1], 4) == 0.5


@given(traces.filter(len), st.data())
def test_precision_at_k_is_harvest_while_the_crawl_lasts(hits, data):
    k = data.draw(st.integers(1, len(hits)))
    assert metrics.precision_at_k(hits, k) == pytest.approx(metrics.harvest(hits)[k - 1])


def test_hosts():  # M6
    assert metrics.hosts(["a", "a", "b", "a", "c"]).tolist() == [1, 1, 2, 2, 3]


# --- averages


def test_average_at_equal_n():
    close(metrics.average([[1, 0.5, 0.5], [0, 0.5]]), [0.5, 0.5])
    close(metrics.average([[1, 0.5, 0.5], [0, 0.4]], short="hold"), [0.5, 0.45, 0.45])
    close(metrics.average([None, [0.5, 1.0], []]), [0.5, 1.0])
    assert metrics.average([None]) is None


# --- judges

URLS = ["http://a.test/1", "http://a.test/2", "http://b.test/1"]


def test_truth_and_guide_may_disagree():
    log = pd.DataFrame({"url": URLS, "relevant": [True, True, False]})
    truth = Truth(frozenset(URLS[1:]), "the labels of a.test")
    assert metrics.hits_by(log, truth).tolist() == [False, True, True]
    assert metrics.hits_by(log, metrics.GUIDE).tolist() == [True, True, False]
    assert metrics.hits_by(URLS, truth).tolist() == [False, True, True]
    assert metrics.hits_by(SimpleNamespace(frame=log), truth).tolist() == [False, True, True]
    assert metrics.hits_by([], truth).tolist() == []


def test_a_page_reached_twice_counts_once():
    truth = Truth(frozenset(URLS))
    hits = metrics.hits_by([URLS[0], URLS[0], URLS[1], URLS[0]], truth)
    assert hits.tolist() == [True, False, True, False]
    frame = pd.DataFrame({"url": [URLS[0]] * 2, "relevant": [True, True]})
    assert metrics.hits_by(frame, metrics.GUIDE).tolist() == [True, False]


@given(st.lists(st.sampled_from(URLS)))
def test_coverage_by_hits_ends_at_target_recall(urls):
    truth = Truth(frozenset(URLS[:2]))
    cover = metrics.coverage(metrics.hits_by(urls, truth), len(truth))
    assert (cover[-1] if len(cover) else 0) == metrics.target_recall(urls, truth)


def test_captions_name_the_judge():
    assert metrics.judge_name(Truth(frozenset(), "the labels")) == "the labels"
    assert metrics.judge_name(metrics.GUIDE) == "the crawler's own classifier"
