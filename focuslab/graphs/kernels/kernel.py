"""What a kernel is: the order of a crawl as a function of arrays, for one strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.graphs.kernels.heap import Floats, Ints
from focuslab.types import Link, Page

if TYPE_CHECKING:
    from focuslab.graphs.graph import WebGraph

FIFO, LIFO, RANDOM = range(3)
FIRST, MAX, LAST = range(3)
UNSEEN, WAITING, POPPED = range(3)


Numbers = TypeVar("Numbers", bound=np.generic)


def fixed(values: NDArray[Numbers]) -> NDArray[Numbers]:
    """A read-only array, wherever it is from: the compiler then meets one type, and compiles once."""
    view = np.ascontiguousarray(values).view()
    view.flags.writeable = False
    return view


class Ground(NamedTuple):
    """All that a kernel crawls on, besides the strategy itself."""

    graph: WebGraph
    seeds: Ints
    budget: int
    tie: int
    again: int
    """The rediscovery rule."""
    lots: Floats
    """For ties drawn by lot, in the order of discovery."""
    chance: np.random.Generator
    """The strategy's own."""
    reach: int
    """Pages within reach: once all are found, links need no more reading."""
    pages: Mapping[str, Floats]
    """What the kernel asked to know of pages."""
    links: Mapping[str, Floats]
    """What the kernel asked to know of links."""

    @property
    def dead(self) -> NDArray[np.bool_]:
        """Pages that a fetch does not bring."""
        found = self.graph.dead
        return fixed(np.zeros(len(self.graph), np.bool_) if found is None else found)

    @property
    def rules(self) -> tuple[Any, ...]:
        """What every kernel with an entry per link wants after the links: seeds, budget, dead, the rules."""
        return fixed(self.seeds), self.budget, self.dead, self.tie, self.again, fixed(self.lots)


@dataclass(frozen=True, slots=True)
class Kernel:
    """A compiled twin of a strategy.

    Attributes
    ----------
    order : callable
        (strategy, ground) -> pages in the order they are visited. The strategy has been started.
    pages : mapping of callable
        What it must know of each page beyond R, I, G and C: (strategy, page) -> number.
    links : mapping of callable
        What it must know of each link: (strategy, page, link) -> number.
    """

    order: Callable[[Any, Ground], Ints]
    pages: Mapping[str, Callable[[Any, Page], float]] = field(default_factory=dict)
    links: Mapping[str, Callable[[Any, Page, Link], float]] = field(default_factory=dict)


@njit(cache=True, nogil=True)
def tie_key(rule: int, count: int, lots: Floats) -> float:
    """The tie key of the link found as number ``count``."""
    if rule == RANDOM:
        return lots[count]
    return float(count) if rule == FIFO else -float(count)


@njit(cache=True, nogil=True)
def takes(again: int, old: float, new: float) -> bool:
    """Whether a waiting link takes what a rediscovery brings; seeds, at infinity, never do."""
    if again == FIRST or np.isinf(old):
        return False
    return new > old if again == MAX else True
