"""A small web crawled once, and a real browser without a network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from focuslab import webs
from focuslab.explore.explorer import Explorer, explore

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def web() -> Any:
    return webs.synthetic(pages=400)


@pytest.fixture(scope="session")
def race(web: Any) -> Explorer:
    return explore(web, "baseball", ["best_first", "genre_enhanced", "otie"], budget=60)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here; install chromium to run these")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Any) -> Iterator[Any]:
    """A tab that fails the test for an error, a word on the console, or any request but for a file."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    tab, said = context.new_page(), []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("request", lambda request: said.append(request.url) if request.url.startswith("http") else None)
    yield tab
    context.close()
    assert said == []
