"""Naive Bayes on weights of words, with a normal or a kernel density for each word (Wang et al.)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from focuslab.classifiers.kernel_density import KernelDensities

__all__ = ["KernelNB", "NormalNB"]

Floats = NDArray[np.float64]
TWO_PI = 2 * math.pi


class _DensityBayes(ClassifierMixin, BaseEstimator, ABC):
    """What the two share: priors, posteriors, and that only features other than 0 cost anything.

    A page has a few hundred of the vocabulary's words. So log p(0 | class) is summed over all features
    once, in ``fit`` (``absent_``), and a row corrects the sum for the features it has (`gains`).
    """

    priors: Sequence[float] | None
    px: str

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803 - the name scikit-learn gives it
        """Learn from rows of numbers, dense or sparse, and their labels."""
        if self.px not in ("bayes", "literal"):
            raise ValueError(f"no px named {self.px!r}; try bayes, literal")
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)  # noqa: N806
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"training needs two classes or more; these rows are of one class, {self.classes_[0]}"
            )
        counts = np.bincount(codes)
        self.class_log_prior_ = np.log(self._shares(counts))
        parts = [_columns(X, codes == code) for code in range(len(counts))]
        self.absent_ = self._learn(parts, counts).sum(axis=0)
        return self

    def _shares(self, counts: NDArray[np.int64]) -> Floats:
        if self.priors is None:
            return counts / counts.sum()
        shares = np.asarray(self.priors, dtype=float)
        if shares.shape != counts.shape or (shares <= 0).any() or not math.isclose(shares.sum(), 1):
            raise ValueError(f"priors={self.priors}: give {len(counts)} positive shares that sum to 1")
        return shares

    @abstractmethod
    def _learn(self, parts: list[csc_matrix], counts: NDArray[np.int64]) -> Floats:
        """Learn the densities; log p(0 | class) of every feature, a column for each class."""

    @abstractmethod
    def gains(self, values: NDArray[Any], features: NDArray[Any]) -> Floats:
        """log p(value | class) - log p(0 | class) of the given features, a column for each class."""

    def log_likelihood(self, X: Any) -> Floats:  # noqa: N803
        """log p(row | class), a column for each class."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)  # noqa: N806
        rows = csr_matrix(X)
        owner = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        gains = self.gains(rows.data, rows.indices)
        return self.absent_ + np.column_stack([np.bincount(owner, gain, rows.shape[0]) for gain in gains.T])

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """log p(class) + log p(row | class); of two classes, how much the second is ahead."""
        joint = self.log_likelihood(X) + self.class_log_prior_
        return joint[:, 1] - joint[:, 0] if len(self.classes_) == 2 else joint

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The class that has the largest posterior; of equals the first."""
        joint = self.log_likelihood(X) + self.class_log_prior_
        return self.classes_[joint.argmax(axis=1)]

    def predict_log_proba(self, X: Any) -> Floats:  # noqa: N803
        """Logarithm of `predict_proba`, also where that is 0."""
        likelihood = self.log_likelihood(X)
        likelihood -= likelihood.max(axis=1, keepdims=True)  # what is left keeps all its digits
        joint = likelihood + self.class_log_prior_
        return joint - logsumexp(likelihood if self.px == "literal" else joint, axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Posterior of each class; with ``px="literal"`` they do not sum to 1."""
        return np.exp(self.predict_log_proba(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class NormalNB(_DensityBayes):
    """Naive Bayes where each feature of a class has a normal distribution.

    Parameters
    ----------
    var_floor : float or "kernel"
        The least variance; our choice is 1e-3. The paper has the maximum likelihood estimate, which is 0 for
        the many words that no page of a class has. "kernel": 1 / (rows of the class), as in `KernelNB`.
    px : {"bayes", "literal"}
        P(x) = sum of p(x | class) P(class), or the paper's equation (3), which leaves out P(class).
        The order of pages and the decision are the same with both.
    priors : sequence of float, optional
        P(class), in the order of ``classes_``; by default the shares of the training rows.

    References
    ----------
    Wang, W., Chen, X., Zou, Y., Wang, H. and Dai, Z. "A focused crawler based on naive Bayes classifier."
    IITSI 2010, equations (2) to (4). doi:10.1109/IITSI.2010.30

    Examples
    --------
    >>> model = NormalNB().fit([[1.0], [3.0], [5.0], [7.0]], [1, 1, 0, 0])
    >>> model.predict_proba([[2.0]]).round(6).tolist()
    [[0.000335, 0.999665]]
    """

    def __init__(
        self, var_floor: float | str = 1e-3, px: str = "bayes", priors: Sequence[float] | None = None
    ) -> None:
        self.var_floor = var_floor
        self.px = px
        self.priors = priors

    def _learn(self, parts: list[csc_matrix], counts: NDArray[np.int64]) -> Floats:
        moments = [_moments(part) for part in parts]
        self.mean_ = np.array([mean for mean, _ in moments])
        self.var_ = np.maximum([var for _, var in moments], self._floor(counts)[:, None])
        # log N(x) - log N(0) = x·mean/var - x²/(2·var)
        self._linear, self._square = (self.mean_ / self.var_).T.copy(), (0.5 / self.var_).T.copy()
        return -0.5 * (np.log(TWO_PI * self.var_) + self.mean_**2 / self.var_).T

    def gains(self, values: NDArray[Any], features: NDArray[Any]) -> Floats:
        x = values[:, None]
        return x * self._linear[features] - x**2 * self._square[features]

    def _floor(self, counts: NDArray[np.int64]) -> Floats:
        if self.var_floor == "kernel":
            return 1 / counts
        if isinstance(self.var_floor, str) or not self.var_floor > 0:
            raise ValueError(f"var_floor={self.var_floor!r}: give a number above 0, or 'kernel'")
        return np.full(len(counts), float(self.var_floor))


class KernelNB(_DensityBayes):
    """Naive Bayes where a feature's density is the mean of normal curves around its training values.

    p(x | class) = 1/n · sum over the n rows of the class of N(x; value, 1/√n).

    Parameters
    ----------
    bandwidth : float, optional
        Standard deviation of the curves; by default the paper's 1/√n, with the n of each class.
    px : {"bayes", "literal"}
        P(x) = sum of p(x | class) P(class), or the paper's equation (3), which leaves out P(class).
        The order of pages and the decision are the same with both.
    priors : sequence of float, optional
        P(class), in the order of ``classes_``; by default the shares of the training rows.

    Notes
    -----
    With 1/√n a class of more rows has narrower curves, so its density at 0 is higher for every word that
    neither class has; over a large vocabulary that outweighs all else. Train on as many rows of one class
    as of the other, or give one bandwidth.

    The distinct training values of each feature are kept, sorted: see `KernelDensities`.

    References
    ----------
    Wang, W., Chen, X., Zou, Y., Wang, H. and Dai, Z. "A focused crawler based on naive Bayes classifier."
    IITSI 2010, equation (5). doi:10.1109/IITSI.2010.30
    John, G. H. and Langley, P. "Estimating continuous distributions in Bayesian classifiers." UAI 1995,
    338-345.

    Examples
    --------
    >>> model = KernelNB().fit([[0.0], [1.0], [2.0], [3.0]], [1, 1, 0, 0])
    >>> model.predict_proba([[0.0]]).round(6).tolist()
    [[0.013301, 0.986699]]
    """

    def __init__(
        self, bandwidth: float | None = None, px: str = "bayes", priors: Sequence[float] | None = None
    ) -> None:
        self.bandwidth = bandwidth
        self.px = px
        self.priors = priors

    def _learn(self, parts: list[csc_matrix], counts: NDArray[np.int64]) -> Floats:
        if self.bandwidth is not None and not self.bandwidth > 0:
            raise ValueError(f"bandwidth={self.bandwidth}: give a number above 0, or None for 1/√n")
        self.bandwidth_ = (
            1 / np.sqrt(counts) if self.bandwidth is None else np.full(len(counts), self.bandwidth)
        )
        self.densities_ = [
            KernelDensities.of(part, sigma)
            for part, sigma in zip(parts, self.bandwidth_.tolist(), strict=True)
        ]
        features = np.arange(self.n_features_in_)
        self._zero = self._logs(np.zeros(len(features)), features)
        return self._zero

    def gains(self, values: NDArray[Any], features: NDArray[Any]) -> Floats:
        return self._logs(values, features) - self._zero[features]

    def _logs(self, values: NDArray[Any], features: NDArray[Any]) -> Floats:
        return np.column_stack([density.log(values, features) for density in self.densities_])


def _columns(rows: Any, chosen: NDArray[np.bool_]) -> csc_matrix:
    part = csc_matrix(rows[chosen])
    part.eliminate_zeros()
    return part


def _moments(part: csc_matrix) -> tuple[Floats, Floats]:
    """Mean and variance (maximum likelihood) of each column, zeros included."""
    rows, columns = part.shape
    present = np.diff(part.indptr)
    mean = np.asarray(part.sum(axis=0)).ravel() / rows
    column = np.repeat(np.arange(columns), present)
    squares = np.bincount(column, (part.data - mean[column]) ** 2, columns)
    return mean, (squares + (rows - present) * mean**2) / rows
