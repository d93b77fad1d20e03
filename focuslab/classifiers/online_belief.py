"""What online regression does with its weights, compiled: one arithmetic for the loop and for its twin.

Sums run in the order of signals and words, so that both, on any machine, get the same number to the last bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Belief(NamedTuple):
    """Gaussian beliefs: jointly about the weights of the signals, one by one about those of words."""

    mean: Floats
    covariance: Floats
    word_mean: Floats
    word_variance: Floats


@njit(cache=True, nogil=True)
def expected(belief: Belief, signals: Floats) -> float:
    """What the signals alone let expect."""
    total = 0.0
    for i in range(len(signals)):
        total += signals[i] * belief.mean[i]
    return total


@njit(cache=True, nogil=True)
def said(belief: Belief, words: NDArray[Any]) -> float:
    """What the words add; number 0 stands for no word."""
    total = 0.0
    for word in words:
        total += belief.word_mean[word]
    return total


@njit(cache=True, nogil=True)
def towards(belief: Belief, signals: Floats, found: Floats) -> float:
    """The covariance times the signals, into ``found``; the variance of what the signals let expect."""
    found[:] = 0.0
    for i in range(len(signals)):
        for j in range(len(signals)):
            found[j] += belief.covariance[i, j] * signals[i]
    total = 0.0
    for j in range(len(signals)):
        total += found[j] * signals[j]
    return total


@njit(cache=True, nogil=True)
def doubt(belief: Belief, words: NDArray[Any]) -> float:
    """The variance of what the words add."""
    total = 0.0
    for word in words:
        total += belief.word_variance[word]
    return total


@njit(cache=True, nogil=True)
def learn(belief: Belief, signals: Floats, words: NDArray[Any], outcome: float, noise: float) -> float:
    """Take in one outcome; by how much it was greater than expected."""
    surprise = outcome - expected(belief, signals) - said(belief, words)
    way = np.empty(len(signals), np.float64)
    variance = towards(belief, signals, way)
    total = noise + variance + doubt(belief, words)
    step = surprise / total
    for i in range(len(signals)):
        belief.mean[i] += way[i] * step
        for j in range(len(signals)):
            belief.covariance[i, j] -= way[i] * way[j] / total
    for word in words:
        variance = belief.word_variance[word]
        belief.word_mean[word] += variance * step
        belief.word_variance[word] -= variance * variance / total
    return surprise
