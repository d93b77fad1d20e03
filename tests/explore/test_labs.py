"""What the labs answer is what the library says, and what they write is what the command line reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focuslab import WebGraph, train_classifiers
from focuslab.classifiers.training.from_labels import teach
from focuslab.classifiers.training.labels import read_labels
from focuslab.experiments.weight_sweep import sweep
from focuslab.explore import confusion_lab, label, weight_lab
from focuslab.explore.confusion import LABELS
from focuslab.graphs.estimate_pig import estimate
from focuslab.pages.parse import parse


@pytest.fixture(scope="module")
def graph(web: Any) -> WebGraph:
    guide = train_classifiers(web.examples("baseball", 100), web.topic("baseball"))
    return WebGraph.crawl(web, web.topic("baseball").seeds, guide, truth=web.truth("baseball"))


@pytest.fixture(scope="module")
def pages(web: Any) -> list[Any]:
    return [parse(web.fetch(url)) for url in web.urls[:60]]


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


@pytest.mark.parametrize("what", ["relevance", "genre"])
def test_the_confusion_lab_counts_its_pages(web: Any, what: str) -> None:
    lab = confusion_lab(web.examples("baseball", 80), what, folds=3)
    rows = lab.scene["rows"]
    assert {row["truth"] for row in rows} <= set(lab.scene["labels"])
    right = sum(row["truth"] == row["found"] for row in rows)
    assert right / len(rows) > 0.5
    assert f"{right} of {len(rows)} right" in lab.summary()
    if what == "relevance":
        assert all((row["score"] > 0) == (row["found"] == LABELS[0]) for row in rows)
    again = confusion_lab(web.examples("baseball", 80), what, folds=3)
    assert again.scene == lab.scene


def test_bad_input_of_the_confusion_lab_gets_a_sentence(web: Any) -> None:
    with pytest.raises(ValueError, match="no classifier named 'age'; try relevance, genre"):
        confusion_lab(web.examples("baseball", 80), "age")
    with pytest.raises(ValueError, match="0 labelled pages are too few"):
        confusion_lab([])


def test_labels_given_by_hand_teach_the_command_line(web: Any, pages: list[Any], tmp_path: Path) -> None:
    path, truth = tmp_path / "labels.csv", web.truth("baseball")
    desk = label(pages, path, truth)
    for _ in range(24):
        page = desk.next()
        desk.give(page.url, "relevant" if truth(page.url) else "not", web.genre_of(page.url))
    rows = read_labels(path)
    assert [row.url for row in rows] == list(desk.labels)
    assert all(row.genre == web.genre_of(row.url) for row in rows)
    lesson = teach(rows, web, folds=2)
    assert lesson.pages == 24
    rest = [page for page in pages if page.url not in desk.labels]
    right = np.mean([lesson.model.assess(page).relevant == truth(page.url) for page in rest])
    assert desk.curve[-1] == (24, pytest.approx(right, abs=1e-4))


def test_the_desk_asks_for_the_page_of_most_doubt(web: Any, pages: list[Any], tmp_path: Path) -> None:
    truth = web.truth("baseball")
    desk = label(pages, tmp_path / "labels.csv")
    while desk._model is None:
        desk.give(desk.next().url, "relevant" if truth(desk.next().url) else "not")
    left = [page for page in pages if page.url not in desk.labels]
    assert desk.next() == min(left, key=lambda page: abs(desk._model.log_odds(page)))


def test_nothing_is_lost_when_the_cell_is_run_again(web: Any, pages: list[Any], tmp_path: Path) -> None:
    desk = label(pages, tmp_path / "labels.csv")
    for page in pages[:12]:
        desk.give(page.url, "relevant" if web.truth("baseball")(page.url) else "not")
    again = label(pages, tmp_path / "labels.csv")
    assert again.labels == desk.labels
    assert again.next() == desk.next()
    assert again.curve[-1:] == desk.curve[-1:]
    again.take_back()
    assert len(read_labels(tmp_path / "labels.csv")) == 11


def test_bad_input_of_the_desk_gets_a_sentence(pages: list[Any], tmp_path: Path) -> None:
    desk = label(pages, tmp_path / "labels.csv")
    assert "is not on this desk" in desk._told("label", {"url": "http://x/", "label": "not"})["problem"]
    assert "no label named 'hm'" in desk._told("label", {"url": pages[0].url, "label": "hm"})["problem"]
    asked = {"url": pages[0].url, "label": "not", "genre": "Poem"}
    assert "no genre named 'Poem'" in desk._told("label", asked)["problem"]
    assert "nothing to take back" in desk._told("back", {})["problem"]
    with pytest.raises(ValueError, match="no pages to label"):
        label([], tmp_path / "labels.csv")
