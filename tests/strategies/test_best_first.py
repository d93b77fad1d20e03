"""Best-first: every link is worth what its page is."""

from __future__ import annotations

from tiny import TinyAssessor, TinyWeb, name, topic

from focuslab.crawling.loop import crawl
from focuslab.strategies.best_first import BestFirst

WEB = {"s": "a b", "a": "a/1 a/2", "b": "b/1", "a/1": "", "a/2": "", "b/1": ""}


def test_links_of_the_best_page_go_first() -> None:
    guide = TinyAssessor({"s": 0.5, "a": 0.2, "b": 0.9})
    found = [(name(v.page.url), v.score) for v in crawl(topic("s"), TinyWeb(WEB), BestFirst(), guide)]
    assert found[1:] == [("a", 0.5), ("b", 0.5), ("b/1", 0.9), ("a/1", 0.2), ("a/2", 0.2)]


def test_the_score_explains_itself() -> None:
    visits = list(crawl(topic("s"), TinyWeb(WEB), BestFirst(), TinyAssessor({"s": 0.5})))
    assert visits[1].terms == {"R": 0.5}
