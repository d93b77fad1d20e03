"""Which link next: one paper, one file; what two of them share starts with ``_`` and is not walked.

A strategy sees visits and scores links; this page only walks the folder, so that a new file is all a new one
needs. It may import pages, features and classifiers. It must not know fetchers, webs, the truth or
each other.
"""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, cast

from focuslab.types import Strategy, Task


@cache
def all_strategies() -> dict[str, type[Strategy]]:
    """Every strategy of the lab by name, in alphabetical order."""
    modules = (
        import_module(f"{__name__}.{module.name}")
        for module in iter_modules(__path__)
        if not module.name.startswith("_")
    )
    found = [
        cast(type[Strategy], value)
        for module in modules
        for value in vars(module).values()
        if inspect.isclass(value) and value.__module__ == module.__name__ and hasattr(value, "propose")
    ]
    return {strategy.name: strategy for strategy in sorted(found, key=lambda each: each.name)}


def make(name: str, task: Task, **parameters: Any) -> Strategy:
    """Build a strategy by name for a task, with the classifiers and examples the task brings."""
    known = all_strategies()
    if name not in known:
        raise ValueError(f"no strategy named {name!r}; try {', '.join(known)}")
    return known[name].from_task(task, **parameters)
