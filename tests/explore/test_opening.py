"""The report's front page opens with a race that plays from a plain file, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import expect

from focuslab.experiments.metrics import hits_by
from focuslab.experiments.report import STORY, build, chapter_of, write
from focuslab.explore.explorer import Explorer
from focuslab.explore.opening import opening
from focuslab.explore.opening import race as front_race

MOST = 2_000_000


@pytest.fixture(scope="module")
def site(race: Explorer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    cells = [new_markdown_cell("# Learn\nYou will\n- see"), new_code_cell("1 + 1")]
    nbformat.write(new_notebook(cells=cells), folder / "00_first.ipynb")
    build(folder, folder / "out", say=lambda _: None, opening=lambda: opening(race))
    return folder / "out"


@pytest.mark.parametrize("width", [1280, 1920])
def test_it_plays_on_the_front_page(site: Path, race: Explorer, tab: Any, width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 1080})
    tab.goto((site / "index.html").as_uri())
    assert tab.locator("#race .fl-map").count() == 3
    tab.get_by_label("Speed", exact=True).select_option("7")
    tab.get_by_label("Play", exact=True).click()
    expect(tab.locator(".fl-scrub")).to_have_value("60")
    found = [int(hits_by(each.log, race.truth).sum()) for each in race.recordings]
    assert tab.locator(".fl-count").all_inner_texts() == [f"{hits} relevant of 60" for hits in found]
    assert tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    assert tab.get_by_text("What if…").is_hidden()  # nobody there to ask


def test_a_page_opens_with_its_words_and_without_python(site: Path, race: Explorer, tab: Any) -> None:
    tab.goto((site / "index.html").as_uri())
    tab.locator(".fl-scrub").fill("10")
    tab.locator(".fl-explorer").focus()
    tab.keyboard.press("Enter")
    row = race.recordings[0].log.frame.iloc[9]
    card = tab.locator(".fl-page-card").inner_text()
    assert row.url in card
    assert "".join(race.card(row.url, 0, 10)["text"][:12]).strip() in " ".join(card.split())


def test_without_scripts_there_is_a_picture(site: Path, chromium: Any) -> None:
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto((site / "index.html").as_uri())
    assert tab.locator("#race img").is_visible()
    context.close()


def test_the_front_page_with_the_real_race_is_small_enough(tmp_path: Path) -> None:
    """Its figures are those that the lessons store."""
    books = sorted((Path(__file__).parents[2] / "notebooks").glob("[0-9]*.ipynb"))
    told = [book for book in books if book.stem.startswith(tuple(STORY))]
    chapters = [chapter_of(book.stem, nbformat.read(book, 4), 0.0) for book in told]
    write(chapters, tmp_path, opening(front_race()))
    assert (tmp_path / "index.html").stat().st_size < MOST
