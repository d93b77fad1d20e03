"""HITS: the weights are those that Kleinberg's iteration converges to."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from focuslab.graphs.hits import hits


def links(pages: int, chance: int) -> csr_matrix:
    rng = np.random.default_rng(chance)
    return csr_matrix((rng.random((pages, pages)) < 0.2).astype(np.float64))


@pytest.mark.parametrize("chance", range(5))
def test_the_weights_are_those_of_the_iteration(chance: int) -> None:
    some = links(40, chance)
    hub, authority = hits(some, np.arange(40))
    a = np.ones(40)
    for _ in range(500):
        h = some @ a
        a = some.T @ (h / np.linalg.norm(h))
        a /= np.linalg.norm(a)
    np.testing.assert_allclose(authority, a, atol=1e-8)
    np.testing.assert_allclose(hub, h / np.linalg.norm(h), atol=1e-8)


def test_only_the_root_set_and_its_neighbours_have_weight() -> None:
    chain = csr_matrix((np.ones(5), ([0, 1, 2, 3, 4], [1, 2, 3, 4, 5])), shape=(6, 6))
    hub, authority = hits(chain, np.array([1]))
    assert hub[3:].sum() == authority[3:].sum() == 0
    assert authority.sum() > 0


def test_too_few_pages_are_told() -> None:
    with pytest.raises(ValueError, match="1 pages around the root set are too few"):
        hits(csr_matrix((3, 3)), np.array([0]))
