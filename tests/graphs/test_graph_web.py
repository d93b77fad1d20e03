"""A graph played back is crawled as the web it was read from, and has no words unless a web lends them."""

from __future__ import annotations

import pytest
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab.crawling.loop import crawl
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.graph_web import Playback
from focuslab.strategies.best_first import BestFirst
from focuslab.types import Response

LINKS = {"s": "a b", "a": "a/1 s", "b": "b/1", "a/1": "", "b/1": ""}
GUIDE = TinyAssessor({"s": 0.5, "b": 0.9, "a": 0.1}, {"b": "Blog"}, {"b": 0.7})


@pytest.fixture
def graph() -> WebGraph:
    return WebGraph.crawl(TinyWeb(LINKS), [url("s")], GUIDE)


def test_the_loop_visits_the_same_pages_on_both(graph: WebGraph) -> None:
    play = Playback(graph)
    real = crawl(topic("s"), TinyWeb(LINKS), BestFirst(), GUIDE)
    played = crawl(topic("s"), play, BestFirst(), play, parse=play.parse)
    assert [name(visit.page.url) for visit in played] == [name(visit.page.url) for visit in real]


def test_assessments_are_those_of_the_guide(graph: WebGraph) -> None:
    play = Playback(graph)
    page = play.parse(play.fetch(url("b")))
    assert play.assess(page) == GUIDE.assess(page)
    assert play.fetch(url("gone")).status == 404


def test_words_are_refused_with_the_remedy_or_read_again(graph: WebGraph) -> None:
    page = Playback(graph).parse(Response(url("s"), 200))
    for ask in (lambda: page.text, lambda: page.links[0].anchor):
        with pytest.raises(ValueError, match=r"a graph holds no words, so .* give web= to read the pages"):
            ask()
    with pytest.raises(ValueError, match="a graph cannot score text"):
        Playback(graph).score_text("x")
    play = Playback(graph, TinyWeb(LINKS))
    page = play.parse(play.fetch(url("s")))
    assert page.title == "s"
    assert [link.anchor for link in page.out] == ["to a", "to b"]


def test_a_page_that_changed_is_noticed(graph: WebGraph) -> None:
    play = Playback(graph, TinyWeb(LINKS | {"s": "b"}))
    with pytest.raises(ValueError, match="has other links than when the graph was built; build it again"):
        play.parse(play.fetch(url("s")))
