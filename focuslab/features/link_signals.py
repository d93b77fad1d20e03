"""What is done to the records of links, compiled: one arithmetic for the loop and for its twin.

Sums run in the order of the rows, so that both, on any machine, get the same number to the last bit.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.features.link_records import PARENTS

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Flags = NDArray[np.bool_]
Table = NDArray[Any]

COUNT, MEAN, SQUARES = range(3)
"""Places in the state of a scale."""
EVIDENCES = 3
DOUBT = 2.0
"""A record of a page or host counts as if so many links had turned out as expected (our choice)."""


class Records(NamedTuple):
    """The tables of links, pages and hosts, P_IG, and the scales of pages and of contexts."""

    links: Table
    pages: Table
    hosts: Table
    pig: Floats
    page_scale: Floats
    context_scale: Floats


@njit(cache=True, nogil=True)
def add(scale: Floats, values: Floats) -> None:
    """Take some numbers into a running mean and spread (Chan's rule for two groups)."""
    count = len(values)
    if count == 0:
        return
    total, squares = 0.0, 0.0
    for value in values:
        total += value
    mean = total / count
    for value in values:
        squares += (value - mean) ** 2
    step, together = mean - scale[MEAN], scale[COUNT] + count
    scale[SQUARES] += squares + step * step * scale[COUNT] * count / together
    scale[MEAN] += step * count / together
    scale[COUNT] = together


@njit(cache=True, nogil=True)
def spread(scale: Floats) -> float:
    """Standard deviation, 1 while there is none."""
    return math.sqrt(scale[SQUARES] / scale[COUNT]) if scale[SQUARES] > 0 else 1.0


@njit(cache=True, nogil=True)
def likely(scale: Floats, value: float) -> float:
    """Where a value lies among those seen, from 0 to 1."""
    return 0.5 + 0.5 * math.tanh((value - scale[MEAN]) / spread(scale) / 2)


@njit(cache=True, nogil=True)
def find(records: Records, rows: Longs, page: int, evidence: Floats, depth: float, new: Flags) -> None:
    """Take in the links of a page; mark those that were never heard of."""
    links = records.links
    for i in range(len(rows)):
        link = links[rows[i]]
        new[i] = link.times == 0
        if new[i]:
            link.depth = depth
            for place in range(PARENTS):
                link.parents[place] = -1
        link.parents[int(link.times) % PARENTS] = page
        link.times += 1
        for kind in range(EVIDENCES):
            link.sums[kind] += evidence[i, kind]
            if new[i] or evidence[i, kind] > link.bests[kind]:
                link.bests[kind] = evidence[i, kind]
    add(records.context_scale, evidence[:, 1])
    for i in range(len(rows)):
        own = likely(records.page_scale, evidence[i, 0])
        links[rows[i]].cash += own * likely(records.context_scale, evidence[i, 1])


@njit(cache=True, nogil=True)
def credit(records: Records, row: int, relevant: bool, surprise: float) -> None:
    """Tell the pages and the host behind a link how it turned out, and how unexpected that was."""
    link = records.links[row]
    records.hosts[link.host].tried += 1
    records.hosts[link.host].surprise += surprise
    for place in range(PARENTS):
        if link.parents[place] >= 0:
            page = records.pages[link.parents[place]]
            page.tried += 1
            page.surprise += surprise
            records.pig[page.kind[0], page.kind[1], int(relevant)] += 1


@njit(cache=True, nogil=True)
def outcome(records: Records, row: int) -> float:
    """How the page behind a link read, in the units of the signals."""
    return records.links[row].outcome / spread(records.context_scale)


@njit(cache=True, nogil=True)
def signals(records: Records, row: int, found: Floats) -> None:
    """The signals of a link, in their order; evidence in units of its spread among links."""
    link, unit = records.links[row], spread(records.context_scale)
    found[0] = 1.0
    for kind in range(EVIDENCES):
        found[1 + 2 * kind] = link.sums[kind] / link.times / unit
        found[2 + 2 * kind] = link.bests[kind] / unit
    found[7] = link.url / unit
    found[8] = math.log(link.times)
    found[9] = math.log1p(link.cash)
    found[10], found[13] = _parents(records, link.parents)
    host = records.hosts[link.host]
    found[11] = host.surprise / (host.tried + DOUBT)
    found[12] = math.log(link.depth)


@njit(cache=True, nogil=True)
def _parents(records: Records, parents: NDArray[np.int32]) -> tuple[float, float]:
    """Means over the remembered parents: their record, and the log-odds of their P_IG."""
    count, record, odds = 0, 0.0, 0.0
    for parent in parents:
        if parent >= 0:
            page = records.pages[parent]
            count += 1
            record += page.surprise / (page.tried + DOUBT)
            posterior = records.pig[page.kind[0], page.kind[1]]
            odds += math.log(posterior[1] / posterior[0])
    return record / count, odds / count


@njit(cache=True, nogil=True)
def all_signals(records: Records, rows: Longs, found: Floats) -> None:
    """The signals of several links, a line for each."""
    for i in range(len(rows)):
        signals(records, rows[i], found[i])
