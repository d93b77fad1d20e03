"""Pages that say nearly the same: mirrors, reprints, one template with another date."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from focuslab.pages.text import words
from focuslab.types import Page

__all__ = ["Pair", "near_duplicates"]

SHINGLE = 5
"""Words in a row that count as one (our choice; 4 to 10 are in use)."""
ALIKE = 0.8
"""Share of common shingles from which two pages are near duplicates (our choice)."""
SKETCH = 64
CROWD = 50
"""A shingle of more pages than this is a site's frame, and makes nobody a candidate."""

Shingles = NDArray[np.uint32]


class Pair(NamedTuple):
    """Two pages by their places, and how much of them is the same: shingles in both / shingles in either."""

    first: int
    second: int
    share: float


def near_duplicates(pages: Sequence[Page], alike: float = ALIKE) -> list[Pair]:
    """All pairs of pages that share at least so much of their shingles.

    Pages meet only if they share one of the 64 smallest checksums of their shingles, which two pages that
    are alike nearly surely do; so the cost grows with the pages and not with their pairs.

    References
    ----------
    Broder, A. Z. "On the resemblance and containment of documents." Compression and Complexity of Sequences
    1997, 21-29. doi:10.1109/SEQUEN.1997.666900

    Examples
    --------
    >>> said = "one two three four five six seven eight nine ten"
    >>> near_duplicates([Page("http://a.example/", text=said), Page("http://b.example/", text=said)])
    [Pair(first=0, second=1, share=1.0)]
    """
    shingles = [_shingles(page) for page in pages]
    pairs = (Pair(a, b, _share(shingles[a], shingles[b])) for a, b in _candidates(shingles))
    return [pair for pair in pairs if pair.share >= alike]


def _shingles(page: Page) -> Shingles:
    found = words(page.text, page.language)
    runs = (" ".join(found[i : i + SHINGLE]) for i in range(len(found) - SHINGLE + 1))
    # crc32 and not hash(): the same on every run
    return np.unique(np.array([zlib.crc32(run.encode()) for run in runs], dtype=np.uint32))


def _candidates(shingles: Sequence[Shingles]) -> list[tuple[int, int]]:
    holders: dict[int, list[int]] = defaultdict(list)
    for place, found in enumerate(shingles):
        for value in found[:SKETCH].tolist():
            holders[value].append(place)
    groups = (group for group in holders.values() if len(group) <= CROWD)
    return sorted({pair for group in groups for pair in combinations(group, 2)})


def _share(a: Shingles, b: Shingles) -> float:
    common = len(np.intersect1d(a, b, assume_unique=True))
    return common / (len(a) + len(b) - common)
