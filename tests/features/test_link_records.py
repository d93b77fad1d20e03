"""What is remembered of links, pages and hosts, checked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import url

from focuslab.features.link_records import SIGNALS, LinkRecords, Scale

VALUES = st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30)


@given(VALUES, VALUES)
@settings(deadline=None)
def test_a_scale_of_two_parts_is_that_of_the_whole(first: list[float], second: list[float]) -> None:
    scale = Scale()
    scale.add(np.array(first))
    scale.add(np.array(second))
    whole = np.array(first + second)
    assert scale.mean == pytest.approx(whole.mean(), abs=1e-6)
    assert scale.spread == pytest.approx(whole.std() or 1.0, abs=1e-4, rel=1e-6)


def signal(records: LinkRecords, row: int, which: str) -> float:
    return float(records.signals(np.array([row]))[0, SIGNALS.index(which)])


def test_records_keep_mean_and_best_over_parents() -> None:
    records = LinkRecords()
    for parent, context in (("p", -1.0), ("q", 3.0)):
        page = records.read(url(parent), 0.0, True, "News")
        rows, new = records.find([url("t")], page, np.array([[0.0, context, 0.0]]), 1)
    assert not new[0]
    unit = records.context_scale.spread
    assert signal(records, rows[0], "context_mean") == pytest.approx(1.0 / unit)
    assert signal(records, rows[0], "context_best") == pytest.approx(3.0 / unit)
    assert signal(records, rows[0], "times") == pytest.approx(np.log(2))


def test_siblings_and_hosts_share_a_surprise() -> None:
    records = LinkRecords()
    page = records.read(url("p"), 0.0, True, "")
    targets = [url("x/1"), url("x/2"), url("y/1")]
    rows, _ = records.find(targets, page, np.zeros((3, 3)), 1)
    other = records.read(url("q"), 0.0, True, "")
    away, _ = records.find([url("x/3")], other, np.zeros((1, 3)), 1)
    records.credit(int(rows[0]), True, 3.0)
    assert signal(records, rows[1], "siblings") == signal(records, rows[2], "siblings") == 1.0
    assert signal(records, away[0], "siblings") == 0.0
    assert signal(records, away[0], "host") == signal(records, rows[1], "host") == 1.0
    assert signal(records, rows[2], "host") == 0.0


def test_pig_is_a_beta_posterior_by_class_and_genre() -> None:
    records = LinkRecords()
    page = records.read(url("p"), 0.0, True, "Blog")
    rows, _ = records.find([url("a"), url("b"), url("c")], page, np.zeros((3, 3)), 1)
    for row, relevant in zip(rows, (True, True, False), strict=True):
        records.credit(int(row), relevant, 0.0)
    assert records.pig[1, 1].tolist() == [2, 3]
    assert records.pig.sum() == 24 + 3
    assert signal(records, rows[0], "pig") == pytest.approx(np.log(3 / 2))


def test_records_grow_beyond_their_first_size() -> None:
    records = LinkRecords()
    page = records.read(url("p"), 0.0, False, "")
    rows, new = records.find([url(f"h{n}") for n in range(1_000)], page, np.ones((1_000, 3)), 2)
    assert new.all()
    assert rows.tolist() == list(range(1_000))
    assert np.isfinite(records.signals(rows)).all()
