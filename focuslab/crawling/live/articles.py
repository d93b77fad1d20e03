"""What the pages of a crawl say: their texts, authors and dates, and which say the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from focuslab.crawling.live.folder import Folder
from focuslab.crawling.live.history import History
from focuslab.fetchers import warc
from focuslab.fetchers.pdf import as_page
from focuslab.pages.main_text import main_text
from focuslab.pages.near_duplicates import near_duplicates
from focuslab.pages.parse import parse
from focuslab.types import Page

__all__ = ["with_articles"]


def with_articles(pages: pd.DataFrame, folder: Folder) -> pd.DataFrame:
    """The pages with columns text, author, date, fetched, and ``same_as``: the first of nearly equal ones."""
    found = {row["asked"]: row for row in _read(folder, frozenset(pages.asked))}
    order = [found[asked]["page"] for asked in pages.asked if asked in found]
    same = {order[pair.second].url: order[pair.first].url for pair in reversed(near_duplicates(order))}
    with History(folder.path) as history:
        moments = [history.last(asked) for asked in pages.asked]
    columns: dict[str, Any] = {
        name: [found.get(asked, {}).get(name, "") for asked in pages.asked]
        for name in ("author", "date", "text")
    }
    return pages.assign(
        fetched=[moment.isoformat() if moment else "" for moment in moments],
        same_as=[same.get(url, "") for url in pages.url],
        **columns,
    )


def _read(folder: Folder, asked: frozenset[str]) -> Iterator[dict[str, Any]]:
    for entry in warc.read(folder.record):
        if entry.asked in asked and entry.response.ok:
            response = as_page(entry.response)
            page = parse(response)
            article = main_text(response, page)
            small = Page(page.url, page.title, article.text[:20_000], language=page.language)
            yield {"asked": entry.asked, "page": small, **article._asdict()}
