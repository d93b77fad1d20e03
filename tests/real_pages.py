"""The three sets of real pages, as responses; nothing of them is in the repository."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from focuslab.types import Response
from focuslab.webs.labelled import LabelledWeb
from focuslab.webs.stored import Archive, find_archive
from focuslab.webs.webkb import webkb
from focuslab.webs.wikischools import wikischools


class GenrePages(Sequence[Response]):
    """The pages labelled with genres, each under its own address."""

    def __init__(self, data: Path) -> None:
        self._archive = Archive(find_archive("genre_pages", data))
        self._members = {Path(member.name).name: member for member in self._archive}
        labels = self._archive.read(self._members["labels.csv"]).decode("utf-8-sig")
        self._rows = list(csv.DictReader(io.StringIO(labels)))

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        row = self._rows[number]
        body = self._archive.read(self._members[row["file"]])
        if row["source_set"] == "webkb":  # these files begin with HTTP headers, then a blank line
            body = body.replace(b"\r\n", b"\n").partition(b"\n\n")[2]
        return Response(row["url"], 200, body, "text/html")


class WebPages(Sequence[Response]):
    """The pages of a web, in its order."""

    def __init__(self, web: LabelledWeb) -> None:
        self._web, self._urls = web, web.urls

    def __len__(self) -> int:
        return len(self._urls)

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        return self._web.fetch(self._urls[number])


def sets(data: Path) -> dict[str, Sequence[Response]]:
    """Each set of pages by its name; pages are read when they are asked for."""
    return {
        "webkb": WebPages(webkb(data)),
        "wikischools": WebPages(wikischools(data)),
        "genre_pages": GenrePages(data),
    }


def sample(pages: Sequence[Response], count: int, seed: int = 7) -> Iterator[Response]:
    """So many pages, drawn evenly."""
    for number in np.random.default_rng(seed).permutation(len(pages))[:count].tolist():
        yield pages[number]
