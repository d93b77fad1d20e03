"""Pages and texts as TF-IDF vectors of length 1: what the SVM and the neural network read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from focuslab.types import Page

__all__ = ["PageVectors", "Sparse", "readable", "sigmoid"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Sparse(NamedTuple):
    """Where a vector is not zero, and what it is there."""

    places: NDArray[np.integer]
    weights: Floats


class PageVectors:
    """The words of some pages with their IDF, and any page or text as a vector over them.

    A word weighs tf · (1 + ln((1 + N) / (1 + df))), vectors have length 1, and words that were never seen
    are ignored. Title and visible text count; the anchors are part of the text (all our choice).

    Parameters
    ----------
    pages : iterable of Page
        Where words and IDF come from; their vectors are the attribute ``rows``.
    segmenter : callable
        (text, language) -> words.
    language : str
        Of texts that do not know their own.
    """

    def __init__(
        self, pages: Iterable[Page], segmenter: Callable[[str, str], list[str]], language: str = ""
    ) -> None:
        self.segmenter, self.language = segmenter, language
        counts = [Counter(self._words(page)) for page in pages]
        pages_with = Counter(word for count in counts for word in count)
        if not pages_with:
            raise ValueError("the pages to train on have no words; check their text and language")
        self.places = {word: place for place, word in enumerate(sorted(pages_with))}
        self.idf = {word: 1 + math.log((1 + len(counts)) / (1 + pages_with[word])) for word in self.places}
        self.rows = self._stacked([self._vector(count) for count in counts])

    def __len__(self) -> int:
        return len(self.places)

    def of_page(self, page: Page) -> Sparse:
        """The vector of a page."""
        return self._vector(Counter(self._words(page)))

    def of_text(self, text: str, language: str = "") -> Sparse:
        """The vector of a piece of text."""
        return self._vector(Counter(self.segmenter(text, language or self.language)))

    def of_counts(
        self, places: NDArray[np.int32], counts: NDArray[np.int32], starts: NDArray[np.int64]
    ) -> Iterator[Sparse]:
        """Vectors of many texts, given how often each has the words, in ascending order of their places."""
        weighed = counts * np.array([*self.idf.values()])[places]
        for first, last in pairwise(starts.tolist()):
            weights = weighed[first:last]
            yield Sparse(places[first:last], weights / (math.sqrt(weights @ weights) or 1.0))

    def _words(self, page: Page) -> list[str]:
        return self.segmenter(f"{page.title}\n{page.text}", page.language or self.language)

    def _vector(self, counts: Counter[str]) -> Sparse:
        known = [
            (self.places[word], count * self.idf[word]) for word, count in counts.items() if word in self.idf
        ]
        known.sort()  # sums must not depend on the order of words
        weights = np.array([weight for _, weight in known])
        length = math.sqrt(weights @ weights)
        return Sparse(np.array([place for place, _ in known], dtype=np.intp), weights / (length or 1.0))

    def _stacked(self, vectors: Sequence[Sparse]) -> csr_matrix:
        starts = np.cumsum([0, *(len(vector.places) for vector in vectors)])
        places, weights = (np.concatenate(parts) for parts in zip(*vectors, strict=True))
        return csr_matrix((weights, places, starts), shape=(len(vectors), len(self)))


def readable(
    pages: Sequence[Page], labels: Sequence[bool], language: str = "", least: int = 2
) -> tuple[list[Page], Flags]:
    """The pages to learn from and which of them are relevant; pages in other languages are left out."""
    if not len(pages):
        raise ValueError("no pages to train on; give some of both kinds, relevant and irrelevant")
    truths = np.asarray(labels)
    if truths.shape != (len(pages),) or truths.dtype.kind not in "bui":
        raise ValueError(f"{len(pages)} pages need as many labels, each True or False; got {truths.shape}")
    rows = [row for row, page in enumerate(pages) if not language or page.language == language]
    relevant = truths[rows].astype(bool)
    yes, no = int(relevant.sum()), int((~relevant).sum())
    if min(yes, no) < least:
        where = f" in {language!r}" if language else ""
        raise ValueError(
            f"training needs {least} pages of each kind; {yes} relevant and {no} irrelevant are here{where}"
        )
    return [pages[row] for row in rows], relevant


def sigmoid(x: float) -> float:
    """1 / (1 + exp(-x)), for any size of x."""
    small = math.exp(-abs(x))
    return (1.0 if x >= 0 else small) / (1.0 + small)
