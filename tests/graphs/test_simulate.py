"""The kernel and the crawl loop visit the same pages in the same order."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tiny import GraphWeb

from focuslab import webs
from focuslab.crawling.frontier import REDISCOVERIES, TIES
from focuslab.crawling.loop import crawl
from focuslab.experiments.compare import default_setup
from focuslab.experiments.weight_sweep import page_scores
from focuslab.features.pig import PUBLISHED
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.read_web import read
from focuslab.graphs.simulate import simulate
from focuslab.strategies import make
from focuslab.strategies.best_first import BestFirst
from focuslab.strategies.breadth_first import BreadthFirst
from focuslab.strategies.genre_enhanced import GenreEnhanced
from focuslab.types import Proposal, Strategy, Visit


class ByLink(Strategy):
    """Scores given link by link."""

    name: ClassVar[str] = "by_link"

    def __init__(self, graph: WebGraph, scores: np.ndarray) -> None:
        self.graph, self.scores = graph, scores
        self.number = {url: page for page, url in enumerate(graph.urls)}

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        first = self.graph.indptr[self.number[visit.page.url]]
        return (Proposal(link, float(self.scores[first + i])) for i, link in enumerate(visit.page.out))


@some.composite
def graphs(draw: some.DrawFn) -> WebGraph:
    """Small webs with few different scores, so that ties are frequent."""
    pages = draw(some.integers(1, 25))
    rng = np.random.default_rng(draw(some.integers(0, 2**32 - 1)))
    links = draw(some.integers(0, 4 * pages))
    levels = draw(some.integers(1, 6))
    return WebGraph.from_edges(
        rng.integers(0, pages, links),
        rng.integers(0, pages, links),
        rng.integers(0, levels, pages) / levels,
        genre=rng.integers(-1, 5, pages),
        confidence=rng.integers(1, 3, pages) / 2,
        seeds=rng.integers(0, pages, draw(some.integers(1, 4))),
    )


RULES = {"tie": some.sampled_from(TIES), "rediscovery": some.sampled_from(REDISCOVERIES)}


@settings(max_examples=150, deadline=None)
@given(graph=graphs(), w_r=some.sampled_from([1.0, 0.95, 0.5, 0.0]), seed=some.integers(0, 9), **RULES)
def test_genre_enhanced(graph: WebGraph, w_r: float, seed: int, tie: str, rediscovery: str) -> None:
    pig = PUBLISHED["gaming"]
    rules = {"tie": tie, "rediscovery": rediscovery, "seed": seed}
    expected = GraphWeb(graph).visits(GenreEnhanced(pig, w_r), graph.seeds, **rules)
    assert simulate(graph, page_scores(graph, pig, w_r), **rules).tolist() == expected


@settings(max_examples=100, deadline=None)
@given(graph=graphs(), seed=some.integers(0, 9), **RULES)
def test_best_first_and_breadth_first(graph: WebGraph, seed: int, tie: str, rediscovery: str) -> None:
    rules = {"tie": tie, "rediscovery": rediscovery, "seed": seed}
    web = GraphWeb(graph)
    assert simulate(graph, graph.relevance, **rules).tolist() == web.visits(BestFirst(), graph.seeds, **rules)
    flat = np.zeros(len(graph))
    assert simulate(graph, flat, **rules).tolist() == web.visits(BreadthFirst(), graph.seeds, **rules)


@settings(max_examples=100, deadline=None)
@given(graph=graphs(), chance=some.integers(0, 2**32 - 1), seed=some.integers(0, 9), **RULES)
def test_scores_link_by_link(graph: WebGraph, chance: int, seed: int, tie: str, rediscovery: str) -> None:
    scores = np.random.default_rng(chance).integers(0, 4, graph.links) / 4
    rules = {"tie": tie, "rediscovery": rediscovery, "seed": seed}
    expected = GraphWeb(graph).visits(ByLink(graph, scores), graph.seeds, **rules)
    assert simulate(graph, scores, per="link", **rules).tolist() == expected


@settings(max_examples=60, deadline=None)
@given(graph=graphs(), tie=some.sampled_from(["fifo", "lifo"]))
def test_both_kernels_agree(graph: WebGraph, tie: str) -> None:
    """Blocks of links are the fast way; single links, with each link its page's score, the plain one."""
    by_link = np.repeat(graph.relevance, np.diff(graph.indptr))
    one = simulate(graph, graph.relevance, tie=tie)
    assert one.tolist() == simulate(graph, by_link, per="link", tie=tie).tolist()


@settings(max_examples=60, deadline=None)
@given(graph=graphs(), budget=some.integers(0, 30))
def test_a_budget_cuts_and_reach_changes_nothing(graph: WebGraph, budget: int) -> None:
    full = simulate(graph, graph.relevance)
    assert simulate(graph, graph.relevance, budget=budget).tolist() == full[:budget].tolist()
    reach = int((graph.hops() >= 0).sum())
    assert simulate(graph, graph.relevance, reach=reach).tolist() == full.tolist()
    assert sorted(full.tolist()) == np.flatnonzero(graph.hops() >= 0).tolist()


def test_a_larger_graph_under_every_rule() -> None:
    """Enough pages for a heap of several levels."""
    rng = np.random.default_rng(3)
    pages, links = 800, 6_000
    graph = WebGraph.from_edges(
        rng.integers(0, pages, links),
        rng.integers(0, pages, links),
        rng.integers(0, 40, pages) / 40,
        seeds=[5, 3, 700],
    )
    web = GraphWeb(graph)
    for tie in TIES:
        for rediscovery in REDISCOVERIES:
            rules = {"tie": tie, "rediscovery": rediscovery, "seed": 4}
            expected = web.visits(BestFirst(), graph.seeds, **rules)
            assert simulate(graph, graph.relevance, **rules).tolist() == expected, rules


def test_the_built_in_web() -> None:
    """Classifiers, parser and all: what the loop visits live, the kernel visits on the graph."""
    webs = pytest.importorskip("focuslab.webs")
    if not hasattr(webs, "synthetic"):
        pytest.skip("the built-in web is not part of this installation")
    from focuslab.classifiers.assessor import train_classifiers

    web = webs.synthetic(pages=600, seed=3)
    topic = web.topic("baseball", seed=1)
    assessor = train_classifiers(web.examples("baseball", 150), topic)
    graph = WebGraph.crawl(web, topic.seeds, assessor)
    pig = PUBLISHED["baseball"]
    for strategy, scores in (
        (BestFirst(), graph.relevance),
        (BreadthFirst(), np.zeros(len(graph))),
        (GenreEnhanced(pig, 0.5), page_scores(graph, pig, 0.5)),
    ):
        expected = [visit.page.url for visit in islice(crawl(topic, web, strategy, assessor), 300)]
        assert [graph.urls[page] for page in simulate(graph, scores, budget=300)] == expected


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"guide": [0.5]}, r"shape \(1,\); give one per page, 3 in all"),
        ({"per": "link"}, "give one per link, 2 in all"),
        ({"per": "host"}, "no scores per 'host'; try page, link"),
        ({"guide": [0.1, np.nan, 0.2]}, "score of page 1 is not a number"),
        ({"seeds": []}, "no seeds"),
        ({"seeds": [-1]}, "-1 stands for a URL not in the graph"),
        ({"tie": "best"}, "no tie named 'best'; try fifo, lifo, random"),
        ({"rediscovery": "mean"}, "no rediscovery named 'mean'; try first, max, last"),
    ],
)
def test_mistakes_name_the_remedy(change: dict[str, Any], message: str) -> None:
    graph = WebGraph.from_edges([0, 1], [1, 2], [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match=message):
        simulate(graph, **{"guide": graph.relevance, **change})


@pytest.mark.parametrize("name", ["best_first", "link_context", "otie"])
def test_a_web_and_a_reading_of_it_are_crawled_as_the_loop_crawls(name: str, tmp_path: Path) -> None:
    web = webs.synthetic(pages=400, seed=3)
    task = default_setup(web, "gaming", 0)
    visits = crawl(task.topic, web, make(name, task), task.assessor)
    expected = [visit.page.url for visit in islice(visits, 120)]
    kept = read(web, tmp_path, jobs=1)
    for source in (web, kept):
        order = simulate(source, make(name, task), topic=task.topic, assessor=task.assessor, budget=120)
        assert [kept.graph.urls[page] for page in order] == expected
    with pytest.raises(ValueError, match="nobody has assessed this web; give assessor="):
        simulate(web, make(name, task), topic=task.topic)


def test_a_web_whose_addresses_move_is_not_read() -> None:
    web = webs.synthetic(pages=400, seed=3, dirt=True)
    task = default_setup(web, "gaming", 0)
    with pytest.raises(ValueError, match="move or have no end; crawl it page by page"):
        simulate(web, BestFirst(), topic=task.topic, assessor=task.assessor)
