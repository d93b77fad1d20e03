"""Where in WARC files the answer for an address lies: an index on disk, made once and then only opened."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from focuslab.fetchers.cache import cache_folder
from focuslab.fetchers.redirects import STATUSES, redirect
from focuslab.fetchers.warc import ASKED, ERROR, WAY
from focuslab.pages.urls import canonical
from focuslab.types import Response
from focuslab.webs.labelled import alias
from focuslab.webs.warc_scan import Part, Record, scan

__all__ = ["FAILURE", "PAGE", "REDIRECT", "Index", "index_of"]

FORMAT = 4
"""Part of an index's name: with another layout of the tables below, another index is made."""
PAGE, REDIRECT, FAILURE = 0, 1, 2
"""What a record is good for, best first."""

TABLES = """
CREATE TABLE captures (url TEXT, rank INTEGER, target TEXT, part INTEGER, start INTEGER,
                       body_part INTEGER, body_start INTEGER);
CREATE TABLE aliases (alias TEXT PRIMARY KEY, url TEXT) WITHOUT ROWID;
CREATE TABLE revisits (url TEXT, digest TEXT, referred TEXT, part INTEGER, start INTEGER);
CREATE TABLE bodies (digest TEXT, url TEXT, part INTEGER, start INTEGER);
CREATE TABLE facts (name TEXT, value INTEGER);
"""
# A revisit says "the same as before": by checksum, best of the record it names, or by that one's address.
FIND_BODIES = """
CREATE INDEX by_digest ON bodies (digest);
CREATE INDEX by_address ON bodies (url);
INSERT INTO captures SELECT r.url, 0, '', r.part, r.start, b.part, b.start FROM revisits r JOIN bodies b
  ON b.rowid = coalesce((SELECT min(rowid) FROM bodies WHERE digest = r.digest AND r.digest != ''
                         AND url = r.referred),
                        (SELECT min(rowid) FROM bodies WHERE digest = r.digest AND r.digest != ''),
                        (SELECT min(rowid) FROM bodies WHERE url = r.referred));
INSERT INTO facts SELECT 'lost', (SELECT count(*) FROM revisits)
  - (SELECT count(*) FROM captures WHERE start != body_start OR part != body_part);
DROP TABLE revisits;
DROP TABLE bodies;
CREATE INDEX by_url ON captures (url, rank);
INSERT INTO facts SELECT 'pages', count(DISTINCT url) FROM captures WHERE rank = 0;
"""

FIND_ALIASES = """INSERT OR IGNORE INTO aliases
SELECT alias(url), url FROM captures WHERE rank = 0 ORDER BY rowid"""


class Index(threading.local):
    """Answers questions to an index of captures; each thread opens it once."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._opened = sqlite3.connect(file)

    def __reduce__(self) -> tuple[type[Index], tuple[Path]]:
        return Index, (self.file,)

    def ask(self, question: str, *values: str) -> list[Any]:
        return self._opened.execute(question, values).fetchall()

    def each(self, question: str) -> Iterator[Any]:
        """The answers one by one, however many."""
        yield from self._opened.execute(question)


def index_of(parts: Sequence[Part]) -> Path:
    """The index of these parts of files; made now, unless it was before and no file has changed since."""
    said = hashlib.sha256(repr([FORMAT, *map(_identity, parts)]).encode()).hexdigest()
    index = cache_folder() / "archives" / f"{parts[0].file.name.partition('.')[0][:40]}-{said[:16]}.sqlite"
    if not index.exists():
        index.parent.mkdir(parents=True, exist_ok=True)
        # Written beside the goal and renamed, so that an interrupted run leaves no half of an index.
        descriptor, name = tempfile.mkstemp(dir=index.parent, suffix=".part")
        os.close(descriptor)
        try:
            _build(Path(name), parts)
            Path(name).replace(index)
        finally:
            Path(name).unlink(missing_ok=True)
    return index


def _identity(part: Part) -> tuple[str, int, int, int]:
    known = part.file.stat()
    return str(part.file.resolve()), known.st_size, known.st_mtime_ns, part.start


def _build(file: Path, parts: Sequence[Part]) -> None:
    with closing(sqlite3.connect(file)) as index:
        index.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + TABLES)
        damaged = 0
        for number, part in enumerate(parts):
            for record in scan(part):
                damaged += record is None
                for table, row in _rows(record, number) if record else ():
                    marks = ", ".join("?" * len(row))
                    index.execute(f"INSERT INTO {table} VALUES ({marks})", row)
        index.execute("INSERT INTO facts VALUES ('damaged', ?)", (damaged,))
        index.executescript(FIND_BODIES)
        index.create_function("alias", 1, alias, deterministic=True)
        index.execute(FIND_ALIASES)
        index.commit()


Row = tuple[str | int, ...]


def _rows(record: Record, part: int) -> Iterator[tuple[str, Row]]:
    """What one record adds to the tables; nothing, if it is not what a web server answered."""
    said = record.headers
    kind = said.get("warc-type", "").lower()
    url = canonical(said.get("warc-target-uri", "").strip("<>"))
    asked = canonical(said.get(ASKED.lower(), "")) or url
    here = (part, record.offset)
    digest = said.get("warc-payload-digest", "")
    if not url:
        return
    if WAY.lower() in said:  # robots.txt, redirects that the page's own record tells of, and what a page was
        if kind == "response" and _worth(record, url, kind)[0] == PAGE:
            yield "bodies", (digest, url, *here)
        return
    if kind == "revisit":
        referred = canonical(said.get("warc-refers-to-target-uri", "").strip("<>")) or url
        yield "revisits", (url, digest, referred, *here)
        if asked != url:
            yield "captures", (asked, REDIRECT, url, *here, *here)
    elif kind in ("response", "resource") or (kind == "metadata" and ERROR.lower() in said):
        rank, target = _worth(record, url, kind)
        yield "captures", (url, rank, target, *here, *here)
        if rank == PAGE:
            yield "bodies", (digest, url, *here)
        if asked != url:
            yield "captures", (asked, REDIRECT, url, *here, *here)


def _worth(record: Record, url: str, kind: str) -> tuple[int, str]:
    """What a record is good for, and where it leads to if it is a redirect."""
    if kind == "metadata" or (ERROR.lower() in record.headers):
        return FAILURE, ""
    if record.status in STATUSES:
        target = redirect(Response(url, record.status, headers=record.http))
        return (REDIRECT, target) if target else (FAILURE, "")
    good = 200 <= record.status < 300 or (kind == "resource" and not record.status)
    return (PAGE, "") if good else (FAILURE, "")
