"""The crawl history: every download is there, found fast, and survives a crash."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import TinyAssessor, TinyWeb, topic, url

from focuslab.crawling.live.history import History, page_name
from focuslab.crawling.loop import crawl
from focuslab.strategies.breadth_first import BreadthFirst
from focuslab.types import Response

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def history(tmp_path: Path):
    with History(tmp_path / "crawl") as opened:
        yield opened


def page(name: str, body: bytes = b"<p>text") -> Response:
    return Response(url(name), 200, body, "text/html")


def test_w10_the_published_name_of_a_page() -> None:
    assert page_name("http://www.scu.edu.cn/") == "355bd40a1cffbb871d1fce0048a19972"
    assert page_name("http://www.scu.edu.cn") != page_name("http://www.scu.edu.cn/")


def test_a_download_is_kept_with_all_that_is_known_of_it(history: History) -> None:
    history.add(page("b", b"12345"), parent=url("a"), relevance=0.75, when=NOON)
    (row,) = history
    assert (row.url, row.asked, row.parent) == (url("b"), url("b"), url("a"))
    assert (row.time, row.status, row.relevance, row.bytes) == (NOON, 200, 0.75, 5)
    assert row.md5 == page_name(url("b"))
    assert history.file(url("b")).name == row.md5
    assert history.body(url("b")) == b"12345"


def test_the_frame_is_the_rows(history: History) -> None:
    history.add(page("a"), when=NOON, relevance=0.5)
    history.add(Response(url("b"), 404), when=NOON + timedelta(seconds=1))
    frame = history.frame()
    assert frame.url.tolist() == [row.url for row in history] == [url("a"), url("b")]
    assert frame.time.tolist() == [row.time for row in history]
    assert frame.relevance.isna().tolist() == [False, True]
    assert history.query("SELECT url FROM downloads WHERE status = ?", [404]).url.tolist() == [url("b")]


def test_seen_knows_asked_and_answering_addresses(history: History) -> None:
    history.add(page("home"), asked=url("old"))
    assert history.seen(url("home"))
    assert history.seen(url("old"))
    assert not history.seen(url("new"))


def test_a_failure_is_seen_and_has_no_page(history: History) -> None:
    history.add(Response(url("gone"), 404, b"sorry"))
    assert history.seen(url("gone"))
    assert [row.md5 for row in history] == [""]
    with pytest.raises(KeyError, match="not in the repository"):
        history.body(url("gone"))


def test_older_than_goes_by_the_last_download(history: History) -> None:
    for hours, name in enumerate("abc"):
        history.add(page(name), when=NOON + timedelta(hours=hours))
    history.add(page("a"), when=NOON + timedelta(hours=3))
    assert history.older_than(NOON + timedelta(hours=2)) == [url("b")]
    assert history.older_than(timedelta(hours=1), now=NOON + timedelta(hours=3, minutes=30)) == [
        url("b"),
        url("c"),
    ]
    assert history.last(url("a")) == NOON + timedelta(hours=3)
    assert history.last(url("z")) is None


def test_a_late_entry_does_not_make_a_page_older(history: History) -> None:
    history.add(page("a"), when=NOON)
    history.add(page("a"), when=NOON - timedelta(days=1))
    assert history.last(url("a")) == NOON


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 9)), max_size=20), st.integers(0, 10))
def test_questions_agree_with_a_scan(tmp_path_factory, downloads: list, limit: int) -> None:
    with History(tmp_path_factory.mktemp("h")) as history:
        for name, second in downloads:
            history.add(page(name), when=NOON + timedelta(seconds=second), keep=False)
        last = {name: max(s for n, s in downloads if n == name) for name, _ in downloads}
        old = {url(name) for name, second in last.items() if second < limit}
        assert set(history.older_than(NOON + timedelta(seconds=limit))) == old
        assert [history.seen(url(name)) for name in "abcde"] == [name in last for name in "abcde"]
        assert len(history) == len(downloads)


@pytest.mark.parametrize(
    "question", ["SELECT 1 FROM latest WHERE url = 'x'", "SELECT url FROM latest WHERE time < 5"]
)
def test_questions_are_answered_by_an_index(history: History, question: str) -> None:
    plan = history.query(f"EXPLAIN QUERY PLAN {question}").detail.str.cat()
    assert "SEARCH" in plan
    assert "SCAN" not in plan


def test_the_last_body_stays(history: History) -> None:
    history.add(page("a", b"old"))
    history.add(page("a", b"new"))
    assert history.body(url("a")) == b"new"
    assert len([file for file in (history.folder / "pages").rglob("*") if file.is_file()]) == 1


def test_paths_lead_back_to_a_seed(history: History) -> None:
    history.add(page("s"))
    history.add(page("b"), asked=url("a"), parent=url("s"))
    history.add(page("c"), parent=url("b"))
    assert history.path(url("c")) == [url("s"), url("b"), url("c")]
    assert history.path(url("a")) == [url("s"), url("b")]
    assert history.path(url("z")) == []


def test_a_circle_of_parents_ends(history: History) -> None:
    history.add(page("a"), parent=url("b"))
    history.add(page("b"), parent=url("a"))
    assert sorted(history.path(url("a"))) == [url("a"), url("b")]


def test_a_crawl_writes_itself_down(history: History) -> None:
    web = TinyWeb({"s": "a gone", "a": "b", "b": ""})
    assessor = TinyAssessor({"s": 0.9, "a": 0.4})
    visits = crawl(topic("s"), web, BreadthFirst(), assessor)
    steps = [visit.page.url for visit in history.record(visits)]
    rows = list(history)
    assert [row.url for row in rows if row.status == 200] == steps == [url("s"), url("a"), url("b")]
    assert [row.relevance for row in rows] == [0.9, 0.4, None, 0.0]
    assert [row.status for row in rows] == [200, 200, 404, 200]
    assert history.path(url("b")) == [url("s"), url("a"), url("b")]
    assert history.body(url("a")) == web.fetch(url("a")).body


def test_the_last_failures_are_written_too(history: History) -> None:
    list(history.record(crawl(topic("s"), TinyWeb({"s": "x y"}), BreadthFirst(), TinyAssessor({}))))
    assert [row.status for row in history] == [200, 404, 404]


def test_a_visit_is_on_the_disk_before_it_is_passed_on(history: History) -> None:
    visits = history.record(crawl(topic("s"), TinyWeb({"s": "a", "a": ""}), BreadthFirst(), TinyAssessor({})))
    list(islice(visits, 1))
    other = sqlite3.connect(history.folder / "history.sqlite")
    assert other.execute("SELECT url FROM downloads").fetchall() == [(url("s"),)]
    other.close()


def test_a_crash_loses_nothing(tmp_path: Path) -> None:
    code = f"""
import os, signal
from focuslab.crawling.live.history import History
from focuslab.types import Response
history = History({str(tmp_path)!r})
for n in range(50):
    history.add(Response(f"http://h{{n}}.example/", 200, b"x" * n))
os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", code], env=os.environ, check=False)
    assert ended.returncode == -signal.SIGKILL
    with History(tmp_path) as history:
        assert len(history) == 50
        assert all(len(history.body(row.url)) == row.bytes for row in history)
        history.add(page("after"))
        assert len(history) == 51


def test_threads_share_one(history: History) -> None:
    def work(thread: int) -> None:
        for n in range(20):
            history.add(page(f"t{thread}x{n}"))
            assert history.seen(url(f"t{thread}x{n}"))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(history) == 80


def test_it_goes_on_where_it_ended(tmp_path: Path) -> None:
    for name in "ab":
        with History(tmp_path) as history:
            history.add(page(name))
    with History(tmp_path) as history:
        assert [row.url for row in history] == [url("a"), url("b")]


def test_mistakes_are_named(tmp_path: Path, history: History) -> None:
    with pytest.raises(ValueError, match="has no time zone"):
        history.add(page("a"), when=datetime(2026, 1, 1))
    (tmp_path / "history.sqlite").write_bytes(b"this is a letter, not a database" * 100)
    with pytest.raises(ValueError, match="cannot be used as a crawl history"):
        History(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    database = sqlite3.connect(other / "history.sqlite")
    database.execute("CREATE TABLE bills (amount)")
    database.close()
    with pytest.raises(ValueError, match="no crawl history of this version"):
        History(other)


def test_a_full_disk_is_one_sentence_and_leaves_the_history_whole(tmp_path):
    page = Response("http://a.example/", 200, b"x", "text/html")
    with History(tmp_path) as history:
        history._database.execute("PRAGMA max_page_count = 1")  # as many as there are: it cannot grow
        with pytest.raises(OSError, match=r"disk is full\); free some space, then resume"):  # noqa: PT012
            for number in range(1_000):
                history.add(page, asked=f"http://a.example/{number}", keep=False)
        kept = len(history)
    with History(tmp_path) as history:
        history.add(page, keep=False)
        assert len(history) == kept + 1 < 1_000
