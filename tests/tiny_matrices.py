"""A few documents, and small matrices with many zeros, for classifiers that count words."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.sparse import csr_matrix

from focuslab.features.tfidf import ModifiedTfidf

CORPUS = [
    ["nba", "game", "nba", "score"],
    ["nba", "team"],
    ["stock", "game"],
    ["stock", "market", "stock", "bank"],
]
LABELS = [1, 1, 0, 0]
QUERIES = [["nba", "team", "game"], ["stock", "bank"], ["game"]]

matrices = arrays.arrays(
    float,
    st.tuples(st.integers(4, 9), st.integers(1, 5)),
    elements=st.sampled_from([0.0, 0.0, 0.0, 0.5, 0.7, 1.4, -1.0, 30.0]),
)


def trained(model: Any) -> tuple[Any, csr_matrix]:
    weigh = ModifiedTfidf().fit(CORPUS)
    return model.fit(weigh.transform(CORPUS), LABELS), weigh.transform(QUERIES)


def column(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)[:, None]


def split(rows: np.ndarray) -> np.ndarray:
    labels = np.arange(len(rows)) % 3 == 0
    labels[0], labels[1] = True, False
    return labels
