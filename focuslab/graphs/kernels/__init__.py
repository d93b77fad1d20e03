"""Compiled twins of strategies: they visit the same pages in the same order, on arrays.

One family, one file. A kernel belongs to the class of that name in `focuslab.strategies` and to no other: a
subclass that changes a rule runs on the generic loop. It may import what `focuslab.graphs` may. It must not
know how a graph was filled, nor any truth: only the oracle's kernel asks its strategy for that.
"""

from __future__ import annotations

from focuslab.graphs.kernels import cash, depth, discarding, fcrawl, fixed_scores, learning, pagerank, phrases
from focuslab.graphs.kernels.kernel import Ground, Kernel
from focuslab.strategies import all_strategies
from focuslab.types import Strategy

__all__ = ["KERNELS", "Ground", "Kernel", "kernel_of"]

KERNELS: dict[str, Kernel] = (
    fixed_scores.KERNELS
    | cash.KERNELS
    | depth.KERNELS
    | discarding.KERNELS
    | fcrawl.KERNELS
    | learning.KERNELS
    | pagerank.KERNELS
    | phrases.KERNELS
)
"""Kernels by the name of their strategy."""


def kernel_of(strategy: Strategy) -> Kernel | None:
    """The kernel of a strategy, where there is one for exactly its class."""
    ours = all_strategies().get(strategy.name) is type(strategy)
    return KERNELS.get(strategy.name) if ours else None
