"""OPIC by hand, and that it never loses cash."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import name
from tiny_cash import (
    GRAPH,
    GRAPHS,
    as_web,
    order,
    walk,
)

from focuslab.strategies.opic import Opic


def test_o13_opic() -> None:
    strategy = Opic(recrawl_every=0)
    seen, sinks = [], {}
    for visit in walk(strategy):
        seen.append(name(visit.page.url))
        sinks[seen[-1]] = strategy.machine_.sink
        assert strategy.machine_.total == pytest.approx(1, abs=1e-12)
    assert " ".join(seen) == "root s1 s2 b a d c e"
    assert sinks["a"] == 0
    assert sinks["d"] == 0.5
    assert order(walk(Opic(recrawl_every=0), GRAPH, "s1 s2")) == "s1 s2 b a d c e"


@settings(max_examples=40, deadline=None)
@given(GRAPHS, st.integers(0, 4))
def test_opic_never_loses_cash(graph: list[list[int]], every: int) -> None:
    strategy = Opic(every)
    for visit in walk(strategy, as_web(graph), "p0 p1 p2"):
        assert strategy.machine_.total == pytest.approx(1, abs=1e-12)
        assert strategy.machine_.cash(visit.page.url) <= 1
