"""Genre by nine and by many features on the hand-labelled real pages; prints one JSON line.

Run ``FOCUSLAB_DATA=<folder> python benchmarks/quality/genre_rich.py``.

One person labelled the pages from digests, and most came through filters that favour some features, so four
numbers stand side by side: folds by host over all pages; of these, the pages that came through no filter;
training on filtered pages only and testing on the others; and every collection of pages tested with a
classifier that saw none of it, since genre and collection go together. Milliseconds are CPU time a page.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.validation import splits
from focuslab.features.genre import genre_features
from focuslab.features.genre_rich import rich_genre_features
from focuslab.pages.urls import host
from focuslab.types import GENRES, Page
from focuslab.webs.real_pages import genre_pages

SETS: dict[str, tuple[Callable[[Page], np.ndarray], int]] = {
    "nine": (genre_features, 4),
    "rich": (rich_genre_features, 8),
}
SEEDS = range(3)


class Known:
    """Features counted once; a fold looks them up."""

    def __init__(self, features: Callable[[Page], np.ndarray], pages: Iterable[Page]) -> None:
        self.vectors = {id(page): features(page) for page in pages}

    def __call__(self, page: Page) -> np.ndarray:
        return self.vectors[id(page)]


def tested(
    make: Callable[[], GenreClassifier],
    pages: list[Page],
    labels: list[str],
    folds: Iterable[tuple[np.ndarray, np.ndarray]],
) -> np.ndarray:
    """Whether each page was told right by a classifier that had not seen it; nan if it was in no test."""
    right = np.full(len(pages), np.nan)
    for train, test in folds:
        trained = make().fit([pages[i] for i in train], [labels[i] for i in train])
        right[test] = [trained.predict(pages[i])[0] == labels[i] for i in test]
    return right


def measure(name: str, pages: list[Page], rows: list[dict[str, str]]) -> dict[str, Any]:
    features, tried = SETS[name]
    start = time.process_time()
    known = Known(features, pages)
    milliseconds = 1e3 * (time.process_time() - start) / len(pages)
    labels, hosts = [row["genre"] for row in rows], [host(page.url) for page in pages]
    codes = np.array([GENRES.index(label) for label in labels])
    free = np.array([row["note"].startswith("UNFILTERED") for row in rows])
    sources = np.array([row["source_set"] for row in rows])

    def make() -> GenreClassifier:
        return GenreClassifier(features=known, max_features=tried)

    by_host = [tested(make, pages, labels, splits(codes, 5, seed, hosts)) for seed in SEEDS]
    away = [i for i in np.flatnonzero(~free) if hosts[i] not in {hosts[j] for j in np.flatnonzero(free)}]
    unseen = tested(make, pages, labels, [(np.array(away), np.flatnonzero(free))])
    apart = [
        (np.flatnonzero(sources != each), np.flatnonzero(sources == each)) for each in np.unique(sources)
    ]
    right = np.mean(by_host, axis=0)
    return {
        "features": len(known(pages[0])),
        "milliseconds": round(milliseconds, 3),
        "by_host": round(float(right.mean()), 3),
        "by_host_spread": round(float(np.std([each.mean() for each in by_host])), 3),
        "by_host_without_webkb": round(float(right[sources != "webkb"].mean()), 3),
        "by_host_unfiltered": round(float(right[free].mean()), 3),
        "filtered_to_unfiltered": round(float(np.nanmean(unseen)), 3),
        "other_collections": round(float(tested(make, pages, labels, apart).mean()), 3),
        "recall": {genre: round(float(right[codes == code].mean()), 2) for code, genre in enumerate(GENRES)},
    }


def main() -> None:
    folder = os.environ.get("FOCUSLAB_DATA", "")
    if not folder:
        sys.exit("real pages are absent: set FOCUSLAB_DATA to the folder that holds genre_pages.tar.xz")
    pages, rows = genre_pages(Path(folder))
    found = {name: measure(name, pages, rows) for name in SETS}
    print(json.dumps({"benchmark": "genre_rich", "pages": len(pages), "seeds": len(SEEDS), **found}))


if __name__ == "__main__":
    main()
