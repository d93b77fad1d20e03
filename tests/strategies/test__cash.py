"""The machine that moves cash: shares, the richest page, scale, redirects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import url
from tiny_cash import Predicting, otie, walk

from focuslab.strategies._cash import CashMachine, shares
from focuslab.strategies.otie import Otie


def test_without_recrawls_no_links_are_kept() -> None:
    strategy = otie()
    list(walk(strategy))
    assert strategy.machine_.recrawls == 0
    assert not any(page.targets for page in strategy.machine_._accounts())
    assert not strategy.machine_._heap


AMOUNTS = st.lists(st.tuples(st.integers(0, 9), st.sampled_from([0.25, 0.5, 1.0, 3.0])), max_size=60)


@given(AMOUNTS, st.integers(1, 7))
def test_the_heap_agrees_with_a_scan(deposits: list[tuple[int, float]], every: int) -> None:
    machine = CashMachine(["seed"], 1.0, 1)
    for page in range(10):
        machine.open(str(page), 1.0)
        machine.pay(str(page), 0.0, ["elsewhere"], [1.0])
    held = dict.fromkeys(range(10), 0.0)
    for number, (page, amount) in enumerate(deposits):
        machine._deposit(machine._fetched[str(page)], amount)
        held[page] += amount
        if number % every == 0:
            richest = max(held, key=lambda p: held[p])  # the first of equals, which was fetched first
            machine.recrawl()
            held[richest] = 0.0
            assert [machine.cash(str(p)) for p in held] == list(held.values())


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_shares_make_one(weights: list[float]) -> None:
    parts = shares(weights)
    assert sum(parts) == pytest.approx(1)
    assert all(part >= 0 for part in parts)


@pytest.mark.parametrize(("relevance", "factor"), [(1.0, 1.85), (0.0, 0.15)])
def test_cash_stays_in_scale_however_long_the_chain(relevance: float, factor: float) -> None:
    """2,000 pages that each multiply cash by 1.85, or by .15, leave the range of a float."""
    links = {f"p{i}": f"p{i + 1}" for i in range(2_000)}
    assessor = Predicting(dict.fromkeys(links, relevance), {f"p{i}": 0.5 for i in range(2_001)})
    strategy = Otie(assessor, recrawl_every=0)
    scores = [visit.score for visit in walk(strategy, links, "p0", assessor)][1:]
    assert len(scores) == 1_999
    assert 1e-200 < min(scores) < max(scores) < 1e200
    machine = strategy.machine_
    exact = np.log2(factor) * 2_000
    assert np.log2(machine.cash(url("p2000"))) + machine.exponent == pytest.approx(exact, rel=1e-9)
