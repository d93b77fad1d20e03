"""Label pages by hand, the most uncertain first, and see what the classifier is worth so far."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.classifiers.training.labels import Labelling, read_labels
from focuslab.explore.page_card import weighed
from focuslab.explore.panel import Panel
from focuslab.types import GENRES, Page

__all__ = ["LABELS", "LabelDesk", "label"]

LABELS = ("relevant", "not")
WORDS = 120
FOLDS = 5
POINTS = 20
"""Points of the learning curve that are computed when labels are read from a file."""


class LabelDesk(Panel):
    """Pages to label, and the CSV that holds the labels.

    Attributes
    ----------
    labels : dict
        The labelling of each URL, in the order in which they were given.
    curve : list of (labels, accuracy)
        How right the classifier was after so many labels.
    """

    kind = "desk"

    def __init__(
        self, pages: Sequence[Page], path: str | Path, truth: Callable[[str], bool] | None = None
    ) -> None:
        self.pages, self.path, self._truth = {page.url: page for page in pages}, Path(path), truth
        if not self.pages:
            raise ValueError("no pages to label; give parsed pages, such as those of a crawl")
        found = read_labels(self.path) if self.path.exists() else []
        self.labels = {row.url: row for row in found}
        self._model: RelevanceClassifier | None = None
        self.curve: list[tuple[int, float]] = []
        self._catch_up()

    @property
    def scene(self) -> dict[str, Any]:  # type: ignore[override]
        """What is on the desk now."""
        page = self.next()
        known = [row.label for row in self.labels.values()]
        return {
            "page": self._shown(page) if page else None,
            "genres": GENRES,
            "counts": {name: known.count(name) for name in LABELS},
            "labelled": len(self.labels),
            "pages": len(self.pages),
            "curve": [list(point) for point in self.curve],
            "judge": "the truth, on pages not labelled" if self._truth else f"{FOLDS} folds of the labels",
            "file": self.path.name,
        }

    def summary(self) -> str:
        """How many labels there are, and how right the classifier is."""
        right = f"; accuracy {self.curve[-1][1]:.2f} by {self.scene['judge']}" if self.curve else ""
        counts = ", ".join(f"{count} {name}" for name, count in self.scene["counts"].items())
        return f"{len(self.labels)} of {len(self.pages)} pages labelled: {counts}{right}"

    def answer(self, ask: str, about: Mapping[str, Any]) -> dict[str, Any]:
        """Take a label, or take the last one back; then the next page."""
        if ask == "label":
            self.give(str(about["url"]), str(about["label"]), str(about.get("genre", "")))
        elif ask == "back":
            self.take_back()
        elif ask != "look":
            return super().answer(ask, about)
        return self.scene

    def give(self, url: str, name: str, genre: str = "") -> None:
        """Label a page, and write the file."""
        if url not in self.pages:
            raise ValueError(f"{url} is not on this desk; it has {len(self.pages)} other pages")
        if name not in LABELS:
            raise ValueError(f"no label named {name!r}; try {', '.join(LABELS)}")
        if genre and genre not in GENRES:
            raise ValueError(f"no genre named {genre!r}; try {', '.join(GENRES)}")
        self.labels[url] = Labelling(url, name, genre)
        self._write()
        self._learn()
        self._measure(len(self.labels))

    def take_back(self) -> None:
        """Forget the label given last."""
        if not self.labels:
            raise ValueError("no page is labelled yet, so there is nothing to take back")
        self.labels.popitem()
        self.curve = [point for point in self.curve if point[0] <= len(self.labels)]
        self._write()
        self._learn()

    def next(self) -> Page | None:
        """The page whose label would teach most: the classifier is least sure of it; None: all are labelled.

        Until both labels were given, pages come in their own order.
        """
        open_pages = [page for url, page in self.pages.items() if url not in self.labels]
        if self._model is None or not open_pages:
            return open_pages[0] if open_pages else None
        doubts = [abs(self._model.log_odds(page)) for page in open_pages]
        return open_pages[int(np.argmin(doubts))]

    def _shown(self, page: Page) -> dict[str, Any]:
        text, weights = weighed(page.text, _Guide(self._model) if self._model else None, page.language, WORDS)
        guess = self._model.score(page) if self._model else None
        return {"url": page.url, "title": page.title, "text": text, "weights": weights, "guess": guess}

    def _learn(self) -> None:
        self._model = self._taught(list(self.labels.values()))

    def _taught(self, rows: Sequence[Labelling]) -> RelevanceClassifier | None:
        mine = [row for row in rows if row.url in self.pages]
        truths = [row.label == LABELS[0] for row in mine]
        return RelevanceClassifier().fit(self._of(mine), truths) if len(set(truths)) == 2 else None

    def _of(self, rows: Sequence[Labelling]) -> list[Page]:
        return [self.pages[row.url] for row in rows]

    def _catch_up(self) -> None:
        """The learning curve of labels that were given before, at some points."""
        self._learn()
        count = len(self.labels)
        for size in np.unique(np.linspace(2, count, min(POINTS, max(count, 1))).astype(int)).tolist():
            self._measure(size)

    def _measure(self, size: int) -> None:
        rows = [row for row in list(self.labels.values())[:size] if row.url in self.pages]
        right = self._right_by_truth(rows) if self._truth else self._right_by_folds(rows)
        if right is not None:
            self.curve = [point for point in self.curve if point[0] != size] + [(size, round(right, 4))]

    def _right_by_folds(self, rows: Sequence[Labelling]) -> float | None:
        truths = [row.label == LABELS[0] for row in rows]
        folds = min(FOLDS, sum(truths), len(truths) - sum(truths))
        if folds < 2:
            return None
        return RelevanceClassifier().cross_validate(self._of(rows), truths, folds, undersample=False).accuracy

    def _right_by_truth(self, rows: Sequence[Labelling]) -> float | None:
        model, known = self._taught(rows), {row.url for row in rows}
        rest = [page for url, page in self.pages.items() if url not in known]
        if model is None or not rest or self._truth is None:
            return None
        return float(np.mean([(model.score(page) > 0.5) == self._truth(page.url) for page in rest]))

    def _write(self) -> None:
        """The whole file anew, and only then in place of the old one."""
        fresh = self.path.with_name(f"{self.path.name}.new")
        with fresh.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerows([("url", "label", "genre"), *self.labels.values()])
        fresh.replace(self.path)


class _Guide:
    """A relevance classifier alone, as what colours words expects it."""

    def __init__(self, relevance: RelevanceClassifier) -> None:
        self.relevance = relevance


def label(
    pages: Sequence[Page], path: str | Path = "labels.csv", truth: Callable[[str], bool] | None = None
) -> LabelDesk:
    """Label pages by hand: R relevant, N not, 1 to 5 the genre, U takes the last label back.

    Parameters
    ----------
    pages : sequence of Page
        What to choose from, such as ``[visit.page for visit in visits]``.
    path
        The CSV that ``focuslab train`` reads. It is written after every label, and read first if it is
        there, so that nothing is lost when the cell is run again.
    truth : callable, optional
        Who draws the learning curve: with it, how right the classifier is on pages not labelled; without, how
        right it is in cross-validation.
    """
    return LabelDesk(pages, path, truth)
