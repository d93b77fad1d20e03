"""A page that says nofollow is seen, its links are not; all else is the strategy's own."""

from __future__ import annotations

from tiny import url

from focuslab.crawling.live.nofollow import Respectful
from focuslab.strategies.breadth_first import BreadthFirst
from focuslab.strategies.otie import Otie
from focuslab.types import Assessment, Link, Page, Response, Topic, Visit


def visit(*said: str, header: str = "") -> Visit:
    page = Page(url("s"), "a page", links=(Link(url("a")),), directives=frozenset(said))
    response = Response(url("s"), 200, headers={"x-robots-tag": header} if header else {})
    return Visit(1, Link(url("s")), 1.0, 0, response, page, Assessment(1.0, True))


def test_links_of_a_page_that_says_nofollow_are_left_alone() -> None:
    wrapped = Respectful(BreadthFirst())
    assert [link.url for link, *_ in wrapped.propose(visit())] == [url("a")]
    assert [link.url for link, *_ in wrapped.propose(visit("noindex"))] == [url("a")]
    assert list(wrapped.propose(visit("nofollow"))) == []
    assert list(wrapped.propose(visit(header="none"))) == []


def test_the_strategy_still_sees_the_page() -> None:
    seen = []

    class Watching(BreadthFirst):
        def revise(self, visit: Visit) -> tuple:
            seen.append(visit.page.title)
            return ()

    assert not list(Respectful(Watching()).revise(visit("nofollow")))
    assert seen == ["a page"]


def test_the_frontier_and_the_scores_of_seeds_are_the_strategys() -> None:
    own, wrapped = Otie.__new__(Otie), None
    own.frontier = {"tie": "lifo"}  # type: ignore[misc]
    own.seed_score = {url("s"): 0.5}.__getitem__  # type: ignore[method-assign]
    wrapped = Respectful(own)
    assert wrapped.name == "otie"
    assert wrapped.frontier == {"tie": "lifo"}
    assert wrapped.seed_score(url("s")) == 0.5
    assert Topic("x")  # a topic needs no more than its name
