"""An assessed web as arrays: built, cut, split, saved and read back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from tiny import TinyAssessor, TinyWeb, name, url

from focuslab.graphs.graph import WebGraph
from focuslab.graphs.strings import Strings
from focuslab.types import Assessment, Page, Response

LINKS = {
    "s": "a b a s dead",
    "a": "c a/2",
    "b": "a c",
    "c": "d s",
    "d": "e",
    "e": "",
    "a/2": "s b",
    "lonely": "s",
}
RELEVANCE = {"s": 0.9, "a": 0.6, "c": 0.51, "d": 0.5}
GENRE = {"a": "Blog", "b": "News", "c": "Shop"}


def build(web: TinyWeb | None = None, **options: object) -> WebGraph:
    found = web or TinyWeb(LINKS)
    return WebGraph.crawl(found, [url("s")], TinyAssessor(RELEVANCE, GENRE), **options)  # type: ignore[arg-type]


def names(graph: WebGraph, pages: Iterable[int] | None = None) -> list[str]:
    return [name(graph.urls[int(page)]) for page in (range(len(graph)) if pages is None else pages)]


def out(graph: WebGraph, page: str) -> list[str]:
    return names(graph, graph.out(int(graph.find([url(page)])[0])))


def test_pages_come_breadth_first() -> None:
    graph = build()
    assert names(graph) == ["s", "a", "b", "c", "a/2", "d", "e"]
    assert names(graph, graph.seeds) == ["s"]
    assert graph.failures == 1


def test_links_are_distinct_in_order_without_self_or_dead_ones() -> None:
    graph = build()
    assert out(graph, "s") == ["a", "b"]
    assert out(graph, "a") == ["c", "a/2"]
    assert out(graph, "e") == []
    assert graph.links == 11


def test_every_page_is_read_once() -> None:
    web = TinyWeb(LINKS)
    build(web)
    assert sorted(web.fetched) == sorted(set(web.fetched))


def test_assessments_are_kept_as_numbers() -> None:
    graph = build()
    by_name = dict(zip(names(graph), range(len(graph)), strict=True))
    assert graph.relevance[by_name["c"]] == 0.51
    assert graph.relevant[by_name["c"]]
    assert not graph.relevant[by_name["d"]]
    assert graph.genres[graph.genre[by_name["a"]]] == "Blog"
    assert graph.genre[by_name["c"]] == -1  # a genre that is not on the list
    assert [graph.hosts[graph.host[by_name[page]]] for page in ("a", "a/2")] == ["a.example"] * 2


def test_two_hops_are_two_hops() -> None:
    graph = build(hops=2)
    assert names(graph) == ["s", "a", "b", "c", "a/2"]
    assert out(graph, "c") == ["s"]
    assert graph.hop_counts() == [1, 2, 2]


def test_hops_afterwards_are_hops_at_once() -> None:
    for hops in (0, 1, 2, 3):
        late, early = build().within(hops), build(hops=hops)
        assert names(late) == names(early)
        assert late.indices.tolist() == early.indices.tolist()
        assert late.indptr.tolist() == early.indptr.tolist()


def test_a_limit() -> None:
    assert names(build(limit=3)) == ["s", "a", "b"]


def test_hops_from_other_seeds() -> None:
    graph = build()
    start = graph.find([url("d")])
    assert dict(zip(names(graph), graph.hops(start).tolist(), strict=True))["s"] == -1
    assert graph.hop_counts(start) == [1, 1]


def test_a_redirect_is_one_page() -> None:
    there = TinyWeb(LINKS).fetch(url("c"))
    web = TinyWeb(LINKS | {"s": "a b old", "b": "a old c"}, odd={"old": there})
    graph = build(web)
    assert names(graph).count("c") == 1
    assert "old" not in names(graph)
    assert out(graph, "s") == ["a", "b", "c"]
    assert out(graph, "b") == ["a", "c"]


def test_a_redirect_to_a_page_read_before_still_counts_as_a_link() -> None:
    web = TinyWeb(LINKS | {"d": "e old"}, odd={"old": TinyWeb(LINKS).fetch(url("b"))})
    graph = build(web)
    assert out(graph, "d") == ["e", "b"]


def test_a_redirect_that_leads_nowhere() -> None:
    web = TinyWeb(LINKS | {"d": "e old"}, odd={"old": Response(url("gone"), 404)})
    assert out(build(web), "d") == ["e"]


def test_a_seed_that_redirects_is_a_seed() -> None:
    web = TinyWeb(LINKS, odd={"old": TinyWeb(LINKS).fetch(url("s"))})
    graph = WebGraph.crawl(web, [url("old"), url("nowhere"), url("s")], TinyAssessor(RELEVANCE))
    assert names(graph, graph.seeds) == ["s"]


def test_batches_change_nothing() -> None:
    class Batched(TinyAssessor):
        sizes: list[int] = []  # noqa: RUF012

        def assess_many(self, pages: list[Page]) -> list[Assessment]:
            self.sizes.append(len(pages))
            return [self.assess(page) for page in pages]

    ring = {f"p{i}": f"p{(i + 1) % 600}" for i in range(600)}
    relevance = {f"p{i}": i / 600 for i in range(600)}
    batched = WebGraph.crawl(TinyWeb(ring), [url("p0")], Batched(relevance))
    single = WebGraph.crawl(TinyWeb(ring), [url("p0")], TinyAssessor(relevance))
    assert batched.relevance.tolist() == single.relevance.tolist() == [i / 600 for i in range(600)]
    assert Batched.sizes == [256, 256, 88]


def test_link_scores_stay_with_their_links() -> None:
    assessor = TinyAssessor(RELEVANCE)
    graph = build(link_scores={"anchor": lambda page, link: assessor.score_text(link.anchor)})
    for part in (graph, graph.within(2), *graph.split(0.5, seed=2)):
        expected = [RELEVANCE.get(target, 0.0) for target in names(part, part.indices)]
        assert part.link_scores["anchor"].tolist() == expected


def test_truth_stands_beside_the_guide() -> None:
    graph = build(truth=lambda page: name(page) in "ae", true_genre=lambda page: "Video")
    assert names(graph, np.flatnonzero(graph.judged("truth"))) == ["a", "e"]
    assert names(graph, np.flatnonzero(graph.judged("guide"))) == ["s", "a", "c"]
    assert graph.true_genre is not None
    assert set(graph.true_genre.tolist()) == {3}


def test_no_truth_no_judge() -> None:
    with pytest.raises(ValueError, match="no truth; build it with truth="):
        build().judged("truth")
    with pytest.raises(ValueError, match="no judge named 'me'; try truth, guide"):
        build().judged("me")


def test_another_topic_on_the_same_pages() -> None:
    graph = build(truth=lambda page: True)
    other = graph.assess(TinyWeb(LINKS), TinyAssessor({"e": 1.0}))
    assert names(other, np.flatnonzero(other.relevant)) == ["e"]
    assert other.indices is not None
    assert other.indices.tolist() == graph.indices.tolist()
    assert other.truth is None


def test_a_page_that_went_away_is_blank() -> None:
    without = {page: links for page, links in LINKS.items() if page != "e"}
    assert len(build().assess(TinyWeb(without), TinyAssessor({}))) == 7


def test_saved_and_loaded(tmp_path: Path) -> None:
    graph = build(truth=lambda page: name(page) == "a", link_scores={"one": lambda page, link: 1.0})
    graph.save(tmp_path / "graph")
    again = WebGraph.load(tmp_path / "graph")
    assert list(again.urls) == list(graph.urls)
    assert list(again.hosts) == list(graph.hosts)
    for field in (
        "relevance",
        "relevant",
        "genre",
        "confidence",
        "host",
        "truth",
        "indptr",
        "indices",
        "seeds",
    ):
        one, other = getattr(graph, field), getattr(again, field)
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()
    assert again.link_scores["one"].tolist() == [1.0] * graph.links
    assert again.true_genre is None
    assert (again.genres, again.failures) == (graph.genres, graph.failures)
    assert names(again.within(1)) == names(graph.within(1))


def test_a_graph_without_links_can_be_saved(tmp_path: Path) -> None:
    WebGraph.from_edges([], [], [0.5]).save(tmp_path)
    assert WebGraph.load(tmp_path).links == 0


def test_loading_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no web graph in .*; write one there with graph.save"):
        WebGraph.load(tmp_path)


def test_arrays_cannot_be_changed(tmp_path: Path) -> None:
    graph = build()
    with pytest.raises(ValueError, match="read-only"):
        graph.relevance[0] = 0


def test_arrays_must_fit() -> None:
    with pytest.raises(ValueError, match="confidence has 1 entries for 2 pages"):
        WebGraph.from_edges([0], [1], [0.1, 0.2], confidence=[1.0])


def test_it_introduces_itself() -> None:
    assert repr(build()) == "<WebGraph: 7 pages on 6 hosts, 11 links>"
    assert repr(build(truth=lambda page: True)).endswith("links, truth known>")


def test_find_knows_what_is_absent() -> None:
    assert build().find([url("c"), url("nowhere"), url("s")]).tolist() == [3, -1, 0]


@given(
    pages=some.integers(1, 40),
    hosts=some.integers(1, 8),
    fraction=some.floats(0.1, 0.9),
    seed=some.integers(0, 1_000),
)
def test_a_split_shares_no_host_and_loses_no_page(pages: int, hosts: int, fraction: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    urls = [f"http://h{rng.integers(hosts)}.example/{page}" for page in range(pages)]
    sources, targets = rng.integers(0, pages, 3 * pages), rng.integers(0, pages, 3 * pages)
    graph = WebGraph.from_edges(sources, targets, rng.random(pages), urls=urls)
    parts = graph.split(fraction, seed)
    assert sorted([*parts[0].urls, *parts[1].urls]) == sorted(urls)
    used = [{part.hosts[host] for host in part.host} for part in parts]
    assert not used[0] & used[1]
    pairs = {(graph.urls[u], graph.urls[v]) for u in range(pages) for v in graph.out(u)}
    for part in parts:
        inside = set(part.urls)
        kept = {(part.urls[u], part.urls[v]) for u in range(len(part)) for v in part.out(u)}
        assert kept == {(u, v) for u, v in pairs if u in inside and v in inside}


def test_a_split_is_a_function_of_its_seed_and_near_its_share() -> None:
    urls = [f"http://h{page % 50}.example/{page}" for page in range(1_000)]
    graph = WebGraph.from_edges([], [], np.zeros(1_000), urls=urls, seeds=range(10))
    sizes = [len(part) for part in graph.split(0.3, seed=1)]
    assert sizes == [300, 700]
    assert list(graph.split(0.3, seed=1)[0].urls) == list(graph.split(0.3, seed=1)[0].urls)
    assert list(graph.split(0.3, seed=1)[0].urls) != list(graph.split(0.3, seed=2)[0].urls)
    assert [len(part.seeds) for part in graph.split(0.3, seed=1)] == [3, 7]


def test_an_impossible_share() -> None:
    with pytest.raises(ValueError, match=r"fraction is 1.0; give a share between 0 and 1"):
        build().split(1.0)


@given(some.lists(some.text(some.characters(codec=None), max_size=8), max_size=12))
def test_strings_come_back_as_they_were(strings: list[str]) -> None:
    packed = Strings.of(strings)
    assert list(packed) == strings
    assert [packed[i] for i in range(len(packed))] == strings
    assert packed[::-1] == strings[::-1]
    with pytest.raises(IndexError):
        packed[len(strings)]
