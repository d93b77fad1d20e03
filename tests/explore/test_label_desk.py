"""What is labelled by hand is what the command line reads, and nothing of it is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focuslab.classifiers.training.from_labels import teach
from focuslab.classifiers.training.labels import read_labels
from focuslab.explore import label
from focuslab.pages.parse import parse


@pytest.fixture(scope="module")
def pages(web: Any) -> list[Any]:
    return [parse(web.fetch(url)) for url in web.urls[:60]]


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
