"""Confusion and features: each cell opens its pages, and a threshold moves precision and recall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.classifiers.validation import splits
from focuslab.explore.panel import Panel
from focuslab.explore.still import still_of_confusion
from focuslab.features.genre import FEATURES, genre_features
from focuslab.pages.urls import host
from focuslab.types import Example

__all__ = ["ConfusionLab", "confusion_lab"]

WORDS = 40
FARTHEST = 1e3
"""Log-odds of a page that is not read at all: JSON knows no infinity."""
LABELS = ("relevant", "not relevant")


class ConfusionLab(Panel):
    """Labelled pages and what a classifier that had not seen them says of each."""

    kind = "confusion"

    def __init__(
        self, title: str, labels: Sequence[str], threshold: float, rows: list[dict[str, Any]]
    ) -> None:
        self.scene = {
            "title": title,
            "labels": list(labels),
            "threshold": threshold,
            "binary": tuple(labels) == LABELS,
            "features": FEATURES,
            "rows": rows,
        }

    def summary(self) -> str:
        """The counts at the usual threshold."""
        rows = self.scene["rows"]
        right = sum(row["truth"] == row["found"] for row in rows)
        head = f"{self.scene['title']}: {right} of {len(rows)} right ({right / len(rows):.2f})"
        lines = [
            f"{truth}: "
            + ", ".join(
                f"{sum(r['truth'] == truth and r['found'] == found for r in rows)} as {found}"
                for found in self.scene["labels"]
            )
            for truth in self.scene["labels"]
        ]
        return "\n".join([head, *lines])

    def still(self) -> bytes:
        """The matrix as a PNG."""
        return still_of_confusion(self.scene)


def confusion_lab(
    examples: Sequence[Example], what: str = "relevance", folds: int = 5, seed: int = 0
) -> ConfusionLab:
    """See which pages a classifier takes for what.

    Parameters
    ----------
    examples : sequence of Example
        Labelled pages. Each is judged by a classifier trained on the other folds; a host is in one fold only.
    what : {"relevance", "genre"}
        Which classifier. The threshold is on the log-odds of R, or on the confidence in the genre.
    """
    if what not in ("relevance", "genre"):
        raise ValueError(f"no classifier named {what!r}; try relevance, genre")
    kept = [each for each in examples if what == "relevance" or each.genre]
    if len(kept) < folds:
        raise ValueError(f"{len(kept)} labelled pages are too few for {folds} folds; give more of them")
    judged = _relevance(kept, folds, seed) if what == "relevance" else _genre(kept, folds, seed)
    labels = LABELS if what == "relevance" else tuple(dict.fromkeys(each.genre for each in kept))
    rows = [
        {"truth": truth, "found": found, "score": round(score, 4), **_told(each)}
        for each, (truth, found, score) in zip(kept, judged, strict=True)
    ]
    return ConfusionLab(f"{what} of {len(rows)} pages, {folds} folds of hosts", labels, 0.0, rows)


def _relevance(examples: Sequence[Example], folds: int, seed: int) -> list[tuple[str, str, float]]:
    pages, truths = [each.page for each in examples], np.array([each.relevant for each in examples])
    odds = np.zeros(len(pages))
    for train, test in splits(truths, folds, seed, [host(page.url) for page in pages]):
        model = RelevanceClassifier().fit([pages[row] for row in train], truths[train].tolist())
        odds[test] = [np.clip(model.log_odds(pages[row]), -FARTHEST, FARTHEST) for row in test]
    return [
        (LABELS[int(not truth)], LABELS[int(value <= 0)], float(value))
        for truth, value in zip(truths, odds, strict=True)
    ]


def _genre(examples: Sequence[Example], folds: int, seed: int) -> list[tuple[str, str, float]]:
    pages, genres = [each.page for each in examples], [each.genre for each in examples]
    codes = np.unique(genres, return_inverse=True)[1]
    found = [("", "", math.nan)] * len(pages)
    for train, test in splits(codes, folds, seed, [host(page.url) for page in pages]):
        model = GenreClassifier(tuple(dict.fromkeys(genres)), seed=seed)
        model.fit([pages[row] for row in train], [genres[row] for row in train])
        for row in test.tolist():
            found[row] = (genres[row], *model.predict(pages[row]))
    return found


def _told(example: Example) -> dict[str, Any]:
    page = example.page
    return {
        "url": page.url,
        "title": page.title[:120],
        "text": " ".join(page.text.split()[:WORDS]),
        "features": genre_features(page).astype(int).tolist(),
    }
