"""Limits hold wherever pages come from: the live web, an archive, and the workers of a cluster."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tiny import TinyWeb, url

from focuslab import live
from focuslab.crawling.live.folder import Folder
from focuslab.crawling.live.hands import let_go
from focuslab.crawling.log import CrawlLog
from focuslab.fetchers import warc
from focuslab.types import Response
from focuslab.webs.file_server import serve_files
from focuslab.webs.server import serve
from focuslab.webs.small_crawl import CRAWL, small_crawl

PAGES = tuple("abcdef")
GONE = tuple(f"gone{number}" for number in range(4))
HOPS = 12
LINKS = {"s": " ".join((*PAGES, *GONE, "hop/0", "round/0", "long", "stuck"))}
LINKS |= dict.fromkeys((*PAGES, "stuck"), "s")
WAYS = ("live", "archive", "live by a cluster", "archive by a cluster")


def moved(name: str, to: str) -> Response:
    return Response(url(name), 302, headers={"location": url(to)})


ODD = {f"hop/{n}": moved(f"hop/{n}", f"hop/{n + 1}") for n in range(HOPS)}
ODD |= {"round/0": moved("round/0", "round/1"), "round/1": moved("round/1", "round/0")}
ODD |= {"long": Response(url("long"), 200, b"<p>" + b"long ballgame " * 5_000, "text/html")}


class Site(TinyWeb):
    """One of its pages comes when it is let."""

    def __init__(self) -> None:
        super().__init__(LINKS, ODD)
        self.let = threading.Event()

    def fetch(self, address: str) -> Response:
        if address == url("stuck"):
            self.let.wait(30)
        return super().fetch(address)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    distributed = pytest.importorskip("distributed", reason="needs focuslab[cluster]")
    how = {"n_workers": 2, "threads_per_worker": 4, "dashboard_address": None}
    with distributed.LocalCluster(**how) as cluster, distributed.Client(cluster) as client:
        client.run(let_go, "nobody")  # the workers import all they need before a clock runs
        yield cluster.scheduler_address


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture(params=WAYS)
def way(
    request: pytest.FixtureRequest, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, Any]]:
    """The settings of one way to the site."""
    monkeypatch.chdir(tmp_path)
    Path("topic.yaml").write_text("name: ball games\ncontent: [to, ballgame]\n")
    settings: dict[str, Any] = {"delay": 0, "contact": "lab@crawl.example"}
    if "cluster" in request.param:
        settings["cluster"] = request.getfixturevalue("scheduler")
    with ExitStack() as stack:
        if request.param.startswith("live"):
            settings["proxy"] = stack.enter_context(serve(site)).url
        else:
            site.let.set()
            urls = [*site.links, *map(url, (*GONE, *ODD))]
            stored = small_crawl(site, urls, tmp_path / "data", files=len(urls))  # a file for each page
            site.let.clear()
            stuck = f"warc/{CRAWL}-{urls.index(url('stuck')):05}.warc.gz"

            def late(path: str, number: int) -> None:
                if path.endswith(stuck):
                    site.let.wait(30)

            served = stack.enter_context(serve_files(stored, late))
            kept = tmp_path / "kept"
            settings["web"] = f"common-crawl:{CRAWL}?data={served.url}&server={served.url}&cache={kept}"
        yield settings
        site.let.set()


def crawl(way: dict[str, Any], seeds: tuple[str, ...] = ("s",), **more: Any) -> CrawlLog:
    return live.crawl(
        "topic.yaml",
        [url(seed) for seed in seeds],
        "out",
        **{"width": 1, "strategy": "breadth_first", **way, **more},
    )


def reasons(log: CrawlLog) -> dict[str, str]:
    return {failure.link.url: failure.reason for failure in log.failures}


def test_requests_and_failures_are_counted(way: dict[str, Any], site: Site) -> None:
    site.let.set()
    log = crawl(way, max_requests=8)
    assert "its 8 requests were used up (--max-requests)" in log.settings["stopped"]
    assert len(log) + len(log.failures) == 8
    log = live.resume("out", max_requests=0, max_failures=3)
    assert "3 fetches had brought no page (--max-failures)" in log.settings["stopped"]
    assert len(log.failures) == 3


def test_time_ends_a_crawl_that_waits_for_a_page(way: dict[str, Any], site: Site) -> None:
    log = crawl(way, width=4, max_seconds=4)
    assert not site.let.is_set()
    assert "its time of 4 seconds was used up (--max-seconds)" in log.settings["stopped"]
    assert url("stuck") not in {*log.frame.url, *reasons(log)}
    site.let.set()
    assert url("stuck") in set(live.resume("out", max_seconds=0).frame.url)


def test_redirects_without_end_and_in_circles_are_failures(way: dict[str, Any], site: Site) -> None:
    site.let.set()
    found = reasons(crawl(way))
    assert found[url("hop/0")].startswith("too-many-redirects: more than ")
    assert found[url("round/0")].startswith("redirect-loop: back to ")


def test_a_long_page_is_cut_and_a_full_record_ends_the_crawl(way: dict[str, Any], site: Site) -> None:
    site.let.set()
    log = crawl(way, ("long", "s"), page_bytes=1_000, max_bytes=3_000)
    assert "reached its limit of 3,000 bytes" in log.settings["stopped"]
    assert len(log) < len(LINKS)
    whole = live.resume("out", max_bytes=1_000_000)
    assert len(whole) == len(LINKS) + 1
    bodies = {each.asked: each.response.body for each in warc.read(Folder("out").record)}
    assert len(bodies[url("long")]) == 1_000
