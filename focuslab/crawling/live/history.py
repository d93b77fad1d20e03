"""The crawl history and the page repository of Wang et al.: an SQLite file, and pages named by MD5."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import md5
from pathlib import Path
from typing import Any, NamedTuple, Self

import pandas as pd

from focuslab.crawling.loop import Crawl
from focuslab.types import Response, Visit

__all__ = ["Download", "History", "page_name"]

VERSION = 1
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS downloads (
    id INTEGER PRIMARY KEY, time REAL NOT NULL, url TEXT NOT NULL, asked TEXT NOT NULL, parent TEXT NOT NULL,
    status INTEGER NOT NULL, error TEXT NOT NULL, relevance REAL, content_type TEXT NOT NULL,
    bytes INTEGER NOT NULL, md5 TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS latest (
    url TEXT PRIMARY KEY, time REAL NOT NULL, download INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS latest_by_time ON latest (time);
CREATE TRIGGER IF NOT EXISTS remember AFTER INSERT ON downloads BEGIN
    INSERT INTO latest SELECT new.url, new.time, new.id UNION SELECT new.asked, new.time, new.id WHERE true
    ON CONFLICT (url) DO UPDATE SET time = excluded.time, download = excluded.download
    WHERE excluded.time >= time;
END;
PRAGMA user_version = {VERSION};
"""
INSERT = """
INSERT INTO downloads (time, url, asked, parent, status, error, relevance, content_type, bytes, md5)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
# A page that is found again below itself would lead in circles: UNION, unlike UNION ALL, ends there.
PATH = """
WITH RECURSIVE way (url, parent) AS (
    SELECT d.url, d.parent FROM latest JOIN downloads d ON d.id = download WHERE latest.url = ?
    UNION
    SELECT d.url, d.parent FROM way JOIN latest ON latest.url = way.parent JOIN downloads d ON d.id = download
)
SELECT url FROM way
"""


class Download(NamedTuple):
    """One row of the history."""

    id: int
    time: datetime
    url: str
    """The address that answered."""
    asked: str
    """The address that was asked for; another one where there was a redirect."""
    parent: str
    """The page whose link led here; empty for a seed."""
    status: int
    error: str
    relevance: float | None
    content_type: str
    bytes: int
    md5: str
    """Name of the page in the repository."""


def page_name(url: str) -> str:
    """The file name of a page: MD5 of its URL in 32 hexadecimal characters.

    Examples
    --------
    >>> page_name("http://www.scu.edu.cn/")
    '355bd40a1cffbb871d1fce0048a19972'
    """
    return md5(url.encode(), usedforsecurity=False).hexdigest()


class History:
    """Every download of a crawl, in a folder: ``history.sqlite``, and the pages under ``pages/``.

    It can be read while a crawl writes it, and any number of crawls may be written into it, one after
    another. Threads may share one.

    Parameters
    ----------
    folder : path
        Made if it does not exist.

    Notes
    -----
    The database is in WAL mode and every download is a transaction, so a crash of the program loses none; a
    page is on the disk before the row that names it. `seen` and `older_than` use indices, not scans.
    The paper stores pages in one folder; ours are spread over 256, for file systems that grow slow.

    References
    ----------
    Wang, W., Chen, X., Zou, Y., Wang, H. and Dai, Z. "A focused crawler based on naive Bayes classifier."
    IITSI 2010, section III.C. doi:10.1109/IITSI.2010.30

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, History(folder) as history:
    ...     history.add(Response("http://a.example/", 200, b"<p>Hello"), relevance=0.9)
    ...     history.seen("http://a.example/"), history.body("http://a.example/")
    (True, b'<p>Hello')
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._database = _open(self.folder / "history.sqlite")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database; the history can be opened again."""
        self._database.close()

    def add(
        self,
        response: Response,
        *,
        asked: str = "",
        parent: str = "",
        relevance: float | None = None,
        when: datetime | None = None,
        keep: bool = True,
    ) -> None:
        """Add one download, and put its body into the repository.

        Parameters
        ----------
        response : Response
            What came back; a failure too.
        asked : str
            The URL that was asked for, if the response is from another one.
        parent : str
            The page whose link led here.
        relevance : float, optional
            What the classifier says of the page.
        when : datetime, optional
            When it came, with a time zone; now, if not given.
        keep : bool
            Whether to store the body. Of several downloads of a URL the last body stays.
        """
        stored = keep and response.ok
        name = self.save(response.url, response.body) if stored else ""
        row = (
            _seconds(when or datetime.now(UTC)),
            *(response.url, asked or response.url, parent, response.status, response.error, relevance),
            *(response.content_type, len(response.body), name),
        )
        try:
            with self._lock:
                self._database.execute(INSERT, row)
        except sqlite3.OperationalError as problem:
            raise OSError(
                f"cannot write {self.folder} ({problem}); free some space, then resume"
            ) from problem

    def record(self, visits: Iterable[Visit], *, keep: bool = True) -> Iterator[Visit]:
        """Pass the visits of a crawl on, each written down before; what failed in between is written too."""
        told = 0
        for visit in visits:
            told = self._add_failures(visits, told)
            relevance = visit.assessment.relevance
            link = visit.link
            self.add(visit.response, asked=link.url, parent=link.source, relevance=relevance, keep=keep)
            yield visit
        self._add_failures(visits, told)

    def _add_failures(self, visits: Iterable[Visit], told: int) -> int:
        failures = visits.failures if isinstance(visits, Crawl) else []
        for link, status, reason in failures[told:]:
            self.add(Response(link.url, status, error=reason), parent=link.source)
        return len(failures)

    # --- questions

    def __len__(self) -> int:
        return int(self._ask("SELECT count(*) FROM downloads")[0][0])

    def __iter__(self) -> Iterator[Download]:
        for key, time, *rest in self._ask("SELECT * FROM downloads ORDER BY id"):
            yield Download(key, datetime.fromtimestamp(time, UTC), *rest)

    def pages(self) -> int:
        """How many downloads brought a page that was judged."""
        return int(self._ask("SELECT count(*) FROM downloads WHERE relevance IS NOT NULL")[0][0])

    def seen(self, url: str) -> bool:
        """Whether this URL was ever downloaded, or tried."""
        return bool(self._ask("SELECT 1 FROM latest WHERE url = ?", url))

    def last(self, url: str) -> datetime | None:
        """When this URL was last downloaded or tried; None if never."""
        found = self._ask("SELECT time FROM latest WHERE url = ?", url)
        return datetime.fromtimestamp(found[0][0], UTC) if found else None

    def older_than(self, age: timedelta | datetime, now: datetime | None = None) -> list[str]:
        """URLs whose last download is longer ago than an age, or before a moment; the oldest first."""
        limit = (now or datetime.now(UTC)) - age if isinstance(age, timedelta) else age
        sql = "SELECT url FROM latest WHERE time < ? ORDER BY time, download, url"
        return [url for (url,) in self._ask(sql, _seconds(limit))]

    def path(self, url: str) -> list[str]:
        """The pages that led from a seed to this one, the seed first; empty for a URL never downloaded."""
        return [step for (step,) in self._ask(PATH, url)][::-1]

    def frame(self) -> pd.DataFrame:
        """All downloads, a row for each, in order."""
        return self.query("SELECT * FROM downloads ORDER BY id")

    def query(self, sql: str, parameters: Iterable[Any] = ()) -> pd.DataFrame:
        """The answer to any SQL over ``downloads``; a column ``time`` comes as moments in UTC."""
        with self._lock:
            answer = pd.read_sql_query(sql, self._database, params=tuple(parameters))
        if "time" in answer:
            answer["time"] = pd.to_datetime(answer["time"], unit="s", utc=True)
        return answer

    def _ask(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._database.execute(sql, parameters).fetchall()

    # --- the page repository

    def file(self, url: str) -> Path:
        """Where the page of a URL is, or would be."""
        name = page_name(url)
        return self.folder / "pages" / name[:2] / name

    def save(self, url: str, body: bytes) -> str:
        """Put a page into the repository, whole or not at all; its name."""
        file = self.file(url)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f"{file.name}.{threading.get_ident()}.part")
        part.write_bytes(body)
        os.replace(part, file)  # noqa: PTH105 - the point is that this is atomic
        return file.name

    def body(self, url: str) -> bytes:
        """A page from the repository."""
        try:
            return self.file(url).read_bytes()
        except FileNotFoundError:
            raise KeyError(f"{url} is not in the repository; frame() lists what was downloaded") from None


def _open(file: Path) -> sqlite3.Connection:
    database = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if version != VERSION and (version or tables):
            raise ValueError(f"{file} is no crawl history of this version; choose another folder")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.executescript(SCHEMA)
    except sqlite3.DatabaseError as error:
        database.close()
        raise ValueError(
            f"{file} cannot be used as a crawl history ({error}); choose another folder"
        ) from error
    except ValueError:
        database.close()
        raise
    return database


def _seconds(moment: datetime) -> float:
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no time zone; give one, such as datetime.now(UTC)")
    return moment.timestamp()
