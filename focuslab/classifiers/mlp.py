"""Is a page about the topic: a small neural network on TF-IDF."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from focuslab.classifiers.page_vectors import PageVectors, Sparse, readable, sigmoid
from focuslab.classifiers.term_sets import normalised
from focuslab.types import Page

__all__ = ["NeuralClassifier"]


class NeuralClassifier:
    """One layer of a few hidden nodes (tanh) between the words and the probability.

    Parameters
    ----------
    hidden : int
        Hidden nodes. Four did best in the study of Pant and Srinivasan, as de Assis et al. report.
    decay : float
        How strongly large weights are held down (our choice).
    rounds : int
        Times the pages are gone through at most (our choice).
    rate : float
        Learning rate of the optimiser, Adam (our choice; the study's 0.1 is of plain back-propagation).
    language : str
        Pages of any other language score 0, and are left out of training. Empty: any language.
    segmenter : callable
        (text, language) -> words. Default: without case, accents and stop words.
    seed : int
        Draws the weights to start from and the order of the pages.

    References
    ----------
    Guan, Z., Wang, C., Chen, C., Bu, J. and Wang, J. "Guide focused crawler efficiently and effectively
    using on-line topical importance estimation." SIGIR 2008.
    Pant, G. and Srinivasan, P. "Learning to crawl: comparing classification schemes." ACM Transactions on
    Information Systems 23(4), 430-462, 2005.
    """

    def __init__(
        self,
        hidden: int = 4,
        decay: float = 0.3,
        rounds: int = 40,
        rate: float = 0.02,
        language: str = "",
        segmenter: Callable[[str, str], list[str]] = normalised,
        seed: int = 0,
    ) -> None:
        self.hidden, self.decay, self.rounds, self.rate = hidden, decay, rounds, rate
        self.language, self.segmenter, self.seed = language, segmenter, seed

    def fit(self, pages: Sequence[Page], labels: Sequence[bool]) -> Self:
        """Learn from pages and whether each is relevant; what was learned before is forgotten."""
        pages, relevant = readable(pages, labels, self.language)
        self.vectors_ = PageVectors(pages, self.segmenter, self.language)
        network = MLPClassifier(
            (self.hidden,),
            "tanh",
            alpha=self.decay,
            learning_rate_init=self.rate,
            max_iter=self.rounds,
            random_state=self.seed,
        )
        with warnings.catch_warnings():
            # To stop early is no fault here: it holds the weights down as well.
            warnings.simplefilter("ignore", ConvergenceWarning)
            network.fit(self.vectors_.rows, relevant)
        self.layers_ = tuple(zip(network.coefs_, network.intercepts_, strict=True))
        return self

    def score(self, page: Page) -> float:
        """Probability that the page is relevant."""
        if self.language and page.language != self.language:
            return 0.0
        return self._probability(self._trained().of_page(page))

    def score_text(self, text: str, language: str = "") -> float:
        """Probability that a piece of text is about the topic."""
        return self._probability(self._trained().of_text(text, language))

    def score_rows(
        self, places: NDArray[np.int32], counts: NDArray[np.int32], starts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """The scores of many pages, given how often each has words of the vocabulary, in ascending order."""
        vectors = self._trained().of_counts(places, counts, starts)
        return np.fromiter(map(self._probability, vectors), np.float64, len(starts) - 1)

    def _probability(self, vector: Sparse) -> float:
        """Only the words of the page are looked at, whatever the size of the vocabulary."""
        (words, bias), (out, shift) = self.layers_
        nodes = np.tanh(vector.weights @ words[vector.places] + bias)
        return sigmoid(float(nodes @ out[:, 0] + shift[0]))

    def _trained(self) -> PageVectors:
        try:
            return self.vectors_
        except AttributeError:
            raise ValueError("this NeuralClassifier has learned nothing yet; call fit first") from None
