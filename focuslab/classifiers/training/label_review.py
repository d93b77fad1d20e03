"""How well labelled pages teach a classifier, and in words what a person could do about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from focuslab.classifiers.validation import Validation
from focuslab.pages.near_duplicates import near_duplicates
from focuslab.pages.urls import host
from focuslab.types import Page

__all__ = ["Review", "review"]

ENOUGH = 30
"""Pages of a label below which folds hold too few of them to say anything (our choice)."""
DOMINANT = 0.5
"""Share of a label's pages on one host from which that host may be what is learned (our choice)."""
CONFUSED = 0.2
"""Share of a label's pages taken for another label that is worth a word (our choice)."""
OFTEN = 0.05
"""Accuracy that may be lost from folds of pages to folds of hosts without a word (our choice)."""

Validate = Callable[[int, "Sequence[str] | None"], Validation]


@dataclass(frozen=True, slots=True)
class Review:
    """What cross-validation found, and what to do about it."""

    title: str
    validation: Validation
    by_host: bool
    common: float
    """Accuracy of always saying the most common label."""
    advice: tuple[str, ...]

    def __str__(self) -> str:
        folds = f"{len(self.validation.accuracies)} folds of {'hosts' if self.by_host else 'pages'}"
        table = self.validation.to_frame().round(2).to_string()
        told = "\n".join(f"- {line}" for line in self.advice) or "- nothing that was looked for"
        return (
            f"{self.title}: accuracy {self.validation.accuracy:.2f} in {folds}; "
            f"always the most common label: {self.common:.2f}\n{table}\nWhat to fix:\n{told}"
        )


def review(
    title: str,
    pages: Sequence[Page],
    labels: Sequence[str],
    validate: Validate,
    folds: int = 10,
    by_host: bool = False,
) -> Review:
    """Cross-validate, and look for what makes the result weak or too good to be true.

    Parameters
    ----------
    title
        What is being learned, such as "relevance".
    pages, labels
        The examples.
    validate
        ``validate(folds, groups)`` cross-validates the classifier; a group is never on both sides.
    folds
        As many folds, or fewer where a label has fewer pages, or there are fewer hosts.
    by_host
        Keep all pages of a host on one side.
    """
    counts = Counter(labels)
    if len(counts) < 2:
        raise ValueError(f"all {len(pages)} pages are labelled {labels[0]!r}; add pages of another label")
    hosts = [host(page.url) for page in pages]
    folds = max(2, min(folds, *counts.values(), *([len(set(hosts))] if by_host else [])))
    found = validate(folds, hosts if by_host else None)
    common = max(counts.values()) / len(pages)
    advice = [
        *_few(counts),
        *_alike(pages, labels, hosts if by_host else range(len(pages))),
        *_dominant(labels, hosts, by_host),
        *([] if by_host else _by_heart(found, hosts, folds, validate)),
        *_confused(found),
        *_useless(found, common),
    ]
    return Review(title, found, by_host, common, tuple(advice))


def _few(counts: Counter[str]) -> Iterator[str]:
    for label, count in sorted(counts.items()):
        if count < ENOUGH:
            yield f"only {count} pages are labelled {label!r}; label {ENOUGH} or more"


def _alike(pages: Sequence[Page], labels: Sequence[str], groups: Sequence[Hashable]) -> Iterator[str]:
    pairs = near_duplicates(pages)
    across = [pair for pair in pairs if groups[pair.first] != groups[pair.second]]
    apart = [pair for pair in pairs if labels[pair.first] != labels[pair.second]]
    if across:
        one, two = pages[across[0].first].url, pages[across[0].second].url
        yield (
            f"{len(across)} pairs of pages are nearly the same and may stand in different folds, which "
            f"flatters the accuracy; keep one of each, such as {one} or {two}"
        )
    if apart:
        first, second, _ = apart[0]
        yield (
            f"{len(apart)} pairs of pages are nearly the same but labelled differently; decide, as between "
            f"{pages[first].url} ({labels[first]}) and {pages[second].url} ({labels[second]})"
        )


def _dominant(labels: Sequence[str], hosts: Sequence[str], by_host: bool) -> Iterator[str]:
    remedy = "add pages of other hosts" if by_host else "add pages of other hosts, and fold by host"
    for label in sorted(set(labels)):
        mine = Counter(name for name, said in zip(hosts, labels, strict=True) if said == label)
        top, count = max(mine.items(), key=lambda item: (item[1], item[0]))
        total = sum(mine.values())
        if count / total > DOMINANT and count > 1:
            yield f"{top} has {count} of the {total} pages labelled {label!r}; {remedy}"


def _by_heart(found: Validation, hosts: Sequence[str], folds: int, validate: Validate) -> Iterator[str]:
    """A classifier that knows hosts by heart does worse on hosts it has not seen."""
    sites = len(set(hosts))
    if sites < 2 or sites == len(hosts):
        return
    try:
        strict = validate(min(folds, sites), hosts).accuracy
    except ValueError:  # some fold would leave one label only to train on
        yield "some label is on one or two hosts only, so that folds by host are impossible; add hosts"
        return
    if found.accuracy - strict > OFTEN:
        yield (
            f"on hosts it has not seen accuracy is {strict:.2f} instead of {found.accuracy:.2f}: "
            "it learns hosts; add more of them, and believe the lower number"
        )


def _confused(found: Validation) -> Iterator[str]:
    table = np.array(found.confusion)
    for row, truth in enumerate(found.labels):
        total = int(table[row].sum())
        for column, taken in enumerate(found.labels):
            if row != column and total and table[row, column] / total > CONFUSED:
                yield (
                    f"{table[row, column]} of the {total} pages labelled {truth!r} are taken for {taken!r}; "
                    "look at some of both: are the labels clear, is a page of each kind missing?"
                )


def _useless(found: Validation, common: float) -> Iterator[str]:
    if found.accuracy <= common:
        yield "the classifier is no better than always saying the most common label; more or clearer labels"
