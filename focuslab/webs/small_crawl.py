"""A small "Common Crawl" of any web: the same files as the real one has, for lessons, tests and measurements.

The folder that `small_crawl` fills looks as ``data.commoncrawl.org`` does from outside::

    collinfo.json
    crawl-data/CC-MAIN-2026-43/segments/0/warc/…-00000.warc.gz             pages
    crawl-data/CC-MAIN-2026-43/segments/0/crawldiagnostics/…-00000.warc.gz redirects, failures, revisits
    cc-index/collections/CC-MAIN-2026-43/indexes/cdx-00000.gz              zipped blocks of the index
    cc-index/collections/CC-MAIN-2026-43/indexes/cluster.idx               where the blocks are
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from focuslab.pages.parse import parse
from focuslab.types import Fetcher, Response

__all__ = ["linked", "small_crawl"]

CRAWL = "CC-MAIN-2026-43"
TIME = "2026-10-18T09:30:00Z"
CUT = 200
"""Every so many pages one is stored cut off, and one as "unchanged since the crawl before"."""


def linked(web: Fetcher, urls: Iterable[str], share: float = 1.0) -> list[str]:
    """Addresses and all that their pages link to; of all a share, always the same."""
    found = dict.fromkeys(urls)
    for url in list(found):
        found.update(dict.fromkeys(link.url for link in parse(web.fetch(url)).out))
    return [url for url in found if zlib.crc32(url.encode()) < share * 2**32]


def small_crawl(
    web: Fetcher,
    urls: Iterable[str],
    folder: str | Path,
    crawl: str = CRAWL,
    files: int = 4,
    lines: int = 3_000,
    shards: int = 2,
) -> Path:
    """Store the answers of a web as Common Crawl would.

    Parameters
    ----------
    web, urls
        What is captured. Failures without a status leave nothing behind; a page that answers under another
        address is stored as a redirect to it.
    folder
        Where the files go.
    crawl
        Name of the crawl.
    files
        WARC files of pages.
    lines
        Lines in a block of the index; the real one has 3,000.
    shards
        Files of the index; the real one has 300.

    Returns
    -------
    Path
        The folder.
    """
    place = Path(folder)
    _write_records(web, urls, place, crawl, files)
    rows = sorted(_index_lines(place, crawl))
    _write_index(rows, place / "cc-index" / "collections" / crawl / "indexes", lines, shards)
    entry = {"id": crawl, "name": f"{crawl} in small", "cdx-api": f"/{crawl}-index"}
    (place / "collinfo.json").write_text(json.dumps([entry]))
    return place


# --- records


def _write_records(web: Fetcher, urls: Iterable[str], place: Path, crawl: str, files: int) -> None:
    pages = [_writer(place, crawl, "warc", number) for number in range(files)]
    others = _writer(place, crawl, "crawldiagnostics", 0)
    for number, url in enumerate(dict.fromkeys(urls)):
        response = web.fetch(url)
        if response.status and response.url != url:
            _write(others, Response(url, 302, headers={"location": response.url}))
        elif response.ok and number % CUT == CUT - 1:
            _write_unchanged(others, url)
        elif response.ok:
            _write(pages[number % files], response, cut=number % CUT == CUT // 2)
        elif response.status:
            _write(others, response)
    for writer in (*pages, others):
        writer.out.close()


def _writer(place: Path, crawl: str, kind: str, number: int) -> WARCWriter:
    file = place / "crawl-data" / crawl / "segments" / "0" / kind / f"{crawl}-{number:05}.warc.gz"
    file.parent.mkdir(parents=True, exist_ok=True)
    writer = WARCWriter(file.open("wb"), gzip=True)
    writer.write_record(writer.create_warcinfo_record(file.name, {"isPartOf": crawl}))
    return writer


def _write(writer: WARCWriter, response: Response, cut: bool = False) -> None:
    body = response.body[: len(response.body) // 2] if cut else response.body
    lines = [(name, value) for name, value in response.headers.items() if name.lower() != "content-type"]
    if response.content_type:
        lines.append(("Content-Type", response.content_type))
    told = {"WARC-Date": TIME} | ({"WARC-Truncated": "length"} if cut else {})
    writer.write_record(
        writer.create_warc_record(
            response.url,
            "response",
            payload=BytesIO(body),
            length=len(body),
            warc_headers_dict=told,
            http_headers=StatusAndHeaders(f"{response.status} OK", lines, protocol="HTTP/1.1"),
        )
    )


def _write_unchanged(writer: WARCWriter, url: str) -> None:
    """What a server that says 304 leaves: the page itself is in the crawl of the month before."""
    headers = StatusAndHeaders("304 Not Modified", [], protocol="HTTP/1.1")
    told = {"WARC-Date": TIME, "WARC-Profile": "http://netpreserve.org/warc/1.0/revisit/server-not-modified"}
    writer.write_record(
        writer.create_warc_record(
            url, "revisit", payload=BytesIO(b""), length=0, warc_headers_dict=told, http_headers=headers
        )
    )


# --- index


def _index_lines(place: Path, crawl: str) -> Iterator[str]:
    """The lines of cdxj-indexer, with the fields that Common Crawl adds."""
    try:
        from cdxj_indexer.main import CDXJIndexer
    except ImportError as error:
        raise ValueError("an index needs cdxj-indexer; install focuslab[common-crawl]") from error
    for file in sorted((place / "crawl-data" / crawl).rglob("*.warc.gz")):
        said = StringIO()
        CDXJIndexer(output=said, inputs=[str(file)], sort=False).process_all()
        for line in said.getvalue().splitlines():
            key, time, rest = line.split(" ", 2)
            fields = json.loads(rest) | {"filename": str(file.relative_to(place))}
            yield f"{key} {time} {json.dumps(_published(fields, file))}\n"


def _published(fields: dict[str, Any], file: Path) -> dict[str, str]:
    """Fields as Common Crawl has them."""
    told = {name: str(value).removeprefix("sha1:") for name, value in fields.items()}
    if told.get("mime") == "warc/revisit":
        told.pop("digest", None)
    elif told.get("status", "").startswith("3"):
        told["redirect"] = _location(file, int(told["offset"]))
    else:
        told["mime-detected"] = told.get("mime", "")
    return told


def _location(file: Path, offset: int) -> str:
    from warcio.archiveiterator import ArchiveIterator

    with file.open("rb") as stream:
        stream.seek(offset)
        record = next(iter(ArchiveIterator(stream)))
        return str(record.http_headers.get_header("location") or "")


def _write_index(rows: list[str], folder: Path, lines: int, shards: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    blocks = [rows[start : start + lines] for start in range(0, len(rows), lines)]
    each = max(1, -(-len(blocks) // shards))
    listed = []
    for serial, block in enumerate(blocks):
        name = f"cdx-{serial // each:05}.gz"
        packer = zlib.compressobj(wbits=31)
        packed = packer.compress("".join(block).encode()) + packer.flush()
        file = folder / name
        offset = file.stat().st_size if file.exists() and serial % each else 0
        with file.open("ab" if offset else "wb") as stream:
            stream.write(packed)
        key = " ".join(block[0].split(" ", 2)[:2])
        listed.append(f"{key}\t{name}\t{offset}\t{len(packed)}\t{serial + 1}\n")
    (folder / "cluster.idx").write_text("".join(listed))
