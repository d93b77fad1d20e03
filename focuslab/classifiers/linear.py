"""Is a page about the topic: weights of words that tell one kind of page from the other, chosen by trial."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.svm import LinearSVC

from focuslab.classifiers.page_vectors import readable, sigmoid
from focuslab.classifiers.svm import Platt, platt
from focuslab.classifiers.validation import Validation, balanced, splits
from focuslab.pages.text import words
from focuslab.types import Page

__all__ = ["LINEAR", "LinearClassifier"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Line = tuple[Floats, float]
"""A weight for each word, and what is added."""

LINEAR: dict[str, tuple[float, ...]] = {
    "logistic": (1, 10, 100),
    "svm": (0.1, 1, 10),
    "bayes": (0.01, 0.1, 1),
}
"""What is tried: costs of a logistic regression and of a linear SVM, smoothing of multinomial naive Bayes."""
TRIED_ON = 2_000
"""Pages that the choice is made on: with more, trying takes minutes and changes little (our choice)."""
NEAR = 0.02
"""Means that are nearer are taken for so far apart: then there was nothing to learn (our choice)."""
SHARP = 6.0
"""Log-odds for each distance between two means (our choice)."""
RARE_FROM = 100
"""Pages from which on a word must be on two of them to count (our choice)."""


class LinearClassifier:
    """Tf-idf and the best of several linear models, its sum turned into a probability by Platt's sigmoid.

    score = P(relevant) = 1 / (1 + exp(-(slope · (w·x + b) + shift))), x the tf-idf of the words of title
    and visible text: (1 + ln tf) · idf, of length 1. Logistic regression, a linear support vector machine
    and naive Bayes are tried with several settings on pages left out in turn; the one with the smallest
    log-loss there learns from all pages, and the sigmoid from those left-out values. Both kinds of pages
    weigh alike in training, however many there are of each.

    ``{"centroids": (at,)}``, alone, is for labels that are guesses: with v the mean of relevant pages less
    that of others, and x the place of v·d between its means on both kinds (0 and 1, each page left out of
    its own mean), the log-odds are 6 · (x - at).

    Parameters
    ----------
    models : mapping
        What to try, see `LINEAR`.
    folds : int
        Parts of the cross-validation.
    language : str
        Pages of any other language score 0, and are left out of training. Empty: any language.
    segmenter : callable
        (text, language) -> words.
    seed : int
        Draws the folds.

    Notes
    -----
    Ours, of well-known parts.
    A score costs a dictionary look-up for each different word.

    References
    ----------
    Joachims, T. "Text categorization with support vector machines: learning with many relevant features."
    ECML 1998. doi:10.1007/BFb0026683
    Platt, J. C. "Probabilistic outputs for support vector machines and comparisons to regularized likelihood
    methods." Advances in Large Margin Classifiers, 1999.
    Rocchio, J. J. "Relevance feedback in information retrieval." The SMART retrieval system, 1971.

    Examples
    --------
    >>> texts = ["game game score", "game console", "stock price", "price bank price"]
    >>> pages = [Page("http://a.example/", text=text) for text in texts]
    >>> trained = LinearClassifier().fit(pages, [True, True, False, False])
    >>> trained.score_text("a console game") > 0.5 > trained.score_text("the price of a bank")
    True
    """

    def __init__(
        self,
        models: Mapping[str, tuple[float, ...]] = LINEAR,
        folds: int = 4,
        language: str = "",
        segmenter: Callable[[str, str], list[str]] = words,
        seed: int = 0,
    ) -> None:
        if unknown := [name for name in models if name not in MODELS]:
            raise ValueError(f"no linear model named {unknown[0]!r}; try {', '.join(MODELS)}")
        self.models, self.folds, self.language = models, folds, language
        self.segmenter, self.seed = segmenter, seed

    def fit(self, pages: Sequence[Page], labels: Sequence[bool]) -> Self:
        """Learn from pages and whether each is relevant; what was learned before is forgotten."""
        pages, relevant = readable(pages, labels, self.language, least=1)
        return self._fit([self._tokens(page) for page in pages], relevant)

    def _fit(self, documents: Sequence[list[str]], relevant: Flags) -> Self:
        vocabulary, idf, rows = _weigh(documents)
        (weights, bias), fitted = self._learn(rows, relevant)
        self.bias_ = fitted.slope * bias + fitted.shift
        scaled, idfs = (fitted.slope * weights).tolist(), idf.tolist()
        self.words_ = {word: (scaled[place], idfs[place]) for word, place in vocabulary.items()}
        return self

    def score(self, page: Page) -> float:
        """Probability that the page is relevant."""
        if self.language and page.language != self.language:
            return 0.0
        return sigmoid(self._odds(self._tokens(page)))

    def score_text(self, text: str, language: str = "") -> float:
        """Probability that a piece of text is about the topic."""
        return sigmoid(self._odds(self.segmenter(text, language or self.language)))

    def strongest(self, count: int = 20) -> list[str]:
        """The words that speak most for the topic."""
        weigh = {word: weight * idf for word, (weight, idf) in self._trained().items()}
        return sorted(weigh, key=lambda word: (-weigh[word], word))[:count]

    def cross_validate(
        self,
        pages: Sequence[Page],
        labels: Sequence[bool],
        folds: int = 10,
        undersample: bool = False,
        seed: int = 0,
        groups: Sequence[Hashable] | None = None,
    ) -> Validation:
        """Train on all folds but one, test on that one, in turn; see `RelevanceClassifier`."""
        relevant = np.asarray(labels, dtype=bool)
        documents = [self._tokens(page) for page in pages]
        rng, found = np.random.default_rng(seed), []
        for train, test in splits(relevant, folds, seed, groups):
            train = train[balanced(relevant[train], rng)] if undersample else train
            fresh = LinearClassifier(self.models, self.folds, self.language, self.segmenter, self.seed)
            fresh._fit([documents[row] for row in train], relevant[train])
            guess = np.array([fresh._odds(documents[row]) > 0 for row in test])
            found.append((~relevant[test], ~guess))
        return Validation.of(("Relevant", "Irrelevant"), found)

    def _tokens(self, page: Page) -> list[str]:
        return self.segmenter(f"{page.title}\n{page.text}", page.language or self.language)

    def _learn(self, rows: csr_matrix, relevant: Flags) -> tuple[Line, Platt]:
        """The model that did best on what it had not seen, and its sigmoid."""
        if set(self.models) == {"centroids"}:  # they leave out themselves, and say where the line is
            self.model_ = "centroids"
            return _centroids(self.models["centroids"][0], rows, relevant), Platt(1.0, 0.0, 0.0)
        if min(relevant.sum(), (~relevant).sum()) < 2:  # nothing can be left out
            self.model_ = "logistic 10"
            return _logistic(10, rows, relevant), Platt(1.0, 0.0, 0.0)
        some = self._some(relevant)
        tried = [
            (platt(self._left_out(fit, rows[some], relevant[some]), relevant[some]), fit)
            for fit in self._candidates()
        ]
        fitted, best = min(tried, key=lambda each: each[0].loss)
        self.model_ = f"{best.func.__name__.strip('_')} {best.args[0]:g}"
        return best(rows, relevant), fitted

    def _candidates(self) -> Iterator[partial[Line]]:
        yield from (partial(MODELS[name], value) for name, values in self.models.items() for value in values)

    def _some(self, relevant: Flags) -> NDArray[np.intp]:
        """Rows to choose by: all, or as many of both kinds as there are, up to a number."""
        kinds = [np.flatnonzero(relevant == kind) for kind in (True, False)]
        rng, half = np.random.default_rng(self.seed), TRIED_ON // 2
        share = [max(half, TRIED_ON - len(other)) for other in reversed(kinds)]
        chosen = [rng.permutation(rows)[:most] for rows, most in zip(kinds, share, strict=True)]
        return np.sort(np.concatenate(chosen))

    def _left_out(self, fit: partial[Line], rows: csr_matrix, relevant: Flags) -> Floats:
        least = min(int(relevant.sum()), int((~relevant).sum()))
        values = np.empty(len(relevant))
        for train, test in splits(relevant, min(self.folds, least), self.seed):
            weights, bias = fit(rows[train], relevant[train])
            values[test] = rows[test] @ weights + bias
        return values

    def _odds(self, tokens: list[str]) -> float:
        known, total, square = self._trained(), 0.0, 0.0
        for word, count in Counter(tokens).items():
            if (pair := known.get(word)) is not None:
                size = (1.0 + math.log(count)) * pair[1]
                total += size * pair[0]
                square += size * size
        return self.bias_ + (total / math.sqrt(square) if square else 0.0)

    def _trained(self) -> dict[str, tuple[float, float]]:
        try:
            return self.words_
        except AttributeError:
            raise ValueError("this LinearClassifier has learned nothing yet; call fit first") from None


def _weigh(documents: Sequence[list[str]]) -> tuple[dict[str, int], Floats, csr_matrix]:
    """Each word's column and IDF, and a row for each document."""
    least = 2 if len(documents) >= RARE_FROM else 1
    vectorizer = TfidfVectorizer(analyzer=_as_it_is, sublinear_tf=True, min_df=least)
    try:
        rows = csr_matrix(vectorizer.fit_transform(documents))
    except ValueError:
        raise ValueError("the pages to train on have no words; check their text and language") from None
    return vectorizer.vocabulary_, vectorizer.idf_, rows


def _as_it_is(document: list[str]) -> list[str]:
    return document


def _logistic(cost: float, rows: csr_matrix, relevant: Flags) -> Line:
    return _line(LogisticRegression(C=cost, class_weight="balanced", solver="liblinear"), rows, relevant)


def _svm(cost: float, rows: csr_matrix, relevant: Flags) -> Line:
    return _line(LinearSVC(C=cost, class_weight="balanced", dual=True, random_state=0), rows, relevant)


def _line(model: Any, rows: csr_matrix, relevant: Flags) -> Line:
    model.fit(rows, relevant)
    return model.coef_[0], float(model.intercept_[0])


def _bayes(smoothing: float, rows: csr_matrix, relevant: Flags) -> Line:
    model = MultinomialNB(alpha=smoothing, fit_prior=False).fit(rows, relevant)
    return model.feature_log_prob_[1] - model.feature_log_prob_[0], 0.0


def _centroids(at: float, rows: csr_matrix, relevant: Flags) -> Line:
    """A line at a share of the way between the means of both kinds, which no page of its own has moved."""
    kinds = [rows[relevant], rows[~relevant]]
    sums = [np.asarray(kind.sum(axis=0)).ravel() for kind in kinds]
    counts = [kind.shape[0] for kind in kinds]
    yes, no = (mine / count for mine, count in zip(sums, counts, strict=True))
    # a page is of length 1, which is what it adds to the product with the sum of its own kind
    above = ((kinds[0] @ sums[0] - 1) / max(1, counts[0] - 1) - kinds[0] @ no).mean()
    below = (kinds[1] @ yes - (kinds[1] @ sums[1] - 1) / max(1, counts[1] - 1)).mean()
    scale = SHARP / max(above - below, NEAR)
    return scale * (yes - no), float(-scale * below - SHARP * at)


MODELS = {"logistic": _logistic, "svm": _svm, "bayes": _bayes, "centroids": _centroids}
