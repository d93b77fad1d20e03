"""The record of a crawl, and what it says about a page."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from tiny import TinyAssessor, TinyWeb, topic, url

from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import crawl
from focuslab.strategies.best_first import BestFirst
from focuslab.types import Response

TOY = {"s": "x y", "x": "p q", "y": "u v", "u": "w", "p": "", "q": "", "v": "", "w": "gone"}
TOY_R = {"s": 0.9, "x": 0.6, "y": 0.58, "p": 0.2, "q": 0.7, "u": 0.9, "v": 0.8, "w": 0.95}


@pytest.fixture
def log() -> CrawlLog:
    return CrawlLog.record(crawl(topic("s"), TinyWeb(TOY), BestFirst(), TinyAssessor(TOY_R)))


def test_one_row_per_fetch_with_the_terms_of_each_score(log: CrawlLog) -> None:
    assert list(log.frame.step) == list(range(1, 9))
    assert list(log.frame.title) == list("sxypquwv")
    assert pd.isna(log.frame.term_R[0])
    assert log.frame.set_index("title").term_R["w"] == 0.9
    assert [failure.reason for failure in log.failures] == ["status 404"]
    assert log.settings["tie"] == "fifo"


def test_a_budget_stops_the_crawl() -> None:
    log = CrawlLog.record(crawl(topic("s"), TinyWeb(TOY), BestFirst(), TinyAssessor(TOY_R)), 3)
    assert len(log) == 3


def test_explain_tells_path_terms_and_rank(log: CrawlLog) -> None:
    words = log.explain(url("w"))
    assert "page 7 of 8" in words
    assert log.path(url("w")) == [url("s"), url("y"), url("u"), url("w")]
    assert "score 0.900 = from R 0.900" in words
    assert "best of 2 waiting links, alone with its score" in words
    assert "relevance 0.950, relevant, genre Other (1.00)" in words


def test_explain_names_ties_and_seeds(log: CrawlLog) -> None:
    assert "its score shared by 1 more; the one found first went first" in log.explain(url("x"))
    assert "seeds go before everything else" in log.explain(url("s"))


def test_explain_of_a_page_never_fetched_says_so(log: CrawlLog) -> None:
    with pytest.raises(KeyError, match="was not fetched in this crawl"):
        log.explain("http://nowhere.example/")


def test_words_of_a_page_cannot_reach_the_terminal_raw() -> None:
    evil = Response(url("s"), 200, b"<title>\x1b[2Jgone</title><body>x</body>", "text/html")
    log = CrawlLog.record(crawl(topic("s"), TinyWeb({}, {"s": evil}), BestFirst(), TinyAssessor({})))
    assert "\x1b" not in log.explain(url("s"))


def test_a_log_survives_parquet(log: CrawlLog, tmp_path: Path) -> None:
    log.to_parquet(tmp_path / "log.parquet")
    again = CrawlLog.from_parquet(tmp_path / "log.parquet")
    pd.testing.assert_frame_equal(again.frame, log.frame)
    assert again.settings == log.settings
    assert again.explain(url("w")) == log.explain(url("w"))


def test_an_empty_crawl_has_an_empty_frame() -> None:
    log = CrawlLog.record(crawl(topic("nowhere"), TinyWeb({}), BestFirst(), TinyAssessor({})))
    assert len(log) == 0
    assert "relevance" in log.frame.columns
