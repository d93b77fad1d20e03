"""The confusion lab counts its pages; as a plain page: cells, threshold and features without Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from focuslab.explore import confusion_lab
from focuslab.explore.confusion import LABELS, ConfusionLab


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


@pytest.fixture(scope="module")
def lab(web: Any) -> ConfusionLab:
    return confusion_lab(web.examples("baseball", 80), folds=3)


@pytest.fixture
def shown(lab: ConfusionLab, tab: Any, tmp_path: Path) -> Any:
    (tmp_path / "lab.html").write_text(lab.to_html(), encoding="utf-8")
    tab.goto((tmp_path / "lab.html").as_uri())
    tab.wait_for_selector(".fl-lab")
    return tab


def cells(tab: Any) -> list[int]:
    return [int(text) for text in tab.locator(".fl-confusion button").all_inner_texts()]


def counts(lab: ConfusionLab, threshold: float) -> list[int]:
    rows = lab.scene["rows"]
    found = [(row["truth"], LABELS[int(row["score"] <= threshold)]) for row in rows]
    return [found.count((truth, taken)) for truth in LABELS for taken in LABELS]


def test_the_threshold_moves_the_counts_and_their_ratios(shown: Any, lab: ConfusionLab) -> None:
    slider = shown.get_by_label("Threshold on the log-odds of R", exact=True)
    for move in (None, "8", "-8"):
        if move:
            slider.fill(move)
        hits, missed, alarms, rest = counts(lab, float(slider.input_value()))
        assert cells(shown) == [hits, missed, alarms, rest]
        row = shown.locator(".fl-confusion tbody tr").first.locator("td").all_inner_texts()
        assert row[-2:] == [f"{hits / (hits + alarms):.2f}", f"{hits / (hits + missed):.2f}"]


def test_a_cell_opens_its_pages(shown: Any, lab: ConfusionLab) -> None:
    shown.get_by_label("relevant taken for relevant", exact=True).click()
    row = next(row for row in lab.scene["rows"] if row["truth"] == row["found"] == "relevant")
    listed = shown.locator(".fl-row-page").first
    listed.locator("summary").click()
    assert row["url"] in listed.inner_text()
    assert f"text length {row['features'][0]:,}" in listed.inner_text()


def test_another_feature_is_another_picture(shown: Any) -> None:
    canvas = shown.locator("canvas.fl-plot")
    before = canvas.screenshot()
    shown.get_by_label("Feature", exact=True).select_option("6")
    assert canvas.screenshot() != before
    assert "img_tags by label" in canvas.get_attribute("aria-label")
