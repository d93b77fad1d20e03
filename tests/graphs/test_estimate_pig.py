"""P_IG estimated on a graph equals counting pair by pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from tiny import TinyAssessor, TinyWeb, name, url

from focuslab.features.pig import PigTable
from focuslab.graphs.estimate_pig import estimate
from focuslab.graphs.graph import WebGraph
from focuslab.types import GENRES

LINKS = {"a": "b b c d a", "b": "a e", "c": "a e d", "d": "gone", "e": "c"}
GENRE = {"a": "Blog", "b": "News", "c": "Blog", "d": "Other", "e": "Video"}
RELEVANCE = {"a": 0.9, "b": 0.8, "c": 0.5, "d": 0.7, "e": 0.1}


@pytest.fixture(scope="module")
def graph() -> WebGraph:
    """Q4: a, b, d relevant; a repeated link, a self-link and a link to a page that was never classified."""
    return WebGraph.crawl(TinyWeb(LINKS), [url("a")], TinyAssessor(RELEVANCE, GENRE))


@pytest.fixture(scope="module")
def table(graph: WebGraph) -> PigTable:
    return estimate(graph)


def counts(table: PigTable, relevant: bool, genre: str) -> tuple[int, int]:
    assert table.hits is not None
    assert table.links is not None
    column = GENRES.index(genre)
    return table.hits[relevant][column], table.links[relevant][column]


def test_q4_counts(table: PigTable) -> None:
    assert counts(table, True, "Blog") == (2, 3)
    assert counts(table, True, "News") == (1, 2)
    assert counts(table, False, "Blog") == (2, 3)
    assert counts(table, False, "Video") == (0, 1)
    assert counts(table, True, "Other") == (0, 0)
    assert table.pooled == (2 / 4, 3 / 5)


def test_half_is_irrelevant(graph: WebGraph) -> None:
    assert not graph.relevant[graph.find([url("c")])[0]]


def test_true_classes_give_another_table(graph: WebGraph) -> None:
    judged = graph.judge_by(lambda page: name(page) == "e", lambda page: "News")
    truth = estimate(judged, classes="truth")
    assert counts(truth, True, "News") == (0, 1)
    assert counts(truth, False, "News") == (2, 8)
    assert truth.source == "estimated by truth"


def test_without_truth_the_remedy_is_named(graph: WebGraph) -> None:
    with pytest.raises(ValueError, match="no truth; build it with truth= and true_genre="):
        estimate(graph, classes="truth")
    with pytest.raises(ValueError, match="no classes named 'oracle'; try guide, truth"):
        estimate(graph, classes="oracle")


@given(
    pages=some.integers(1, 12),
    links=some.lists(some.tuples(some.integers(0, 11), some.integers(0, 11)), max_size=60),
    chance=some.randoms(use_true_random=False),
)
def test_the_estimate_equals_counting_pair_by_pair(
    pages: int, links: list[tuple[int, int]], chance: object
) -> None:
    rng = np.random.default_rng(chance.randrange(2**32))  # type: ignore[attr-defined]
    pairs = [(u, v) for u, v in links if u < pages and v < pages]
    relevance, genre = rng.random(pages), rng.integers(-1, 5, pages)
    graph = WebGraph.from_edges([u for u, _ in pairs], [v for _, v in pairs], relevance, genre=genre)
    hits, total = np.zeros((2, 5), int), np.zeros((2, 5), int)
    for u, v in {(u, v) for u, v in pairs if u != v and genre[u] >= 0}:
        total[int(relevance[u] > 0.5), genre[u]] += 1
        hits[int(relevance[u] > 0.5), genre[u]] += relevance[v] > 0.5
    assert estimate(graph) == PigTable.from_counts(hits, total, source="estimated by guide")
