"""What several papers' experiments stand on: webs, trained classifiers, graphs; each made once a process."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from focuslab import webs
from focuslab.classifiers.assessor import Classifiers, train_classifiers
from focuslab.experiments.significance import bootstrap_mean
from focuslab.graphs.graph import WebGraph
from focuslab.webs.synthetic import SyntheticWeb

SEED = 7
EXAMPLES = 1_000


@lru_cache(maxsize=2)
def built_in(pages: int, links_per_page: float = 0.0) -> SyntheticWeb:
    """A built-in web."""
    return webs.synthetic(pages=pages, seed=SEED, links_per_page=links_per_page)


@lru_cache(maxsize=4)
def guide(pages: int, topic: str, preset: str = "rungsawang_paper", links: float = 0.0) -> Classifiers:
    """Classifiers trained on labelled pages of a sister web."""
    web = built_in(pages, links)
    task = web.topic(topic, seed=SEED)
    return train_classifiers(web.examples(topic, EXAMPLES, seed=SEED), task, seed=SEED, preset=preset)


@lru_cache(maxsize=2)
def whole(pages: int, topic: str, preset: str = "rungsawang_paper", links: float = 0.0) -> WebGraph:
    """All pages of a built-in web, assessed, with the truth beside."""
    web = built_in(pages, links)
    seeds = [*web.topic(topic, seed=SEED).seeds, *web.urls]
    classifiers = guide(pages, topic, preset, links)
    return WebGraph.crawl(web, seeds, classifiers, truth=web.truth(topic), true_genre=web.genre_of)


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


def summed(frame: pd.DataFrame, by: list[str], value: str) -> pd.DataFrame:
    """Mean and 95 % interval of a column, group by group, in the order of their first rows."""
    rows = []
    for key, group in frame.groupby(by, sort=False, dropna=False):
        low, high = bootstrap_mean(group[value])
        names = key if isinstance(key, tuple) else (key,)
        rows.append([*names, len(group), group[value].mean(), low, high])
    return pd.DataFrame(rows, columns=[*by, "n", "mean", "low", "high"])
