"""A class's crawlers on one fresh web: hidden seeds, hidden topics, one row each, and a page to project."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import ChoiceLoader, Environment, PackageLoader

from focuslab.experiments.compare import BOUNDS, Comparison, compare, summarise
from focuslab.experiments.sandbox import Entry, Limits
from focuslab.experiments.trials import Factory
from focuslab.webs.synthetic import synthetic

__all__ = ["RIVALS", "Arena", "Ground", "arena"]

RIVALS = ("breadth_first", "best_first", "link_context", "shark_search", "adaptive")
"""Strategies of the lab that run beside the entries: they need nothing that an entry is not given."""
METRICS = ("area", "harvest")
COLUMNS = [
    "rank",
    "name",
    "ours",
    "area",
    "low",
    "high",
    "harvest",
    "of_oracle",
    "p",
    "milliseconds",
    "failed",
]
PAGES = Environment(
    loader=ChoiceLoader([PackageLoader("focuslab.experiments"), PackageLoader("focuslab.crawling.live")]),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)


@dataclass(frozen=True, slots=True)
class Ground:
    """What the entries crawl: a web that nobody has seen, and some of its topics."""

    seed: int
    """Draws the web, its topics and the starting pages; whoever knows it can repeat everything."""
    pages: int = 3_000
    topics: int = 6
    budget: int = 300

    @classmethod
    def fresh(cls, seed: int | None = None, **sizes: int) -> Ground:
        """A seed that nobody can guess, unless one is given to repeat an arena."""
        return cls(secrets.randbits(63) if seed is None else seed, **sizes)

    def drawn(self, topics: Sequence[str]) -> list[str]:
        """The hidden topics."""
        rng = np.random.default_rng([self.seed, 1])
        return [str(name) for name in rng.choice(topics, min(self.topics, len(topics)), replace=False)]


@dataclass(frozen=True, slots=True)
class Arena:
    """What came out.

    Attributes
    ----------
    table : DataFrame
        A row per entry and rival, best first: ``rank``, ``name``, ``ours``, ``area`` with ``low`` and
        ``high`` (95 % bootstrap interval over the topics), ``harvest``, ``of_oracle``, ``p`` (against
        best-first, Holm), ``milliseconds`` a page, and ``failed``, a sentence. Who failed has no rank.
    comparison : Comparison
        The crawls behind it.
    """

    table: pd.DataFrame
    comparison: Comparison
    ground: Ground

    def write(self, out: Path) -> Path:
        """The page to project, one file that needs no network; and the table as CSV."""
        out.mkdir(parents=True, exist_ok=True)
        self.table.to_csv(out / "arena.csv", index=False, float_format="%.6g")
        rows = self.table.replace({np.nan: None}).to_dict("records")
        style = PAGES.get_template("style.css").render()
        settings = self.comparison.settings
        page = PAGES.get_template("arena.html").render(
            rows=rows, style=style, ground=self.ground, topics=settings["topics"]
        )
        (out / "index.html").write_text(page, encoding="utf-8")
        return out / "index.html"

    def text(self) -> str:
        """The table for a terminal."""
        return "\n".join(_line(row) for row in self.table.to_dict("records"))


def _line(row: Mapping[Any, Any]) -> str:
    if row["failed"]:
        return f"   –  {row['name']:<20} {row['failed']}"
    place = "–" if np.isnan(row["rank"]) else f"{row['rank']:.0f}"
    star = "*" if row["p"] < 0.05 else " "
    score = f"{row['area']:.2f} [{row['low']:.2f}, {row['high']:.2f}] {star} harvest {row['harvest']:.2f}"
    cost = "" if np.isnan(row["milliseconds"]) else f"  {row['milliseconds']:.1f} ms a page"
    return f"{place:>4}  {row['name']:<20} {score}{cost}"


def arena(files: Sequence[Path], ground: Ground, limits: Limits | None = None) -> Arena:
    """Rank the strategies in these files against each other and some of the lab's.

    Every entry crawls each topic in a fresh process that holds no truth; see `focuslab.experiments.sandbox`.
    The score is the mean of coverage over the budget, judged by the web's truth. An entry that fails once is
    out, and its other crawls are not run.
    """
    taken = [path.stem for path in files if path.stem in (*RIVALS, *BOUNDS)]
    if taken or len({path.stem for path in files}) < len(files):
        raise ValueError(f"two entries of one name, {taken or 'in the folder'}; rename the file")
    web = synthetic(pages=ground.pages, seed=ground.seed)
    with ExitStack() as stack:
        entries = {path.stem: stack.enter_context(closing(Entry(path, limits or Limits()))) for path in files}
        field: dict[str, str | Factory] = {**{name: name for name in RIVALS}, **entries}
        to_find = [name for name in web.topics() if len(web.truth(name)) > len(web.topic(name).seeds)]
        topics = ground.drawn(to_find)
        found = compare(field, web, topics, budget=ground.budget, metrics=METRICS, jobs=1)
    return Arena(_ranked(found, entries), found, ground)


def _ranked(found: Comparison, entries: Mapping[str, Entry]) -> pd.DataFrame:
    """Who failed takes no part in the statistics either."""
    failed = {name: entry.failed for name, entry in entries.items() if entry.failed}
    runs = found.runs[~found.runs["strategy"].isin(list(failed))]
    fields = [*RIVALS, *(name for name in entries if name not in failed)]
    summary = summarise(runs, "best_first", tested=fields)
    harvest = summary[summary["metric"] == "harvest"].set_index("strategy")["mean"]
    table = summary[summary["metric"] == "area"].rename(columns={"strategy": "name", "mean": "area"})
    table = table.assign(
        rank=(~table["name"].isin(BOUNDS)).cumsum().where(~table["name"].isin(BOUNDS)),
        ours=~table["name"].isin(list(entries)),
        harvest=table["name"].map(harvest),
        p=table["p_holm"],
        milliseconds=[_milliseconds(entries.get(name)) for name in table["name"]],
        failed="",
    )
    out = pd.DataFrame([{"name": n, "ours": False, "failed": said} for n, said in sorted(failed.items())])
    return pd.concat([table, out], ignore_index=True)[COLUMNS]


def _milliseconds(entry: Entry | None) -> float:
    return 1e3 * float(np.median(entry.waits)) if entry else np.nan
