"""Labels that a person gave to pages: a CSV with the columns ``url``, ``label`` and, if known, ``genre``."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from focuslab.pages.urls import canonical
from focuslab.types import GENRES

__all__ = ["Labelling", "by_label", "read_labels"]


class Labelling(NamedTuple):
    """One page and what a person says it is."""

    url: str
    label: str
    genre: str = ""


def read_labels(path: str | Path, several: bool = False) -> list[Labelling]:
    """Every labelled page of a CSV, in its order, with canonical addresses.

    The first line names the columns; others than ``url``, ``label`` and ``genre`` are ignored, and so is a
    line that says the same as one before. A page with two labels is a contradiction, unless ``several`` says
    that labels are topics, which may overlap. Anything else that is wrong is a ValueError with its line.
    """
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, skipinitialspace=True)
            _check_columns(path, rows.fieldnames or ())
            found = [_labelling(path, rows.line_num, row) for row in rows if any(row.values())]
    except UnicodeDecodeError as problem:
        raise ValueError(f"{path} is not UTF-8 ({problem.reason}); save it as CSV in UTF-8") from problem
    except csv.Error as problem:
        raise ValueError(f"{path} is no CSV ({problem}); it needs the columns url,label") from problem
    return _distinct(path, found, several)


def by_label(rows: Iterable[Labelling]) -> dict[str, list[str]]:
    """The addresses of each label.

    >>> by_label([Labelling("http://a.example/", "game"), Labelling("http://b.example/", "other")])
    {'game': ['http://a.example/'], 'other': ['http://b.example/']}
    """
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row.label, []).append(row.url)
    return found


def _check_columns(path: str | Path, names: Iterable[str]) -> None:
    missing = [name for name in ("url", "label") if name not in names]
    if missing:
        raise ValueError(f"{path} has no column {missing[0]!r}; its first line must be url,label")


def _labelling(path: str | Path, line: int, row: dict[str, str]) -> Labelling:
    url, label, genre = (str(row.get(name) or "").strip() for name in ("url", "label", "genre"))
    address = canonical(url)
    if not address:
        raise ValueError(f"line {line} of {path}: {url!r} is no http or https address")
    if not label:
        raise ValueError(f"line {line} of {path}: {url} has no label; write one or delete the line")
    if genre and genre not in GENRES:
        raise ValueError(f"line {line} of {path}: no genre named {genre!r}; try {', '.join(GENRES)}")
    return Labelling(address, label, genre)


def _distinct(path: str | Path, rows: list[Labelling], several: bool) -> list[Labelling]:
    if not rows:
        raise ValueError(f"{path} holds no labelled pages; add lines of url,label")
    first: dict[tuple[str, str], Labelling] = {}
    for row in rows:
        known = first.setdefault((row.url, row.label if several else ""), row)
        if known.label != row.label:
            raise ValueError(
                f"{path} labels {row.url} both {known.label!r} and {row.label!r}; keep one of the lines"
            )
    return list(first.values())
