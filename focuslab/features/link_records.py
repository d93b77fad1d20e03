"""What the pages read so far say of every link that waits, in arrays: a fixed number of bytes for each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from focuslab.features.link_words import LONGEST
from focuslab.pages.urls import host
from focuslab.types import GENRES

if TYPE_CHECKING:
    from focuslab.features.link_signals import Records

__all__ = ["SIGNALS", "LinkRecords", "Scale"]

SIGNALS = (
    "base",
    "page_mean",
    "page_best",
    "context_mean",
    "context_best",
    "anchor_mean",
    "anchor_best",
    "url",
    "times",
    "cash",
    "siblings",
    "host",
    "depth",
    "pig",
)
PARENTS = 4
"""The latest so many pages that link somewhere are remembered by name."""
CODES = {genre: code for code, genre in enumerate(GENRES)}

LINK = np.dtype(
    [
        ("times", "f8"),
        ("sums", "f8", 3),  # evidence of the page, the context and the anchor
        ("bests", "f8", 3),
        ("url", "f8"),
        ("cash", "f8"),
        ("depth", "f8"),
        ("host", "i4"),
        ("parents", "i4", PARENTS),
        ("words", "i4", LONGEST),
        ("fetched", "?"),
        ("outcome", "f8"),
    ],
    align=True,
)
RECORD = np.dtype([("tried", "f8"), ("surprise", "f8"), ("kind", "i4", 2)], align=True)


@cache
def arithmetic() -> Any:
    """`focuslab.features.link_signals`, when a crawl needs it: its compiler takes a while to load."""
    return import_module("focuslab.features.link_signals")


class Scale:
    """Running mean and spread of a stream of numbers."""

    def __init__(self) -> None:
        self.state = np.zeros(3)

    def add(self, values: NDArray[np.float64]) -> None:
        """Take in some numbers."""
        arithmetic().add(self.state, values)

    @property
    def mean(self) -> float:
        return float(self.state[1])

    @property
    def spread(self) -> float:
        """Standard deviation, 1 while there is none."""
        return float(arithmetic().spread(self.state))


class Rows:
    """An array that grows, and the row of each name."""

    def __init__(self, kind: np.dtype) -> None:
        self.table = np.zeros(256, kind)
        self.names: list[str] = []
        self._row: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.names)

    def get(self, name: str) -> int:
        """The row of a name, -1 if there is none."""
        return self._row.get(name, -1)

    def row(self, name: str) -> int:
        """The row of a name; a new one for a new name."""
        row = self._row.setdefault(name, len(self.names))
        if row == len(self.names):
            self.names.append(name)
            if row == len(self.table):
                self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        return row


class LinkRecords:
    """Records of links, of the pages they stand on and of the hosts they lead to."""

    def __init__(self) -> None:
        self.links, self.pages, self.hosts = Rows(LINK), Rows(RECORD), Rows(RECORD)
        self.page_scale, self.context_scale = Scale(), Scale()
        self.pig = np.ones((2, len(GENRES) + 1, 2))
        """Beta posteriors of P_IG by relevance and genre of the source: 1 + misses, 1 + hits."""

    @property
    def tables(self) -> Records:
        """All that is known, as the arithmetic takes it."""
        tables = (self.links.table, self.pages.table, self.hosts.table)
        scales = (self.page_scale.state, self.context_scale.state)
        return arithmetic().Records(*tables, self.pig, *scales)

    def read(self, url: str, evidence: float, relevant: bool, genre: str) -> int:
        """Take in a page just fetched; its number."""
        page = self.pages.row(url)
        self.pages.table[page]["kind"] = int(relevant), CODES.get(genre, len(GENRES))
        self.page_scale.add(np.array([evidence]))
        return page

    def find(
        self, urls: Sequence[str], page: int, evidence: NDArray[np.float64], depth: int
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Take in the links of a page, with the evidence of page, context and anchor for each.

        Their rows, and which of them are new.
        """
        rows = np.array([self.links.row(url) for url in urls], dtype=np.int64)
        new = np.zeros(len(rows), np.bool_)
        arithmetic().find(self.tables, rows, page, evidence, float(depth), new)
        hosts = [self.hosts.row(host(urls[place])) for place in np.flatnonzero(new).tolist()]
        self.links.table["host"][rows[new]] = hosts
        return rows, new

    def close(self, url: str, outcome: float) -> None:
        """This address was fetched, whoever linked to it; its page read like that."""
        row = self.links.row(url)
        self.links.table["fetched"][row], self.links.table["outcome"][row] = True, outcome

    def credit(self, row: int, relevant: bool, surprise: float) -> None:
        """Tell the pages and the host behind a link how it turned out, and how unexpected that was."""
        arithmetic().credit(self.tables, row, relevant, surprise)

    def fetched(self, urls: Sequence[str]) -> list[bool]:
        """Which of these addresses were fetched."""
        known = np.array([self.links.get(url) for url in urls], dtype=np.int64)
        return ((known >= 0) & self.links.table["fetched"][known]).tolist()

    def signals(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """One line of `SIGNALS` for each row; evidence in units of its spread among links."""
        found = np.empty((len(rows), len(SIGNALS)))
        arithmetic().all_signals(self.tables, rows, found)
        return found
