"""A list of labelled addresses becomes trained classifiers, and a report on how good the list is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tqdm import tqdm

from focuslab.classifiers.assessor import Classifiers, train_classifiers
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.linear import LinearClassifier
from focuslab.classifiers.training.label_review import Review, review
from focuslab.classifiers.training.labels import Labelling
from focuslab.classifiers.validation import Validation
from focuslab.pages.parse import parse
from focuslab.types import GENRES, Example, Fetcher, Page

__all__ = ["Lesson", "teach"]

YES = ("relevant", "yes", "true", "1")
"""Labels that speak for themselves."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned: classifiers for a crawl, or a genre classifier alone, and how good they are."""

    model: Classifiers | GenreClassifier
    reviews: tuple[Review, ...]
    pages: int
    failed: tuple[tuple[str, str], ...]
    """Addresses that gave no page, and why."""

    def __str__(self) -> str:
        reasons = Counter(reason for _, reason in self.failed).most_common()
        why = ", ".join(f"{reason}: {count}" for reason, count in reasons)
        missing = f"; {len(self.failed)} more gave no page ({why})" if self.failed else ""
        return "\n\n".join([f"{self.pages} pages{missing}", *map(str, self.reviews)])


def teach(
    rows: Sequence[Labelling],
    fetcher: Fetcher,
    relevant: str = "",
    folds: int = 10,
    by_host: bool = False,
    seed: int = 0,
) -> Lesson:
    """Fetch the pages of a list, train on them, and review the list by cross-validation.

    Parameters
    ----------
    rows
        Addresses and labels, such as `labels.read_labels` gives. If the labels are genres, a genre classifier
        is trained; if there is a column of genres besides, both classifiers.
    fetcher
        Any web, an archive, a folder, or the network.
    relevant
        The label that means "relevant"; all others mean that a page is not. By default a label that says so
        itself (relevant, yes, true, 1).
    folds, by_host
        See `focuslab.classifiers.training.label_review.review`.
    seed
        Draws the folds and grows the forest.
    """
    genres_only = {row.label for row in rows} <= set(GENRES)
    wanted = "" if genres_only else _wanted(rows, relevant)
    kept, pages, failed = _fetched(rows, fetcher)
    if len(pages) < 4:
        reason = f", such as {failed[0][0]} ({failed[0][1]})" if failed else ""
        raise ValueError(f"{len(pages)} of {len(rows)} addresses gave a page{reason}; 4 are the least")
    how = (folds, by_host, seed)
    genres = [row.label if genres_only else row.genre for row in kept]
    if genres_only:
        genre = GenreClassifier(seed=seed).fit(pages, genres)
        return Lesson(genre, (_review_genre(pages, genres, *how),), len(pages), failed)
    truths = [row.label == wanted for row in kept]
    reviews = [_review_relevance(pages, truths, *how)]
    known = [(page, genre) for page, genre in zip(pages, genres, strict=True) if genre]
    if len({genre for _, genre in known}) > 1:
        reviews.append(_review_genre([page for page, _ in known], [genre for _, genre in known], *how))
    examples = [Example(*parts) for parts in zip(pages, truths, genres, strict=True)]
    return Lesson(train_classifiers(examples, seed=seed, preset="linear"), tuple(reviews), len(pages), failed)


def _wanted(rows: Sequence[Labelling], relevant: str) -> str:
    labels = list(dict.fromkeys(row.label for row in rows))
    found = [relevant] if relevant else [label for label in labels if label.lower() in YES]
    if not found or found[0] not in labels:
        asked = f"no page is labelled {relevant!r}" if relevant else "which label is the topic"
        raise ValueError(f"{asked}? Say --relevant with one of {', '.join(map(repr, labels[:8]))}")
    return found[0]


def _fetched(
    rows: Sequence[Labelling], fetcher: Fetcher
) -> tuple[list[Labelling], list[Page], tuple[tuple[str, str], ...]]:
    """Rows whose page came, the pages, and what failed."""
    kept, pages, failed = [], [], []
    for row in tqdm(rows, unit="page", leave=False):
        response = fetcher.fetch(row.url)
        page = parse(response) if response.ok else None
        if page and page.text.strip():
            kept.append(row)
            pages.append(page)
        else:
            said = "no text" if page else f"status {response.status}"
            failed.append((row.url, response.error.partition(":")[0] or said))
    return kept, pages, tuple(failed)


def _review_relevance(
    pages: Sequence[Page], truths: Sequence[bool], folds: int, by_host: bool, seed: int
) -> Review:
    def validate(folds: int, groups: Sequence[str] | None) -> Validation:
        return LinearClassifier().cross_validate(pages, truths, folds, seed=seed, groups=groups)

    labels = ["Relevant" if truth else "Irrelevant" for truth in truths]
    return review("relevance", pages, labels, validate, folds, by_host)


def _review_genre(
    pages: Sequence[Page], genres: Sequence[str], folds: int, by_host: bool, seed: int
) -> Review:
    def validate(folds: int, groups: Sequence[str] | None) -> Validation:
        apart = groups or range(len(pages))
        return GenreClassifier(seed=seed).cross_validate(pages, genres, folds, groups=apart, seed=seed)

    return review("genre", pages, genres, validate, folds, by_host)
