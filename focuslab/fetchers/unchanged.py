"""Recrawling with manners: what an earlier crawl has is asked for only if it changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from focuslab.fetchers import warc
from focuslab.fetchers.http import Http
from focuslab.fetchers.wrapper import Wrapper
from focuslab.types import Response

__all__ = ["Again"]


class Again(Wrapper):
    """Wrap an `Http`: pages in an earlier record are asked for on condition that they changed since.

    One that did not comes back as it was then, with status 200 and a header `warc.UNCHANGED` that says
    when that was; the server sent no more than a header.

    Parameters
    ----------
    http
        Asks the servers.
    record
        The ``crawl.warc.gz`` of the earlier crawl. Its pages count if their servers gave an ``etag`` or a
        ``last-modified`` date.
    """

    def __init__(self, http: Http, record: Path) -> None:
        super().__init__(http)
        self.http, self.record = http, record
        self._places: dict[str, tuple[warc.Place, str]] = {}
        if not record.is_file():
            raise ValueError(f"no crawl to compare with at {record}; name the folder of an earlier crawl")
        for entry in warc.read(record):
            if entry.response.ok and {"etag", "last-modified"} & entry.response.headers.keys():
                self._places[entry.response.url] = (entry.place, entry.date)

    def __len__(self) -> int:
        """How many pages can be asked for on condition."""
        return len(self._places)

    def fetch(self, url: str) -> Response:
        """The page as it is now."""
        if url not in self._places:
            return self.http.fetch(url)
        place, date = self._places[url]
        earlier = warc.load(place)
        etag, modified = (earlier.headers.get(name, "") for name in ("etag", "last-modified"))
        response = self.http.fetch(url, etag=etag, modified=modified)
        if response.status != 304:
            return response
        known = {warc.UNCHANGED: date, **earlier.headers}  # of a page unchanged twice, the first date
        return replace(earlier, seconds=response.seconds, headers=known)
