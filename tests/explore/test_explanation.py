"""Why a page was fetched, in words and as a list that a notebook shows."""

from __future__ import annotations

import pytest
from tiny import TinyAssessor, TinyWeb, topic, url

from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import crawl
from focuslab.explore import explain
from focuslab.strategies.best_first import BestFirst
from focuslab.types import Response

EVIL = "<script>alert(1)</script>"


def test_an_explanation_says_the_same_in_words_and_escapes_the_rest() -> None:
    bad = Response(url("a"), 200, f"<title>{EVIL}</title>".encode(), "text/html")
    tiny = TinyWeb({"s": "a"}, {"a": bad})
    log = CrawlLog.record(crawl(topic("s"), tiny, BestFirst(), TinyAssessor({"s": 1.0})))
    why = explain(log, url("a"))
    assert why == log.explain(url("a"))
    assert "<script" not in why._repr_html_()
    assert "score 1.000" in why._repr_html_()
    with pytest.raises(KeyError, match="was not fetched in this crawl"):
        explain(log, url("zzz"))
