"""UCrawler, by numbers worked out by hand: they test a reconstruction, not the authors' formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import TinyAssessor

from focuslab.features.url_terms import UrlKnowledge
from focuslab.strategies.ucrawler import (
    EQUAL,
    LabelledLink,
    Thresholds,
    UCrawler,
    bonuses,
    fit_weights,
    relevance,
    thresholds,
)
from focuslab.types import Assessment, Example, Link, Page, Response, Task, Topic, Visit

UNIT = st.floats(0, 1)
TOPIC = Topic("movies", ("http://s.example/",), keywords=("movie",))
PARTS = [(0.9, 0.3, 0.2), (0.8, 0.4, 0.25), (0.2, 0.6, 0.6), (0.1, 0.5, 0.3)]
LABELS = [True, True, False, False]


def visit(text: str, *links: Link, url: str = "http://s.example/", **more: object) -> Visit:
    page = Page(url, text=text, links=links)
    return Visit(1, Link(url), 1.0, 0, Response(url, 200), page, Assessment(0, False), **more)  # type: ignore[arg-type]


def started(**parameters: object) -> UCrawler:
    strategy = UCrawler(**parameters)  # type: ignore[arg-type]
    strategy.start(TOPIC, np.random.default_rng(0))
    return strategy


@pytest.mark.parametrize(("weights", "expected"), [(EQUAL, 0.6333333333), ((0.5, 0.3, 0.2), 0.67)])
def test_u4_relevance(weights: tuple, expected: float) -> None:
    assert relevance(weights, 0.8, 0.5, 0.6) == pytest.approx(expected)


def test_u6_thresholds() -> None:
    limits = thresholds([0.9, 0.7, 0.8], [0.2, 0.1])
    assert (*limits, limits.middle) == pytest.approx((0.8, 0.15, 0.475))


@pytest.mark.parametrize(
    ("score", "links", "new", "other", "expected"),
    [
        (0.6, 6, True, True, 0.9),
        (0.6, 5, True, True, 0.8),
        (0.6, 6, False, False, 0.7),
        (0.4, 6, True, True, 0.6),
        (0.4, 0, False, True, 0.4),
    ],
)
def test_u13_bonuses(score: float, links: int, new: bool, other: bool, expected: float) -> None:
    added = bonuses(score >= 0.5, links, new, other, (0.1, 0.1, 0.1), 5)
    assert score + sum(added.values()) == pytest.approx(expected)


@pytest.mark.parametrize(("count", "expected"), [(6, 0.3), (5, 0.2)])
def test_u13_as_the_strategy_scores_it(count: int, expected: float) -> None:
    links = [Link(f"http://h{place}.example/", anchor="movie") for place in range(count)]
    proposals = list(started().propose(visit("movie", *links)))
    assert [p.score - p.terms["Rel"] for p in proposals] == pytest.approx([expected] * count)


def test_links_within_a_host_get_no_host_bonus() -> None:
    (proposal,) = started().propose(visit("movie", Link("http://s.example/more", anchor="movie")))
    assert proposal.score == pytest.approx(proposal.terms["Rel"])
    assert proposal.terms["Rel"] == pytest.approx(2 / 3)


def test_a_host_is_new_once() -> None:
    crawler, link = started(), Link("http://a.example/x")
    before = next(iter(crawler.propose(visit("stock", link)))).terms["new_host"]
    crawler.propose(visit("stock", url="http://a.example/"))
    after = next(iter(crawler.propose(visit("stock", link)))).terms["new_host"]
    assert (before, after) == (0.1, 0.0)


def test_u14_fitted_weights() -> None:
    assert fit_weights(PARTS, LABELS, 0.5) == pytest.approx((0.3833333, 0.3333333, 0.2833333), abs=1e-6)


@given(st.lists(st.tuples(st.tuples(UNIT, UNIT, UNIT), st.booleans()), min_size=1, max_size=12), UNIT)
def test_fitting_never_makes_more_errors(sample: list, theta: float) -> None:
    parts, labels = zip(*sample, strict=True)

    def errors(weights: tuple) -> int:
        columns = np.asarray(parts).T
        return int(((relevance(weights, *columns) >= theta) != np.asarray(labels)).sum())

    fitted = fit_weights(parts, labels, theta)
    assert errors(fitted) <= errors(EQUAL)
    assert sum(fitted) == pytest.approx(1)
    assert min(fitted) >= 0


@given(st.booleans(), st.integers(0, 20), st.booleans(), st.booleans())
def test_bonuses_never_take_away(related: bool, links: int, new: bool, other: bool) -> None:
    added = bonuses(related, links, new, other, (0.1, 0.2, 0.3), 5)
    assert all(value >= 0 for value in added.values())
    assert (added["cross_host"] > 0) == (related and other)


def test_it_learns_from_what_it_fetches_and_forgets_at_the_start() -> None:
    base = UrlKnowledge({"movie": 1.0})
    crawler = started(knowledge=base, limits=Thresholds(0.3, 0.1))
    crawler.propose(visit("movie", url="http://movie.example/oscar"))
    crawler.propose(visit("stock", url="http://bank.test/stock"))
    # own content 1, no anchor, URL 1: Rel = 2/3, of which a phrase on trial gets a third
    assert crawler.knowledge_.relevant["oscar"] == pytest.approx(2 / 9)
    assert crawler.knowledge_.irrelevant == pytest.approx({"bank": 1.0, "stock": 1.0})
    assert base.relevant == {"movie": 1.0}
    crawler.start(TOPIC, np.random.default_rng(0))
    assert crawler.knowledge_.relevant == {"movie": 1.0}
    assert not crawler.hosts_


def test_it_can_learn_from_the_prediction_instead() -> None:
    crawler = started(feedback="predicted")
    crawler.propose(visit("movie", url="http://seed.example/"))
    assert set(crawler.knowledge_.relevant) == {"movie"}
    crawler.propose(visit("stock", url="http://oscar.test/", terms={"Rel": 0.9}))
    assert crawler.knowledge_.relevant["oscar"] == pytest.approx(0.3)


def test_it_cleans_up_on_schedule() -> None:
    crawler = started(knowledge=UrlKnowledge({"movie": 1.0, "lph": 0.05}), update_every=2)
    crawler.propose(visit("movie"))
    assert "lph" in crawler.knowledge_.relevant
    crawler.propose(visit("movie"))
    assert "lph" not in crawler.knowledge_.relevant


def example(url: str, text: str, relevant: bool) -> Example:
    return Example(Page(url, title=text, text=text, links=(Link("http://z.test/", anchor=text),)), relevant)


EXAMPLES = (
    example("http://movie.test/oscar", "film oscar", True),
    example("http://cinema.test/movie", "film star", True),
    example("http://bank.test/stock", "stock price", False),
)


def test_a_task_trains_it() -> None:
    crawler = UCrawler.from_task(Task(TOPIC, TinyAssessor({}), EXAMPLES))
    assert crawler.knowledge is not None
    assert crawler.knowledge.relevant["movie"] == 1
    assert "stock" in crawler.knowledge.irrelevant
    assert crawler.limits.high > crawler.limits.middle > crawler.limits.low
    assert list(crawler.content_vector or ())[:2] == ["movie", "film"]
    assert sum(crawler.weights) == pytest.approx(1)


def test_labelled_links_fit_the_weights() -> None:
    """Parents say nothing here, anchors all: the weight of anchors grows, that of content shrinks."""
    parent = Page("http://hub.test/", text="nothing of the kind")
    links = [
        LabelledLink(parent, Link(f"http://h{place}.test/", anchor=anchor), anchor == "film")
        for place, anchor in enumerate(["film", "film", "stock", "price"])
    ]
    links += [
        LabelledLink(
            Page("http://b.test/", text="film film gold tin"), Link("http://x.test/", anchor="gold"), False
        )
    ] * 3
    task = Task(TOPIC, TinyAssessor({}), EXAMPLES, {"labelled_links": links})
    crawler = UCrawler.from_task(task)
    assert crawler.weights[1] > 1 / 3 > crawler.weights[0]
    by_pages = UCrawler.from_task(Task(TOPIC, TinyAssessor({}), EXAMPLES))
    assert crawler.content_vector == by_pages.content_vector
    assert crawler.limits != by_pages.limits


@pytest.mark.parametrize("examples", [(), EXAMPLES[:2]])
def test_without_both_kinds_of_examples_keywords_must_do(examples: tuple) -> None:
    crawler = UCrawler.from_task(Task(TOPIC, TinyAssessor({}), examples), hub_threshold=3)
    crawler.start(TOPIC, np.random.default_rng(0))
    assert crawler.weights == EQUAL
    assert crawler.hub_threshold == 3
    assert crawler.knowledge_.relevant == {"movie": 1.0}


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"feedback": "none"}, "no feedback named 'none'; try own, predicted"),
        ({"update_every": 0}, "update_every is 0"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        started(**parameters)
