"""Words of a page as weights: the modified TF-IDF of Wang et al."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

__all__ = ["ModifiedTfidf"]

Words = Iterable[str] | Mapping[str, float]


class ModifiedTfidf(TransformerMixin, BaseEstimator):
    """Weigh a word by (0.5 + 0.5·tf / max tf of the page) · ln(documents / documents with the word).

    A word that a document does not have weighs 0, as the paper's text says; its equation (1) alone would
    give half the idf. Words that were not learned get no weight, but count for the page's maximum.

    A document is a list of words, or a mapping of words to how often they occur.

    Parameters
    ----------
    min_documents : int
        Words that fewer documents have are not learned. The paper learns all.

    Attributes
    ----------
    vocabulary_ : dict of str to int
        Column of each word; columns are in alphabetical order.
    idf_ : ndarray
        ln(documents / documents with the word), by column.

    References
    ----------
    Wang, W., Chen, X., Zou, Y., Wang, H. and Dai, Z. "A focused crawler based on naive Bayes classifier."
    IITSI 2010, equation (1). doi:10.1109/IITSI.2010.30

    Examples
    --------
    >>> weigh = ModifiedTfidf().fit([["nba", "game", "nba"], ["stock", "game"]])
    >>> weigh.get_feature_names_out().tolist()
    ['game', 'nba', 'stock']
    >>> weigh.transform([["nba", "stock", "stock"]]).toarray().round(3).tolist()
    [[0.0, 0.52, 0.693]]
    """

    def __init__(self, min_documents: int = 1) -> None:
        self.min_documents = min_documents

    def fit(self, documents: Iterable[Words], y: Any = None) -> Self:
        """Learn the words and in how many documents each occurs."""
        each = [_counted(document) for document in documents]
        having = Counter(word for counts in each for word in counts)
        words = sorted(word for word, count in having.items() if count >= self.min_documents)
        if not words:
            raise ValueError(
                f"no word is in {self.min_documents} or more of {len(each)} documents; "
                "give more lists of words, or a smaller min_documents"
            )
        self.vocabulary_ = {word: column for column, word in enumerate(words)}
        self.idf_ = np.log(len(each) / np.array([having[word] for word in words], dtype=float))
        return self

    def transform(self, documents: Iterable[Words]) -> csr_matrix:
        """A row of weights for each document; only words that weigh something are stored."""
        check_is_fitted(self)
        columns, parts, ends = array("i"), array("d"), array("q", [0])
        for document in documents:
            counts = _counted(document)
            most = max(counts.values(), default=0)
            for word, count in counts.items():
                column = self.vocabulary_.get(word)
                if column is not None:
                    columns.append(column)
                    parts.append(0.5 + 0.5 * count / most)
            ends.append(len(columns))
        return self.matrix(np.array(columns, dtype=np.int32), np.array(parts), np.array(ends))

    def matrix(self, columns: NDArray[Any], parts: NDArray[Any], ends: NDArray[Any]) -> csr_matrix:
        """The rows of documents given by the columns of their words and how these weigh before the IDF."""
        shape = (len(ends) - 1, len(self.vocabulary_))
        weights = csr_matrix((parts * self.idf_[columns], columns, ends), shape=shape)
        weights.eliminate_zeros()
        weights.sort_indices()
        return weights

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The words, by column."""
        check_is_fitted(self)
        return np.array(list(self.vocabulary_), dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags


def _counted(document: Words) -> Mapping[str, float]:
    if isinstance(document, str):
        raise ValueError(f"{document[:40]!r} is text; give its words, as pages.text.words(text) does")
    counts = Counter(document)
    return counts if all(count > 0 for count in counts.values()) else +counts
