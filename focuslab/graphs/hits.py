"""Hubs and authorities: pages that link to good pages, and pages that good hubs link to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import svds

__all__ = ["hits"]

Floats = NDArray[np.float64]


def hits(links: csr_matrix, root: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """Hub and authority weight of every page, on the pages of a root set and their neighbours.

    Parameters
    ----------
    links : csr_matrix
        Links by source and target. Kleinberg leaves out those inside a host, which are navigation.
    root : array of int
        Pages on the topic: they, the pages they link to and the pages that link to them are the base set.

    Notes
    -----
    The weights that the iteration of Kleinberg converges to are the first pair of singular vectors of the
    links.

    References
    ----------
    Kleinberg, J. M. "Authoritative sources in a hyperlinked environment." Journal of the ACM 46(5), 604-632,
    1999. doi:10.1145/324133.324140

    Examples
    --------
    >>> stars = csr_matrix(([1.0, 1.0, 1.0, 1.0], ([0, 0, 1, 2], [2, 3, 2, 3])), shape=(4, 4))
    >>> hub, authority = hits(stars, np.array([0, 2]))
    >>> int(hub.argmax()), int(authority.argmax())
    (0, 2)
    """
    base = np.zeros(links.shape[0], np.bool_)
    base[root] = True
    base |= (links[root].getnnz(axis=0) > 0) | (links[:, root].getnnz(axis=1) > 0)
    pages = np.flatnonzero(base)
    if len(pages) < 3:
        raise ValueError(f"{len(pages)} pages around the root set are too few; give more pages on the topic")
    left, _, right = svds(links[pages][:, pages].astype(np.float64), k=1, v0=np.ones(len(pages)))
    found = np.zeros((2, len(base)))
    found[:, pages] = np.abs(left[:, 0]), np.abs(right[0])
    return found[0], found[1]
