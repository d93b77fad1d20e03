"""A web graph read by many hands is the same as one read by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny import TinyAssessor, TinyWeb, name, url

from focuslab.fetchers.recorder import Recorder
from focuslab.graphs.gather import gather
from focuslab.graphs.graph import GRAPH_ARRAYS, PAGE_ARRAYS, WebGraph
from focuslab.types import Link, Page, Response
from focuslab.webs.archive import archive

LINKS = {
    "s": "a b a s dead old",
    "a": "c a/2",
    "b": "a c",
    "c": "d s",
    "d": "",
    "a/2": "s b",
    "lonely": "s old",
}
RELEVANCE = {"s": 0.9, "a": 0.6, "c": 0.51, "lonely": 0.7}


class Named(TinyWeb):
    """A tiny web that knows its addresses, one of which is old."""

    def fetch(self, address: str) -> Response:
        return super().fetch(self.resolve(address) or address)

    def resolve(self, address: str) -> str:
        now = url("d") if address == url("old") else address
        return now if now in self.links else ""


def anchor_length(page: Page, link: Link) -> float:
    return float(len(link.anchor))


def text_length(page: Page) -> float:
    return float(len(page.text))


def build(web: Any, urls: Any, **how: Any) -> WebGraph:
    scores = {"page_scores": {"length": text_length}, "link_scores": {"anchor": anchor_length}}
    return gather(web, urls, TinyAssessor(RELEVANCE), seeds=[url("s")], **scores, **how)


def same(one: WebGraph, other: WebGraph) -> None:
    assert list(one.urls) == list(other.urls)
    assert list(one.hosts) == list(other.hosts)
    for field in PAGE_ARRAYS + GRAPH_ARRAYS:
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))
    for group in ("page_scores", "link_scores"):
        for key, values in getattr(one, group).items():
            np.testing.assert_array_equal(values, getattr(other, group)[key])
    assert one.failures == other.failures


def test_it_reads_all_pages_and_follows_old_addresses() -> None:
    web = Named(LINKS)
    graph = build(web, web.links, jobs=1)
    assert [name(address) for address in graph.urls] == list(LINKS)
    links = {name(graph.urls[i]): [name(graph.urls[to]) for to in graph.out(i)] for i in range(len(graph))}
    assert links["s"] == ["a", "b", "d"]
    assert links["lonely"] == ["s", "d"]
    assert graph.relevant.tolist() == [True, True, False, True, False, False, True]
    assert graph.seeds.tolist() == [0]


def test_it_agrees_with_a_crawl_where_both_have_been() -> None:
    web = Named(LINKS)
    scores = {"page_scores": {"length": text_length}, "link_scores": {"anchor": anchor_length}}
    walked = WebGraph.crawl(web, [url("s")], TinyAssessor(RELEVANCE), **scores)
    order = [*walked.urls, url("lonely")]
    read = build(web, order, jobs=1)
    within = read.restrict(np.arange(len(read)) < len(walked))
    np.testing.assert_array_equal(within.indices, walked.indices)
    np.testing.assert_array_equal(within.link_scores["anchor"], walked.link_scores["anchor"])
    np.testing.assert_array_equal(within.relevance, walked.relevance)


@pytest.mark.parametrize("chunk", [1, 2, 100])
def test_chunks_and_processes_change_nothing(chunk: int) -> None:
    web = Named(LINKS)
    same(build(web, web.links, jobs=2, chunk=chunk), build(web, web.links, jobs=1))


def test_pages_that_do_not_come_are_counted() -> None:
    graph = build(Named(LINKS), [url("s"), url("nowhere"), url("a")], jobs=1)
    assert (len(graph), graph.failures) == (2, 1)
    with pytest.raises(ValueError, match="no pages to read"):
        build(Named(LINKS), [], jobs=1)


def test_an_archive_on_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="needs focuslab[cluster]")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    web, folder = TinyWeb(LINKS), tmp_path / "warcs"
    folder.mkdir()
    for part, pages in enumerate((["s", "a", "b"], ["c", "d", "a/2", "lonely"])):
        recorder = Recorder(web, folder / f"{part}.warc.gz")
        for page in pages:
            recorder.fetch(url(page))
        recorder.close()
    stored = archive(folder)
    alone = build(stored, stored.urls, jobs=1)
    assert len(alone) == len(LINKS)
    with (
        distributed.LocalCluster(n_workers=2, dashboard_address=None, host="127.0.0.1") as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        same(build(stored, stored.urls, cluster=client, chunk=2), alone)
