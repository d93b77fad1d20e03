"""The same panels in JupyterLab itself, with a kernel to ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from living_lab import PATIENCE, living_lab, run_all
from playwright.sync_api import expect

from focuslab import webs
from focuslab.classifiers.training.labels import read_labels
from focuslab.explore.explorer import Explorer, explore

CELLS = (
    """from focuslab import WebGraph, explore, parse, train_classifiers, webs
web = webs.synthetic(pages=400)
seen = explore(web, "baseball", ["best_first", "genre_enhanced"], budget=40)
seen""",
    """guide = train_classifiers(web.examples("baseball", 100), web.topic("baseball"))
graph = WebGraph.crawl(web, web.topic("baseball").seeds, guide, truth=web.truth("baseball"))
lab = explore.weight_lab(graph)
lab""",
    """desk = explore.label([parse(web.fetch(url)) for url in web.urls[:30]], "labels.csv")
desk""",
    """explore.confusion_lab(web.examples("baseball", 80), folds=3)""",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    with living_lab(folder, CELLS) as address:
        yield address


@pytest.fixture(scope="module")
def book(server: str, chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 1920, "height": 1080})
    context.set_default_timeout(PATIENCE)
    tab, abroad = context.new_page(), []
    tab.on("request", lambda request: abroad.append(request.url) if server not in request.url else None)
    run_all(tab, server)
    tab.wait_for_selector(".fl-lab")
    yield tab
    assert [url for url in abroad if url.startswith("http")] == []
    context.close()


@pytest.fixture(scope="module")
def twin() -> Explorer:
    """What the first cell shows, made here."""
    return explore(webs.synthetic(pages=400), "baseball", ["best_first", "genre_enhanced"], budget=40)


@pytest.fixture(autouse=True, scope="module")
def longer() -> Iterator[None]:
    expect.set_options(timeout=PATIENCE)
    yield
    expect.set_options(timeout=5_000)


def test_the_explorer_steps_plays_and_shows_pages(book: Any, twin: Explorer) -> None:
    shown = book.locator(".fl-explorer")
    shown.locator(".fl-scrub").fill("12")
    queue = twin.recordings[0].queues[12]
    scores = [text.strip(" =") for text in shown.locator(".fl-queue .fl-score").all_inner_texts()]
    assert scores == [f"{each.score:.4f}" for each in queue.best]
    shown.focus()
    book.keyboard.press("ArrowRight")
    expect(shown.locator(".fl-scrub")).to_have_value("13")
    book.keyboard.press("Enter")
    row = twin.recordings[0].log.frame.iloc[12]
    expect(shown.locator(".fl-page-card")).to_contain_text("Genre features")  # Python was asked
    card = shown.locator(".fl-page-card").inner_text()
    assert row.url in card
    assert f"R {row.relevance:.3f}" in card
    shown.get_by_label("Speed", exact=True).select_option("7")
    shown.get_by_label("Play", exact=True).click()
    expect(shown.locator(".fl-scrub")).to_have_value("40")


def test_what_if_ranks_the_queue_anew(book: Any, twin: Explorer) -> None:
    shown = book.locator(".fl-explorer")
    shown.get_by_role("button", name="genre_enhanced").click()
    shown.locator(".fl-scrub").fill("20")
    shown.get_by_text("What if…").click()
    shown.get_by_label("w_r", exact=True).fill("0.2")
    expected = twin.what_if(20, {"w_r": 0.2}, crawler=1).best
    expect(shown.locator(".fl-what-if li").first).to_contain_text(f"{expected[0].score:.4f}")
    assert shown.locator(".fl-what-if li").count() == len(expected)
    for item, candidate in zip(shown.locator(".fl-what-if li").all(), expected, strict=True):
        assert candidate.url in item.inner_text()


def test_other_crawls_can_be_asked_for(book: Any) -> None:
    shown = book.locator(".fl-explorer")
    shown.get_by_text("Other crawls").click()
    shown.get_by_label("Crawler 2", exact=True).select_option("breadth_first")
    shown.get_by_label("Ties", exact=True).select_option("lifo")
    shown.get_by_role("button", name="Crawl", exact=True).click()
    expect(shown.locator(".fl-name").nth(1)).to_contain_text("breadth_first")


def test_the_weight_slider_is_answered_by_the_kernel(book: Any) -> None:
    lab = book.locator(".fl-weights")
    before = lab.locator(".fl-told").inner_text()
    lab.get_by_label("w_R, weight of relevance", exact=True).fill("1")
    expect(lab.locator("caption")).to_contain_text("1 different score.")
    assert lab.locator(".fl-told").inner_text() != before
    assert "(+0.0 %)" in lab.locator(".fl-told").inner_text()


def test_labels_are_given_by_keyboard(book: Any, folder: Path) -> None:
    desk = book.locator(".fl-desk")
    desk.focus()
    for count, (genre, key) in enumerate((("1", "r"), ("2", "n"), ("3", "n")), 1):
        book.keyboard.press(genre)
        book.keyboard.press(key)
        expect(desk.locator(".fl-told")).to_contain_text(f"{count} of 30 pages labelled")
    rows = read_labels(folder / "labels.csv")
    assert [(row.label, row.genre) for row in rows] == [
        ("relevant", "News"),
        ("not", "Blog"),
        ("not", "Image"),
    ]
    book.keyboard.press("u")
    expect(desk.locator(".fl-told")).to_contain_text("2 of 30 pages labelled")


def test_a_cell_of_the_table_opens_its_pages(book: Any) -> None:
    lab = book.locator(".fl-lab")
    button = lab.get_by_label("relevant taken for relevant", exact=True)
    count = int(button.inner_text())
    button.click()
    expect(lab.locator("h3")).to_contain_text(f"{count} page")
    lab.get_by_label("Threshold on the log-odds of R", exact=True).fill("60")
    expect(lab.get_by_label("relevant taken for relevant", exact=True)).not_to_have_text(str(count))


AGAIN = """() => {
  document.querySelectorAll(".fl").forEach(panel => panel.setAttribute("data-old", ""));
  window.jupyterapp.commands.execute("notebook:run-all-cells");
}"""


def test_cells_that_are_run_again_show_what_was_looked_at(book: Any, twin: Explorer) -> None:
    book.evaluate(AGAIN)
    expect(book.locator(".fl[data-old]")).to_have_count(0)
    shown = book.locator(".fl-explorer")
    expect(shown.locator(".fl-scrub")).to_have_value("20")
    expect(shown.get_by_label("w_r", exact=True)).to_have_value("0.2")
    first = twin.what_if(20, {"w_r": 0.2}, crawler=1).best[0]
    expect(shown.locator(".fl-what-if li").first).to_contain_text(f"{first.score:.4f}")
    weights = book.locator(".fl-weights")
    expect(weights.get_by_label("w_R, weight of relevance", exact=True)).to_have_value("1")
    expect(weights.locator("caption")).to_contain_text("1 different score.")
    expect(book.locator(".fl-desk .fl-told")).to_contain_text("2 of 30 pages labelled")
    lab = book.locator(".fl-lab")
    expect(lab.get_by_label("Threshold on the log-odds of R", exact=True)).to_have_value("60")
    expect(lab.locator("h3")).to_contain_text("relevant, taken for relevant")
