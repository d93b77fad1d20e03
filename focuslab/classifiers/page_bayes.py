"""Is a page about the topic: the naive Bayes of Wang et al., on the weights of its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from focuslab.classifiers.naive_bayes import KernelNB, NormalNB
from focuslab.classifiers.validation import balanced
from focuslab.features.tfidf import ModifiedTfidf
from focuslab.features.vectors import page_terms, terms
from focuslab.types import Page

__all__ = ["PageBayes"]

DENSITIES = {"kernel": KernelNB, "normal": NormalNB}


class PageBayes:
    """Naive Bayes with a density for each word, on modified TF-IDF weights of title and text.

    Stop words are left out: the paper deletes "useless words".

    Parameters
    ----------
    density : {"kernel", "normal"}
        See `KernelNB` and `NormalNB`.
    px : {"bayes", "literal"}
        Score by Bayes' rule, or by the paper's equation (3), which leaves the priors out of P(x).
    min_pages : int
        Leave out words of fewer training pages. The paper's vocabulary is all words, so the default is 1, but
        see Notes.
    balance : bool
        Drop pages of the larger class by lot until both are of a size. Our choice: without it, the class
        with more pages wins nearly always, see `KernelNB`.
    seed : int
        Of that lot.

    Notes
    -----
    A rare word decides too much: if the training pages of a class do not have it, a page that does is some
    50 standard deviations (kernel) off, so a single one can outweigh all words of the topic. Leaving rare
    words out (``min_pages=10``) helps on the short pages of the built-in web and costs accuracy on the long
    articles of Wikipedia for Schools; ``benchmarks/quality/naive_bayes.py`` measures both.

    References
    ----------
    Wang, W., Chen, X., Zou, Y., Wang, H. and Dai, Z. "A focused crawler based on naive Bayes classifier."
    IITSI 2010, section III.A. doi:10.1109/IITSI.2010.30

    Examples
    --------
    >>> texts = ["nba game nba score", "nba team", "stock game", "stock market stock bank"]
    >>> pages = [Page("http://a.example/", text=text) for text in texts]
    >>> trained = PageBayes().fit(pages, [True, True, False, False])
    >>> round(trained.score_text("nba team game"), 6)
    0.93754
    """

    def __init__(
        self,
        density: str = "kernel",
        px: str = "bayes",
        min_pages: int = 1,
        balance: bool = True,
        seed: int = 0,
    ) -> None:
        if density not in DENSITIES:
            raise ValueError(f"no density named {density!r}; try {', '.join(DENSITIES)}")
        self.density = density
        self.px = px
        self.min_pages = min_pages
        self.balance = balance
        self.seed = seed

    def fit(self, pages: Sequence[Page], labels: Sequence[bool]) -> Self:
        """Learn from pages and whether each is relevant; what was learned before is forgotten."""
        relevant = np.asarray(labels, dtype=bool)
        if relevant.shape != (len(pages),):
            raise ValueError(f"{len(pages)} pages need as many labels, each True or False; got {len(labels)}")
        yes = int(relevant.sum())
        if not 0 < yes < len(pages):
            raise ValueError(
                f"training needs pages of both kinds; these are {yes} relevant, {len(pages) - yes} irrelevant"
            )
        rows = np.arange(len(pages))
        if self.balance:
            rows = balanced(relevant, np.random.default_rng(self.seed))
        documents = [page_terms(pages[row]) for row in rows.tolist()]
        self.weigh_ = ModifiedTfidf(self.min_pages).fit(documents)
        self.model_ = DENSITIES[self.density](px=self.px)
        self.model_.fit(self.weigh_.transform(documents), relevant[rows])
        return self

    def score(self, page: Page) -> float:
        """The probability that the page is relevant."""
        return self._probability(page_terms(page))

    def score_text(self, text: str, language: str = "") -> float:
        """The probability that a piece of text, such as the words around a link, is relevant."""
        return self._probability(terms(text, language))

    def log_odds(self, page: Page) -> float:
        """How much the log posterior of relevant is ahead; it ranks pages whose score is 1 all the same."""
        return float(self._trained().decision_function(self.weigh_.transform([page_terms(page)]))[0])

    def word_odds(self, page: Page) -> dict[str, float]:
        """What each known word of the page adds to the log odds, the one most against relevance first."""
        model, row = self._trained(), self.weigh_.transform([page_terms(page)])
        gains = model.gains(row.data, row.indices) @ [-1, 1]
        words = self.weigh_.get_feature_names_out()[row.indices]
        order = np.argsort(gains, kind="stable")
        return dict(zip(words[order].tolist(), gains[order].tolist(), strict=True))

    def of_counts(
        self, columns: NDArray[np.int32], counts: NDArray[np.int32], starts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """The scores of many texts, given how often each has each word, by column; -1 for unknown words."""
        model, most = self._trained(), np.ones(len(starts) - 1, counts.dtype)
        filled = np.diff(starts) > 0
        if filled.any():
            most[filled] = np.maximum.reduceat(counts, starts[:-1][filled])
        shares = 0.5 + 0.5 * counts / np.repeat(most, np.diff(starts))
        known = columns >= 0
        ends = np.concatenate([[0], np.cumsum(known)])[starts]
        return np.asarray(model.predict_proba(self.weigh_.matrix(columns[known], shares[known], ends))[:, 1])

    def _probability(self, words: Mapping[str, float]) -> float:
        return float(self._trained().predict_proba(self.weigh_.transform([words]))[0, 1])

    def _trained(self) -> KernelNB | NormalNB:
        try:
            return self.model_
        except AttributeError:
            raise ValueError("this PageBayes has learned nothing yet; call fit first") from None
