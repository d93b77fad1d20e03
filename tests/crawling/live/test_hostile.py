"""One crawl through a web that means harm, on real sockets: every case ends as it should."""

from __future__ import annotations

import importlib.util
import re
import socket
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from focuslab import live
from focuslab.classifiers.training.topic_file import Examples, TopicFile
from focuslab.crawling.live.watch import Watch
from focuslab.fetchers.traps import Bounded
from focuslab.pages.urls import host
from focuslab.types import Response, Topic

path = Path(__file__).parents[3] / "benchmarks" / "safety" / "hostile.py"
spec = importlib.util.spec_from_file_location("hostile", path)
hostile: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hostile)


class Explored(NamedTuple):
    log: Any
    heads: list[bytes]
    said: str
    folder: Path


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explored]:
    folder, said = tmp_path_factory.mktemp("hostile") / "crawl", StringIO()
    with hostile.served() as web:
        log = hostile.explore(web, folder, said)
        yield Explored(log, web.heads, said.getvalue(), folder)


@pytest.mark.parametrize("name", hostile.CASES)
def test_each_case_ends_as_it_should(explored, name):
    assert re.match(hostile.CASES[name].becomes, hostile.outcomes(explored.log)[name])


def test_the_crawl_comes_to_an_end_although_the_web_has_none(explored):
    assert explored.log.settings["stopped"].startswith("no link was left to follow")
    hosts = Counter(explored.log.frame.host)
    assert max(hosts.values()) <= 120
    assert hosts[hostile.host("calendar of queries")] <= 101
    asked = Counter(head.split(b"/")[2] for head in explored.heads)
    assert max(asked.values()) <= 2 * 120 + 10


def test_traps_are_named_in_the_skip_log(explored):
    skipped = (explored.folder / "skipped.csv").read_text()
    assert "queries of http://calendar-of-queries.example/ were asked already" in skipped
    assert "goes 4 times through 'next'" in skipped


def test_no_cookie_is_ever_sent_back(explored):
    assert any(b"cookies.example/second" in head for head in explored.heads)
    assert not any(b"\ncookie:" in head.lower() for head in explored.heads)
    assert not any(b"\nauthorization:" in head.lower() for head in explored.heads)


def test_nothing_a_page_says_reaches_the_terminal_or_runs_in_the_report(explored):
    report = (explored.folder / "report.html").read_text()
    assert "\x1b" not in explored.said
    assert "\x1b" not in report
    assert "<script" not in report
    assert "&lt;script&gt;" in report


def crawl(seed: str, out: Path, **settings: object):
    topic = TopicFile(Topic("ball", (seed,), content_terms=("ball",)), Examples())
    settings = {"proxy": "", "delay": 0, "contact": "x@y.example", "watch": Watch(StringIO())} | settings
    return live.crawl(topic, out=out, **settings)


@pytest.mark.parametrize("private", ["http://127.0.0.1:{port}/", "http://localhost:{port}/"])
def test_a_machine_of_the_lab_is_asked_only_if_allowed(tmp_path, private):
    with hostile.served() as web:
        seed = private.format(port=web.server_address[1])
        with pytest.raises(ValueError, match="private-address"):
            crawl(seed, tmp_path / "out")
        assert web.heads == []
        with pytest.raises(ValueError, match="none of the seeds brought a page"):
            crawl(seed, tmp_path / "out", allow_private=True)
        assert web.heads != []


def test_nobody_listens(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        seed = f"http://127.0.0.1:{free.getsockname()[1]}/"
        with pytest.raises(ValueError, match=r"robots-unreachable.*refused"):
            crawl(seed, tmp_path / "out", allow_private=True)


def test_a_certificate_nobody_vouches_for(tmp_path):
    with hostile.untrusted() as seed, pytest.raises(ValueError, match=r"tls: unable to get local issuer"):
        crawl(seed, tmp_path / "out", allow_private=True, robots=False)


class Echo:
    def fetch(self, url: str) -> Response:
        return Response(url, 200)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a.example/" + "x" * 1_000, "trap: the address has 1,017 characters"),
        ("http://a.example/" + "/".join("abcdefghijklmnopq") + "/", "trap: the path has 17 folders"),
        ("http://a.example/a/b/a/b/A/b/a/", "trap: the path goes 4 times through 'a'"),
        ("http://a.example/a/b/c/d/e?f=g", ""),
        ("http://a.example/", ""),
    ],
)
def test_addresses_that_lead_nowhere(url, reason):
    assert Bounded(Echo()).fetch(url).error == reason
    free = Bounded(Echo(), max_length=None, max_folders=None, max_repeats=None, max_variants=None)
    assert free.fetch(url).ok


def test_variants_are_counted_for_each_path():
    site = Bounded(Echo(), max_variants=1)
    asked = [site.fetch(f"http://a.example/{page}").ok for page in ("x?1", "y?1", "x?2", "x", "y?2")]
    assert asked == [True, True, False, True, False]
    assert host("http://a.example/") == "a.example"
