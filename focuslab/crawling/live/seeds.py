"""Where a crawl starts: addresses in files, sitemaps, feeds, and what another crawl found."""

from __future__ import annotations

import csv
import gzip
import warnings
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO, StringIO
from pathlib import Path

import pandas as pd
from lxml import etree

from focuslab.crawling.live.folder import Folder
from focuslab.crawling.live.settings import Settings
from focuslab.fetchers.http import Http
from focuslab.fetchers.polite import Polite
from focuslab.pages.urls import canonical
from focuslab.types import Fetcher

__all__ = ["read_seeds"]

KINDS = "a text file or CSV with addresses, a sitemap, an RSS or Atom feed, or the folder of a crawl"
XML = ("application/xml", "text/xml", "application/rss+xml", "application/atom+xml", "text/plain")
PACKED = ("application/gzip", "application/x-gzip", "application/octet-stream")
MOST = 1_000
"""Seeds taken of one source: all of them are fetched before any link is chosen (our choice)."""
MOST_BYTES = 60_000_000
"""Of a sitemap, unpacked: its rules allow 50 MB."""
SITEMAPS = 50
"""Files read of one index of sitemaps (our choice)."""


def read_seeds(sources: Iterable[str], settings: Settings) -> list[str]:
    """The addresses that sources stand for; a mistake names the source, and the line where there is one.

    A source is an address of a sitemap, a feed or a robots.txt that names sitemaps (recognised by its end:
    ``.xml``, ``.xml.gz``, ``.rss``, ``.atom``, ``robots.txt``), any other address, which is a seed itself,
    a file of one of these kinds, or the folder of another crawl, whose relevant pages are taken.
    """
    found: dict[str, None] = {}
    for source in sources:
        urls = list(_first(_addresses(source, settings), source))
        if not urls:
            raise ValueError(f"{source} holds no seeds; give {KINDS}")
        found |= dict.fromkeys(urls)
    return list(found)


def _first(urls: Iterable[str], source: str) -> Iterator[str]:
    for number, url in enumerate(urls):
        if number == MOST:
            more = f"{source} holds more than {MOST:,} addresses"
            warnings.warn(f"{more}; the first {MOST:,} are seeds", stacklevel=2)
            return
        yield url


def _addresses(source: str, settings: Settings) -> Iterator[str]:
    if "://" in source:
        if source.lower().endswith((".xml", ".xml.gz", ".rss", ".atom", "/robots.txt")):
            yield from _published(source, _web(settings), [])
        else:
            yield source
        return
    path = Path(source).expanduser()
    if path.is_dir():
        yield from _found_by(Folder(path))
    elif not path.is_file():
        raise ValueError(f"cannot read seeds from {source} (no such file); give {KINDS}")
    elif path.suffix.lower() in (".xml", ".rss", ".atom", ".gz"):
        yield from _listed(path.read_bytes(), source)
    else:
        yield from _written(path)


def _web(settings: Settings) -> Fetcher:
    http = Http(
        contact=settings.contact,
        types=(*XML, *PACKED),
        max_bytes=MOST_BYTES,
        proxy=settings.proxy,
        allow_private=settings.allow_private,
    )
    return Polite(http, settings.delay, settings.robots, patience=settings.patience)


def _published(url: str, web: Fetcher, read: list[str]) -> Iterator[str]:
    """Addresses in a sitemap or feed on the web, in sitemaps it lists, or in those a robots.txt names."""
    if len(read) == SITEMAPS or url in read:
        return
    read.append(url)
    response = web.fetch(url)
    if not response.ok:
        why = response.error or f"status {response.status}"
        raise ValueError(f"cannot read seeds from {url} ({why}); correct the address, or leave it out")
    if url.endswith("/robots.txt"):
        lines = response.body.decode("utf-8", "replace").splitlines()
        fields = (line.partition(":") for line in lines)
        maps = [value.strip() for name, _, value in fields if name.strip().lower() == "sitemap"]
        if not maps:
            raise ValueError(f"{url} names no sitemap; give another source of seeds")
    else:
        maps = []
        for address, is_map in _entries(_unpacked(response.body), url):
            maps += [address] if is_map else []
            yield from [] if is_map else [address]
    for address in maps:
        yield from _published(address, web, read)


def _listed(body: bytes, source: str) -> Iterator[str]:
    yield from (address for address, is_map in _entries(_unpacked(body), source) if not is_map)


def _unpacked(body: bytes) -> bytes:
    if body[:2] != b"\x1f\x8b":
        return body
    try:
        with gzip.open(BytesIO(body)) as file:
            return file.read(MOST_BYTES)
    except (OSError, EOFError, zlib.error):
        return b""


def _entries(xml: bytes, source: str) -> Iterator[tuple[str, bool]]:
    """Addresses in a sitemap, RSS or Atom, and whether each is of another sitemap."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    root = etree.fromstring(xml, parser) if xml.strip() else None
    if root is None:
        raise ValueError(f"{source} is no sitemap or feed; give {KINDS}")
    for element in root.iter("{*}loc", "{*}link"):
        within = etree.QName(element.getparent()).localname if element.getparent() is not None else ""
        address = canonical(element.get("href") or (element.text or "").strip())
        itself = element.get("rel", "alternate") == "alternate"
        if address and itself and within in ("url", "sitemap", "item", "entry"):
            yield address, within == "sitemap"


def _found_by(folder: Folder) -> Iterator[str]:
    if not folder.log.exists():
        raise ValueError(f"no crawl with a log in {folder.path}; give {KINDS}")
    frame = pd.read_parquet(folder.log)
    yield from frame[frame.relevant].sort_values("relevance", ascending=False, kind="stable").url


def _written(path: Path) -> Iterator[str]:
    """Addresses in a text, one on a line, without comments (#), or in the column url of a CSV."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as problem:
        raise ValueError(
            f"cannot read seeds from {path} ({problem}); write an address on each line, in UTF-8"
        ) from None
    lines = [line.strip() for line in text.splitlines()]
    if path.suffix.lower() == ".csv":
        rows = list(csv.DictReader(StringIO(text)))
        if rows and "url" not in rows[0]:
            raise ValueError(f"{path} has no column url; name one so in its first line")
        lines = [(row["url"] or "").strip() for row in rows]
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        if not canonical(line):
            where = f"{path}, line {number + (path.suffix.lower() == '.csv')}"
            raise ValueError(f"{where}: {line!r} is no web address; start it with http:// or https://")
        yield line
