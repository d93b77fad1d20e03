"""The oracle goes for relevant pages, then for what they link to."""

from __future__ import annotations

import pytest
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab.crawling.loop import crawl
from focuslab.strategies.oracle import Oracle
from focuslab.types import Task, Truth

WEB = {"s": "bad good", "good": "below", "bad": "far", "below": "", "far": ""}


def test_targets_then_links_of_targets_then_the_rest() -> None:
    truth = Truth(frozenset({url("good")}))
    visits = list(crawl(topic("s"), TinyWeb(WEB), Oracle(truth), TinyAssessor({})))
    assert [(name(visit.page.url), visit.score) for visit in visits][1:] == [
        ("good", 1.0),
        ("below", 0.5),
        ("bad", 0.0),
        ("far", 0.0),
    ]


def test_it_must_be_given_the_answers() -> None:
    with pytest.raises(ValueError, match="the oracle needs the answer key: give Task"):
        Oracle.from_task(Task(topic("s"), TinyAssessor({})))
