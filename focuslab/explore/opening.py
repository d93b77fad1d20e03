"""What the report opens with: a race of three crawlers that can be played, without a server or a network."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from focuslab.explore.explorer import Explorer, explore
from focuslab.explore.panel import fragment
from focuslab.webs.synthetic import synthetic

__all__ = ["RACERS", "opening", "race"]

RACERS = ("best_first", "genre_enhanced", "adaptive")
"""Relevance alone; relevance and genre; and what learns on its way which of many signs to trust."""


def race(pages: int = 5_000, budget: int = 250, racers: Sequence[str] = RACERS) -> Explorer:
    """One race on the built-in web, from one set of seeds."""
    return explore(synthetic(pages=pages), "baseball", racers, budget=budget)


def opening(run: Explorer | None = None) -> Markup:
    """The race as the first section of the report's front page."""
    seen = race() if run is None else run
    names = [recording.name for recording in seen.recordings]
    crawlers = f"{len(names)} crawlers, the same seeds" if len(names) > 1 else "One crawler"
    words = Markup(
        "<h2>Watch them crawl</h2><p>{}, {} pages of {:,}: press play. "
        "Each dot is a page, each disc a host. Click a dot to see why it was fetched.</p>{}"
        '<p class="small">One race from one set of seeds, judged by the truth; seeds count as finds. '
        "The figures and the leaderboard have means over many.</p>"
    )
    pages = sum(host[4] for host in seen.scene["hosts"])
    shown = fragment(seen.kind, seen.portable(), seen.still(), seen.summary())
    return words.format(crawlers, max(map(len, seen.recordings)), pages, shown)
