"""The classifiers as the crawl sees them: a page goes in, R, I, G and C come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.linear import LinearClassifier
from focuslab.classifiers.relevance import RELEVANT, RelevanceClassifier
from focuslab.features.passages import score_texts
from focuslab.types import GENRES, Assessment, Example, Page, Topic

__all__ = ["Classifiers", "train_classifiers"]

PER_GENRE = 100


class Relevance(Protocol):
    """What is asked of a relevance classifier."""

    def score(self, page: Page) -> float: ...

    def score_text(self, text: str, language: str = "") -> float: ...


class Genre(Protocol):
    """What is asked of a genre classifier."""

    def predict(self, page: Page) -> tuple[str, float]: ...


@dataclass(frozen=True, slots=True)
class Classifiers:
    """A trained relevance classifier and, if there is one, a genre classifier.

    With a ``language``, pages of any other score 0; their links are followed all the same.
    """

    relevance: Relevance
    genre: Genre | None = None
    language: str = ""

    def assess(self, page: Page) -> Assessment:
        """Relevance of the page, whether that is enough, its genre and how sure that is."""
        foreign = self.language and page.language != self.language
        relevance = 0.0 if foreign else self.relevance.score(page)
        genre, confidence = self.genre.predict(page) if self.genre else ("", 0.0)
        return Assessment(relevance, relevance > RELEVANT, genre, confidence)

    def score_text(self, text: str, language: str = "") -> float:
        """Relevance of a piece of text, such as the words around a link."""
        return self.relevance.score_text(text, language or self.language)

    def score_texts(self, texts: Sequence[str], language: str = "") -> Sequence[float]:
        """The same of several texts at once."""
        return score_texts(self.relevance, texts, language or self.language)


def train_classifiers(
    examples: Sequence[Example],
    topic: Topic | None = None,
    seed: int = 0,
    preset: str = "rungsawang_paper",
    genre: bool | Genre = True,
) -> Classifiers:
    """Train both classifiers on labelled pages.

    Parameters
    ----------
    examples : sequence of Example
        Those with a genre train the genre classifier too, at most 100 of each as in the paper.
    topic : Topic, optional
        Its language, if it names one, is the only one that can be relevant.
    seed : int
        Draws the pages of each genre and grows the forest.
    preset : str
        See `RelevanceClassifier`, the paper's; "linear" is `LinearClassifier`, the guide of live crawls.
    genre : bool or trained genre classifier
        False: no genres. There are none either if the examples show fewer than two.
    """
    language = topic.language if topic else ""
    pages, truths = [e.page for e in examples], [e.relevant for e in examples]
    relevance: Relevance = (
        LinearClassifier(language=language, seed=seed).fit(pages, truths)
        if preset == "linear"
        else RelevanceClassifier(preset, language=language).fit(pages, truths)
    )
    if isinstance(genre, bool):
        genres = _train_genre(examples, seed) if genre else None
        return Classifiers(relevance, genres, language)
    return Classifiers(relevance, genre, language)


def _train_genre(examples: Sequence[Example], seed: int) -> GenreClassifier | None:
    chosen = _up_to(PER_GENRE, examples, np.random.default_rng(seed))
    if len({example.genre for example in chosen}) < 2:
        return None
    return GenreClassifier(seed=seed).fit([e.page for e in chosen], [e.genre for e in chosen])


def _up_to(count: int, examples: Sequence[Example], rng: np.random.Generator) -> list[Example]:
    """At most ``count`` examples of each genre, drawn by ``rng``."""
    chosen: list[Example] = []
    for genre in dict.fromkeys((*GENRES, *[e.genre for e in examples if e.genre])):
        some = [example for example in examples if example.genre == genre]
        rows = rng.permutation(len(some))[:count]
        chosen += [some[row] for row in sorted(rows)]
    return chosen
