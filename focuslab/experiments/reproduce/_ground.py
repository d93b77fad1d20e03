"""What several papers' experiments stand on: webs, what was read of them, trained classifiers, graphs.

A web is read once for all experiments that name it (`Experiment.webs`): into a folder that worker processes
share, and that is gone when the command is done, so that no old reading can stand in for a new one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from focuslab import webs
from focuslab.classifiers.assessor import Classifiers, train_classifiers
from focuslab.experiments.significance import bootstrap_mean
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.judging import Judged
from focuslab.graphs.read_web import read
from focuslab.graphs.reading import Reading
from focuslab.graphs.spread import Workers
from focuslab.pages.parse import CONTEXT_WORDS, parse
from focuslab.types import Topic
from focuslab.webs.synthetic import SyntheticWeb

SEED = 7
EXAMPLES = 1_000
_shelf: list[Path] = []
"""The folder of readings, while experiments run."""


@lru_cache(maxsize=2)
def built_in(pages: int, **options: Any) -> SyntheticWeb:
    """A built-in web; options: arguments of `focuslab.webs.synthetic`."""
    return webs.synthetic(pages=pages, seed=SEED, **options)


@lru_cache(maxsize=4)
def guide(pages: int, topic: str, preset: str = "rungsawang_paper", **options: Any) -> Classifiers:
    """Classifiers trained on labelled pages of a sister web."""
    web = built_in(pages, **options)
    task = web.topic(topic, seed=SEED)
    return train_classifiers(web.examples(topic, EXAMPLES, seed=SEED), task, seed=SEED, preset=preset)


@contextmanager
def shelf(place: Path | None = None) -> Iterator[Path]:
    """Keep readings in a folder for as long as this lasts; without a place, in one that is gone then."""
    before = list(_shelf)
    with TemporaryDirectory(prefix="focuslab-") as fresh:
        _shelf[:] = [place or Path(fresh)]
        try:
            yield _shelf[0]
        finally:
            _shelf[:] = before


def reading(pages: int, jobs: int | None = 1, context_words: int = CONTEXT_WORDS, **options: Any) -> Reading:
    """All pages of a built-in web, read once: from the shelf, if another process has put it there."""
    names = [f"{name}-{value}" for name, value in sorted(options.items())]
    named = "_".join([str(pages), str(context_words), *names])
    folder = _shelf[0] / named if _shelf else None
    web = built_in(pages, **options)
    if folder and not (folder / "reading.json").is_file():
        return read(web, folder, jobs=Workers(jobs), parse=partial(parse, context_words=context_words))
    return Reading(folder, web) if folder else _read_alone(pages, context_words, **options)


@lru_cache(maxsize=2)
def _read_alone(pages: int, context_words: int, **options: Any) -> Reading:
    return read(built_in(pages, **options), jobs=1, parse=partial(parse, context_words=context_words))


@lru_cache(maxsize=2)
def whole(pages: int, topic: str, preset: str = "rungsawang_paper", **options: Any) -> WebGraph:
    """All pages of a built-in web, assessed, with the truth beside."""
    web = built_in(pages, **options)
    graph = Judged.of(reading(pages, **options), guide(pages, topic, preset, **options)).graph
    return graph.judge_by(web.truth(topic), web.genre_of)


class FromPortals:
    """A web whose topics start from portals: of the pages about something else those with the most links.

    Wang et al. start from portals, de Assis et al. from pages that are not relevant. Another seed draws other
    pages among the fifty largest (our choice).
    """

    def __init__(self, web: SyntheticWeb, count: int = 7, among: int = 50) -> None:
        self.web, self.count, self.among = web, count, among

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "web" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.web, name)

    def __len__(self) -> int:
        return len(self.web)

    def topic(self, name: str, seed: int = 0, count: int = 0) -> Topic:
        """The task of the web, from other seeds."""
        task, likely = self.web.topic(name, seed), self.web.core & (self.web.field != self._number(name))
        links = np.where(likely & ~self.web.relevant(name), np.diff(self.web.indptr), -1)
        largest = np.argsort(-links, kind="stable")[: self.among]
        rng = np.random.default_rng([SEED, self._number(name), seed])
        chosen = rng.choice(largest, count or self.count, replace=False)
        return replace(task, seeds=tuple(self.web.url(page) for page in chosen.tolist()))

    def _number(self, name: str) -> int:
        return self.web.topics().index(name)


def padded(curve: ArrayLike, length: int) -> NDArray[np.bool_]:
    """Hits up to a length: a crawl that ran dry finds nothing more."""
    hits = np.asarray(curve, dtype=np.bool_)[:length]
    return np.concatenate([hits, np.zeros(length - len(hits), np.bool_)])


def spelled(values: ArrayLike, percent: bool = True) -> str:
    """A mean and its 95 % interval over the values, in words."""
    found = np.asarray(values, dtype=np.float64)
    low, high = bootstrap_mean(found)
    if percent:
        return f"{found.mean():.1%} [{low:.1%}, {high:.1%}]"
    return f"{found.mean():.2f} [{low:.2f}, {high:.2f}]"


def surely_above_0(gaps: ArrayLike) -> bool:
    """Whether the 95 % interval of the mean lies above 0."""
    return bool(bootstrap_mean(gaps).low > 0)


def summed(frame: pd.DataFrame, by: list[str], value: str) -> pd.DataFrame:
    """Mean and 95 % interval of a column, group by group, in the order of their first rows."""
    rows = []
    for key, group in frame.groupby(by, sort=False, dropna=False):
        low, high = bootstrap_mean(group[value])
        names = key if isinstance(key, tuple) else (key,)
        rows.append([*names, len(group), group[value].mean(), low, high])
    return pd.DataFrame(rows, columns=[*by, "n", "mean", "low", "high"])
