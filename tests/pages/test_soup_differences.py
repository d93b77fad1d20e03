"""On real pages, every difference to BeautifulSoup has a cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuslab.pages.parse import parse
from focuslab.pages.soup import soup_page
from focuslab.pages.soup_differences import UNEXPLAINED, differences
from focuslab.types import Page
from focuslab.webs import real_pages


@pytest.mark.filterwarnings("ignore")  # BeautifulSoup's, of pages that look like something else
@pytest.mark.parametrize(("name", "count"), [("webkb", 80), ("wikischools", 30), ("genre_pages", 30)])
def test_real_pages_as_beautifulsoup_reads_them(data: Path, name: str, count: int) -> None:
    """Title, links, images and words agree, but for causes that can be taken away."""
    pages = list(real_pages.sample(real_pages.sets(data)[name], count))
    found = {page.url: differences(page) for page in pages}
    assert [url for url, causes in found.items() if UNEXPLAINED in causes.values()] == []
    assert sum(not causes for causes in found.values()) >= 0.75 * len(pages)


@pytest.mark.filterwarnings("ignore")
def test_where_texts_agree_so_do_anchors_and_contexts(data: Path) -> None:
    pages = real_pages.sample(real_pages.sets(data)["webkb"], 80)
    pairs = [(parse(page), soup_page(page)) for page in pages]
    alike = [
        (ours, theirs) for ours, theirs in pairs if urls(ours) == urls(theirs) and ours.text == theirs.text
    ]
    assert len(alike) >= 0.75 * len(pairs)
    for ours, theirs in alike:
        assert [link.context for link in ours.links] == [link.context for link in theirs.links]


def urls(page: Page) -> list[str]:
    return [link.url for link in page.links]
