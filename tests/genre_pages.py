"""The archive of real pages labelled with their genres."""

from __future__ import annotations

import csv
import io
import tarfile
from pathlib import Path

from focuslab.parse import parse
from focuslab.types import Page, Response


def read(data: Path) -> tuple[list[Page], list[dict[str, str]]]:
    """Pages, and their rows of ``labels.csv``: file, url, host, genre, language, source_set, note."""
    with tarfile.open(data / "genre_pages.tar.xz") as archive:
        files = {Path(m.name).name: archive.extractfile(m).read() for m in archive if m.isfile()}  # type: ignore[union-attr]
    rows = list(csv.DictReader(io.StringIO(files["labels.csv"].decode("utf-8-sig"))))
    return [parse(_response(row, files[row["file"]])) for row in rows], rows


def _response(row: dict[str, str], body: bytes) -> Response:
    if row["source_set"] == "webkb":  # these files begin with HTTP headers, then a blank line
        body = body.replace(b"\r\n", b"\n").partition(b"\n\n")[2]
    return Response(row["url"], 200, body, "text/html")
