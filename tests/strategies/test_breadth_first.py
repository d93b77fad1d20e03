"""Breadth-first: the order of discovery, whatever pages are about."""

from __future__ import annotations

from tiny import TinyAssessor, TinyWeb, name, topic

from focuslab.crawling.loop import crawl
from focuslab.strategies.breadth_first import BreadthFirst

WEB = {"s": "a b", "a": "c d s", "b": "e c", "c": "", "d": "f", "e": "", "f": ""}


def test_level_by_level() -> None:
    for guide in (TinyAssessor({}), TinyAssessor({"f": 1.0, "b": 0.9})):
        visits = list(crawl(topic("s"), TinyWeb(WEB), BreadthFirst(), guide))
        assert [name(visit.page.url) for visit in visits] == ["s", "a", "b", "c", "d", "e", "f"]
        assert [visit.depth for visit in visits] == sorted(visit.depth for visit in visits)
