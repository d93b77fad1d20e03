"""Cash along links: OPIC and OTIE, checked by hand on a small graph and by scans on any."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import TinyAssessor, TinyWeb, name, topic, url
from tiny_cash import (
    ASSESSOR,
    GRAPH,
    GRAPHS,
    Predicting,
    as_web,
    order,
    otie,
    walk,
)

from focuslab.crawling.loop import crawl
from focuslab.strategies import make
from focuslab.strategies._cash import CashMachine
from focuslab.strategies.opic import Opic
from focuslab.strategies.otie import Otie, revision
from focuslab.types import Response, Task


def cash_after(strategy: Otie | Opic, last: str) -> dict[str, float]:
    for visit in walk(strategy):
        if name(visit.page.url) == last:
            return {short: strategy.machine_.cash(url(short)) for short in GRAPH}
    raise AssertionError(f"{last} was never fetched")


# The formulas.


@pytest.mark.parametrize(
    ("r", "a", "d", "expected"),
    [
        *[(r, 0.85, 3.0, e) for r, e in [(0, -0.85), (0.25, -0.10625), (0.5, 0), (0.75, 0.10625), (1, 0.85)]],
        *[(r, 2.0, 1.0, e) for r, e in [(0, -1), (0.25, -1), (1, 2)]],
        *[(r, 0.85, 1.5, e) for r, e in [(0.75, 0.300520382), (0.25, -0.300520382)]],
        (0.75, 0.85, 1 / 3, 0.6746454471),
        (0.6, 0.85, 3.0, 0.0068),
        (0.4, 0.85, 3.0, -0.0068),
    ],
)
def test_o1_o2_o3_o14(r: float, a: float, d: float, expected: float) -> None:
    assert revision(r, a, d) - 1 == pytest.approx(expected, abs=1e-9)


@given(st.floats(0, 1), st.floats(0.01, 1), st.floats(0.1, 9))
def test_o14_revision_is_symmetric_where_it_is_not_clipped(r: float, a: float, d: float) -> None:
    assert revision(r, a, d) - 1 == pytest.approx(1 - revision(1 - r, a, d), abs=1e-9)


@given(st.floats(0, 1), st.floats(0.01, 50), st.floats(0.1, 9))
def test_revision_never_makes_a_debt(r: float, a: float, d: float) -> None:
    assert 0 <= revision(r, a, d) <= 1 + a


@pytest.mark.parametrize(("r", "expected"), [(1, 0.925), (0, 0.075), (0.75, 0.553125)])
def test_o4(r: float, expected: float) -> None:
    """A seed that holds .5 and has one link: all of the revised cash goes there."""
    assessor = Predicting({"s1": r}, {"x": 0.5})
    strategy = Otie(assessor, total=0.5, recrawl_every=0)
    next(walk(strategy, {"s1": "x"}, "s1", assessor))
    assert strategy.machine_.cash(url("x")) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("cash", "sims", "expected"),
    [(0.925, [0.8, 0.2, 0], [0.74, 0.185, 0]), (0.9, [0, 0, 0], [0.3, 0.3, 0.3])],
)
def test_o5_o6(cash: float, sims: list[float], expected: list[float]) -> None:
    names = ("x", "y", "z")
    assessor = Predicting({"s1": 0.5}, dict(zip(names, sims, strict=True)))
    strategy = Otie(assessor, beta=0, total=cash)
    next(walk(strategy, {"s1": "x y z"}, "s1", assessor))
    assert [strategy.machine_.cash(url(n)) for n in names] == pytest.approx(expected, abs=1e-12)


# The graph worked out by hand.


def test_o8_order() -> None:
    assert order(walk(otie())) == "root s1 b d e a s2 c"


def test_o9_cash() -> None:
    assert cash_after(otie(), "s1") == pytest.approx(
        dict.fromkeys("cde", 0) | {"s1": 0, "s2": 0.5, "a": 0.37, "b": 0.555}
    )
    after = cash_after(otie(), "b")
    assert (after["d"], after["e"]) == pytest.approx((0.513375, 0.513375))


def test_o10_what_a_pays_goes_to_a_page_fetched_before() -> None:
    assert cash_after(otie(), "e")["a"] == pytest.approx(0.883375)
    after = cash_after(otie(), "a")
    assert after["d"] == pytest.approx(0.97723359)
    assert after["a"] == 0


def test_the_terms_explain_the_score() -> None:
    visits = {name(visit.page.url): visit for visit in walk(otie())}
    assert visits["b"].terms == pytest.approx(
        {"cash": 0.555, "gain": 0.555, "share": 0.6, "sim": 0.9, "factor": 1.85}
    )
    for visit in list(visits.values())[1:]:
        assert visit.terms["cash"] == visit.score


@pytest.mark.parametrize("total", [1_000.0, 1e-3, 1e99])
def test_o15_the_order_is_free_of_scale(total: float) -> None:
    assert order(walk(otie(total=total))) == "root s1 b d e a s2 c"
    assert order(walk(Opic(0, total))) == "root s1 s2 b a d c e"


def test_seeds_hold_equal_parts_and_compete_with_links_by_their_cash() -> None:
    strategy = otie()
    assert order(islice(walk(strategy, GRAPH, "s1 s2"), 2)) == "s1 b"  # b got more than the half of s2
    strategy.start(topic("s1 s2"), np.random.default_rng(0))
    assert [strategy.machine_.cash(url(s)) for s in ("s1", "s2")] == [0.5, 0.5]


# Recrawls.


def test_a_recrawl_pays_the_links_of_the_richest_fetched_page() -> None:
    """y pays all it has back to x, which passes it on to y, fetched before, and to z, which waits."""
    links = {"x": "y z", "y": "x", "z": ""}
    strategy = Opic(recrawl_every=2)
    visits = walk(strategy, links, "x")
    assert order(islice(visits, 2)) == "x y"
    assert strategy.machine_.recrawls == 1
    assert strategy.machine_.cash(url("x")) == 0
    assert strategy.machine_.cash(url("z")) == 0.75
    assert next(visits).score == 0.75


@pytest.mark.parametrize(("revise", "expected"), [(False, 0.5), (True, 0.5 * 1.85)])
def test_a_recrawl_revises_only_if_asked(revise: bool, expected: float) -> None:
    machine = CashMachine(["x"], 1.0, 1)
    machine.open("x", 1.0)
    machine.pay("x", 0.5, ["w"], [1.0])
    machine.open("y", 0.5)
    machine.pay("y", 0.5, ["x"], [1.0])
    assert machine.recrawl(revision if revise else None) == ("w",)
    assert machine.cash("w") == pytest.approx(0.5 + expected)


# Any graph.

SCORES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=12, max_size=12)


@settings(max_examples=40, deadline=None)
@given(GRAPHS, SCORES, SCORES, st.integers(0, 4))
def test_the_loop_takes_the_richest_that_waits(
    graph: list[list[int]], measured: list[float], predicted: list[float], every: int
) -> None:
    """Scores in the frontier are the accounts of the machine at every step: none is forgotten."""
    names = [f"p{i}" for i in range(12)]
    assessor = Predicting(dict(zip(names, measured, strict=True)), dict(zip(names, predicted, strict=True)))
    strategy = Otie(assessor, recrawl_every=every)
    visits = walk(strategy, as_web(graph), "p0", assessor)
    next(visits)
    richest = max(strategy.machine_.waiting.values(), default=0.0)
    for visit in visits:
        assert visit.score == richest
        richest = max(strategy.machine_.waiting.values(), default=0.0)


@settings(max_examples=40, deadline=None)
@given(GRAPHS, SCORES, st.integers(0, 4), st.integers(-900, 900))
def test_o15_on_any_graph(graph: list[list[int]], scores: list[float], every: int, power: int) -> None:
    """Powers of two are exact, so even ties stay; beyond 1e±100 the guard must keep the order."""
    assessor = Predicting(*[dict(zip([f"p{i}" for i in range(12)], scores, strict=True)) for _ in range(2)])
    orders = {
        order(walk(Otie(assessor, recrawl_every=every, total=total), as_web(graph), "p0 p1", assessor))
        for total in (1.0, 2.0**power)
    }
    assert len(orders) == 1


# Scale, failures, redirects, bad settings.


def test_links_that_wait_are_rescored_when_the_scale_changes() -> None:
    """The chain passes 1e100 while y waits with 1e98; y must not pass for rich when all is divided."""
    chain = [f"p{i}" for i in range(8)]
    links = {"s": "p0 y", "y": "", **{page: f"p{i + 1}" for i, page in enumerate(chain)}, "p8": ""}
    assessor = Predicting(
        dict.fromkeys([*chain, "p8"], 1.0) | {"s": 0.5}, dict.fromkeys([*chain, "p8"], 0.9) | {"y": 0.1}
    )
    strategy = Otie(assessor, beta=0, total=1e99)
    visits = list(walk(strategy, links, "s", assessor))
    assert strategy.machine_.exponent > 0
    assert order(visits) == " ".join(["s", *chain, "p8", "y"])
    assert visits[-1].score * 2.0**strategy.machine_.exponent == pytest.approx(1e98)


def test_cash_of_a_page_that_cannot_be_fetched_stays_with_it() -> None:
    strategy = Opic()
    assert order(walk(strategy, {"s": "gone x", "x": ""}, "s")) == "s x"
    assert strategy.machine_.waiting == {url("gone"): 0.5}
    assert strategy.machine_.sink == 0.5


def test_a_redirect_is_one_page_with_two_addresses() -> None:
    body = f'<a href="{url("old")}">me</a> <a href="{url("x")}">x</a>'.encode()
    web = TinyWeb({"s": "old new y", "x": "old"}, {"old": Response(url("new"), 200, body, "text/html")})
    strategy = Opic(recrawl_every=0)
    visits = crawl(topic("s"), web, strategy, TinyAssessor({}))
    assert order(islice(visits, 2)) == "s new"
    assert strategy.machine_.cash(url("x")) == pytest.approx(2 / 3)  # old's third and new's, none to itself
    assert order(visits) == "x"
    assert strategy.machine_.cash(url("new")) == strategy.machine_.cash(url("old")) == pytest.approx(2 / 3)
    assert strategy.machine_.total == pytest.approx(1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"d": 2.0}, r"x\^2 is no odd function; give an odd d, or even_d=True"),
        ({"d": 0.0}, "both must be positive"),
        ({"a": -1.0}, "both must be positive"),
        ({"beta": -0.1}, "beta is -0.1; it is a share"),
        ({"recrawl_every": -1}, "recrawl_every is -1; give a number of fetches"),
        ({"total": 0.0}, "give a positive number"),
    ],
)
def test_bad_settings_are_refused(parameters: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        walk(otie(**parameters))


def test_an_even_d_must_be_asked_for() -> None:
    assert order(walk(otie(d=2.0, even_d=True))).startswith("root s1 b")


def test_both_are_built_from_a_task() -> None:
    task = Task(topic("root"), ASSESSOR)
    assert isinstance(make("opic", task, recrawl_every=0), Opic)
    built = make("otie", task, a=0.5)
    assert isinstance(built, Otie)
    assert (built.assessor, built.a, built.d, built.beta) == (ASSESSOR, 0.5, 3.0, 0.25)
