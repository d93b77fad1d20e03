"""How well genre and relevance of real pages are told, and what a page costs; prints one JSON line.

Run ``FOCUSLAB_DATA=<folder> python benchmarks/quality/classifiers.py``. The labels are one person's, who saw
digests of the pages; most pages came through filters that favour some of the features, and genre goes with
source and age. So accuracies are given by host, without the WebKB pages, and for the unfiltered draw on its
own. Relevance is cross-validated on subjects of Wikipedia for Schools, with each preset. Where it is timed,
the two largest languages of the genre pages stand in for two topics.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from focuslab import webs
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.classifiers.validation import Validation, splits
from focuslab.features.genre import genre_features
from focuslab.pages.parse import parse
from focuslab.pages.urls import host
from focuslab.types import GENRES, Page
from focuslab.webs.real_pages import genre_pages

Rows = list[dict[str, str]]
SEEDS = range(5)
SUBJECTS = ("Science.Physics", "Music", "History.British_History", "Religion", "IT")


def main() -> None:
    folder = os.environ.get("FOCUSLAB_DATA")
    if not folder:
        sys.exit("set FOCUSLAB_DATA to the folder that holds genre_pages.tar.xz")
    pages, rows = genre_pages(Path(folder))
    found = {"genre": genre(pages, rows), "relevance": relevance(), "microseconds": costs(pages, rows)}
    print(json.dumps({"benchmark": "classifiers", **found}))


def genre(pages: list[Page], rows: Rows) -> dict[str, Any]:
    modern = [row["source_set"] != "webkb" for row in rows]
    return {
        "plain": summary(pages, rows, groups=range(len(pages))),
        "by_host": summary(pages, rows),
        "by_host_without_webkb": summary(*chosen(pages, rows, modern)),
        "confusion_by_host": confusion(pages, rows),
        "unfiltered_only": unfiltered(pages, rows),
        "most_common_genre": max(share(rows, genre) for genre in GENRES),
    }


def summary(pages: list[Page], rows: Rows, groups: Sequence[int] | None = None) -> dict[str, float]:
    """Means over a few shuffles, and how far these lie apart."""
    labels = [row["genre"] for row in rows]
    found = [GenreClassifier(seed=s).cross_validate(pages, labels, groups=groups, seed=s) for s in SEEDS]
    return {"pages": len(pages), **figures(found)}


def confusion(pages: list[Page], rows: Rows) -> dict[str, list[int]]:
    """For each true genre, how many pages were told to be of each, in the order of the genres."""
    found = GenreClassifier(seed=0).cross_validate(pages, [row["genre"] for row in rows], seed=0)
    return dict(zip(GENRES, np.asarray(found.confusion).tolist(), strict=True))


def figures(found: list[Validation]) -> dict[str, float]:
    accuracies = [one.accuracy for one in found]
    return {
        "accuracy": round(float(np.mean(accuracies)), 4),
        "spread": round(float(np.std(accuracies)), 4),
        "macro_f1": round(float(np.mean([one.macro_f1 for one in found])), 4),
    }


def unfiltered(pages: list[Page], rows: Rows) -> dict[str, float]:
    """Accuracy on the random draw when tested by host; training pages are of every kind."""
    codes = np.array([GENRES.index(row["genre"]) for row in rows])
    drawn = np.array([row["note"].startswith("UNFILTERED") for row in rows])
    hosts = [host(page.url) for page in pages]
    found = []
    for seed in SEEDS:
        told = []
        for train, test in splits(codes, 5, seed, hosts):
            classifier = GenreClassifier(seed=seed)
            classifier.fit([pages[row] for row in train], [rows[row]["genre"] for row in train])
            test = test[drawn[test]]
            told.append(
                (codes[test], np.array([GENRES.index(classifier.predict(pages[row])[0]) for row in test]))
            )
        # One table for all folds: some hold few of these pages.
        found.append(Validation.of(GENRES, [tuple(map(np.concatenate, zip(*told, strict=True)))]))
    common = max(
        share([row for row, take in zip(rows, drawn, strict=True) if take], genre) for genre in GENRES
    )
    return {"pages": int(drawn.sum()), "most_common_genre": common, **figures(found)}


def relevance() -> dict[str, dict[str, Any]]:
    """Ten folds, training folds under-sampled as in the paper, on a subject and four times as many others."""
    web = webs.wikischools()
    found: dict[str, dict[str, Any]] = {}
    for subject in SUBJECTS:
        truth = web.truth(subject)
        others = [url for url in web.urls if not truth(url)]
        drawn = np.random.default_rng(0).choice(len(others), 4 * len(truth), replace=False)
        urls = [url for url in web.urls if truth(url)] + [others[place] for place in sorted(drawn)]
        pages, labels = [parse(web.fetch(url)) for url in urls], [truth(url) for url in urls]
        found[subject] = {"pages": len(pages), "relevant": sum(labels)}
        for preset in ("rungsawang_paper", "rungsawang_afsc"):
            found[subject][preset] = figures([RelevanceClassifier(preset).cross_validate(pages, labels)])
    return found


def chosen(pages: list[Page], rows: Rows, take: list[bool]) -> tuple[list[Page], Rows]:
    places = np.flatnonzero(take)
    return [pages[place] for place in places], [rows[place] for place in places]


def share(rows: Rows, genre: str) -> float:
    return round(float(np.mean([row["genre"] == genre for row in rows])), 4)


def costs(pages: list[Page], rows: Rows) -> dict[str, float]:
    """Median over the pages of the time for one of them."""
    labels = [row["genre"] for row in rows]
    vectors = [genre_features(page) for page in pages]
    mine = GenreClassifier().fit(pages, labels)
    theirs = RandomForestClassifier(100, max_features=4, random_state=0).fit(vectors, labels)
    return {
        "genre_features": each(genre_features, pages),
        "forest_walk": each(mine.forest_.probabilities, vectors),
        "forest_scikit_learn": each(lambda vector: theirs.predict_proba([vector]), vectors[:60]),
        "genre_predict": each(mine.predict, pages),
        **relevance_costs(*chosen(pages, rows, [row["language"] in ("en", "de") for row in rows])),
        "median_characters": float(np.median([len(page.text) for page in pages])),
        "median_links": float(np.median([len(page.links) for page in pages])),
    }


def relevance_costs(pages: list[Page], rows: Rows) -> dict[str, float]:
    labels = [row["language"] == "de" for row in rows]
    mine = RelevanceClassifier().fit(pages, labels)
    cut = RelevanceClassifier("rungsawang_afsc").fit(pages, labels)
    words = CountVectorizer(analyzer=mine.tokens)
    theirs = MultinomialNB().fit(words.fit_transform(pages), labels)
    tokens = [mine.tokens(page) for page in pages]
    return {
        "relevance_words": each(mine.tokens, pages),
        "relevance_score_of_words": each(lambda some: mine.probability(mine._odds(some)), tokens),
        "relevance_score": each(mine.score, pages),
        "relevance_score_afsc": each(cut.score, pages),
        "relevance_score_scikit_learn": each(
            lambda page: theirs.predict_proba(words.transform([page])), pages
        ),
        "median_words": float(np.median([len(some) for some in tokens])),
    }


def each(work: Callable[[Any], object], things: Sequence[Any], rounds: int = 5) -> float:
    """Median over the things of the best of a few rounds, in microseconds."""
    work(things[0])
    best = np.full(len(things), np.inf)
    for _ in range(rounds):
        for place, thing in enumerate(things):
            start = perf_counter()
            work(thing)
            best[place] = min(best[place], perf_counter() - start)
    return round(float(np.median(best) * 1e6), 1)


if __name__ == "__main__":
    main()
