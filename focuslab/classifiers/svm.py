"""Is a page about the topic: a support vector machine on TF-IDF, its distance turned into a probability."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.svm import SVC

from focuslab.classifiers.page_vectors import PageVectors, Sparse, readable, sigmoid
from focuslab.classifiers.term_sets import normalised
from focuslab.classifiers.validation import splits
from focuslab.types import Page

__all__ = ["SvmClassifier"]

KERNELS = ("rbf", "linear")
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Platt(NamedTuple):
    """A sigmoid that turns decision values into probabilities: P = 1 / (1 + exp(-(slope · x + shift)))."""

    slope: float
    shift: float
    loss: float
    """Mean log-loss on the values it was fitted to."""


class SvmClassifier:
    """Support vector machine with an RBF or a linear kernel; Platt's sigmoid makes its score a probability.

    Cost and gamma are those of the smallest log-loss on pages left out in turn, and the sigmoid is fitted
    to the same left-out values. All of it is computed on one matrix of products, so that trying nine
    settings costs little more than one.

    Parameters
    ----------
    kernel : {"rbf", "linear"}
        RBF as in de Assis et al.; linear, which they report as the better one in an earlier study.
    costs : tuple of float
        Costs C to try.
    gammas : tuple of float
        Widths of the RBF kernel to try. The papers do not print theirs; both grids are our choice.
    folds : int
        Parts of the cross-validation that chooses among them.
    negatives : int
        At most so many irrelevant pages for each relevant one, drawn by ``seed`` (our choice).
    language : str
        Pages of any other language score 0, and are left out of training. Empty: any language.
    segmenter : callable
        (text, language) -> words. Default: without case, accents and stop words, as in the paper.
    seed : int
        Draws the irrelevant pages and the folds.

    References
    ----------
    de Assis, G. T., Laender, A. H. F., Gonçalves, M. A. and da Silva, A. S. "A genre-aware approach to
    focused crawling." World Wide Web, 2009, section 4.1.2. doi:10.1007/s11280-009-0063-7
    Guan, Z., Wang, C., Chen, C., Bu, J. and Wang, J. "Guide focused crawler efficiently and effectively
    using on-line topical importance estimation." SIGIR 2008.
    Platt, J. C. "Probabilistic outputs for support vector machines and comparisons to regularized likelihood
    methods." Advances in Large Margin Classifiers, 1999.
    """

    def __init__(
        self,
        kernel: str = "rbf",
        costs: tuple[float, ...] = (1, 10, 100),
        gammas: tuple[float, ...] = (0.01, 0.1, 1),
        folds: int = 3,
        negatives: int = 5,
        language: str = "",
        segmenter: Callable[[str, str], list[str]] = normalised,
        seed: int = 0,
    ) -> None:
        if kernel not in KERNELS:
            raise ValueError(f"no kernel named {kernel!r}; try {', '.join(KERNELS)}")
        self.kernel = kernel
        self.costs, self.gammas, self.folds = costs, gammas, folds
        self.negatives, self.language, self.segmenter, self.seed = negatives, language, segmenter, seed

    def fit(self, pages: Sequence[Page], labels: Sequence[bool]) -> Self:
        """Learn from pages and whether each is relevant; what was learned before is forgotten."""
        pages, relevant = readable(pages, labels, self.language)
        rows = self._some(relevant)
        relevant = relevant[rows]
        self.vectors_ = PageVectors([pages[row] for row in rows], self.segmenter, self.language)
        products = (self.vectors_.rows @ self.vectors_.rows.T).toarray()
        tried = list(self._tried(products, relevant))
        self.cost_, self.gamma_, self.platt_ = min(tried, key=lambda setting: setting[2].loss)
        machine = _machine(self.cost_).fit(self._kernel(products, self.gamma_), relevant)
        self.support_ = self.vectors_.rows[machine.support_]
        self.duals_, self.intercept_ = machine.dual_coef_[0], float(machine.intercept_[0])
        self.lengths_ = products.diagonal()[machine.support_]
        self.weights_ = self.support_.T @ self.duals_ if self.kernel == "linear" else None
        return self

    def score(self, page: Page) -> float:
        """Probability that the page is relevant."""
        if self.language and page.language != self.language:
            return 0.0
        return self._probability(self._trained().of_page(page))

    def score_text(self, text: str, language: str = "") -> float:
        """Probability that a piece of text is about the topic."""
        return self._probability(self._trained().of_text(text, language))

    def _probability(self, vector: Sparse) -> float:
        return sigmoid(self.platt_.slope * self._decision(vector) + self.platt_.shift)

    def _decision(self, vector: Sparse) -> float:
        places, weights = vector
        if self.weights_ is not None:
            return float(self.weights_[places] @ weights) + self.intercept_
        dense = np.zeros(len(self.vectors_))
        dense[places] = weights
        return self._by_distance(self.support_ @ dense, weights)

    def _by_distance(self, products: Floats, weights: Floats) -> float:
        distances = self.lengths_ + weights @ weights - 2 * products
        return float(np.exp(-self.gamma_ * distances) @ self.duals_) + self.intercept_

    def score_rows(
        self, places: NDArray[np.int32], counts: NDArray[np.int32], starts: NDArray[np.int64]
    ) -> Floats:
        """The scores of many pages, given how often each has the words of the vocabulary, in ascending order.

        Only support vectors that have a word of the page are looked at; the sums are those of `score`.
        """
        support, found = self.support_.tocsc(), np.empty(len(starts) - 1)
        for row, (place, weights) in enumerate(self._trained().of_counts(places, counts, starts)):
            if self.weights_ is None:
                shape = (support.indptr, support.indices, support.data, len(self.duals_))
                decision = self._by_distance(_products(place, weights, *shape), weights)
            else:
                decision = float(self.weights_[place] @ weights) + self.intercept_
            found[row] = sigmoid(self.platt_.slope * decision + self.platt_.shift)
        return found

    def _some(self, relevant: Flags) -> NDArray[np.intp]:
        """Rows to train on: all that are relevant, and not too many of the others."""
        others = np.flatnonzero(~relevant)
        most = max(2, self.negatives * int(relevant.sum()))
        drawn = np.random.default_rng(self.seed).permutation(others)[:most]
        return np.sort(np.concatenate([np.flatnonzero(relevant), drawn]))

    def _kernel(self, products: Floats, gamma: float) -> Floats:
        if self.kernel == "linear":
            return products
        lengths = products.diagonal()
        return np.exp(-gamma * (lengths[:, None] + lengths[None, :] - 2 * products))

    def _tried(self, products: Floats, relevant: Flags) -> Iterator[tuple[float, float, Platt]]:
        """Every setting and the sigmoid of its left-out decision values."""
        least = min(int(relevant.sum()), int((~relevant).sum()))
        folds = list(splits(relevant, min(self.folds, least), self.seed))
        for gamma in self.gammas if self.kernel == "rbf" else (0.0,):
            kernel = self._kernel(products, gamma)
            for cost in self.costs:
                left_out = np.empty(len(relevant))
                for train, test in folds:
                    # A little more cost for fewer pages: decision values of the same size as with all.
                    machine = _machine(cost * len(relevant) / len(train)).fit(
                        kernel[np.ix_(train, train)], relevant[train]
                    )
                    left_out[test] = machine.decision_function(kernel[np.ix_(test, train)])
                yield cost, gamma, platt(left_out, relevant)

    def _trained(self) -> PageVectors:
        try:
            return self.vectors_
        except AttributeError:
            raise ValueError("this SvmClassifier has learned nothing yet; call fit first") from None


@njit(cache=True, nogil=True)
def _products(places, weights, indptr, indices, data, rows):  # type: ignore[no-untyped-def]
    """Products of each support vector with a sparse vector, added up in the order of the words."""
    found = np.zeros(rows)
    for at in range(len(places)):
        for entry in range(indptr[places[at]], indptr[places[at] + 1]):
            found[indices[entry]] += data[entry] * weights[at]
    return found


def _machine(cost: float) -> SVC:
    return SVC(C=cost, kernel="precomputed")


def platt(decisions: Floats, relevant: Flags) -> Platt:
    """The sigmoid that fits decision values best, with Platt's targets, which are never quite 0 or 1."""
    yes, no = int(relevant.sum()), int((~relevant).sum())
    target = np.where(relevant, (yes + 1) / (yes + 2), 1 / (no + 2))
    scale = float(np.abs(decisions).max()) or 1.0
    values = decisions / scale

    def loss(point: Floats) -> tuple[float, Floats]:
        odds = point[0] * values + point[1]
        errors = np.exp(-np.logaddexp(0, -odds)) - target
        gradient = np.array([errors @ values, errors.sum()]) / len(values)
        return float(np.mean(np.logaddexp(0, odds) - target * odds)), gradient

    start = np.array([1.0, np.log(yes / no)])
    best = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None), (None, None)])
    return Platt(float(best.x[0]) / scale, float(best.x[1]), float(best.fun))
