"""``log.explain`` for a browser: the path from the seed, the terms of the score, the rank, the verdict."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from markupsafe import Markup

from focuslab.crawling.log import CrawlLog

__all__ = ["Explanation", "explain"]


class Explanation(str):
    """Why a page was fetched when it was: words, which a notebook shows as a list."""

    _html: Markup

    def __new__(cls, words: str, html: Markup) -> Explanation:
        made = super().__new__(cls, words)
        made._html = html
        return made

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return str(self._html)


def explain(log: CrawlLog, url: str) -> Explanation:
    """Say why this URL was fetched when it was; printed, it is what `CrawlLog.explain` says.

    Everything a page or a link says is escaped, and no address is a link.
    """
    words = log.explain(url)
    frame = log.frame.set_index("url", drop=False)
    hops = [_hop(frame.loc[[step]].iloc[0]) for step in log.path(url)]
    first, *_, taken, verdict = words.splitlines()
    html = Markup("<p>{}</p><ol>{}</ol><p>{}</p><p>{}</p>")
    return Explanation(words, html.format(first, Markup("").join(hops), taken, verdict))


def _hop(row: pd.Series) -> Markup:
    if not row["parent"] or math.isinf(row["score"]):
        return Markup("<li><code>{}</code> (seed)</li>").format(row["url"])
    terms = Markup("").join(_term(str(name), value) for name, value in row.items())
    text = Markup("<li><code>{}</code><br>step {}, anchor “{}”, score {:.3f}{}</li>")
    shown = Markup("<table><tbody>{}</tbody></table>").format(terms) if terms else ""
    return text.format(row["url"], row["step"], row["anchor"], row["score"], shown)


def _term(name: str, value: Any) -> Markup:
    if not name.startswith("term_") or pd.isna(value):
        return Markup("")
    row = Markup("<tr><th scope=row>{}</th><td>{:.3f}</td></tr>")
    return row.format(name.removeprefix("term_"), value)
