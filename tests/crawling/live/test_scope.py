"""Where a crawl may go: addresses, domains, languages, and pages that ask not to be followed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tiny import TinyAssessor, url

from focuslab.crawling.live.scope import InLanguages, Kept, Scope, unscoped
from focuslab.strategies.breadth_first import BreadthFirst
from focuslab.strategies.otie import Otie
from focuslab.types import Assessment, Link, Page, Response, Topic, Visit


def visit(*said: str, header: str = "") -> Visit:
    links = (Link(url("a")), Link(url("b/1")))
    page = Page(url("s"), "a page", links=links, directives=frozenset(said))
    response = Response(url("s"), 200, headers={"x-robots-tag": header} if header else {})
    return Visit(1, Link(url("s")), 1.0, 0, response, page, Assessment(1.0, True))


def kept(scope: Scope = Scope(), robots: bool = True) -> Kept:  # noqa: B008 - it is frozen
    wrapped = Kept(BreadthFirst(), scope, robots)
    wrapped.start(Topic("x"), np.random.default_rng(0))
    return wrapped


def followed(wrapped: Kept, seen: Visit) -> list[str]:
    return [link.url for link, *_ in wrapped.propose(seen)]


def test_links_of_a_page_that_says_nofollow_are_left_alone() -> None:
    both = [url("a"), url("b/1")]
    assert followed(kept(), visit()) == both
    assert followed(kept(), visit("noindex")) == both
    assert followed(kept(), visit("nofollow")) == []
    assert followed(kept(), visit(header="none")) == []
    assert followed(kept(robots=False), visit("nofollow")) == both


def test_links_that_say_nofollow_are_left_alone_unless_one_wants_them() -> None:
    seen = visit()
    links = (Link(url("a")), Link(url("b/1"), nofollow=True))
    seen = replace(seen, page=replace(seen.page, links=links))
    assert followed(kept(), seen) == [url("a")]
    free = Kept(BreadthFirst(), Scope(), nofollow=False)
    free.start(Topic("x"), np.random.default_rng(0))
    assert followed(free, seen) == followed(kept(robots=False), seen) == [url("a"), url("b/1")]


def test_links_out_of_scope_are_not_followed_and_counted_once() -> None:
    wrapped = kept(Scope(domains=("b.example",)))
    assert followed(wrapped, visit()) == followed(wrapped, visit()) == [url("b/1")]
    assert wrapped.refused_ == {url("a")}


@pytest.mark.parametrize(
    ("scope", "inside"),
    [
        (Scope(include=("/docs/", "wiki")), {"http://a.example/docs/1", "http://wiki.example/"}),
        (
            Scope(exclude=(r"\?",), domains=("a.example",)),
            {"http://a.example/docs/1", "http://www.a.example/"},
        ),
        (Scope(not_domains=("A.example.",)), {"http://wiki.example/", "http://xa.example/"}),
    ],
)
def test_patterns_and_domains(scope: Scope, inside: set[str]) -> None:
    addresses = [
        "http://a.example/docs/1",
        "http://wiki.example/",
        "http://a.example/x?y",
        "http://xa.example/",
    ]
    addresses.append("http://www.a.example/")
    assert {address for address in addresses if scope.allows(address)} == inside
    assert set(unscoped(addresses, scope)) == set(addresses) - inside


def test_the_frontier_and_the_scores_of_seeds_are_the_strategys() -> None:
    own = Otie.__new__(Otie)
    own.frontier = {"tie": "lifo"}  # type: ignore[misc]
    own.seed_score = {url("s"): 0.5}.__getitem__  # type: ignore[method-assign]
    wrapped = Kept(own, Scope())
    assert (wrapped.name, wrapped.frontier) == ("otie", {"tie": "lifo"})
    assert wrapped.seed_score(url("s")) == 0.5


def test_other_languages_are_not_relevant() -> None:
    judge = InLanguages(TinyAssessor({"a": 0.9}), ("en",))
    assert judge.assess(Page(url("a"), language="en")).relevant
    assert judge.assess(Page(url("a"))).relevant, "nobody knows its language"
    assert judge.assess(Page(url("a"), language="de")) == Assessment(0.0, False)
    assert judge.score_text("a") == 0.9
