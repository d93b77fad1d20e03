"""Bayesian linear regression, one example at a time: a Gaussian belief about every weight."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from focuslab.classifiers.online_belief import Belief

__all__ = ["OnlineRegression"]

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]


@cache
def arithmetic() -> Any:
    """`focuslab.classifiers.online_belief`, when a crawl needs it: its compiler takes a while to load."""
    return import_module("focuslab.classifiers.online_belief")


class OnlineRegression:
    """Predicts an outcome from a few signals and many words; learns in constant time.

    y = w·x + (sum of the weights of the words) + noise. The belief about the signals' weights is exact
    (a full covariance matrix); words are believed independent of each other and of the signals, so that
    a word costs two numbers. There is no learning rate: a weight moves as far as it is uncertain.

    Parameters
    ----------
    mean : array
        What the weights of the signals are before anything was seen.
    variance : float
        How uncertain that is.
    words : int
        How many word numbers there are; number 0 stands for no word.
    word_variance : float
        How uncertain the weights of words are, all 0 at first.
    noise : float
        Variance of outcomes around their expectation.

    References
    ----------
    C. M. Bishop. Pattern Recognition and Machine Learning, section 3.3. Springer, 2006.
    Independent words: T. Graepel, J. Quiñonero Candela, T. Borchert, R. Herbrich. Web-scale Bayesian
    click-through rate prediction for sponsored search advertising. ICML 2010.

    Examples
    --------
    >>> model = OnlineRegression(np.zeros(1), words=2)
    >>> for _ in range(100):
    ...     _ = model.learn(np.ones(1), np.array([1]), 3.0)
    >>> round(float(model.predict(np.ones((1, 1)), np.array([[1]]))[0]), 1)
    3.0
    """

    def __init__(
        self,
        mean: Floats,
        variance: float = 0.25,
        words: int = 1,
        word_variance: float = 0.05,
        noise: float = 1.0,
    ) -> None:
        self.mean = np.array(mean, dtype=np.float64)
        self.covariance = np.eye(len(self.mean)) * variance
        self.word_mean = np.zeros(words)
        self.word_variance = np.full(words, word_variance)
        self.word_variance[0] = 0.0
        self.noise = noise

    @property
    def belief(self) -> Belief:
        """The weights, as the arithmetic takes them."""
        known = (self.mean, self.covariance, self.word_mean, self.word_variance)
        return arithmetic().Belief(*known)

    def predict(self, signals: Floats, words: Numbers) -> Floats:
        """Expected outcome of each row."""
        return signals @ self.mean + self.said(words)

    def said(self, words: Numbers) -> Floats:
        """What the words of each row add."""
        return self.word_mean[words].sum(axis=-1)

    def spread(self, signals: Floats, words: Numbers) -> Floats:
        """How uncertain each expectation is: its standard deviation."""
        dense = ((signals @ self.covariance) * signals).sum(axis=-1)
        return np.sqrt(dense + self.word_variance[words].sum(axis=-1))

    def learn(self, signals: Floats, words: Numbers, outcome: float, noise: float | None = None) -> float:
        """Take in one outcome, more or less noisy than usual; by how much it was greater than expected."""
        least = self.noise if noise is None else noise
        return float(arithmetic().learn(self.belief, signals, words, outcome, least))
