"""P_IG by hand, and as published."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy.stats import binomtest

from focuslab.classifiers import genre as genre_classifier
from focuslab.features.pig import PUBLISHED, PigTable, wilson
from focuslab.types import GENRES


@pytest.fixture(scope="module")
def table() -> PigTable:
    """Q4's counts, as `estimate` finds them: News, Blog, Image, Video, Other."""
    hits, links = [[0, 2, 0, 0, 0], [1, 2, 0, 0, 0]], [[0, 3, 0, 1, 0], [2, 3, 0, 0, 0]]
    return PigTable.from_counts(hits, links)


def test_q5_fall_back(table: PigTable) -> None:
    assert table.probability(True, "Other") == 0.6
    assert table.probability(False, "News") == 0.5
    assert table.probability(True, "Blog") == 2 / 3
    assert table.probability(False, "Video") == 0.0


def test_a_genre_the_table_does_not_know_is_pooled(table: PigTable) -> None:
    assert table.probability(True, "Shop") == table.probability(True, "") == 0.6


def test_nothing_counted_is_zero() -> None:
    empty = PigTable.from_counts(np.zeros((2, 5), int), np.zeros((2, 5), int))
    assert empty.probability(True, "News") == 0.0
    assert (empty.matrix() == 0).all()
    assert empty.pooled == (None, None)


@given(hits=some.integers(0, 500), more=some.integers(0, 5_000))
def test_the_interval_is_wilsons(hits: int, more: int) -> None:
    links = hits + more
    if not links:
        assert all(math.isnan(bound) for bound in wilson(hits, links))
        return
    expected = binomtest(hits, links).proportion_ci(0.95, "wilson")
    assert wilson(hits, links) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_the_interval_of_a_cell(table: PigTable) -> None:
    assert table.interval(True, "Blog") == wilson(2, 3)
    assert all(math.isnan(bound) for bound in table.interval(True, "Other"))


def test_the_frame_has_every_cell_and_the_pooled_rows(table: PigTable) -> None:
    frame = table.to_frame().set_index(["source", "genre"])
    assert len(frame) == 12
    assert frame.loc[("relevant", "Other"), "probability"] == 0.6
    assert math.isnan(frame.loc[("relevant", "Other"), "share"])
    assert frame.loc[("irrelevant", "pooled"), "links"] == 4
    assert frame.loc[("relevant", "pooled"), "low"] == wilson(3, 5)[0]


def test_published_tables() -> None:
    baseball, gaming = PUBLISHED["baseball"], PUBLISHED["gaming"]
    assert baseball.probability(True, "Blog") == 0.764
    assert baseball.probability(False, "News") == 0.046
    assert gaming.probability(True, "Other") == 0.873
    assert gaming.probability(False, "Video") == 0.003
    assert gaming.pooled == (0.019, 0.829)
    assert baseball.pooled == (0.026, 0.576)
    assert "published" in baseball.source
    assert baseball.to_frame()["hits"].isna().all()
    assert math.isnan(baseball.interval(True, "Blog")[0])


def test_the_pooled_row_is_not_the_mean_of_the_others() -> None:
    """1.9-b: it is what makes the row a pooled ratio."""
    for table, means in ((PUBLISHED["gaming"], (3.46, 76.5)), (PUBLISHED["baseball"], (2.32, 51.78))):
        assert [100 * float(np.mean(row)) for row in table.shares] == pytest.approx(means)
        assert [100 * share for share in table.pooled] != pytest.approx(means, abs=0.3)


def test_impossible_counts() -> None:
    with pytest.raises(ValueError, match=r"must both be \(2, 5\)"):
        PigTable.from_counts([[1]], [[1]])
    with pytest.raises(ValueError, match="between 0 and links"):
        PigTable.from_counts([[2], [0]], [[1], [1]], ("News",))


def test_the_matrix_follows_any_order_of_genres() -> None:
    table = PUBLISHED["baseball"]
    turned = table.matrix(("Video", "Shop", "News"))
    assert turned[1].tolist() == [0.695, 0.576, 0.527, 0.576]
    assert turned[0, -1] == 0.026


def test_a_table_can_travel_and_be_a_key(table: PigTable) -> None:
    published = PUBLISHED["gaming"]
    assert pickle.loads(pickle.dumps(published)) == published
    assert hash(published) != hash(PUBLISHED["baseball"])


def test_one_list_of_genres() -> None:
    assert GENRES == genre_classifier.GENRES
