"""Labels of people for a sample of what crawls fetched: drawn by crawl, labelled blind, with an interval.

::

    sample = Sample.draw({"best_first": log, "adaptive": other}, each=50, seed=7)
    explore.label([parse(web.fetch(url)) for url in sample.urls], "labels.csv")  # blind: no word of any crawl
    sample.harvest(read_labels("labels.csv"))

or, without a notebook, ``sample.write("labels.csv")`` and any spreadsheet.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd

from focuslab.classifiers.training.labels import Labelling
from focuslab.experiments.significance import Interval
from focuslab.pages.urls import canonical

__all__ = ["Sample", "wilson"]

RELEVANT = "relevant"
Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


@dataclass(frozen=True)
class Sample:
    """Pages drawn from several crawls, the same number from each."""

    drawn: Mapping[str, tuple[str, ...]]
    """By crawl. A page that several drew is labelled once and counts for each."""
    fetched: Mapping[str, int]
    """How many pages each crawl fetched."""
    seed: int = 0

    @classmethod
    def draw(cls, logs: Mapping[str, Any], each: int = 50, seed: int = 0) -> Self:
        """Draw evenly from the pages of each crawl, without repeats.

        Parameters
        ----------
        logs
            CrawlLogs, or their frames, by a name such as the strategy's.
        each
            Pages of each crawl; all of them if there are fewer.
        """
        rng = np.random.default_rng(seed)
        frames = {name: getattr(log, "frame", log) for name, log in logs.items()}
        pages = {name: list(dict.fromkeys(frame["url"])) for name, frame in frames.items()}
        empty = [name for name, urls in pages.items() if not urls]
        if empty or each < 1:
            what = f"from {empty[0]}" if empty else f"with each={each}"
            raise ValueError(f"nothing to draw {what}; give crawls with pages, and each=50")
        drawn = {name: _some(urls, each, rng) for name, urls in pages.items()}
        return cls(drawn, {name: len(urls) for name, urls in pages.items()}, seed)

    @property
    def urls(self) -> list[str]:
        """What is to be labelled, in an order that tells nothing of the crawls."""
        distinct = sorted({url for urls in self.drawn.values() for url in urls})
        order = np.random.default_rng([self.seed, 1]).permutation(len(distinct))
        return [distinct[place] for place in order]

    def write(self, file: str | Path) -> None:
        """A CSV with an empty label for each page, for a person to fill in: relevant, or anything else."""
        with Path(file).open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([("url", "label"), *((url, "") for url in self.urls)])

    def harvest(self, labels: Iterable[Labelling], relevant: str = RELEVANT) -> pd.DataFrame:
        """The share of relevant pages of each crawl, with a 95 % interval.

        Pages without a label are left out, and counted. Columns: crawl, fetched, labelled, unlabelled,
        harvest, low, high.
        """
        said = {canonical(row.url) or row.url: row.label == relevant for row in labels}
        if not said.keys() & set(self.urls):
            raise ValueError("none of the labels is of a page in this sample; label the file it wrote")
        rows = [self._row(crawl, urls, said) for crawl, urls in self.drawn.items()]
        return pd.DataFrame(rows).set_index("crawl")

    def _row(self, crawl: str, urls: Sequence[str], said: Mapping[str, bool]) -> dict[str, Any]:
        hits = [said[url] for url in urls if url in said]
        low, high = wilson(sum(hits), len(hits))
        return {
            "crawl": crawl,
            "fetched": self.fetched[crawl],
            "labelled": len(hits),
            "unlabelled": len(urls) - len(hits),
            "harvest": sum(hits) / len(hits) if hits else math.nan,
            "low": low,
            "high": high,
        }


def wilson(hits: int, trials: int) -> Interval:
    """The score interval of a share, at 95 %: it holds for small samples and shares near 0 and 1.

    References
    ----------
    Wilson, E. B. "Probable inference, the law of succession, and statistical inference." Journal of the
    American Statistical Association 22(158), 209-212, 1927. doi:10.1080/01621459.1927.10502953

    Examples
    --------
    >>> low, high = wilson(10, 20)
    >>> round(low, 3), round(high, 3)
    (0.299, 0.701)
    """
    if not trials:
        return Interval(math.nan, math.nan)
    share, square = hits / trials, Z * Z / trials
    middle = (share + square / 2) / (1 + square)
    reach = Z / (1 + square) * math.sqrt(share * (1 - share) / trials + square / (4 * trials))
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))


def _some(urls: Sequence[str], most: int, rng: np.random.Generator) -> tuple[str, ...]:
    return tuple(urls[place] for place in rng.permutation(len(urls))[:most])
