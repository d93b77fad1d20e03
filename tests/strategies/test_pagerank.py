"""PageRank, and the crawl that goes by it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab.crawling.loop import Crawl, crawl
from focuslab.strategies.pagerank import PageRank, pagerank
from focuslab.types import Response


def run(links: dict[str, str], seeds: str = "s", **parameters: float) -> tuple[str, PageRank, Crawl]:
    strategy = PageRank(**parameters)  # type: ignore[arg-type]
    visits = crawl(topic(seeds), TinyWeb(links), strategy, TinyAssessor({}))
    return " ".join(name(visit.page.url) for visit in visits), strategy, visits


def solved(edges: list[tuple[int, int]], pages: int, damping: float) -> np.ndarray:
    """PageRank as the solution of its linear equations."""
    matrix = np.zeros((pages, pages))
    for source in range(pages):
        out = [target for start, target in edges if start == source]
        for target in out:
            matrix[target, source] += 1 / len(out)
        if not out:
            matrix[:, source] = 1 / pages
    return np.linalg.solve(np.eye(pages) - damping * matrix, np.full(pages, (1 - damping) / pages))


def test_b5_three_pages() -> None:
    told = pagerank([0, 0, 1, 2], [1, 2, 2, 0], 3)
    np.testing.assert_allclose(told, [0.3877897117, 0.2148106275, 0.3973996608], atol=1e-9)


@given(
    st.integers(1, 7).flatmap(
        lambda n: st.tuples(
            st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=20)
        )
    ),
    st.sampled_from([0.0, 0.5, 0.85, 0.9]),
)
@settings(max_examples=100, deadline=None)
def test_it_solves_its_equations(graph: tuple[int, list[tuple[int, int]]], damping: float) -> None:
    pages, edges = graph
    told = pagerank([s for s, _ in edges], [t for _, t in edges], pages, damping)
    np.testing.assert_allclose(told, solved(edges, pages, damping), atol=1e-9)
    assert told.sum() == pytest.approx(1)


def test_without_links_all_are_equal() -> None:
    np.testing.assert_allclose(pagerank([], [], 4), 0.25)


def test_between_computations_a_new_link_is_worth_its_parents_parts() -> None:
    """s (rank 1) gives a and b half each; a's half goes to c, so c (0.5) ties with b, which came first."""
    links = {"s": "a b", "a": "c", "b": "d e", "c": "", "d": "", "e": "", "f": ""}
    order, strategy, _ = run(links)
    assert order == "s a b c d e"
    assert strategy.computed_ == 0
    told = {name(address): strategy.rank_[page] for address, page in strategy.index_.items()}
    assert told == {"s": 1.0, "a": 0.5, "b": 0.5, "c": 0.5, "d": 0.25, "e": 0.25}


def test_several_parents_add_up() -> None:
    links = {"s": "a b d", "a": "x y", "b": "z y", "d": "", "x": "", "y": "", "z": ""}
    assert run(links)[0] == "s a b d y x z"


def test_a_computation_rescores_all_that_wait() -> None:
    """Before it d is worth as much as c, which was found first; then d, with two parents, is ahead."""
    links = {"s": "a b c", "a": "d x", "b": "d y", "c": "", "d": "", "x": "", "y": ""}
    assert run(links)[0] == "s a b c d x y"
    assert run(links, every=3)[0] == "s a b d x y c"
    visits = crawl(topic("s"), TinyWeb(links), PageRank(every=3), TinyAssessor({}))
    for _ in range(3):
        next(visits)
    told = {}
    while (chosen := visits.frontier.pop()) is not None:
        told[name(chosen.link.url)] = chosen.score
    true = solved([(0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (2, 4), (2, 6)], 7, 0.85)
    assert told == pytest.approx(dict(zip("cdxy", true[3:], strict=True)), abs=1e-9)


def test_pages_known_at_a_computation_keep_their_rank_until_the_next() -> None:
    links = {"s": "a b", "a": "b c", "b": "", "c": ""}
    strategy = PageRank(every=1, growth=100)
    visits = crawl(topic("s"), TinyWeb(links), strategy, TinyAssessor({}))
    next(visits)
    before = strategy.rank_[strategy.index_[url("b")]]
    next(visits)
    assert strategy.computed_ == 1
    assert strategy.rank_[strategy.index_[url("b")]] == before
    assert strategy.rank_[strategy.index_[url("c")]] == strategy.rank_[strategy.index_[url("a")]] / 2


def chain(length: int) -> dict[str, str]:
    return {f"p{n}": f"p{n + 1}" for n in range(length)} | {f"p{length}": ""}


@pytest.mark.parametrize(("growth", "times"), [(0.0, 40), (0.1, 24), (1.0, 6)])
def test_computations_grow_rare_as_the_graph_grows(growth: float, times: int) -> None:
    _, strategy, _ = run(chain(399), "p0", every=10, growth=growth)
    assert strategy.computed_ == times


def test_the_work_of_a_crawl_is_proportional_to_its_links(monkeypatch: pytest.MonkeyPatch) -> None:
    work = []

    def counting(sources, targets, pages, damping):  # type: ignore[no-untyped-def]
        work.append(len(sources))
        return pagerank(sources, targets, pages, damping)

    monkeypatch.setattr("focuslab.strategies.pagerank.pagerank", counting)
    totals = []
    for length in (500, 1_000, 2_000):
        work.clear()
        run(chain(length), "p0", every=10)
        totals.append(sum(work) / length)
    assert totals[2] < 1.3 * totals[0]


def test_a_redirect_counts_as_a_link() -> None:
    moved = {"old": Response(url("new"), 200, b'<a href="http://x.example/">x</a>', "text/html")}
    strategy = PageRank()
    web = TinyWeb({"s": "old", "x": ""}, moved)
    order = [name(visit.page.url) for visit in crawl(topic("s"), web, strategy, TinyAssessor({}))]
    assert order == ["s", "new", "x"]
    pages = {number: name(address) for address, number in strategy.index_.items()}
    edges = [(pages[s], pages[t]) for s, t in zip(strategy.sources_, strategy.targets_, strict=True)]
    assert edges == [("s", "old"), ("old", "new"), ("new", "x")]


def test_pages_that_fail_stay_in_the_graph_without_links() -> None:
    order, strategy, visits = run({"s": "gone a", "a": ""})
    assert order == "s a"
    assert len(visits.failures) == 1
    assert url("gone") in strategy.index_


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match=r"damping is 1.0; it is a chance below 1"):
        run({"s": ""}, damping=1.0)
    with pytest.raises(ValueError, match="every=0"):
        run({"s": ""}, every=0)
