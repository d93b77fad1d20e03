"""A recorded crawl as a web: WARC files by anyone, read by address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from warcio.bufferedreaders import DecompressingBufferedReader
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord, ArcWarcRecordLoader

from focuslab.classifiers.training.labels import by_label, read_labels
from focuslab.fetchers.answers import body_of, by_name
from focuslab.fetchers.failures import Reason
from focuslab.fetchers.warc import ERROR, SECONDS
from focuslab.pages.urls import canonical
from focuslab.types import Response
from focuslab.webs.labelled import Labelled, alias
from focuslab.webs.warc_index import Index, index_of
from focuslab.webs.warc_scan import hint, parts

__all__ = ["ArchiveWeb", "archive"]

MAX_BYTES = 10_000_000
HOPS = 10
BEST = """SELECT target, part, start, body_part, body_start FROM captures
WHERE url = ? ORDER BY rank, rowid LIMIT 1"""
ALIAS = "SELECT url FROM aliases WHERE alias = ?"
PAGES = "SELECT url FROM captures WHERE rank = 0 GROUP BY url ORDER BY min(rowid)"


def archive(
    path: str | Path, labels: str | Path | None = None, seeds: Iterable[str] = (), max_bytes: int = MAX_BYTES
) -> ArchiveWeb:
    """A web out of WARC files: focuslab's own, or those of wget, Heritrix, Browsertrix or Common Crawl.

    Parameters
    ----------
    path
        A file (``.warc``, ``.wacz``, or the older ``.arc``, packed or not), or a folder of such files.
    labels
        A CSV of url,label: each label is a topic, and a page with several is on several lines. Without it the
        web has no topics and no truth.
    seeds
        Where every topic starts; if not given, from five of its own pages.
    max_bytes
        A body is cut here, after decompression.
    """
    return ArchiveWeb(path, labels, seeds, max_bytes)


class ArchiveWeb(Labelled):
    """Answers with what was recorded; an address that was not recorded is a 404.

    The first reading makes an index in the lab's cache folder; later ones only open it. Neither holds more
    than a part of a page in memory, however large the files are. Each fetch opens what it reads, so that
    threads may share an archive and other processes may be sent one.

    Of several records of an address the first page counts, else the first redirect, else the first failure
    (our choice). An address that was not recorded is looked for as http and as https, with and without a
    final slash or the name of an index page. Redirects are followed inside the archive. A revisit record,
    which says that a page was the same as before, is answered with its own headers and the body it refers to.

    Attributes
    ----------
    folded : set of str
        Addresses that were asked for and found under another spelling.
    skipped : int
        Places in the files that could not be read, and revisits of what is not there.
    """

    def __init__(
        self,
        path: str | Path,
        labels: str | Path | None = None,
        seeds: Iterable[str] = (),
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.name, self.max_bytes = Path(path).name, max_bytes
        self._parts = parts(path)
        self._index = Index(index_of(self._parts))
        self.folded: set[str] = set()
        facts = dict(self._index.ask("SELECT name, value FROM facts"))
        self.skipped, self._pages = facts["damaged"] + facts["lost"], facts["pages"]
        if not self._index.ask("SELECT 1 FROM captures LIMIT 1"):
            raise ValueError(
                f"{path} holds no web pages ({self.skipped} places skipped); {hint(self._parts)}"
            )
        self._start = tuple(canonical(url) or url for url in seeds)
        known = by_label(read_labels(labels, several=True)) if labels else {}
        self._labels = {
            label: frozenset(filter(None, map(self.resolve, urls))) for label, urls in known.items()
        }

    def __len__(self) -> int:
        return self._pages

    def __repr__(self) -> str:
        known = f"{len(self):,} pages, {len(self._labels)} topics, {self.skipped} places skipped"
        return f"<archive {self.name}: {known}{f', {len(self.folded)} addresses folded' * bool(self.folded)}>"

    @property
    def urls(self) -> Iterator[str]:
        """The addresses of all pages, in the order they were recorded."""
        for (url,) in self._index.each(PAGES):
            yield url

    def resolve(self, url: str) -> str:
        """The address a page is recorded under, "" if there is none: where a fetch would end."""
        end, place = self._follow(url)
        return end if place else ""

    def fetch(self, url: str) -> Response:
        """What was recorded, after redirects; status 404 for what was not."""
        end, place = self._follow(url)
        if place is None:
            return Response(end, 404)
        if not place:
            return Response(end, error=Reason.REDIRECT_LOOP.because(f"back to {end}"))
        try:
            return self._read(end, *place)
        except (OSError, EOFError, ValueError, ArchiveLoadFailed) as problem:
            return Response(end, error=Reason.DAMAGED.because(problem)[:200])

    def _follow(self, url: str) -> tuple[str, tuple[int, ...] | None]:
        """Where redirects end, and the place of the answer: None if there is none, () after a loop."""
        url = canonical(url) or url
        seen: set[str] = set()
        while url not in seen and len(seen) <= HOPS:
            seen.add(url)
            found = self._index.ask(BEST, url) or self._folded(url)
            if not found:
                return url, None
            target, *place = found[0]
            if not target:
                return url, tuple(place)
            url = target
        return url, ()

    def _read(self, url: str, part: int, start: int, body_part: int, body_start: int) -> Response:
        record, body = self._load(part, start)
        if (part, start) != (body_part, body_start):
            said = record.http_headers
            source, body = self._load(body_part, body_start)
            if said is None or said.get_statuscode() == "304":  # then it says nothing of the page itself
                record = source
        return _response(url, record, body)

    def _load(self, part: int, start: int) -> tuple[ArcWarcRecord, bytes]:
        with self._parts[part].file.open("rb") as file:
            file.seek(start)
            loader = ArcWarcRecordLoader(verify_http=False)  # ARC records as WARC
            record = loader.parse_record_stream(DecompressingBufferedReader(file))
            return record, body_of(record, self.max_bytes)

    def _seeds(self, topic: str, rng: np.random.Generator) -> tuple[str, ...]:
        return self._start or super()._seeds(topic, rng)

    def _folded(self, url: str) -> list[Any]:
        """What was recorded under another spelling of an address: a redirect to there."""
        found = self._index.ask(ALIAS, alias(url))
        if found:
            self.folded.add(url)
        return [(known, 0, 0, 0, 0) for (known,) in found]


def _response(url: str, record: ArcWarcRecord, body: bytes) -> Response:
    named = record.rec_headers.get_header
    seconds, error = float(named(SECONDS) or 0.0), named(ERROR) or ""
    if record.rec_type == "metadata":
        return Response(url, seconds=seconds, error=error)
    if record.http_headers is None:  # a resource record
        return Response(url, 200, body, record.content_type or "", seconds, error)
    headers = by_name(record.http_headers.headers)
    status = int(record.http_headers.get_statuscode())
    return Response(url, status, body, headers.get("content-type", ""), seconds, error, headers)
