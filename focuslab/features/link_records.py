"""What the pages read so far say of every link that waits, in arrays: a fixed number of bytes for each."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from focuslab.features.link_words import LONGEST
from focuslab.pages.urls import host
from focuslab.types import GENRES

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
DOUBT = 2.0
"""A record of a page or host counts as if so many links had turned out as expected (our choice)."""
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
    ]
)
RECORD = np.dtype([("tried", "f8"), ("surprise", "f8"), ("kind", "i4", 2)])


class Scale:
    """Running mean and spread of a stream of numbers."""

    def __init__(self) -> None:
        self.count, self.mean, self._squares = 0, 0.0, 0.0

    def add(self, values: NDArray[np.float64]) -> None:
        """Take in some numbers (Chan's rule for two groups)."""
        if not len(values):
            return
        mean, count = float(values.mean()), self.count + len(values)
        step = mean - self.mean
        self._squares += float(((values - mean) ** 2).sum()) + step * step * self.count * len(values) / count
        self.mean += step * len(values) / count
        self.count = count

    @property
    def spread(self) -> float:
        """Standard deviation, 1 while there is none."""
        return math.sqrt(self._squares / self.count) if self._squares > 0 else 1.0

    def likely(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where values lie among those seen, from 0 to 1."""
        return 0.5 + 0.5 * np.tanh((values - self.mean) / self.spread / 2)


class Rows:
    """An array that grows, and the row of each name."""

    def __init__(self, kind: np.dtype) -> None:
        self.table = np.zeros(256, kind)
        self.names: list[str] = []
        self._row: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.names)

    def get(self, name: str) -> int | None:
        return self._row.get(name)

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
        table = self.links.table
        new = table["times"][rows] == 0
        fresh = rows[new]
        table["bests"][fresh], table["depth"][fresh], table["parents"][fresh] = evidence[new], depth, -1
        table["host"][fresh] = [self.hosts.row(host(urls[place])) for place in np.flatnonzero(new).tolist()]
        table["parents"][rows, table["times"][rows].astype(int) % PARENTS] = page
        table["times"][rows] += 1
        table["sums"][rows] += evidence
        table["bests"][rows] = np.maximum(table["bests"][rows], evidence)
        self.context_scale.add(evidence[:, 1])
        table["cash"][rows] += self.page_scale.likely(evidence[:, 0]) * self.context_scale.likely(
            evidence[:, 1]
        )
        return rows, new

    def close(self, url: str, outcome: float) -> None:
        """This address was fetched, whoever linked to it; its page read like that."""
        row = self.links.row(url)
        self.links.table["fetched"][row], self.links.table["outcome"][row] = True, outcome

    def credit(self, row: int, relevant: bool, surprise: float) -> None:
        """Tell the pages and the host behind a link how it turned out, and how unexpected that was."""
        link = self.links.table[row]
        parents = link["parents"][link["parents"] >= 0]
        self.pages.table["tried"][parents] += 1
        self.pages.table["surprise"][parents] += surprise
        self.hosts.table["tried"][link["host"]] += 1
        self.hosts.table["surprise"][link["host"]] += surprise
        for relevance, genre in self.pages.table["kind"][parents]:
            self.pig[relevance, genre, int(relevant)] += 1

    def fetched(self, url: str) -> bool:
        row = self.links.get(url)
        return row is not None and bool(self.links.table["fetched"][row])

    def outcomes(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """How the pages behind these rows read, in the units of the signals."""
        return self.links.table["outcome"][rows] / self.context_scale.spread

    def signals(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float64]:
        """One line of `SIGNALS` for each row; evidence in units of its spread among links."""
        links = self.links.table[rows]
        unit = self.context_scale.spread
        found = np.empty((len(links), len(SIGNALS)))
        found[:, 0] = 1.0
        found[:, 1:7:2] = links["sums"] / links["times"][:, None] / unit
        found[:, 2:7:2] = links["bests"] / unit
        found[:, 7] = links["url"] / unit
        found[:, 8] = np.log(links["times"])
        found[:, 9] = np.log1p(links["cash"])
        found[:, 10], found[:, 13] = self._parents(links["parents"])
        found[:, 11] = _record(self.hosts.table[links["host"]])
        found[:, 12] = np.log(links["depth"])
        return found

    def _parents(self, parents: NDArray[np.int32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Means over the remembered parents: their record, and the log-odds of their P_IG."""
        known = parents >= 0
        pages = self.pages.table[parents]
        kinds = pages["kind"]
        odds = np.log(self.pig[..., 1] / self.pig[..., 0])[kinds[..., 0], kinds[..., 1]]
        count = known.sum(axis=1)
        return (_record(pages) * known).sum(axis=1) / count, (odds * known).sum(axis=1) / count


def _record(records: NDArray[np.void]) -> NDArray[np.float64]:
    return records["surprise"] / (records["tried"] + DOUBT)
