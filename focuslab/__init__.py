"""focuslab: published focused crawlers side by side, on one loop, on the same web.

The public names are loaded when they are used, so that ``import focuslab`` costs nothing.
"""

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from focuslab import strategies, webs
    from focuslab.classifiers.assessor import Classifiers, train_classifiers
    from focuslab.crawling import live
    from focuslab.crawling.frontier import Frontier
    from focuslab.crawling.log import CrawlLog
    from focuslab.crawling.loop import crawl
    from focuslab.experiments import metrics, plots
    from focuslab.experiments.compare import compare
    from focuslab.explore.explorer import explore
    from focuslab.graphs.graph import WebGraph
    from focuslab.pages.parse import parse
    from focuslab.types import Assessment, Link, Page, Proposal, Response, Strategy, Task, Topic, Truth, Visit

__all__ = [
    "Assessment",
    "Classifiers",
    "CrawlLog",
    "Frontier",
    "Link",
    "Page",
    "Proposal",
    "Response",
    "Strategy",
    "Task",
    "Topic",
    "Truth",
    "Visit",
    "WebGraph",
    "compare",
    "crawl",
    "explore",
    "live",
    "metrics",
    "parse",
    "plots",
    "strategies",
    "train_classifiers",
    "webs",
]

# A bar of plain text is what we want where no widgets are installed; nobody need be told in a lesson.
warnings.filterwarnings("ignore", message="IProgress not found")

_ROOMS = {
    "explore": "",
    "live": "crawling.",
    "metrics": "experiments.",
    "plots": "experiments.",
    "strategies": "",
    "webs": "",
}
"""Public names that are modules, by the room they stand in."""
_HOMES = {
    "Classifiers": "classifiers.assessor",
    "CrawlLog": "crawling.log",
    "Frontier": "crawling.frontier",
    "WebGraph": "graphs.graph",
    "compare": "experiments.compare",
    "crawl": "crawling.loop",
    "parse": "pages.parse",
    "train_classifiers": "classifiers.assessor",
}
"""Where the other public names are; those that are not here are words of the vocabulary, in `types`."""


def __getattr__(name: str) -> Any:
    """Load a public name at its first use (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _ROOMS:
        value: Any = import_module(f"{__name__}.{_ROOMS[name]}{name}")
    else:
        value = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'types')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
