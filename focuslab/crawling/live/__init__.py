"""Crawls of the real web: they keep to settings, record everything, and go on after a crash.

``live.crawl("topic.yaml", seeds=[...], out="crawl/", budget=1000, contact="you@example.org")`` makes a
folder, ``live.resume("crawl/")`` goes on with it. It may import what `focuslab.crawling` may. It must not
know any web of the lab or its truth, and it has no loop of its own.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from focuslab.crawling.live.session import CTRL_C, SIGTERM, Settings, crawl, resume

__all__ = ["CTRL_C", "SIGTERM", "Settings", "crawl", "resume"]


def __getattr__(name: str) -> Any:
    """Load a name at its first use: the process that only fetches needs no classifiers."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from focuslab.crawling.live import session

    return getattr(session, name)
