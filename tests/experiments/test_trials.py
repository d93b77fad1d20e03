"""Kernels on a web that was read stand in for the crawl loop: the tables are the same to the last bit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from focuslab import webs
from focuslab.experiments import trials
from focuslab.experiments.compare import Comparison, Workers, compare, default_setup
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.graph_web import GraphWeb
from focuslab.graphs.kernels import KERNELS
from focuslab.graphs.read_web import read, seeds_of
from focuslab.graphs.simulate import simulate
from focuslab.strategies.best_first import BestFirst
from focuslab.strategies.opic import Opic
from focuslab.types import Proposal, Response, Visit

TABLES = ("runs", "curves", "summary")


class Broken:
    """A web with some pages gone, or moved."""

    def __init__(self, web: webs.SyntheticWeb, moves: bool) -> None:
        self.web, self.moves = web, moves

    def fetch(self, url: str) -> Response:
        number = self.web.number(url) if url in self.web.urls else 0
        if number % 9 == 4:
            return Response(url, 404)
        moved = self.web.url(number + 1) if self.moves and number % 50 == 3 else url
        return self.web.fetch(moved)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["web"], name)

    def __len__(self) -> int:
        return len(self.web)

    def __reduce__(self) -> Any:
        return Broken, (self.web, self.moves)


def same(one: Comparison, other: Comparison) -> None:
    for table in TABLES:
        pd.testing.assert_frame_equal(getattr(one, table), getattr(other, table), check_exact=True)
    assert one.settings == other.settings


@pytest.mark.parametrize("kind", ["whole", "gaps", "moves"])
def test_kernels_change_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    web: Any = webs.synthetic(pages=300, seed=3)
    web = web if kind == "whole" else Broken(web, moves=kind == "moves")
    names, metrics = sorted(KERNELS), [*trials.DEFAULT_METRICS, "requests", "bytes"]
    ran: list[str] = []
    by_kernel = trials.Trial._by_kernel
    monkeypatch.setattr(
        trials.Trial,
        "_by_kernel",
        lambda self, kernel, one, *more: ran.append(one.name) or by_kernel(self, kernel, one, *more),
    )
    by_kernels, by_loop = (
        compare(names, web, ["baseball"], (0, 1), 60, metrics=metrics, jobs=Workers(1, kernels=kernels))
        for kernels in (True, False)
    )
    assert set(ran) == (set() if kind == "moves" else set(names))
    same(by_kernels, by_loop)


def test_a_dirty_web_is_compared_like_any_other() -> None:
    web = webs.synthetic(pages=400, seed=3, dirt=True)
    same(
        *(
            compare(["best_first"], web, ["baseball"], range(20), 20, jobs=Workers(1, kernels=kernels))
            for kernels in (True, False)
        )
    )


def test_a_large_web_is_not_read_for_a_few_pages() -> None:
    steps: Any = ((1, 2), ("movie",))
    plan = trials.Plan(
        {"a": "best_first"}, (0,), 20, trials.METRICS, "truth", lambda *asked: None, {}, *steps
    )  # type: ignore[arg-type, return-value]
    assert not plan.worth_reading(400)
    assert replace(plan, budget=400).worth_reading(400)
    assert not replace(plan, budget=400, kernels=False).worth_reading(400)


def test_a_web_or_what_was_read_of_it_give_the_same(tmp_path: Any) -> None:
    web = webs.synthetic(pages=300, seed=3)
    topics = ["baseball", "gaming"]
    plain = compare(["otie"], web, topics, budget=60, jobs=1)
    kept = read(web, tmp_path, seeds_of(web, topics, (0,)), jobs=1)
    same(compare(["otie"], kept, topics, budget=60, jobs=2), plain)


def test_too_little_memory_is_said_before_anything_is_crawled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuslab.graphs.room.free_memory", lambda: 1)
    web = webs.synthetic(pages=300, seed=3)
    with pytest.raises(ValueError, match=r"crawling .* links in 1 processes needs .* use fewer processes"):
        compare(["best_first"], web, ["movie"], budget=100, jobs=1)


def test_a_saved_graph_is_compared_by_its_numbers(tmp_path: Path) -> None:
    web = webs.synthetic(pages=300, seed=3)
    task, truth = default_setup(web, "gaming", 0), web.truth("gaming")
    WebGraph.crawl(web, task.topic.seeds, task.assessor, dead=True, truth=truth).save(tmp_path)
    graph = WebGraph.load(tmp_path)
    found = compare(["opic"], graph, seeds=(0, 1), budget=60, jobs=1, metrics=["harvest"]).runs
    for seed, (name, strategy) in product((0, 1), {"opic": Opic(), "best_first": BestFirst()}.items()):
        seeds = GraphWeb(graph).topic("graph", seed).seeds
        order = simulate(graph, strategy, graph.find(seeds), budget=60 + len(seeds), seed=seed, loop=True)
        beyond = [page for page in order.tolist() if graph.urls[page] not in seeds][:60]
        here = (found["strategy"] == name) & (found["seed"] == seed)
        assert found.loc[here, "value"].item() == graph.judged("truth")[beyond].mean()


def test_what_a_graph_does_not_hold_is_said() -> None:
    graph = WebGraph.from_edges([0, 1], [1, 0], [0.9, 0.8], truth=[True, False])
    with pytest.raises(ValueError, match="link_context needs 'context' of this graph; leave it out"):
        compare(["link_context"], graph, budget=2, jobs=1)
    with pytest.raises(ValueError, match="own with these metrics needs the crawl loop, and a graph has no"):
        compare({"own": lambda task: NotOurs()}, graph, budget=2, jobs=1)


class NotOurs(BestFirst):
    """A strategy that the lab has no kernel of."""

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        return super().propose(visit)
