"""A crawl as WACZ: its WARC file, an index of it and a list of pages, in one file that viewers open."""

from __future__ import annotations

import hashlib
import importlib
import json
import zipfile
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from focuslab.fetchers.warc import series

__all__ = ["PageEntry", "write_wacz"]

VERSION = "1.1.1"


class PageEntry(NamedTuple):
    """A page that a reader of the archive may start from."""

    url: str
    time: str
    """As in ISO 8601."""
    title: str


def write_wacz(file: Path, record: Path, pages: Iterable[PageEntry], title: str = "") -> None:
    """Put a record in compressed WARC files into a WACZ.

    References
    ----------
    Webrecorder. "Web Archive Collection Zipped (WACZ)", version 1.1.1. https://specs.webrecorder.net/wacz/1.1.1/
    """
    listed = [{"format": "json-pages-1.0", "id": "pages", "title": "Pages"}]
    listed += [{"url": page.url, "ts": page.time, "title": page.title} for page in pages]
    lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in listed)
    files = series(record)
    parts = {"indexes/index.cdx": _index(files).encode(), "pages/pages.jsonl": lines.encode()}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as wacz:
        described = [_archived(wacz, part) for part in files]
        for name, body in parts.items():
            wacz.writestr(name, body)
        described += [
            _resource(name, hashlib.sha256(body).hexdigest(), len(body)) for name, body in parts.items()
        ]
        about = {"profile": "data-package", "wacz_version": VERSION, "title": title, "software": "focuslab"}
        wacz.writestr("datapackage.json", json.dumps({**about, "resources": described}, indent=1))


def _resource(path: str, digest: str, size: int) -> dict[str, object]:
    return {"name": path.rpartition("/")[2], "path": path, "hash": f"sha256:{digest}", "bytes": size}


def _archived(wacz: zipfile.ZipFile, file: Path) -> dict[str, object]:
    wacz.write(file, f"archive/{file.name}")
    with file.open("rb") as packed:
        digest = hashlib.file_digest(packed, "sha256").hexdigest()
    return _resource(f"archive/{file.name}", digest, file.stat().st_size)


def _index(files: Iterable[Path]) -> str:
    """A line in CDXJ for each answer."""
    try:
        indexer = importlib.import_module("cdxj_indexer.main")
    except ImportError:
        raise ValueError("WACZ needs cdxj-indexer; run: pip install 'focuslab[wacz]'") from None
    out = StringIO()
    indexer.write_cdx_index(out, list(map(str, files)), {"sort": True, "post_append": True})
    return out.getvalue()
