"""The score of Qian et al., its terms, and the crawl it makes."""

from __future__ import annotations

import numpy as np
import pytest
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab.crawling.loop import crawl
from focuslab.experiments.weight_sweep import page_scores
from focuslab.features.pig import PUBLISHED, PigTable
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.simulate import simulate
from focuslab.strategies import make
from focuslab.strategies.genre_enhanced import GenreEnhanced, genre_score
from focuslab.types import Assessment, Link, Page, Response, Task, Visit

LINKS = {"s": "x y", "x": "p q", "y": "u v", "u": "w", "p": "", "q": "", "v": "", "w": ""}
RELEVANCE = {"s": 0.9, "x": 0.6, "y": 0.58, "p": 0.2, "q": 0.7, "u": 0.9, "v": 0.8, "w": 0.95}
GENRE = dict.fromkeys("yuw", "Blog")
CONFIDENCE = dict.fromkeys("xypqvw", 0.9) | {"s": 1.0, "u": 0.8}
TOY = PigTable(("Blog", "Other"), ((0.033, 0.004), (0.764, 0.236)), (None, None), source="toy")
ASSESSOR = TinyAssessor(RELEVANCE, GENRE, CONFIDENCE)
ORDERS = [
    (1.0, "sxypquwv"),
    (0.95, "sxyuwvpq"),
    (0.90, "sxyuwvpq"),
    (0.5, "sxyuwvpq"),
    (0.0, "sxyuvwpq"),
]


def visit(assessment: Assessment, links: str = "a b") -> Visit:
    page = Page(url("s"), links=tuple(Link(url(target)) for target in links.split()))
    return Visit(1, Link(url("s")), 1.0, 0, Response(url("s"), 200), page, assessment)


@pytest.mark.parametrize(
    ("w_r", "relevance", "confidence", "pig", "expected"),
    [
        (0.95, 0.9, 0.8, 0.764, 0.88556),
        (0.95, 0.9, 0.8, 0.033, 0.85632),
        (0.90, 0.6, 0.5, 0.892, 0.5846),
        (0.85, 0.6, 0.5, 0.892, 0.5769),
        (1.0, 0.37, 0.9, 0.5, 0.37),
        (0.0, 0.37, 0.9, 0.5, 0.45),
    ],
)
def test_q1_to_q3(w_r: float, relevance: float, confidence: float, pig: float, expected: float) -> None:
    assert genre_score(w_r, relevance, confidence, pig) == pytest.approx(expected, abs=1e-12)


def test_q1_through_the_strategy() -> None:
    """The published table has P = .764 for relevant blogs and .033 for irrelevant ones."""
    strategy = GenreEnhanced()
    relevant = visit(Assessment(0.9, True, "Blog", 0.8))
    assert [round(p.score, 9) for p in strategy.propose(relevant)] == [0.88556, 0.88556]
    irrelevant = visit(Assessment(0.9, False, "Blog", 0.8))
    assert next(iter(strategy.propose(irrelevant))).score == pytest.approx(0.85632)


def test_terms_tell_how_the_score_was_made() -> None:
    proposal = next(iter(GenreEnhanced().propose(visit(Assessment(0.9, True, "Blog", 0.8)))))
    assert list(proposal.terms) == ["R", "C", "P_IG", "w_R·R", "w_G·C·P_IG"]
    assert proposal.terms["P_IG"] == 0.764
    assert proposal.terms["w_R·R"] + proposal.terms["w_G·C·P_IG"] == proposal.score


def test_distinct_links_in_order_of_appearance() -> None:
    proposals = list(GenreEnhanced().propose(visit(Assessment(0.9, True, "Blog", 0.8), "b a b s c")))
    assert [name(proposal.link.url) for proposal in proposals] == ["b", "a", "c"]


@pytest.mark.parametrize(("w_r", "order"), ORDERS)
def test_q11_through_the_loop(w_r: float, order: str) -> None:
    visits = crawl(topic("s"), TinyWeb(LINKS), GenreEnhanced(TOY, w_r), ASSESSOR)
    assert "".join(name(visit.page.url) for visit in visits) == order


@pytest.mark.parametrize(("w_r", "order"), ORDERS)
def test_q11_through_the_kernel(w_r: float, order: str) -> None:
    graph = WebGraph.crawl(TinyWeb(LINKS), [url("s")], ASSESSOR)
    visited = simulate(graph, page_scores(graph, TOY, w_r))
    assert "".join(name(graph.urls[page]) for page in visited) == order


def test_weight_one_is_best_first() -> None:
    task = Task(topic("s"), ASSESSOR)
    orders = [
        [visit.page.url for visit in crawl(task.topic, TinyWeb(LINKS), strategy, ASSESSOR)]
        for strategy in (make("best_first", task), make("genre_enhanced", task, w_r=1.0))
    ]
    assert orders[0] == orders[1]


@pytest.mark.parametrize(
    ("preset", "table", "w_r"),
    [("baseball", "baseball", 0.95), ("gaming_sim", "gaming", 0.85), ("gaming_live", "gaming", 0.9)],
)
def test_published_settings(preset: str, table: str, w_r: float) -> None:
    strategy = GenreEnhanced.preset(preset)
    assert strategy.pig is PUBLISHED[table]
    assert strategy.w_r == w_r


def test_the_task_brings_its_own_table() -> None:
    assert make("genre_enhanced", Task(topic("s"), ASSESSOR, extras={"pig": TOY})).pig is TOY  # type: ignore[attr-defined]
    assert make("genre_enhanced", Task(topic("s"), ASSESSOR)).pig is PUBLISHED["baseball"]  # type: ignore[attr-defined]
    mine = make("genre_enhanced", Task(topic("s"), ASSESSOR, extras={"pig": TOY}), pig=PUBLISHED["gaming"])
    assert mine.pig is PUBLISHED["gaming"]  # type: ignore[attr-defined]


def test_mistakes_name_the_remedy() -> None:
    with pytest.raises(ValueError, match="no preset named 'chess'; try baseball, gaming_sim, gaming_live"):
        GenreEnhanced.preset("chess")
    with pytest.raises(ValueError, match=r"w_r is 1.5; .* from 0 to 1"):
        GenreEnhanced(w_r=1.5).start(topic("s"), np.random.default_rng(0))
