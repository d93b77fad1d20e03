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
from focuslab.types import Response

__all__ = ["changes", "write_changes"]

GONE = (404, 410)


class _Place(NamedTuple):
    status: int
    digest: int
    start: int
    end: int


def changes(now: Path, before: Path) -> pd.DataFrame:
    """A row for each address that both or one of two records have: what became of it, and in how many words.

    A page that was not tried again is in no row: nobody knows.
    """
    old, new = dict(_places(before)), dict(_places(now))
    rows = [_row(asked, place, old.get(asked), now, before) for asked, place in new.items()]
    return pd.DataFrame([row for row in rows if row], columns=["url", "change", "words_new", "words_gone"])


def write_changes(folder: Folder, since: str | Path) -> dict[str, int]:
    """Write ``changes.csv`` into the folder of a crawl; how many pages of each kind there are."""
    found = changes(folder.record, Folder(since).record)
    found.to_csv(folder.path / "changes.csv", index=False, encoding="utf-8-sig")
    return {kind: int((found.change == kind).sum()) for kind in ("new", "changed", "unchanged", "gone")}


def _places(record: Path) -> Iterator[tuple[str, _Place]]:
    start = 0
    for asked, response, end in warc.read(record):
        if asked:
            yield (
                asked,
                _Place(response.status if not response.error else 0, zlib.crc32(response.body), start, end),
            )
        start = end


def _row(
    asked: str, place: _Place, old: _Place | None, now: Path, before: Path
) -> tuple[str, str, int, int] | None:
    good, was_good = 200 <= place.status < 300, old is not None and 200 <= old.status < 300
    if not good:
        return (asked, "gone", 0, 0) if was_good and place.status in GONE else None
    if old is None or not was_good:
        return asked, "new", 0, 0
    if place.digest == old.digest:
        return asked, "unchanged", 0, 0
    mine, theirs = (Counter(_words(record, where)) for record, where in ((now, place), (before, old)))
    added, lost = (mine - theirs).total(), (theirs - mine).total()
    return asked, "changed" if added or lost else "unchanged", added, lost


def _words(record: Path, place: _Place) -> list[str]:
    with record.open("rb") as file:
        file.seek(place.start)
        response: Response = warc.unpack(file.read(place.end - place.start)).response
    page = parse(as_page(response))
    return words(f"{page.title}\n{page.text}", page.language)
