"""Webs, readings and graphs that experiments share."""

from __future__ import annotations

import numpy as np

from focuslab.experiments.reproduce import _ground
from focuslab.graphs.graph import WebGraph

SMALL = 300


def test_a_web_on_the_shelf_is_read_once_and_gone_at_the_end() -> None:
    with _ground.shelf() as place:
        first = _ground.reading(SMALL)
        written = (first.folder / "reading.json").stat().st_mtime_ns
        with _ground.shelf(place):  # as a worker process does
            again = _ground.reading(SMALL)
        assert again.folder == first.folder
        assert (again.folder / "reading.json").stat().st_mtime_ns == written
        assert _ground.reading(SMALL, links_per_page=5.0).folder != first.folder
    assert not place.exists()


def test_without_a_shelf_a_web_is_read_anyway() -> None:
    assert len(_ground.reading(SMALL).graph) == SMALL


def test_the_whole_web_is_the_same_graph_as_its_survey() -> None:
    graph, web = _ground.whole(SMALL, "baseball"), _ground.built_in(SMALL)
    guide, truth = _ground.guide(SMALL, "baseball"), web.truth("baseball")
    surveyed = WebGraph.crawl(web, list(graph.urls), guide, truth=truth)
    assert list(surveyed.urls) == list(graph.urls)
    for name in ("relevance", "relevant", "genre", "truth", "indices"):
        np.testing.assert_array_equal(getattr(surveyed, name), getattr(graph, name))


def test_portals_are_about_something_else_and_have_the_most_links() -> None:
    web = _ground.built_in(SMALL)
    portals = _ground.FromPortals(web, count=3, among=5)
    seeds = [web.number(url) for url in portals.topic("baseball").seeds]
    assert len(set(seeds)) == 3
    assert not web.relevant("baseball")[seeds].any()
    links = np.diff(web.indptr)
    others = np.flatnonzero(~web.relevant("baseball") & (web.field != web.topics().index("baseball")))
    assert min(links[seeds]) >= np.sort(links[others])[-5]
    assert portals.topic("baseball", 1).seeds != portals.topic("baseball", 0).seeds
    assert portals.topic("baseball").keywords == web.topic("baseball").keywords
