"""The fetchers of a live crawl, put together as its settings say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from focuslab.crawling.live.folder import Settings
from focuslab.fetchers.http import Http
from focuslab.fetchers.polite import Polite
from focuslab.fetchers.recorder import Recorder
from focuslab.fetchers.traps import Bounded
from focuslab.fetchers.unchanged import Again
from focuslab.fetchers.unfailing import Unfailing

__all__ = ["polite_web", "recorded_web"]


def polite_web(settings: Settings) -> Polite:
    """The web, asked with manners."""
    http = Http(
        contact=settings.contact,
        max_bytes=settings.page_bytes,
        max_redirects=0,
        proxy=settings.proxy,
        allow_private=settings.allow_private,
        width=settings.width,
        **settings.timeouts,
    )
    web = Again(http, Path(settings.since) / "crawl.warc.gz") if settings.since else http
    return Polite(web, settings.delay, settings.robots, patience=settings.patience)


def recorded_web(settings: Settings, record: Path, about: Mapping[str, str]) -> Bounded:
    """The same with a record, and without traps: these are outermost, for they count anew too."""
    return Bounded(Recorder(Unfailing(polite_web(settings)), record, settings.max_bytes, about))
