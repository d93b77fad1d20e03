"""What has changed since an earlier crawl: new, changed, unchanged and gone pages, as a table."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from focuslab.crawling.live.folder import Folder
from focuslab.fetchers import warc
from focuslab.fetchers.pdf import as_page
from focuslab.pages.parse import parse
from focuslab.pages.text import words

__all__ = ["changes", "write_changes"]

GONE = (404, 410)


class _Found(NamedTuple):
    status: int
    digest: int
    place: warc.Place


def changes(now: Path, before: Path) -> pd.DataFrame:
    """A row for each address that both or one of two records have: what became of it, and in how many words.

    A page that was not tried again is in no row: nobody knows.
    """
    old, new = dict(_found(before)), dict(_found(now))
    rows = [_row(asked, found, old.get(asked)) for asked, found in new.items()]
    return pd.DataFrame([row for row in rows if row], columns=["url", "change", "words_new", "words_gone"])


def write_changes(folder: Folder, since: str | Path) -> dict[str, int]:
    """Write ``changes.csv`` into the folder of a crawl; how many pages of each kind there are."""
    found = changes(folder.record, Folder(since).record)
    found.to_csv(folder.path / "changes.csv", index=False, encoding="utf-8-sig")
    return {kind: int((found.change == kind).sum()) for kind in ("new", "changed", "unchanged", "gone")}


def _found(record: Path) -> Iterator[tuple[str, _Found]]:
    for asked, response, _, place in warc.read(record):
        if asked:
            status = 0 if response.error else response.status
            yield asked, _Found(status, zlib.crc32(response.body), place)


def _row(asked: str, new: _Found, old: _Found | None) -> tuple[str, str, int, int] | None:
    good, was_good = 200 <= new.status < 300, old is not None and 200 <= old.status < 300
    if not good:
        return (asked, "gone", 0, 0) if was_good and new.status in GONE else None
    if old is None or not was_good:
        return asked, "new", 0, 0
    if new.digest == old.digest:
        return asked, "unchanged", 0, 0
    mine, theirs = (Counter(_words(found.place)) for found in (new, old))
    added, lost = (mine - theirs).total(), (theirs - mine).total()
    return asked, "changed" if added or lost else "unchanged", added, lost


def _words(place: warc.Place) -> list[str]:
    page = parse(as_page(warc.load(place)))
    return words(f"{page.title}\n{page.text}", page.language)
