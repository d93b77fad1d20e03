"""Common Crawl as a fetcher: a monthly crawl of some billions of pages, looked up and read page by page."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from difflib import get_close_matches
from io import BytesIO
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from focuslab.fetchers.answers import body_of, by_name
from focuslab.fetchers.archives.archived import Archived
from focuslab.fetchers.archives.captures import Capture, best
from focuslab.fetchers.archives.index_server import IndexServer
from focuslab.fetchers.archives.service import Service, UnreachableError
from focuslab.fetchers.archives.zipped_index import DamagedError, ZippedIndex
from focuslab.fetchers.cache import cache_folder
from focuslab.types import Response

__all__ = ["DATA", "SERVER", "CommonCrawl"]

DATA = "https://data.commoncrawl.org/"
SERVER = "https://index.commoncrawl.org/"
INDEXES = ("zipped", "server")
DAY = 24 * 3600.0
LARGEST_RECORD = 100_000_000


class CommonCrawl(Archived):
    """One crawl of Common Crawl.

    A URL is looked up in the crawl's index and its record fetched by a range request. Of several captures of
    a URL the first page counts, else the first redirect, else the first failure (our choice). Redirects,
    failures and what was never captured are told by the index alone: no record is fetched for them.

    Parameters
    ----------
    crawl
        Such as ``CC-MAIN-2026-43``, or ``latest``.
    index
        ``zipped`` reads the published index by range requests, ``server`` asks the index server, which is
        less to bring for a few hundred pages: by one connection and once a second, for all share it.
    data, server
        Where they are.
    cache
        Folder of everything fetched; default: one for each crawl in the lab's cache folder.
    contact
        An e-mail address or a page about your crawl, told to the servers.
    max_bytes
        A body is cut here.
    **service
        See `focuslab.fetchers.archives.service.Service`: connections, gap, attempts and others.

    Notes
    -----
    `cdx_toolkit`, kept by Common Crawl's own people, speaks to the index server and fetches records, and its
    manners are ours: it is not used because it opens a connection for each request, asks again without end
    while a server says 503, takes a record for whole without looking at status, length or digest, refuses
    servers with fewer than sixty crawls, and does not read the zipped index.

    References
    ----------
    Common Crawl, "CDXJ index", https://commoncrawl.org/cdxj-index.
    """

    def __init__(
        self,
        crawl: str = "latest",
        index: str = "zipped",
        data: str = DATA,
        server: str = SERVER,
        cache: str | Path | None = None,
        contact: str = "",
        max_bytes: int = 2_000_000,
        **service: Any,
    ) -> None:
        if index not in INDEXES:
            raise ValueError(f"no index named {index!r}; try {', '.join(INDEXES)}")
        self.data, self.server, self.index, self.max_bytes = data, server, index, max_bytes
        shared = {"connections": 1, "gap": 1.0} if index == "server" else {}
        self.service = Service(contact, **{**shared, **service})
        root = cache_folder() / "common-crawl"
        self._list = (Path(cache) if cache else root) / "collinfo.json"
        self.name = self._newest() if crawl == "latest" else crawl
        self.folder = Path(cache) if cache else root / self.name
        self._settings = (self.name, index, data, server, self.folder, contact, max_bytes, service)
        self._index = self._opened(index)
        self._open()

    def __reduce__(self) -> tuple[Any, ...]:
        *arguments, service = self._settings
        return _again, (arguments, service)

    def __repr__(self) -> str:
        return f"<common crawl {self.name}: {len(self.cabinet):,} records kept>"

    def _opened(self, index: str) -> ZippedIndex | IndexServer:
        if index == "server":
            return IndexServer(self.service, self._crawl()["cdx-api"])
        folder = f"{self.data}cc-index/collections/{self.name}/indexes/"
        zipped = ZippedIndex(self.service, folder, self.folder)
        if not zipped.found:
            self._crawl()  # says which there are
            raise ValueError(f"{self.name} has no cluster.idx at {folder}; try index='server'")
        return zipped

    def _crawl(self) -> dict[str, str]:
        """What the list of crawls says of ours."""
        known = {entry["id"]: entry for entry in self._crawls()}
        if self.name not in known:
            near = get_close_matches(self.name, known, n=3, cutoff=0.3) or list(known)[:3]
            raise ValueError(f"no crawl named {self.name!r} in Common Crawl; try {', '.join(near)}")
        return known[self.name]

    def _newest(self) -> str:
        return self._crawls()[0]["id"]

    def _crawls(self) -> list[dict[str, str]]:
        """All crawls, the newest first. The list changes once a month, so it is asked for once a day."""
        kept = self._list
        if not kept.exists() or time.time() - kept.stat().st_mtime > DAY:
            kept.parent.mkdir(parents=True, exist_ok=True)
            self._ask_for_list(kept)
        try:
            found: list[dict[str, str]] = json.loads(kept.read_bytes())
            return sorted(found, key=lambda entry: entry["id"], reverse=True)
        except (OSError, ValueError, KeyError, TypeError):
            kept.unlink(missing_ok=True)
            raise ValueError(f"{self.server}collinfo.json is no list of crawls; correct server=") from None

    def _ask_for_list(self, kept: Path) -> None:
        """Bring the list of crawls; without a network an old one will do."""
        try:
            answer = self.service.get(f"{self.server}collinfo.json")
        except UnreachableError:
            if not kept.exists():
                raise
        else:
            if answer.status == 200:
                kept.write_bytes(answer.body)

    def _lookup(self, url: str) -> Capture | None:
        captures = self._index.captures(url)
        chosen = best(captures, url)
        if chosen is None or not chosen.revisit:
            return chosen
        bodies = (one for one in captures if one.digest == chosen.digest != "" and one.worth == 0)
        body = next(bodies, None)
        return body._replace(url=chosen.url) if body else chosen

    def _stored(self, capture: Capture) -> Response:
        name = f"{capture.file}:{capture.offset}"
        kept = self.cabinet.record(name)
        packed = kept or self._fetched(capture)
        response = self._parsed(packed, capture)
        if kept is None:
            self.cabinet.keep(name, packed)
        return response

    def _fetched(self, capture: Capture) -> bytes:
        answer = self.service.get(self.data + capture.file, capture.offset, capture.length)
        if answer.status != 206 or len(answer.body) != capture.length:
            came = f"status {answer.status}, {len(answer.body):,} of {capture.length:,} bytes"
            raise DamagedError(f"{came} of the record at {capture.offset} of {capture.file}")
        return answer.body

    def _parsed(self, packed: bytes, capture: Capture) -> Response:
        where = f"the record at {capture.offset} of {capture.file}"
        try:
            record = next(iter(ArchiveIterator(BytesIO(packed))))
            payload = record.raw_stream.read(LARGEST_RECORD)
            found = base64.b32encode(hashlib.sha1(payload, usedforsecurity=False).digest()).decode()
            if capture.digest and found != capture.digest:
                raise DamagedError(f"{where} does not match its digest {capture.digest}")
            record.raw_stream = BytesIO(payload)
            body = body_of(record, self.max_bytes)
            headers = by_name(record.http_headers.headers)
            status = int(record.http_headers.get_statuscode())
        except DamagedError:
            raise
        except (StopIteration, ArchiveLoadFailed, OSError, EOFError, ValueError, AttributeError) as problem:
            raise DamagedError(f"{where} cannot be read ({problem or type(problem).__name__})") from None
        if record.rec_headers.get_header("WARC-Truncated"):
            self._count("truncated")
        return Response(capture.url, status, body, headers.get("content-type", ""), headers=headers)


def _again(arguments: list[Any], service: dict[str, Any]) -> CommonCrawl:
    name, index, data, server, folder, contact, max_bytes = arguments
    return CommonCrawl(name, index, data, server, folder, contact, max_bytes, **service)
