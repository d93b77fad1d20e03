"""Prediction from the words around a link, and the crawl that goes by it."""

from __future__ import annotations

import pytest
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab.crawling.loop import crawl
from focuslab.features.link_context import blend, predict
from focuslab.strategies import make
from focuslab.strategies.link_context import LinkContext
from focuslab.types import Assessment, Link, Page, Response, Task, Visit


def visit(relevance: float, *links: Link, language: str = "") -> Visit:
    page = Page(url("s"), links=links, language=language)
    return Visit(
        1, Link(url("s")), 1.0, 0, Response(url("s"), 200), page, Assessment(relevance, relevance > 0.5)
    )


def test_the_context_is_read_not_the_anchor_and_in_the_language_of_the_page() -> None:
    asked = []

    class Listening(TinyAssessor):
        def score_text(self, text: str, language: str = "") -> float:
            asked.append((text, language))
            return 0.5

    predict(Listening({}), visit(0.5, Link(url("a"), "anchor", "words around"), language="ja"), [])
    assert asked == []
    strategy = LinkContext(Listening({}))
    list(strategy.propose(visit(0.5, Link(url("a"), "anchor", "words around"), language="ja")))
    assert asked == [("words around", "ja")]


def test_a_link_found_twice_keeps_the_larger_score() -> None:
    """x and y both link to z; y is the better page, and w must not overtake z."""
    web = TinyWeb({"s": "x y w", "x": "z", "y": "z", "z": "", "w": ""})
    silent = TinyAssessor({"s": 0.5, "x": 0.1, "y": 0.9})
    silent.score_text = lambda text, language="": 0.6 if "w" in text.split() else 0.7  # type: ignore[method-assign]
    visits = list(crawl(topic("s"), web, LinkContext(silent), silent))
    scores = {name(v.page.url): v.score for v in visits}
    assert scores["z"] == pytest.approx(blend(0.9, 0.7))


def test_beta_one_is_best_first() -> None:
    web = TinyWeb({"s": "x y", "x": "p q", "y": "u v", "u": "w", "p": "", "q": "", "v": "", "w": ""})
    assessor = TinyAssessor({"s": 0.9, "x": 0.2, "y": 0.6, "u": 0.9})
    task = Task(topic("s"), assessor)
    runs = [
        [v.page.url for v in crawl(task.topic, web, strategy, assessor, frontier={"rediscovery": "max"})]
        for strategy in (make("link_context", task, beta=1.0), make("best_first", task))
    ]
    assert runs[0] == runs[1]
    assert len(runs[0]) == 8


def test_beta_must_be_a_share() -> None:
    assessor = TinyAssessor({})
    with pytest.raises(ValueError, match=r"beta is 1.5; it is a share"):
        crawl(topic("s"), TinyWeb({}), LinkContext(assessor, beta=1.5), assessor)
