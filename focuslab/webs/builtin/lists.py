"""Lists: catalogues, course lists and job boards name the pages of a form, which do not name each other.

De Assis et al. found the web so: the parent of a relevant page often has other relevant ones, a relevant page
hardly ever links to another one. The numbers here are our choice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focuslab.webs.builtin.structure import SECTION, Pages

TOGETHER = 0.5
"""Items about the same topic that stand in one list of their host; the others stand in any."""
DIRECT = 0.02
"""Links to items from elsewhere than lists that stay; the others lead to the list instead."""


def gather(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], pages: Pages, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The links of a web, turned so that pages of a form (items) are reached by a list of their host."""
    size, item = len(pages), pages.form >= 0
    listed_on = list_of(pages, item, rng)
    source = np.repeat(np.arange(size), np.diff(indptr))
    astray = item[indices] & (item[source] | (rng.random(len(indices)) >= DIRECT))
    target = np.where(astray, listed_on[indices], indices)
    items = np.flatnonzero(item)
    keys = np.unique(np.concatenate([source * size + target, listed_on[items] * size + items]))
    keys = keys[keys // size != keys % size]
    counts = np.bincount(keys // size, minlength=size)
    return np.concatenate([[0], np.cumsum(counts)]), (keys % size).astype(np.int32)


def list_of(pages: Pages, item: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """The page that lists each item: a section of its host, or the home page where there is none; else -1."""
    found = np.full(len(pages), -1)
    for first, size in zip(pages.hosts.start.tolist(), pages.hosts.size.tolist(), strict=True):
        here = np.arange(first, first + size)
        items = here[item[here]]
        lists = here[(pages.role[here] == SECTION) & (pages.form[here] < 0)]
        lists = lists if len(lists) else here[:1]
        by_lot = rng.integers(0, len(lists), len(items))
        same = rng.integers(0, len(lists), 1 + pages.content.max())[pages.content[items]]
        together = (pages.content[items] >= 0) & (rng.random(len(items)) < TOGETHER)
        found[items] = lists[np.where(together, same, by_lot)]
    return found
