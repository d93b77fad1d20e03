"""A web read as a whole: the same comparison by kernels, the same numbers in bulk, to the last bit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from focuslab import webs
from focuslab.classifiers.assessor import train_classifiers
from focuslab.experiments import trials
from focuslab.experiments.compare import Workers, compare
from focuslab.graphs import whole_web as sites
from focuslab.graphs.kernels import KERNELS
from focuslab.pages.parse import parse
from focuslab.types import Response


def test_the_classifiers_say_in_bulk_what_they_say_of_each_page() -> None:
    web = webs.synthetic(pages=400, seed=3)
    topic, examples = web.topic("gaming"), web.examples("gaming", 150)
    for classifiers in (
        train_classifiers(examples, topic),
        train_classifiers(examples, topic, preset="rungsawang_afsc"),
        train_classifiers(examples, replace(topic, language="en")),
    ):
        site = sites.Site(web, topic.seeds, parse)
        graph, found = site.assessed(classifiers)
        assert len(found) == len(graph) > 300
        assert all(found[url] == classifiers.assess(parse(web.fetch(url))) for url in graph.urls)


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


@pytest.mark.parametrize("kind", ["whole", "gaps", "moves"])
def test_kernels_change_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    web: Any = webs.synthetic(pages=500, seed=3)
    web = web if kind == "whole" else Broken(web, moves=kind == "moves")
    names = sorted(set(KERNELS) - {"svm_guided", "adaptive"})
    compiled = {name for name in names if not KERNELS[name].words}
    ran: list[str] = []
    by_kernel = trials.Trial._by_kernel
    monkeypatch.setattr(
        trials.Trial,
        "_by_kernel",
        lambda self, kernel, one, *more: ran.append(one.name) or by_kernel(self, kernel, one, *more),
    )
    tables = [
        compare(names, web, ["baseball"], (0, 1), budget=100, jobs=Workers(1, kernels=kernels))
        for kernels in (True, False)
    ]
    assert set(ran) == (set() if kind == "moves" else compiled)
    for table in ("runs", "curves", "summary"):
        pd.testing.assert_frame_equal(*(getattr(found, table) for found in tables), check_exact=True)
    assert tables[0].settings == tables[1].settings


class Calendar:
    """Every page links to the next one, for ever."""

    def fetch(self, url: str) -> Response:
        day = int(url.rpartition("/")[2])
        return Response(url, 200, f'<a href="/{day + 1}">next</a>'.encode(), "text/html")


def test_a_web_without_end_is_given_up() -> None:
    assert sites.Site(Calendar(), ["http://a.example/1"], parse, pages=5).whole is False
    assert len(sites.Site(Calendar(), ["http://a.example/1"], parse, pages=5).graph) < 60


def test_a_dirty_web_is_compared_like_any_other() -> None:
    web = webs.synthetic(pages=400, seed=3, dirt=True)
    by_kernels, by_loop = (
        compare(["best_first"], web, ["baseball"], range(20), budget=20, jobs=Workers(1, kernels=kernels))
        for kernels in (True, False)
    )
    pd.testing.assert_frame_equal(by_kernels.runs, by_loop.runs, check_exact=True)


def test_a_large_web_is_not_read_for_a_few_pages() -> None:
    web = webs.synthetic(pages=400, seed=3)
    library = trials.Library(web)
    steps, rules, metrics = (1, 2), {}, trials.METRICS
    plan = trials.Plan(
        {"a": "best_first"},
        (0,),
        20,
        metrics,
        "truth",
        lambda *asked: None,
        rules,
        steps,
        ("movie",),  # type: ignore[arg-type, return-value]
    )
    assert library.site(plan) is None
    assert library.site(replace(plan, budget=400)) is not None
    assert library.site(replace(plan, budget=400, kernels=False)) is None
