"""See a crawler think: crawls that step, play and answer questions, in notebooks and as plain files.

What is shown was recorded by the one crawl loop; nothing is crawled differently for being looked at. It may
import every other room but the command line. It must not change a crawl, and nothing of it needs a network.
The room can be called: ``explore(web, "baseball")`` is `focuslab.explore.explorer.explore`.

Each is one line at the end of a cell::

    from focuslab import explore

    explore(web, "baseball", ["best_first", "adaptive"], budget=300, seed=SEED)   # crawls side by side
    explore(log, truth=truth)                        # any log; logs side by side: explore([log, other])
    explore.explain(log, url)                        # why this page was fetched when it was
    explore.confusion_lab(examples, "genre", folds=5, seed=SEED)   # or "relevance"; each cell opens its pages
    explore.weight_lab({"baseball": graph, "gaming": other})       # or one WebGraph; a slider for w_R
    explore.label(pages, "labels.csv")               # label by hand, the most uncertain page first

Alive in JupyterLab; a notebook that is executed to be compared stores a summary in words, which is the same
on every machine, and for crawls a still picture. A cell run again shows what was looked at before: the step,
the page, sliders and labels; crawls asked for in the panel itself are not kept, for the cell's words hold.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from focuslab.explore.confusion import confusion_lab
    from focuslab.explore.explanation import explain
    from focuslab.explore.explorer import explore
    from focuslab.explore.label_desk import label
    from focuslab.explore.weights import weight_lab

__all__ = ["confusion_lab", "explain", "explore", "label", "weight_lab"]

_HOMES = {
    "confusion_lab": "confusion",
    "explain": "explanation",
    "explore": "explorer",
    "label": "label_desk",
    "weight_lab": "weights",
}


def __getattr__(name: str) -> Any:
    """Load a public name at its first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


class _Callable(ModuleType):
    """A room whose name is also what one does in it."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return __getattr__("explore")(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
