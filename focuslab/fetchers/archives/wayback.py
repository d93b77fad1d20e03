"""The Wayback Machine as a fetcher: the web as it was at a time, as far as somebody saved it then."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from focuslab.fetchers import warc
from focuslab.fetchers.archives.archived import Archived
from focuslab.fetchers.archives.captures import Capture
from focuslab.fetchers.archives.service import REPLAYED, Answer, Service
from focuslab.fetchers.archives.zipped_index import DamagedError
from focuslab.fetchers.cache import cache_folder
from focuslab.fetchers.redirects import STATUSES
from focuslab.pages.urls import canonical
from focuslab.types import Response

__all__ = ["ARCHIVE", "Wayback"]

ARCHIVE = "https://web.archive.org/"
FIELDS = ("timestamp", "original", "mimetype", "statuscode", "digest", "length")
NAMES = ("timestamp", "url", "mime", "status", "digest", "length")
CAPTURES = 20
"""Captures of a URL to choose from, the nearest in time."""
ORIGINAL = "x-archive-orig-"
_DATE = re.compile(r"(\d{4})(?:-?(\d\d))?(?:-?(\d\d))?")
_INSIDE = re.compile(r"(?:https?://[^/]+)?/web/(\d{1,14})[a-z_]*/(.+)")
"""Where the archive's own redirects lead: to a capture, whose address is at the end."""


class Wayback(Archived):
    """The captures nearest to a time.

    Of the captures of a URL the nearest in time that is not a failure counts, else the nearest (our choice).
    Pages come raw (``id_``): as they were, without the archive's banner and rewritten links.

    Parameters
    ----------
    at
        ``2015``, ``2015-06`` or ``2015-06-30``; the middle of the year or month is meant.
    server
        Where the archive is.
    cache, contact, max_bytes, **service
        As for Common Crawl. By default one connection and fifteen requests a minute: the archive is
        slow, and closes its door for a while to who asks more.

    References
    ----------
    Internet Archive, "Wayback CDX Server API", https://github.com/internetarchive/wayback.
    """

    def __init__(
        self,
        at: str,
        server: str = ARCHIVE,
        cache: str | Path | None = None,
        contact: str = "",
        max_bytes: int = 2_000_000,
        **service: Any,
    ) -> None:
        self.at, self.server, self.max_bytes = _middle(at), server, max_bytes
        self.service = Service(contact, **{"connections": 1, "gap": 4.0, **service})
        self.service.busy -= {403}  # here it means that a site does not want to be shown
        self.name = f"wayback-{at}"
        self.folder = Path(cache) if cache else cache_folder() / "wayback" / at
        self._settings = (at, server, self.folder, contact, max_bytes, service)
        self._open()

    def __reduce__(self) -> tuple[Any, ...]:
        *arguments, service = self._settings
        return _again, (arguments, service)

    def __repr__(self) -> str:
        return f"<wayback machine, {self.at:%Y-%m-%d}: {len(self.cabinet):,} captures kept>"

    def _lookup(self, url: str) -> Capture | None:
        asked = {
            "url": url,
            "output": "json",
            "fl": ",".join(FIELDS),
            "closest": f"{self.at:%Y%m%d%H%M%S}",
            "sort": "closest",
            "limit": str(CAPTURES),
        }
        answer = self.service.get(f"{self.server}cdx/search/cdx?{urlencode(asked, quote_via=quote)}")
        if answer.status in (403, 404):
            return None
        return min(_rows(answer, url), key=lambda one: (_fails(one), self._distance(one)), default=None)

    def _distance(self, capture: Capture) -> float:
        return abs((_moment(capture.time) - self.at).total_seconds())

    def _answer(self, capture: Capture) -> Response:
        """A revisit is answered by the archive with what it refers to, so it is worth asking."""
        return super()._answer(capture._replace(mime="", status=200) if not capture.status else capture)

    def _stored(self, capture: Capture) -> Response:
        name = f"{capture.time}/{capture.url}"
        kept = self.cabinet.record(name)
        if kept is not None:
            return warc.unpack(kept).response
        response = warc.as_recorded(self._fetched(capture))
        self.cabinet.keep(name, warc.record(capture.url, response))
        return response

    def _fetched(self, capture: Capture) -> Response:
        """The raw capture; the archive may send on to one that is nearer than its index knew."""
        time = capture.time
        for _ in range(3):
            answer = self.service.get(f"{self.server}web/{time}id_/{capture.url}")
            inside = _INSIDE.fullmatch(answer.headers.get("location", ""))
            if answer.status not in STATUSES or not inside or REPLAYED in answer.headers:
                return self._as_it_was(capture, answer)
            time = inside[1]
        raise DamagedError(f"the capture of {capture.time} leads in circles")

    def _as_it_was(self, capture: Capture, answer: Answer) -> Response:
        if REPLAYED not in answer.headers and answer.status not in STATUSES:
            raise DamagedError(f"the capture of {capture.time} cannot be had (status {answer.status})")
        headers = {
            name.removeprefix(ORIGINAL): value
            for name, value in answer.headers.items()
            if name.startswith(ORIGINAL)
        }
        inside = _INSIDE.fullmatch(answer.headers.get("location", ""))
        if inside:
            headers["location"] = inside[2]
        kind = headers.get("content-type") or answer.headers.get("content-type", "")
        return Response(capture.url, answer.status, answer.body[: self.max_bytes], kind, headers=headers)


def _rows(answer: Answer, url: str) -> list[Capture]:
    """The captures in an answer: a table whose first row names the columns, or nothing at all."""
    try:
        rows = json.loads(answer.body or b"[]")
        named = (dict(zip(NAMES, row, strict=True)) for row in rows[1:])
        return [Capture.of(fields)._replace(url=canonical(fields["url"]) or url) for fields in named]
    except (ValueError, TypeError, KeyError):
        raise DamagedError(f"the archive's index answers {answer.body[:60]!r} for {url}") from None


def _fails(capture: Capture) -> bool:
    return capture.status >= 400


def _middle(at: str) -> datetime:
    found = _DATE.fullmatch(at)
    try:
        year, month, day = (int(part) if part else 0 for part in found.groups()) if found else (0, 0, 0)
        return datetime(year, month or 7, day or (15 if month else 2), 12, tzinfo=UTC)
    except ValueError:
        raise ValueError(f"{at!r} is no time; write 2015, 2015-06 or 2015-06-30") from None


def _moment(time: str) -> datetime:
    try:
        return datetime.strptime(time[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        raise DamagedError(f"the archive's index has a capture at {time[:20]!r}") from None


def _again(arguments: list[Any], service: dict[str, Any]) -> Wayback:
    at, server, folder, contact, max_bytes = arguments
    return Wayback(at, server, folder, contact, max_bytes, **service)
