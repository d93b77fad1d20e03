"""What the adaptive crawler works out for each link, compiled: for the loop and for its twin."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.classifiers.online_belief import Belief, doubt, learn, said, towards
from focuslab.features.link_signals import Records, outcome, signals

Floats = NDArray[np.float64]


class Mind(NamedTuple):
    """All that a crawl has learned, and how its scores are put together."""

    records: Records
    belief: Belief
    term: NDArray[np.int64]
    """The term that each signal is a part of, -1 for one that is left out."""
    terms: int
    """How many terms there are; the last but one is what the words say, the last is for exploring."""
    explore: float
    """Standard deviations added to what is expected."""


@njit(cache=True, nogil=True)
def _seen(mind: Mind, row: int) -> Floats:
    """The signals of a link, those left out at 0."""
    found = np.empty(len(mind.term), np.float64)
    signals(mind.records, row, found)
    for i in range(len(found)):
        if mind.term[i] < 0:
            found[i] = 0.0
    return found


@njit(cache=True, nogil=True)
def score(mind: Mind, row: int, words: NDArray[Any], parts: Floats) -> float:
    """What a link is worth, and its terms, into ``parts``."""
    found, way = _seen(mind, row), np.empty(len(mind.term), np.float64)
    parts[:] = 0.0
    for i in range(len(found)):
        if mind.term[i] >= 0:
            parts[mind.term[i]] += found[i] * mind.belief.mean[i]
    variance = towards(mind.belief, found, way) + doubt(mind.belief, words)
    parts[mind.terms - 2] = said(mind.belief, words)
    parts[mind.terms - 1] = mind.explore * math.sqrt(max(variance, 0.0))  # 0 may come out as -1e-16
    total = 0.0
    for part in parts:
        total += part
    return total


@njit(cache=True, nogil=True)
def scores(mind: Mind, rows: NDArray[np.int64], parts: Floats, found: Floats) -> None:
    """The scores of several links, and a line of terms for each."""
    for i in range(len(rows)):
        found[i] = score(mind, rows[i], mind.records.links[rows[i]].words, parts[i])


@njit(cache=True, nogil=True)
def teach(mind: Mind, row: int, words: NDArray[Any], noise: float) -> float:
    """Let the outcome of a link teach; by how much it was greater than expected."""
    return learn(mind.belief, _seen(mind, row), words, outcome(mind.records, row), noise)


@njit(cache=True, nogil=True)
def teach_again(mind: Mind, rows: NDArray[np.int64], words: NDArray[Any], noise: float) -> None:
    """Let the known outcomes of several links teach, each with the words it has here."""
    seen = np.empty((len(rows), len(mind.term)), np.float64)
    for i in range(len(rows)):
        seen[i] = _seen(mind, rows[i])
    for i in range(len(rows)):
        learn(mind.belief, seen[i], words[i], outcome(mind.records, rows[i]), noise)
