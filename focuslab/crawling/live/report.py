"""``report.html`` of a live crawl: what it found, where, why it stopped, and what it left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from focuslab.crawling.live.watch import harvest_svg
from focuslab.crawling.log import CrawlLog
from focuslab.fetchers.failures import Reason

__all__ = ["reasons", "write_report"]

# Whatever a page says of itself is escaped: it can show, but not act.
PAGES = Environment(
    loader=PackageLoader("focuslab.crawling.live"), autoescape=True, trim_blocks=True, lstrip_blocks=True
)
TOP = 100


def write_report(path: Path, log: CrawlLog) -> None:
    """Write the report as one file that needs no network."""
    style = Markup(PAGES.get_template("style.css").render())
    page = PAGES.get_template("crawl.html").render(style=style, top=TOP, **_facts(log))
    path.write_text(page, encoding="utf-8", errors="replace")


def reasons(log: CrawlLog) -> list[tuple[str, int, str, str]]:
    """Why links brought no page: reason, how often, what that means, and an example."""
    counts: Counter[str] = Counter()
    example: dict[str, str] = {}
    for failure in log.failures:
        reason = failure.reason.partition(":")[0]
        counts[reason] += 1
        example.setdefault(reason, failure.link.url)
    found = [(name, times, Reason.meaning_of(name), example[name]) for name, times in counts.most_common()]
    dropped = {
        "capped": "their site had its share of pages",
        "too_deep": "too far from any seed",
        "out_of_scope": "where the crawl was not to go",
    }
    return found + [
        (name, int(log.settings[name]), why, "") for name, why in dropped.items() if log.settings.get(name)
    ]


def _facts(log: CrawlLog) -> dict[str, Any]:
    frame = log.frame
    relevant = frame.relevant.astype(bool) if len(frame) else pd.Series(dtype=bool)
    listed = frame[relevant & ~frame.noindex.astype(bool)] if len(frame) else frame
    best = listed.sort_values(["relevance", "step"], ascending=[False, True]).head(TOP)
    best = best.assign(title=best.title.map(_printable))
    hosts = (
        frame.groupby("host").agg(pages=("url", "size"), relevant=("relevant", "sum"))
        if len(frame)
        else frame
    )
    return {
        "settings": log.settings,
        "pages": len(frame),
        "relevant": int(relevant.sum()),
        "unlisted": int(relevant.sum()) - len(listed),
        "curve": Markup(harvest_svg(relevant.cumsum().astype(int).tolist())),
        "best": best.to_dict("records"),
        "genres": bool((best.genre != "").any()),
        "hosts": hosts.sort_values("pages", ascending=False).head(TOP).reset_index().to_dict("records")
        if len(frame)
        else [],
        "host_count": len(hosts),
        "reasons": reasons(log),
        "failures": len(log.failures),
    }


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text).strip()
