"""The site that `make docs` built, as plain files in a real browser: links, console, search, lessons."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from lxml import html

SITE = Path(__file__).parent.parent / "site"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="no site here; run: make docs"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; install chromium to run these"),
]
PAGES = sorted(SITE.rglob("*.html"))
READ = [page for page in PAGES if "_modules" not in page.parts]


@cache
def names(page: Path) -> frozenset[str]:
    """Where a link can lead to inside a page."""
    tree = html.parse(str(page)).getroot()
    return frozenset(tree.xpath("//@id")) | frozenset(tree.xpath("//a/@name"))


def dead(page: Path) -> Iterator[str]:
    tree = html.parse(str(page)).getroot()
    for address in {*tree.xpath("//a/@href"), *tree.xpath("//link/@href"), *tree.xpath("//@src")}:
        whole, anchor = urldefrag(urljoin(page.as_uri(), address))
        if not whole.startswith("file:"):
            continue
        target = Path(unquote(whole.removeprefix("file://").partition("?")[0]))
        if not target.is_file() or (
            anchor and target.suffix == ".html" and unquote(anchor) not in names(target)
        ):
            yield f"{page.relative_to(SITE)} → {address}"


def test_no_link_is_dead() -> None:
    assert [link for page in PAGES for link in dead(page)] == []


def test_nothing_is_loaded_from_elsewhere() -> None:
    loaded = "//script/@src | //img/@src | //link[@rel='stylesheet']/@href | //iframe/@src"
    found = {str(address) for page in PAGES for address in html.parse(str(page)).getroot().xpath(loaded)}
    assert {address for address in found if "//" in address} == set()


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs focuslab[browser]")
    with playwright.sync_playwright() as driver:
        window = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield window
        window.close()


@pytest.mark.parametrize("width", [400, 1280])
def test_no_page_complains_or_is_wider_than_the_screen(browser, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text) if line.type in ("error", "warning") else None)
    page.on("pageerror", lambda problem: said.append(str(problem)))
    wide = []
    for path in READ:
        page.goto(path.as_uri())
        if page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") > 1:
            wide.append(path.name)
    assert said == []
    assert wide == []


@pytest.mark.parametrize("words", ["P_IG", "genre_enhanced", "rediscovery"])
def test_the_search_finds(browser, words: str) -> None:
    page = browser.new_page()
    page.goto(f"{(SITE / 'search.html').as_uri()}?q={words}")
    page.wait_for_selector("#search-results li a", timeout=20_000)
    assert page.locator("#search-results li a").count() >= 2


def test_every_lesson_has_a_table_of_contents_and_its_notebook() -> None:
    lessons = sorted(SITE.glob("_made/lessons/[0-9]*.html"))
    assert len(lessons) == len(list((SITE.parent / "notebooks").glob("[0-9]*.ipynb")))
    for lesson in lessons:
        tree = html.parse(str(lesson)).getroot()
        assert tree.xpath("//div[@class='toc-tree']//a"), lesson.name
        (link,) = tree.xpath("//a[@class='download']/@href")
        assert (lesson.parent / link).resolve().is_file()
