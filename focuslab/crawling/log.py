"""The record of a crawl: one row per fetch, and in words why a page was fetched when it was."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Self

import pandas as pd
from tqdm import tqdm

from focuslab.crawling.loop import Crawl, Failure
from focuslab.fetchers.failures import Reason
from focuslab.pages.urls import host
from focuslab.types import Visit

ORDER_OF_TIES = {
    "fifo": "the one found first went first",
    "lifo": "the one found last went first",
    "random": "drawn by lot",
}


class CrawlLog:
    """What happened in a crawl, as a pandas frame with one row per fetched page.

    Attributes
    ----------
    settings : dict
        Topic, strategy, seed, tie rule and the rest, to be named under every figure.
    failures : list of Failure
        Links that brought no page.
    """

    def __init__(
        self, rows: list[dict[str, Any]], settings: Mapping[str, Any], failures: Iterable[Failure] = ()
    ) -> None:
        self._rows = rows
        self.settings = dict(settings)
        self.failures = list(failures)

    @classmethod
    def record(cls, visits: Iterable[Visit], budget: int | None = None, *, progress: bool = False) -> Self:
        """Run a crawl until ``budget`` pages are fetched or none is left, and keep the record."""
        chosen = islice(visits, budget)
        rows = [
            _row(visit)
            for visit in (tqdm(chosen, total=budget, unit="page", leave=False) if progress else chosen)
        ]
        if isinstance(visits, Crawl):
            visits.close()
            return cls(rows, visits.settings, visits.failures)
        return cls(rows, {})

    def add(self, visit: Visit) -> None:
        """Keep one more row; the frame is made of those there are when it is first asked for."""
        self._rows.append(_row(visit))

    def rows(self) -> list[dict[str, Any]]:
        """A copy of the rows so far."""
        return list(self._rows)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row per fetch, in order; the terms of each score are the columns ``term_…``."""
        return pd.DataFrame(self._rows, columns=None if self._rows else list(COLUMNS))

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def captured(self) -> float:
        """Share of the addresses tried that the web had anything of: below 1 in an archive only."""
        missed = sum(Reason.NOT_CAPTURED.explains(failure.reason) for failure in self.failures)
        return 1 - missed / max(1, len(self) + len(self.failures))

    def beyond(self, seeds: Iterable[str], budget: int | None = None) -> Self:
        """The same crawl without the pages it was given to start from, and no longer than ``budget``."""
        given = frozenset(seeds)
        found = (row for row in self._rows if row.get("asked", row["url"]) not in given)
        return type(self)(list(islice(found, budget)), self.settings, self.failures)

    @cached_property
    def _by_url(self) -> dict[str, dict[str, Any]]:
        """Rows by the URL that was asked for, and by the one that answered."""
        answered = {row["url"]: row for row in self._rows}
        return {row["asked"]: row for row in self._rows} | answered

    def path(self, url: str) -> list[str]:
        """The URLs that led from a seed to this one, the seed first."""
        steps: list[str] = []
        while url:
            row = self._row_of(url)
            steps.append(row["url"])
            url = row["parent"]
        return steps[::-1]

    def explain(self, url: str) -> str:
        """Say in words why this URL was fetched when it was."""
        row = self._row_of(url)
        lines = [f"{row['url']} was fetched as page {row['step']} of {len(self)}."]
        lines += ["The path from the seed:"]
        lines += [f"  {i}. {_hop(self._row_of(step))}" for i, step in enumerate(self.path(url), 1)]
        lines += [f"When it was taken: {self._rank(row)}."]
        lines += [f"Its own assessment: {_verdict(row)}."]
        return "\n".join(lines)

    def to_parquet(self, path: str | Path) -> None:
        """Write the frame, with the settings beside it in the file's own metadata."""
        frame = self.frame.copy()
        frame.attrs = {"focuslab": json.dumps(self.settings)}
        frame.to_parquet(path)

    @classmethod
    def from_parquet(cls, path: str | Path) -> Self:
        """Read what `to_parquet` wrote (failures are not part of it)."""
        frame = pd.read_parquet(path)
        rows = [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]
        return cls(rows, json.loads(frame.attrs.get("focuslab", "{}")))

    def _row_of(self, url: str) -> dict[str, Any]:
        try:
            return self._by_url[url]
        except KeyError:
            raise KeyError(f"{url} was not fetched in this crawl; log.frame.url lists what was") from None

    def _rank(self, row: dict[str, Any]) -> str:
        if math.isinf(row["score"]):
            return "seeds go before everything else"
        place = "best" if row["rank"] == 1 else f"number {row['rank']}, better ones waiting for their host,"
        among = f"{place} of {row['waiting'] + 1:,} waiting links"
        if not row["ties"]:
            return f"{among}, alone with its score"
        rule = ORDER_OF_TIES.get(str(self.settings.get("tie")), "by the tie rule")
        return f"{among}, its score shared by {row['ties']:,} more; {rule}"


COLUMNS = (
    "step",
    "url",
    "asked",
    "parent",
    "host",
    "anchor",
    "depth",
    "score",
    "rank",
    "ties",
    "waiting",
    "status",
    "bytes",
    "seconds",
    "title",
    "language",
    "relevance",
    "relevant",
    "genre",
    "confidence",
)


def _row(visit: Visit) -> dict[str, Any]:
    link, response, page, judged = visit.link, visit.response, visit.page, visit.assessment
    values = (
        visit.step,
        response.url,
        link.url,
        link.source,
        host(response.url),
        link.anchor,
        visit.depth,
        visit.score,
        visit.rank,
        visit.ties,
        visit.waiting,
        response.status,
        len(response.body),
        response.seconds,
        page.title,
        page.language,
        judged.relevance,
        judged.relevant,
        judged.genre,
        judged.confidence,
    )
    terms = {f"term_{name}": value for name, value in visit.terms.items()}
    return dict(zip(COLUMNS, values, strict=True)) | terms


def _hop(row: dict[str, Any]) -> str:
    if not row["parent"]:
        return f"{row['url']} (seed)"
    terms = ", ".join(
        f"{key.removeprefix('term_')} {value:.3f}"
        for key, value in row.items()
        if key.startswith("term_") and pd.notna(value)
    )
    made = f" = from {terms}" if terms else ""
    return (
        f"{row['url']} (step {row['step']}, score {row['score']:.3f}{made}, anchor {_safe(row['anchor'])!r})"
    )


def _verdict(row: dict[str, Any]) -> str:
    verdict = "relevant" if row["relevant"] else "not relevant"
    genre = f", genre {row['genre']} ({row['confidence']:.2f})" if row["genre"] else ""
    return f"relevance {row['relevance']:.3f}, {verdict}{genre}, title {_safe(row['title'])!r}"


def _safe(text: str, most: int = 60) -> str:
    """Words of a page, without control characters that could reach a terminal."""
    kept = "".join(char if char.isprintable() else " " for char in text)
    return kept if len(kept) <= most else kept[: most - 1] + "…"
