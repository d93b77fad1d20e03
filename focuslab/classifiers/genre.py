"""Which genre a page has, and how sure that is: a random forest on a few counted features."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Self

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

from focuslab.classifiers.forest import Forest
from focuslab.classifiers.validation import Validation, splits
from focuslab.features.genre import genre_features
from focuslab.pages.urls import host
from focuslab.types import GENRES, Page

__all__ = ["GenreClassifier"]


# Sums of leaf shares differ in the last bits by the order of the trees; that must not decide a tie.
TIE = 1e-12


class GenreClassifier:
    """Random forest over the features of a page.

    Parameters
    ----------
    genres : sequence of str
        The labels there are. Of equally probable ones the first wins.
    features : callable
        Page -> array of finite numbers; an attribute ``names`` names them in ``importances``.
    trees, max_features : int
        Size of the forest, and features tried at each split. The paper gives neither; these are Weka's
        defaults, int(log2(9) + 1) = 4 for nine features. Fewer features than that: all are tried.
    seed : int
        Decides the bootstrap samples and the features tried.

    References
    ----------
    J. Qian, T. Suebchua, H. Yamana. Enhancing focused crawler through genre detection, section 4.1.
    L. Breiman. Random forests. Machine Learning 45, 2001. doi:10.1023/A:1010933404324

    Examples
    --------
    >>> pages = [Page("http://a.example/", text="news " * n) for n in range(1, 9)]
    >>> pages += [Page("http://b.example/", images=n) for n in range(1, 9)]
    >>> GenreClassifier().fit(pages, ["News"] * 8 + ["Image"] * 8).predict(pages[5])
    ('News', 1.0)
    """

    def __init__(
        self,
        genres: Sequence[str] = GENRES,
        features: Callable[[Page], np.ndarray] = genre_features,
        trees: int = 100,
        max_features: int = 4,
        seed: int = 0,
    ) -> None:
        self.genres = genres
        self.features = features
        self.trees = trees
        self.max_features = max_features
        self.seed = seed

    def fit(self, pages: Sequence[Page], labels: Sequence[str]) -> Self:
        """Learn from pages and their genres; what was learned before is forgotten."""
        codes = self._codes(pages, labels)
        self.forest_, self.importances_ = self._grow(self._vectors(pages), codes)
        return self

    def predict(self, page: Page) -> tuple[str, float]:
        """The most probable genre, and its probability: G and C of the paper."""
        probabilities = self.probabilities(page)
        best = _first_best(probabilities)
        return self.genres[best], float(probabilities[best])

    def predict_rows(self, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Places of the most probable genres, and their probabilities, for rows of features."""
        shares = self._trained().probabilities_of_rows(vectors)
        best = (shares >= shares.max(axis=1, keepdims=True) - TIE).argmax(axis=1)
        return best, shares[np.arange(len(shares)), best]

    def probabilities(self, page: Page) -> np.ndarray:
        """Probability of each genre, in the order of ``genres``."""
        return self._trained().probabilities(self.features(page))

    def importances(self) -> pd.Series:
        """How much each feature helped the trees to tell genres apart; the sum is 1."""
        self._trained()
        names = getattr(self.features, "names", range(len(self.importances_)))
        return pd.Series(self.importances_, index=list(names), name="importance")

    def cross_validate(
        self,
        pages: Sequence[Page],
        labels: Sequence[str],
        folds: int = 5,
        groups: Sequence[Hashable] | None = None,
        seed: int = 0,
    ) -> Validation:
        """Train on all folds but one, test on that one, in turn; the classifier itself stays as it was.

        Pages of one group are never on both sides. Groups are hosts unless given, since pages of a site
        look alike; ``groups=range(len(pages))`` gives the plain folds of the paper.
        """
        codes, vectors = self._codes(pages, labels), self._vectors(pages)
        groups = [host(page.url) for page in pages] if groups is None else groups
        found = np.empty_like(codes)
        tests = []
        for train, test in splits(codes, folds, seed, groups):
            forest, _ = self._grow(vectors[train], codes[train])
            found[test] = [_first_best(forest.probabilities(vector)) for vector in vectors[test]]
            tests.append(test)
        return Validation.of(self.genres, ((codes[test], found[test]) for test in tests))

    def _grow(self, vectors: np.ndarray, codes: np.ndarray) -> tuple[Forest, np.ndarray]:
        tried = min(self.max_features, vectors.shape[1])
        model = RandomForestClassifier(self.trees, max_features=tried, random_state=self.seed)
        model.fit(vectors, codes)
        return Forest.of(model, len(self.genres)), model.feature_importances_

    def _codes(self, pages: Sequence[Page], labels: Sequence[str]) -> np.ndarray:
        if len(pages) != len(labels) or not len(pages):
            raise ValueError(
                f"{len(pages)} pages and {len(labels)} genre labels; give one label for each page"
            )
        places = {genre: place for place, genre in enumerate(self.genres)}
        if unknown := [label for label in labels if label not in places]:
            raise ValueError(f"no genre named {unknown[0]!r}; genres here are {', '.join(self.genres)}")
        return np.array([places[label] for label in labels])

    def _vectors(self, pages: Sequence[Page]) -> np.ndarray:
        vectors = np.array([self.features(page) for page in pages], dtype=np.float64)
        if not np.isfinite(vectors).all():
            row = int(np.argmin(np.isfinite(vectors).all(axis=1)))
            raise ValueError(f"features of {pages[row].url} are not all finite numbers; fix {self.features}")
        return vectors

    def _trained(self) -> Forest:
        try:
            return self.forest_
        except AttributeError:
            raise ValueError("this GenreClassifier has learned nothing yet; call fit first") from None


def _first_best(probabilities: np.ndarray) -> int:
    shares = probabilities.tolist()
    enough = max(shares) - TIE
    return next(place for place, share in enumerate(shares) if share >= enough)
