"""A trained random forest as flat arrays, walked by compiled code: microseconds for one page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from sklearn.ensemble import RandomForestClassifier

__all__ = ["Forest"]

LEAF = -1


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """All trees of a scikit-learn forest, one after the other.

    scikit-learn answers for thousands of rows at once and costs milliseconds for a single one; a crawl
    has one page at a time.
    """

    roots: np.ndarray
    feature: np.ndarray
    """Feature that a node asks for; -1 at a leaf."""
    threshold: np.ndarray
    child: np.ndarray
    """Where to go on: column 0 if the value is at most the threshold, else column 1."""
    shares: np.ndarray
    """Share of each class among a node's training rows."""

    @classmethod
    def of(cls, model: RandomForestClassifier, classes: int) -> Forest:
        """Flatten ``model``, whose labels are class numbers below ``classes``; absent ones get 0."""
        trees = [tree.tree_ for tree in model.estimators_]
        roots = np.cumsum([0] + [tree.node_count for tree in trees[:-1]]).astype(np.int32)
        feature = np.concatenate([tree.feature for tree in trees]).astype(np.int32)
        children = [np.column_stack((t.children_left, t.children_right)) for t in trees]
        child = np.concatenate([pair + root for pair, root in zip(children, roots, strict=True)])
        value = np.concatenate([tree.value[:, 0, :] for tree in trees])
        shares = np.zeros((len(feature), classes))
        shares[:, model.classes_] = value / value.sum(axis=1, keepdims=True)
        threshold = np.concatenate([tree.threshold for tree in trees])
        return cls(roots, np.where(feature < 0, LEAF, feature), threshold, child.astype(np.int32), shares)

    def probabilities(self, vector: np.ndarray) -> np.ndarray:
        """Mean over the trees of the class shares in the leaf that ``vector`` falls into."""
        # scikit-learn compares values of single precision, so rounding must come first here too.
        single = np.asarray(vector, dtype=np.float32)
        return _walk(single, self.roots, self.feature, self.threshold, self.child, self.shares)

    def probabilities_of_rows(self, vectors: np.ndarray) -> np.ndarray:
        """The same for many vectors, a row each."""
        single = np.ascontiguousarray(vectors, dtype=np.float32)
        return _walk_rows(single, self.roots, self.feature, self.threshold, self.child, self.shares)


@njit(cache=True, nogil=True)
def _walk(vector, roots, feature, threshold, child, shares):  # type: ignore[no-untyped-def]
    total = np.zeros(shares.shape[1])
    for root in roots:
        node = root
        while feature[node] >= 0:
            right = vector[feature[node]] > threshold[node]
            node = child[node, 1 if right else 0]
        total += shares[node]
    return total / len(roots)


@njit(cache=True, nogil=True)
def _walk_rows(vectors, roots, feature, threshold, child, shares):  # type: ignore[no-untyped-def]
    found = np.empty((len(vectors), shares.shape[1]))
    for row in range(len(vectors)):
        found[row] = _walk(vectors[row], roots, feature, threshold, child, shares)
    return found
