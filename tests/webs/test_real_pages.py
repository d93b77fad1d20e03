"""The three sets of real pages, as sequences of responses."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from focuslab.pages.parse import parse
from focuslab.webs.real_pages import GenrePages, sample, sets


@pytest.fixture(autouse=True)
def own_cache(real_cache: None) -> None:
    """Unpacked once for all."""


def test_every_set_can_be_drawn_from(data: Path) -> None:
    for name, pages in sets(data).items():
        drawn = list(sample(pages, 5))
        assert [page.body for page in drawn] == [page.body for page in sample(pages, 5)], name
        assert all(page.ok and page.body for page in drawn)
        assert pages[-1] == pages[len(pages) - 1]
        assert pages[1:3] == [pages[1], pages[2]]


def test_labelled_genres(data: Path) -> None:
    pages = GenrePages(data)
    assert len(pages) == len(pages.rows)
    assert len(Counter(row["genre"] for row in pages.rows)) >= 5
    assert parse(pages[0]).text
