"""A crawl can leave out pages that say what an earlier one said: mirrors, and what only they lead to."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from tiny import TinyWeb, url

from focuslab import live
from focuslab.crawling.live.repeats import LONGEST, Repeats
from focuslab.crawling.live.watch import Watch
from focuslab.crawling.log import CrawlLog
from focuslab.types import Page, Response
from focuslab.webs.server import serve

STORY = " ".join(
    f"the {word} of ball game {n}" for n, word in enumerate(["pitcher", "catcher", "umpire"] * 9)
)


def story(page: str, ending: str, link: str) -> Response:
    body = f'<title>A game</title><p>{STORY} {ending}<p><a href="{url(link)}">more</a>'
    return Response(url(page), 200, body.encode(), "text/html")


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    Path("topic.yaml").write_text("name: ball games\ncontent: [ball, game]\n")
    odd = {"a": story("a", "in May", "x"), "b": story("b", "in June", "y")}
    with serve(TinyWeb({"s": "a b", "x": "", "y": ""}, odd)) as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield tmp_path


def crawl(out: str, **settings: object) -> CrawlLog:
    quiet = {"delay": 0, "contact": "lab@crawl.example", "watch": Watch(StringIO())}
    return live.crawl("topic.yaml", [url("s")], out, width=1, **quiet, **settings)


def test_a_mirror_and_what_it_leads_to_are_left_out_and_counted(lab: Path) -> None:
    log = crawl("out", near_duplicates=False)
    assert sorted(log.frame.url) == [url("a"), url("s"), url("x")]
    (skipped,) = pd.read_csv("out/skipped.csv").itertuples()
    assert (skipped.url, skipped.reason) == (url("b"), "near-duplicate")
    assert skipped.detail.endswith(f"% as {url('a')}")
    assert "says nearly the same as a page fetched before" in Path("out/report.html").read_text()


def test_they_are_kept_where_nobody_asks(lab: Path) -> None:
    assert len(crawl("out")) == 5


def test_a_crawl_that_is_taken_up_again_leaves_out_the_same(lab: Path) -> None:
    whole = crawl("whole", near_duplicates=False)
    crawl("out", near_duplicates=False, budget=2)
    log = live.resume("out", watch=Watch(StringIO()), budget=1_000)
    assert log.frame.url.tolist() == whole.frame.url.tolist()
    assert [failure.link.url for failure in log.failures] == [url("b")]


def test_of_a_long_page_the_beginning_counts() -> None:
    repeats = Repeats()
    beginning = " ".join(f"{word}{n}" for n in range(3_000) for word in ("ball", "game"))[:LONGEST]
    assert repeats(Page(url("a"), text=beginning + " one end " * 5_000)) == ""
    assert repeats(Page(url("b"), text=beginning + " another " * 5_000)).startswith("near-duplicate: 100% as")


def test_empty_and_short_pages_repeat_nothing() -> None:
    repeats = Repeats()
    assert [
        repeats(Page(url(name), text=text)) for name, text in zip("abcd", ["", "", "a b", "a b"], strict=True)
    ] == [""] * 4
