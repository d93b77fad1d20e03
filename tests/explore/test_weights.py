"""What the weight lab answers is what the sweep says."""

from __future__ import annotations

from typing import Any

import pytest

from focuslab import WebGraph, train_classifiers
from focuslab.experiments.weight_sweep import sweep
from focuslab.explore import weight_lab
from focuslab.graphs.estimate_pig import estimate


@pytest.fixture(scope="module")
def graph(web: Any) -> WebGraph:
    guide = train_classifiers(web.examples("baseball", 100), web.topic("baseball"))
    return WebGraph.crawl(web, web.topic("baseball").seeds, guide, truth=web.truth("baseball"))


@pytest.mark.parametrize("rule", ["first", "max"])
@pytest.mark.parametrize("judge", ["truth", "guide"])
def test_the_weight_lab_says_what_the_sweep_says(graph: WebGraph, judge: str, rule: str) -> None:
    lab = weight_lab({"web": graph})
    weights = (1.0, 0.8, 0.5)
    areas = sweep(graph, estimate(graph), weights=weights, judge=judge, rediscovery=rule).frame[
        "area_per_page"
    ]
    for weight, area in zip(weights, areas, strict=True):
        told = lab.answer("weight", {"graph": "web", "w_r": weight, "judge": judge, "rediscovery": rule})
        assert told["area"] == pytest.approx(area)
        assert told["base_area"] == pytest.approx(areas[0])
        assert told["curve"][-1] == 1.0


def test_genre_breaks_ties(graph: WebGraph) -> None:
    lab = weight_lab(graph)
    alone, with_genre = lab.crawl("web", 1.0), lab.crawl("web", 0.9)
    assert alone["scores"] == 1
    assert with_genre["scores"] > 1
    assert alone["tied"] == with_genre["tied"] == (graph.relevance == graph.relevance.max()).sum()
    assert sum(pages for _, pages, _ in with_genre["genres"]) == with_genre["tied"]


def test_a_tuned_half_and_one_held_out(graph: WebGraph) -> None:
    told = weight_lab(graph).sweep("web")
    here, _ = graph.split()
    assert told["tuned"] == sweep(here, estimate(here)).frame["area_per_page"].tolist()
    assert len(told["held_out"]) == len(told["weights"]) == 20


def test_bad_input_of_the_weight_lab_gets_a_sentence(graph: WebGraph) -> None:
    lab = weight_lab(graph)
    assert "it is a share" in lab._told("weight", {"graph": "web", "w_r": 2})["problem"]
    assert "no graph named 'x'; try web" in lab._told("weight", {"graph": "x", "w_r": 1})["problem"]
    with pytest.raises(ValueError, match="no graph to crawl"):
        weight_lab({})
