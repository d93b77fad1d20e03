"""The fetchers of a live crawl, put together as its settings say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from focuslab.crawling.live.settings import Settings
from focuslab.fetchers.archives.named import archive_named
from focuslab.fetchers.browser import NEEDED, Rendered
from focuslab.fetchers.exchanges import Exchanges
from focuslab.fetchers.http import HTML, Http
from focuslab.fetchers.pdf import PDF, ReadsPdf, can_read
from focuslab.fetchers.polite import Polite
from focuslab.fetchers.recorder import Recorder
from focuslab.fetchers.traps import Bounded
from focuslab.fetchers.unchanged import Again
from focuslab.fetchers.unfailing import Unfailing
from focuslab.types import Fetcher, LiveFetcher

__all__ = ["polite_web", "readable", "recorded_web", "the_web"]


def the_web(settings: Settings) -> LiveFetcher:
    """What is crawled: the live web with manners, or an archive, which spares the sites themselves."""
    if settings.web:
        return archive_named(settings.web, settings.contact, settings.page_bytes)
    return Unfailing(polite_web(settings))


def polite_web(settings: Settings) -> Polite:
    """The web, asked with manners."""
    return _polite(settings, _single(settings, _http(settings)))


def recorded_web(settings: Settings, record: Path, about: Mapping[str, str]) -> Bounded:
    """The same with a record, and without traps: these are outermost, for they count anew too."""
    most, size = settings.max_bytes, None if settings.cluster else settings.warc_size
    if settings.web:
        kept = Recorder(the_web(settings), record, most, about, file_bytes=size)
    else:
        http = _http(settings)
        way = Exchanges(_single(settings, http))
        web: LiveFetcher = Unfailing(_polite(settings, way))
        web = Rendered(web, settings.browser) if settings.browser else web
        repeats = bool(settings.cluster)  # the parts of many hands are put together in another order
        kept = Recorder(web, record, most, about, way, http.sent, settings.page_bytes, size, repeats)
    return readable(kept, settings)


def readable(kept: LiveFetcher, settings: Settings) -> Bounded:
    """What is kept, its documents as pages."""
    return Bounded(ReadsPdf(kept) if settings.pdf and can_read() else kept)


def _http(settings: Settings) -> Http:
    return Http(
        contact=settings.contact,
        max_bytes=settings.page_bytes,
        max_redirects=0,
        proxy=settings.proxy,
        allow_private=settings.allow_private,
        width=settings.width,
        types=_types(settings),
        **settings.timeouts,
    )


def _types(settings: Settings) -> tuple[str, ...]:
    documents = (PDF,) if settings.pdf and can_read() else ()
    return (*HTML, *documents, *(NEEDED if settings.browser else ()))


def _single(settings: Settings, http: Http) -> Http | Again:
    """Asks for one answer, on condition where there was another one before."""
    return Again(http, Path(settings.since) / "crawl.warc.gz") if settings.since else http


def _polite(settings: Settings, web: Fetcher) -> Polite:
    return Polite(web, settings.delay, settings.robots, patience=settings.patience)
