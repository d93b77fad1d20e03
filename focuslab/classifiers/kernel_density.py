"""Kernel densities of many features at once: the mean of normal curves around each training value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

__all__ = ["KernelDensities"]

NEGLIGIBLE = 37.0
"""exp(-37) is less than the rounding of 1."""


@dataclass(frozen=True, slots=True, eq=False)
class KernelDensities:
    """For each feature its distinct training values in ascending order, 0 among them, and their counts.

    Of the curves around them only those are summed that can still change the sum. So a density costs a
    binary search and as many steps as distinct values lie near, not as many as there are training rows.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.float64]
    starts: NDArray[np.int64]
    """Where the values of each feature begin; one more entry says where all end."""
    rows: int
    sigma: float
    """Standard deviation of the curves."""

    @classmethod
    def of(cls, part: csc_matrix, sigma: float) -> KernelDensities:
        """Learn from the rows of a sparse matrix, a feature in each column."""
        rows, columns = part.shape
        present = np.diff(part.indptr)
        absent = np.flatnonzero(present < rows)
        column = np.concatenate([np.repeat(np.arange(columns), present), absent])
        value = np.concatenate([part.data, np.zeros(len(absent))])
        count = np.concatenate([np.ones(len(part.data)), (rows - present)[absent]])
        order = np.lexsort((value, column))
        column, value, count = column[order], value[order], count[order]
        new = (np.diff(column, prepend=-1) != 0) | (np.diff(value, prepend=np.nan) != 0)
        first = np.flatnonzero(new)
        starts = np.searchsorted(column[first], np.arange(columns + 1))
        return cls(value[first], np.add.reduceat(count, first), starts, rows, sigma)

    def log(self, points: NDArray[Any], columns: NDArray[Any]) -> NDArray[np.float64]:
        """Logarithm of the density of feature ``columns[i]`` at ``points[i]``."""
        return _log(points, columns, self.values, self.counts, self.starts, self.rows, self.sigma)


@njit(cache=True, nogil=True)
def _log(points, columns, values, counts, starts, rows, sigma):  # type: ignore[no-untyped-def]
    found = np.empty(len(points))
    scale = 0.5 / sigma**2
    constant = -math.log(rows * sigma * math.sqrt(2 * math.pi))
    reach = (NEGLIGIBLE + math.log(rows)) / scale
    for place in range(len(points)):
        x = points[place]
        begin, end = starts[columns[place]], starts[columns[place] + 1]
        right = begin + np.searchsorted(values[begin:end], x)
        left = right - 1
        nearest = np.inf
        if right < end:
            nearest = (values[right] - x) ** 2
        if left >= begin:
            nearest = min(nearest, (values[left] - x) ** 2)
        total = 0.0  # in units of the nearest curve, so that distant points do not underflow
        while right < end and (values[right] - x) ** 2 <= nearest + reach:
            total += counts[right] * math.exp(scale * (nearest - (values[right] - x) ** 2))
            right += 1
        while left >= begin and (values[left] - x) ** 2 <= nearest + reach:
            total += counts[left] * math.exp(scale * (nearest - (values[left] - x) ** 2))
            left -= 1
        found[place] = constant + math.log(total) - scale * nearest
    return found
