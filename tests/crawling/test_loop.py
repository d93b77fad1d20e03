"""The loop: order, failures, redirects, budgets, width."""

from __future__ import annotations

import time
from itertools import islice

import pytest
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab.crawling.loop import crawl
from focuslab.strategies.best_first import BestFirst
from focuslab.strategies.breadth_first import BreadthFirst
from focuslab.strategies.random import Random
from focuslab.types import Response

TOY = {"s": "x y", "x": "p q", "y": "u v", "u": "w", "p": "", "q": "", "v": "", "w": ""}
TOY_R = {"s": 0.9, "x": 0.6, "y": 0.58, "p": 0.2, "q": 0.7, "u": 0.9, "v": 0.8, "w": 0.95}


def order(visits) -> str:
    return " ".join(name(visit.page.url) for visit in visits)


def test_breadth_first_goes_level_by_level() -> None:
    assert order(crawl(topic("s"), TinyWeb(TOY), BreadthFirst(), TinyAssessor(TOY_R))) == "s x y p q u v w"


def test_q11_best_first_on_the_toy_web() -> None:
    assert order(crawl(topic("s"), TinyWeb(TOY), BestFirst(), TinyAssessor(TOY_R))) == "s x y p q u w v"


def test_the_caller_owns_the_budget_and_nothing_is_fetched_ahead() -> None:
    web = TinyWeb(TOY)
    visits = crawl(topic("s"), web, BreadthFirst(), TinyAssessor({}))
    assert order(islice(visits, 3)) == "s x y"
    assert web.fetched == ["s", "x", "y"]
    assert next(visits).page.title == "p"


def test_a_visit_tells_how_it_was_chosen() -> None:
    visits = list(crawl(topic("s"), TinyWeb(TOY), BestFirst(), TinyAssessor(TOY_R)))
    u = next(visit for visit in visits if visit.page.title == "u")
    assert (u.step, u.depth, u.score, u.terms, u.link.source) == (6, 2, 0.58, {"R": 0.58}, url("y"))
    assert u.link.anchor == "to u"
    assert (u.ties, u.waiting) == (1, 1)


def test_failures_cost_no_budget_and_are_kept_with_a_reason() -> None:
    odd = {
        "dead": Response(url("dead"), 0, error="timeout: no answer"),
        "pdf": Response(url("pdf"), 200, b"%PDF", "application/pdf"),
    }
    visits = crawl(
        topic("s"), TinyWeb({"s": "dead pdf gone a", "a": ""}, odd), BreadthFirst(), TinyAssessor({})
    )
    assert order(islice(visits, 2)) == "s a"
    reasons = [(name(failure.link.url), failure.reason) for failure in visits.failures]
    assert reasons == [
        ("dead", "timeout: no answer"),
        ("pdf", "not-html: application/pdf"),
        ("gone", "status 404"),
    ]


def test_a_redirect_to_a_page_seen_before_is_a_duplicate() -> None:
    moved = Response(url("a"), 200, b"<body>a</body>", "text/html")
    web = TinyWeb({"s": "a old b", "a": "", "b": ""}, {"old": moved})
    visits = crawl(topic("s"), web, BreadthFirst(), TinyAssessor({}))
    assert order(visits) == "s a b"
    assert visits.failures[0].reason == f"duplicate: leads to {url('a')}, fetched before"


def test_a_redirect_takes_the_place_of_the_page_that_still_waits() -> None:
    moved = Response(url("a"), 200, b"<body>a</body>", "text/html")
    web = TinyWeb({"s": "old a", "a": ""}, {"old": moved})
    assert order(crawl(topic("s"), web, BreadthFirst(), TinyAssessor({}))) == "s a"
    assert web.fetched == ["s", "old"]


def test_two_redirects_to_one_page_count_once() -> None:
    moved = Response(url("a"), 200, b"<body>a</body>", "text/html")
    web = TinyWeb({"s": "old older"}, {"old": moved, "older": moved})
    visits = crawl(topic("s"), web, BreadthFirst(), TinyAssessor({}))
    assert order(visits) == "s a"
    assert len(visits.failures) == 1


def test_a_failed_fetch_does_not_use_up_the_host() -> None:
    web = TinyWeb({"s": "h/gone h/1 h/2", "h/1": "", "h/2": ""})
    visits = crawl(topic("s"), web, BreadthFirst(), TinyAssessor({}), frontier={"host_cap": 1})
    assert order(visits) == "s h/1"


def test_no_seeds_is_said_plainly() -> None:
    with pytest.raises(ValueError, match="has no seeds"):
        crawl(topic(""), TinyWeb({}), BreadthFirst(), TinyAssessor({}))


def test_wide_crawls_fetch_the_same_pages() -> None:
    web = TinyWeb(TOY)
    wide = crawl(topic("s"), web, BreadthFirst(), TinyAssessor({}), width=4)
    assert sorted(order(wide).split()) == sorted(TOY)


def test_a_slow_page_does_not_hold_up_the_others() -> None:
    class Slow(TinyWeb):
        def fetch(self, address: str) -> Response:
            time.sleep(0.3 if name(address) == "slow" else 0)
            return super().fetch(address)

    web = Slow({"s": "slow a b c", "slow": "", "a": "", "b": "", "c": ""})
    assert order(crawl(topic("s"), web, BreadthFirst(), TinyAssessor({}), width=2)).endswith("slow")


def test_random_is_random_by_its_seed_only() -> None:
    def run(seed: int) -> str:
        return order(crawl(topic("s"), TinyWeb(TOY), Random(), TinyAssessor({}), seed=seed))

    assert run(3) == run(3)
    assert len({run(seed) for seed in range(8)}) > 3


class Clumsy(TinyAssessor):
    """Stumbles over one page."""

    def assess(self, page):
        if name(page.url) == "x":
            raise KeyError("a word\x1b[2J nobody knows")
        return super().assess(page)


class Stumbling(BreadthFirst):
    """Stumbles over the second link of a page."""

    def propose(self, visit):
        for number, proposal in enumerate(super().propose(visit)):
            if number and name(visit.page.url) == "x":
                raise ValueError("no such link")
            yield proposal


@pytest.mark.parametrize(
    ("strategy", "assessor", "visited", "said"),
    [
        (BreadthFirst(), Clumsy({}), "s y u v w", "mistake: KeyError: 'a word\\x1b[2J nobody knows' ("),
        (Stumbling(), TinyAssessor({}), "s y p u v w", "mistake: ValueError: no such link ("),
    ],
)
@pytest.mark.parametrize("width", [1, 2])
def test_a_page_that_cannot_be_read_or_scored_is_a_failure(strategy, assessor, visited, said, width) -> None:
    visits = crawl(topic("s"), TinyWeb(TOY), strategy, assessor, strict=False, width=width)
    found = list(visits)
    assert sorted(order(found).split()) == sorted(visited.split())
    assert [visit.step for visit in found] == [*range(1, len(found) + 1)]
    (failure,) = visits.failures
    assert (name(failure.link.url), failure.status) == ("x", 200)
    assert failure.reason.startswith(said)
    assert "test_loop.py:" in failure.reason


def test_whoever_writes_a_strategy_sees_its_mistakes() -> None:
    with pytest.raises(ValueError, match="no such link"):
        list(crawl(topic("s"), TinyWeb(TOY), Stumbling(), TinyAssessor({})))
