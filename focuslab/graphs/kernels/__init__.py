"""Compiled twins of strategies: they visit the same pages in the same order, on arrays.

One family, one file. A kernel belongs to the class of that name in `focuslab.strategies`, and to subclasses
that change nothing but the rules of the frontier: one that redefines anything else runs on the generic loop.
It may import what `focuslab.graphs` may. It must not know how a graph was filled, nor any truth: only the
oracle's kernel asks its strategy for that.
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


_KEPT = {"name", "frontier", "_abc_impl", "_is_protocol"}
"""What a subclass may define and keep the kernel: the frontier's rules reach every kernel as data."""


def kernel_of(strategy: Strategy) -> Kernel | None:
    """The kernel of a strategy, where there is one for its class but for the rules of the frontier."""
    known = all_strategies()
    for kind in type(strategy).__mro__:
        if (name := vars(kind).get("name")) and known.get(name) is kind:
            return KERNELS.get(name)
        if not _own(kind) <= _KEPT:
            return None
    return None


def _own(kind: type) -> set[str]:
    """What a class says itself: `typing` copies an inherited constructor into a class at first use."""
    inherited = [vars(base).get("__init__") for base in kind.__mro__[1:]]
    return {
        key
        for key, value in vars(kind).items()
        if not key.startswith("__") or (key == "__init__" and value not in inherited)
    }
