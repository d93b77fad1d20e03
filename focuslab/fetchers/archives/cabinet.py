"""What an archive was asked, and what it said: kept in a folder, so that the next run asks nothing."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from focuslab.fetchers import warc

__all__ = ["Cabinet"]

PATIENCE = 60.0
"""Seconds to wait for another process that writes."""
TABLES = """
CREATE TABLE IF NOT EXISTS answers (question TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS records (name TEXT PRIMARY KEY, part TEXT NOT NULL, start INTEGER NOT NULL,
                                    length INTEGER NOT NULL) WITHOUT ROWID;
"""


class Cabinet:
    """Answers of an index, in SQLite, and the records themselves, in WARC files as they came.

    Any number of threads and processes may use one folder at once: each process writes a WARC file of its
    own, ``pages-<…>.warc.gz``, and a record counts when its row is in the database, which is after it was
    written. So killing a process at any moment loses nothing but what it was fetching.
    `focuslab.webs.archive` reads the folder, as does any other tool that reads WARC.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._database = sqlite3.connect(folder / "index.sqlite", timeout=PATIENCE, check_same_thread=False)
        _write_ahead(self._database)
        self._database.execute("PRAGMA synchronous = NORMAL")
        self._database.executescript(TABLES)
        self._part = self.folder / f"pages-{os.getpid()}-{uuid.uuid4().hex[:8]}.warc.gz"
        self._size = 0

    def __len__(self) -> int:
        """How many records are kept."""
        return int(self._one("SELECT count(*) FROM records")[0])

    def answer(self, question: str) -> str | None:
        """What was answered; None if it was never asked."""
        found = self._one("SELECT answer FROM answers WHERE question = ?", question)
        return found and found[0]

    def remember(self, question: str, answer: str) -> None:
        """Keep an answer."""
        with self._lock, self._database:
            self._database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (question, answer))

    def record(self, name: str) -> bytes | None:
        """The compressed record kept under a name."""
        found = self._one("SELECT part, start, length FROM records WHERE name = ?", name)
        if found is None:
            return None
        with (self.folder / found[0]).open("rb") as part:
            part.seek(found[1])
            return part.read(found[2])

    def keep(self, name: str, record: bytes) -> None:
        """Keep a compressed record as it is."""
        with self._lock:
            if not self._size:
                self._append(warc.information({"software": "focuslab", "isPartOf": self.folder.name}))
            start = self._append(record)
            with self._database:
                row = (name, self._part.name, start, len(record))
                self._database.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)", row)

    def records(self) -> Iterator[bytes]:
        """All records, in the order of their names."""
        for (name,) in self._database.execute("SELECT name FROM records ORDER BY name").fetchall():
            yield self.record(name) or b""

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            self._database.close()

    def _append(self, record: bytes) -> int:
        start = self._size
        with self._part.open("ab") as part:
            part.write(record)
        self._size += len(record)
        return start

    def _one(self, question: str, *values: str) -> Any:
        with self._lock:
            return self._database.execute(question, values).fetchone()


def _write_ahead(database: sqlite3.Connection) -> None:
    """Several processes may open a new folder at once, and for this step alone SQLite does not wait."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
