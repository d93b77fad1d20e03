"""The WARC files of a cluster's workers become the one record of a crawl, in the order pages landed."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

from focuslab.fetchers import warc
from focuslab.fetchers.recorder import Recorder
from focuslab.types import Response

__all__ = ["Journal", "Nobody", "join"]


class Nobody:
    """Who fetches where all is on record, or comes by other ways."""

    def fetch(self, url: str) -> Response:
        """A mistake of ours."""
        raise AssertionError(f"{url} is not on record")


class Journal:
    """Which page landed when, and in which part it is: a line for each, written before the crawl sees it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = (folder / "order.tsv").open("a", encoding="utf-8", buffering=1)
        self._lock = threading.Lock()

    def landed(self, part: str, asked: str) -> None:
        """Note one page."""
        with self._lock:
            self._file.write(f"{part}\t{asked}\n")

    def close(self) -> None:
        """Write no more."""
        self._file.close()


def join(folder: Path, record: Path) -> None:
    """Move the records of all parts to the end of the crawl's record, as they are, and remove the folder.

    First what landed, in that order, then what was still on its way; nothing that the record has already, so
    that a joining that was interrupted can be done again.
    """
    if not folder.is_dir():
        return
    if record.exists():
        Recorder(Nobody(), record).close()  # moves aside what a crash left of a last record
    places = {(place.file.name, asked): place for asked, place in _places(folder)}
    known = {entry.asked for entry in warc.read(record)} if record.exists() else set()
    with warc.series(record)[-1].open("ab") as out:
        for part, asked in [*_landed(folder), *places]:
            place = places.get((part, asked))
            if place is not None and asked not in known:
                known.add(asked)
                out.write(warc.packed(place))
        out.flush()
        os.fsync(out.fileno())
    shutil.rmtree(folder)


def _landed(folder: Path) -> Iterator[tuple[str, str]]:
    journal = folder / "order.tsv"
    for line in journal.read_text(encoding="utf-8").splitlines() if journal.exists() else ():
        part, tab, asked = line.partition("\t")
        if tab:
            yield part, asked


def _places(folder: Path) -> Iterator[tuple[str, warc.Place]]:
    for part in sorted(folder.glob("*.warc.gz")):
        yield from warc.places(part)
