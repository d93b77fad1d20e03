"""The heap of every kernel: best score first, among equals the smallest tie key.

Position i holds the entry heap[i], its score score[i] and its tie key tie[i], side by side, for comparing
neighbours is what a heap does most; place[entry] is the position of an entry.

The compiler's cache on disk does not notice that a function in another file has changed: after a change here,
delete the folder ``kernels/__pycache__``.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

ARITY = 4  # children of a position: a flat heap moves less


@njit(cache=True, nogil=True)
def sift_up(heap: Ints, score: Floats, tie: Floats, place: Ints, at: int) -> int:
    """Move the entry at a position up to where it belongs; return that position."""
    entry, value, key = heap[at], score[at], tie[at]
    while at > 0:
        parent = (at - 1) // ARITY
        if value < score[parent] or (value == score[parent] and key >= tie[parent]):
            break
        _set(heap, score, tie, place, at, heap[parent], score[parent], tie[parent])
        at = parent
    _set(heap, score, tie, place, at, entry, value, key)
    return at


@njit(cache=True, nogil=True)
def sift_down(heap: Ints, score: Floats, tie: Floats, place: Ints, size: int, at: int) -> None:
    """Move the entry at a position down to where it belongs."""
    entry, value, key = heap[at], score[at], tie[at]
    while ARITY * at + 1 < size:
        best = ARITY * at + 1
        for child in range(best + 1, min(best + ARITY, size)):
            if score[child] > score[best] or (score[child] == score[best] and tie[child] < tie[best]):
                best = child
        if value > score[best] or (value == score[best] and key < tie[best]):
            break
        _set(heap, score, tie, place, at, heap[best], score[best], tie[best])
        at = best
    _set(heap, score, tie, place, at, entry, value, key)


@njit(cache=True, nogil=True)
def push(
    heap: Ints, score: Floats, tie: Floats, place: Ints, size: int, entry: int, value: float, key: float
) -> int:
    """Add an entry; return the new size."""
    _set(heap, score, tie, place, size, entry, value, key)
    sift_up(heap, score, tie, place, size)
    return size + 1


@njit(cache=True, nogil=True)
def drop_best(heap: Ints, score: Floats, tie: Floats, place: Ints, size: int) -> int:
    """Remove the best entry, ``heap[0]``; return the new size."""
    size -= 1
    _set(heap, score, tie, place, 0, heap[size], score[size], tie[size])
    sift_down(heap, score, tie, place, size, 0)
    return size


@njit(cache=True, nogil=True)
def rescore(heap: Ints, score: Floats, tie: Floats, place: Ints, size: int, entry: int, value: float) -> None:
    """Give a waiting entry another score, in place: nothing stale is left behind."""
    score[place[entry]] = value
    at = sift_up(heap, score, tie, place, place[entry])
    sift_down(heap, score, tie, place, size, at)


@njit(cache=True, nogil=True, inline="always")
def _set(
    heap: Ints, score: Floats, tie: Floats, place: Ints, at: int, entry: int, value: float, key: float
) -> None:
    heap[at], score[at], tie[at] = entry, value, key
    place[entry] = at


@njit(cache=True, nogil=True)
def heapify(heap: Ints, score: Floats, tie: Floats, place: Ints, size: int) -> None:
    """Restore the order after many scores have changed at once."""
    for at in range((size - 2) // ARITY, -1, -1):
        sift_down(heap, score, tie, place, size, at)
