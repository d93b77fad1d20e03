"""The heap of every kernel: best score first, among equals the smallest tie key.

Position i holds the entry heap[i], its score score[i] and its tie key tie[i], side by side, for comparing
neighbours is what a heap does most; place[entry] is the position of an entry. Several heaps may share the
arrays: each starts at its own ``base``, and positions count from there.

The compiler's cache on disk does not notice that a function in another file has changed: after a change here,
delete the folder ``kernels/__pycache__``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

Function = TypeVar("Function", bound=Callable[..., Any])

ARITY = 4  # children of a position: a flat heap moves less


def inner(function: Function) -> Function:
    """Compile what happens at every link: as a part of its caller, which passes arrays by without a count."""
    compiled = njit(cache=True, nogil=True, forceinline=True, _nrt=False)  # type: ignore[call-overload]
    return compiled(function)


class Heap(NamedTuple):
    """The arrays of one heap, or of several side by side."""

    entry: Ints
    score: Floats
    tie: Floats
    place: Ints


def new_heap(room: int, entries: int) -> Heap:
    """A heap with room for so many out of so many entries; the place of one that is not in it is -1."""
    return Heap(np.empty(room, np.int32), np.empty(room), np.empty(room), np.full(entries, -1, np.int32))


@inner
def sift_up(heap: Heap, base: int, at: int) -> int:
    """Move the entry at a position up to where it belongs; return that position."""
    entry, value, key = heap.entry[base + at], heap.score[base + at], heap.tie[base + at]
    while at > 0:
        parent = (at - 1) // ARITY
        above = base + parent
        if value < heap.score[above] or (value == heap.score[above] and key >= heap.tie[above]):
            break
        _set(heap, base, at, heap.entry[above], heap.score[above], heap.tie[above])
        at = parent
    _set(heap, base, at, entry, value, key)
    return at


@inner
def sift_down(heap: Heap, base: int, size: int, at: int) -> None:
    """Move the entry at a position down to where it belongs."""
    score, tie = heap.score, heap.tie
    entry, value, key = heap.entry[base + at], score[base + at], tie[base + at]
    while ARITY * at + 1 < size:
        best = base + ARITY * at + 1
        for child in range(best + 1, min(best + ARITY, base + size)):
            if score[child] > score[best] or (score[child] == score[best] and tie[child] < tie[best]):
                best = child
        if value > score[best] or (value == score[best] and key < tie[best]):
            break
        _set(heap, base, at, heap.entry[best], score[best], tie[best])
        at = best - base
    _set(heap, base, at, entry, value, key)


@inner
def push(heap: Heap, base: int, size: int, entry: int, value: float, key: float) -> int:
    """Add an entry; return the new size."""
    _set(heap, base, size, entry, value, key)
    sift_up(heap, base, size)
    return size + 1


@inner
def drop_best(heap: Heap, base: int, size: int) -> int:
    """Remove the best entry, the one at ``base``; return the new size."""
    size -= 1
    heap.place[heap.entry[base]] = -1
    if size:
        _set(heap, base, 0, heap.entry[base + size], heap.score[base + size], heap.tie[base + size])
        sift_down(heap, base, size, 0)
    return size


@inner
def rescore(heap: Heap, base: int, size: int, entry: int, value: float) -> None:
    """Give an entry another score, in place: nothing stale is left behind."""
    at = heap.place[entry]
    heap.score[base + at] = value
    sift_down(heap, base, size, sift_up(heap, base, at))


@inner
def heapify(heap: Heap, base: int, size: int) -> None:
    """Restore the order after many scores have changed at once."""
    for at in range((size - 2) // ARITY, -1, -1):
        sift_down(heap, base, size, at)


@inner
def _set(heap: Heap, base: int, at: int, entry: int, value: float, key: float) -> None:
    heap.entry[base + at], heap.score[base + at], heap.tie[base + at] = entry, value, key
    heap.place[entry] = at
