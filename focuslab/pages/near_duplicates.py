"""Pages that say nearly the same: mirrors, reprints, one template with another date."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from focuslab.pages.text import words
from focuslab.types import Page

__all__ = ["Pair", "Shelf", "near_duplicates"]

SHINGLE = 5
"""Words in a row that count as one (our choice; 4 to 10 are in use)."""
ALIKE = 0.8
"""Share of common shingles from which two pages are near duplicates (our choice)."""
SKETCH = 16
"""Smallest checksums of a page by which it is found."""
CROWD = 50
"""A shingle of more pages than this is a site's frame, and makes nobody a candidate."""

Shingles = NDArray[np.uint32]


class Pair(NamedTuple):
    """Two pages by their places, and how much of them is the same: shingles in both / shingles in either."""

    first: int
    second: int
    share: float


class Shelf:
    """Pages in the order they come, each compared with those before it.

    Pages meet only if they share one of the 16 smallest checksums of their shingles, so the cost grows with
    the pages and not with their pairs. Of pages that share four fifths of them, one pair in 10^11 is missed.

    Examples
    --------
    >>> said = "one two three four five six seven eight nine ten"
    >>> shelf = Shelf()
    >>> [shelf.add(Page(f"http://{host}.example/", text=said)) for host in "ab"]
    [[], [Pair(first=0, second=1, share=1.0)]]
    """

    def __init__(self, alike: float = ALIKE) -> None:
        self.alike = alike
        self._pages: list[Shingles] = []
        self._holders: dict[int, list[int]] = defaultdict(list)

    def add(self, page: Page) -> list[Pair]:
        """The pairs a page makes with earlier ones, the earliest first."""
        found, place = _shingles(page), len(self._pages)
        smallest = found[:SKETCH].tolist()
        groups = (self._holders.get(value, ()) for value in smallest)
        others = {other for group in groups if len(group) < CROWD for other in group}
        self._pages.append(found)
        for value in smallest:
            if len(self._holders[value]) < CROWD:
                self._holders[value].append(place)
        pairs = (Pair(other, place, _share(self._pages[other], found)) for other in sorted(others))
        return [pair for pair in pairs if pair.share >= self.alike]


def near_duplicates(pages: Iterable[Page], alike: float = ALIKE) -> list[Pair]:
    """All pairs of pages that share at least so much of their shingles.

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
    shelf = Shelf(alike)
    return sorted(pair for page in pages for pair in shelf.add(page))


def _shingles(page: Page) -> Shingles:
    found = words(page.text, page.language)
    runs = (" ".join(found[i : i + SHINGLE]) for i in range(len(found) - SHINGLE + 1))
    # crc32 and not hash(): the same on every run
    return np.unique(np.array([zlib.crc32(run.encode()) for run in runs], dtype=np.uint32))


def _share(a: Shingles, b: Shingles) -> float:
    common = len(np.intersect1d(a, b, assume_unique=True))
    return common / (len(a) + len(b) - common)
