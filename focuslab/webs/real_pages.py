"""The three sets of real pages, as responses; nothing of them is in the repository."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import overload

import numpy as np

from focuslab.pages.parse import parse
from focuslab.types import Page, Response
from focuslab.webs.labelled import LabelledWeb
from focuslab.webs.tar_store import Archive, find_archive
from focuslab.webs.webkb import webkb
from focuslab.webs.wikischools import wikischools


class GenrePages(Sequence[Response]):
    """The pages labelled with genres, each under its own address.

    Attributes
    ----------
    rows : list of dict
        Their rows of ``labels.csv``: file, url, host, genre, language, source_set, note.
    """

    def __init__(self, data: Path) -> None:
        self._archive = Archive(find_archive("genre_pages", data))
        self._members = {Path(member.name).name: member for member in self._archive}
        labels = self._archive.read(self._members["labels.csv"]).decode("utf-8-sig")
        self.rows = list(csv.DictReader(io.StringIO(labels)))

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, number: int) -> Response: ...
    @overload
    def __getitem__(self, number: slice) -> list[Response]: ...
    def __getitem__(self, number: int | slice) -> Response | list[Response]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        row = self.rows[number]
        body = self._archive.read(self._members[row["file"]])
        if row["source_set"] == "webkb":  # these files begin with HTTP headers, then a blank line
            body = body.replace(b"\r\n", b"\n").partition(b"\n\n")[2]
        return Response(row["url"], 200, body, "text/html")


def genre_pages(data: Path) -> tuple[list[Page], list[dict[str, str]]]:
    """The pages labelled with genres, parsed, and their rows of ``labels.csv``."""
    found = GenrePages(data)
    return [parse(response) for response in found], found.rows


def sets(data: Path) -> dict[str, Sequence[Response]]:
    """Each set of pages by its name; a page is read when it is asked for."""
    webs = {"webkb": webkb(data), "wikischools": wikischools(data)}
    found: dict[str, Sequence[Response]] = {name: _Responses(web) for name, web in webs.items()}
    return {**found, "genre_pages": GenrePages(data)}


class _Responses(Sequence[Response]):
    """The responses of a web, in its order."""

    def __init__(self, web: LabelledWeb) -> None:
        self._web = web

    def __len__(self) -> int:
        return len(self._web.urls)

    @overload
    def __getitem__(self, number: int) -> Response: ...
    @overload
    def __getitem__(self, number: slice) -> list[Response]: ...
    def __getitem__(self, number: int | slice) -> Response | list[Response]:
        if isinstance(number, slice):
            return [self._web.fetch(url) for url in self._web.urls[number]]
        return self._web.fetch(self._web.urls[number])


def sample(pages: Sequence[Response], count: int, seed: int = 7) -> Iterator[Response]:
    """So many pages, drawn evenly."""
    for number in np.random.default_rng(seed).permutation(len(pages))[:count].tolist():
        yield pages[number]
