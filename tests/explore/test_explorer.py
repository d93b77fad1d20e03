"""What can be explored, what is said of it, and what is said of what cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tiny import TinyAssessor, TinyWeb, topic, url

from focuslab import explore
from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import crawl
from focuslab.experiments.metrics import hits_by
from focuslab.explore.explorer import Explorer
from focuslab.strategies.best_first import BestFirst


def tiny_crawl() -> Any:
    tiny = TinyWeb({"s": "a b", "a": "c", "b": "", "c": ""})
    return crawl(topic("s"), tiny, BestFirst(), TinyAssessor({"s": 1.0, "a": 0.9}))


def test_the_summary_counts_what_the_log_counts(race: Explorer) -> None:
    hits = hits_by(race.recordings[1].log, race.truth)
    assert f"genre_enhanced: {hits.sum()} relevant of 60 pages" in race.summary()
    assert f"part at page {race.scene['apart']}" in race.summary()
    assert race.still().startswith(b"\x89PNG")


def test_a_crawl_of_any_kind_can_be_explored() -> None:
    seen = explore(tiny_crawl(), budget=3)
    assert [name for name, *_ in (each["pages"] for each in seen.scene["crawlers"])]
    assert seen.scene["judge"] == "the crawler's own classifier"
    assert seen.scene["relevant"] is None
    assert seen.card(url("a"))["out"] == [[url("c"), "to c"]]
    assert seen.card(url("a"))["in"] == [url("s")]
    assert seen.what_if(1, {}).best == seen.recordings[0].queues[1].best


def test_a_log_can_be_explored_as_far_as_it_goes(tmp_path: Path) -> None:
    log = CrawlLog.record(tiny_crawl())
    log.to_parquet(tmp_path / "log.parquet")
    seen = explore(CrawlLog.from_parquet(tmp_path / "log.parquet"))
    assert len(seen.scene["crawlers"][0]["pages"]) == 4
    assert seen.scene["crawlers"][0]["queues"] == []
    with pytest.raises(ValueError, match="only a log is left of this crawl"):
        seen.card(url("a"))
    with pytest.raises(ValueError, match="only a log is left of this crawl"):
        seen.what_if(1, {})


def test_two_logs_of_one_strategy_are_told_apart() -> None:
    logs = [CrawlLog.record(tiny_crawl()), CrawlLog.record(tiny_crawl(), 2)]
    assert [each["name"] for each in explore(logs).scene["crawlers"]] == ["best_first 1", "best_first 2"]


def test_other_crawls_take_the_place_of_the_first(web: Any) -> None:
    seen = explore(web, "baseball", budget=10)
    asked = {
        "topic": "baseball",
        "strategies": ["", "random", "random"],
        "budget": 12,
        "seed": 1,
        "tie": "lifo",
    }
    told = seen._told("crawl", asked)["told"]["scene"]
    assert [each["name"] for each in told["crawlers"]] == ["random"]
    assert told["crawlers"][0]["settings"]["tie"] == "lifo"
    assert len(seen.recordings[0].log) == 12
    assert seen._told("crawl", asked | {"topic": "nothing"})["problem"].startswith("no topic named 'nothing'")


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda web: explore(web), "no topic named ''; try"),
        (lambda web: explore(web, "baseball", []), "0 strategies; give one to 4"),
        (lambda web: explore(web, "baseball", ["nobody"]), "no strategy named 'nobody'; try"),
        (lambda web: explore(CrawlLog([], {})), "fetched no page"),
        (lambda web: explore([]), "0 crawls; give one to 4"),
        (lambda web: explore(tiny_crawl(), budget=0), "fetched no page"),
    ],
)
def test_bad_input_gets_a_sentence(ask: Any, sentence: str, web: Any) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        ask(web)
    assert "\n" not in str(caught.value)


def test_a_page_that_was_not_fetched_gets_a_sentence(race: Explorer) -> None:
    with pytest.raises(KeyError, match=r"http://x\.example/ was not fetched in this crawl"):
        race.card("http://x.example/")
    assert "was not fetched" in race._told("card", {"page": _unfetched(race), "crawler": 0})["problem"]


def _unfetched(race: Explorer) -> int:
    crawler = race.scene["crawlers"][0]
    return next(page for page in race.scene["urls"] if page not in crawler["pages"])
