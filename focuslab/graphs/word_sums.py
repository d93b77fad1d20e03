"""Many texts as numbered words, so that a topic can be asked about all of them at once.

Sums are exact, as `math.fsum` makes them: what comes out is what the classifiers and
`focuslab.features.vectors` say text by text, to the last bit.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
PARTIALS = 64  # more than enough: the whole range of a float has room for 40


class Bags:
    """Texts as bags of words.

    Parameters
    ----------
    texts : iterable of word sequences, or of mappings of words to how often they occur
        One bag each.
    vocabulary : dict
        Numbers of words, which grows by those that are new; may be shared among several Bags.

    Examples
    --------
    >>> bags = Bags([["game", "score", "game"], ["stock"]], {})
    >>> bags.sums({"game": 0.5, "stock": -1.0}, start=0.25).tolist()
    [1.25, -0.75]
    """

    def __init__(
        self, texts: Iterable[Sequence[str] | Mapping[str, float]], vocabulary: dict[str, int]
    ) -> None:
        words, counts, ends, norms = array("i"), array("d"), array("q", [0]), array("d")
        for text in texts:
            words.extend([vocabulary.setdefault(word, len(vocabulary)) for word in text])
            ends.append(len(words))
            if isinstance(text, Mapping):
                counts.extend(text.values())
                norms.append(math.hypot(*text.values()))
        self.vocabulary = vocabulary
        self._words, self._ends = np.array(words, np.int32), np.array(ends, np.int64)
        self._counts = np.array(counts) if counts else np.ones(len(words))
        self._norms = np.array(norms)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def sums(self, weights: Mapping[str, float], start: float = 0.0) -> Floats:
        """For each text, ``start`` and the weights of all its words together; 0 for words without."""
        return _sums(self._words, self._ends, self._counts, self._by_number(weights), start)

    def cosines(self, vector: Mapping[str, float]) -> Floats:
        """The cosine of each text with a vector, as `focuslab.features.vectors.cosine` has it."""
        product, length = self.sums(vector), math.hypot(*vector.values())
        return np.divide(product, self._norms * length, out=np.zeros(len(self)), where=product != 0)

    def _by_number(self, weights: Mapping[str, float]) -> Floats:
        found = np.zeros(len(self.vocabulary) + 1)
        for word, weight in weights.items():
            found[self.vocabulary.get(word, -1)] = weight  # the last place is never read
        return found


@njit(cache=True, nogil=True)
def _sums(
    words: NDArray[np.int32], ends: NDArray[np.int64], counts: Floats, weights: Floats, start: float
) -> Floats:
    """Exact sums, correctly rounded (Shewchuk 1997, as in `math.fsum`)."""
    found = np.empty(len(ends) - 1, np.float64)
    partials = np.empty(PARTIALS, np.float64)
    for row in range(len(found)):
        partials[0] = start
        size = 1
        for place in range(ends[row], ends[row + 1]):
            x = weights[words[place]] * counts[place]
            if x == 0:
                continue
            kept = 0
            for i in range(size):
                y = partials[i]
                if abs(x) < abs(y):
                    x, y = y, x
                high = x + y
                low = y - (high - x)
                if low != 0:
                    partials[kept] = low
                    kept += 1
                x = high
            partials[kept] = x
            size = kept + 1
        found[row] = _rounded(partials, size)
    return found


@njit(cache=True, nogil=True)
def _rounded(partials: Floats, size: int) -> float:
    """The float nearest to the sum of partials that do not overlap, ties to even."""
    at = size - 1
    high, low = partials[at], 0.0
    while at > 0 and low == 0:
        x = high
        at -= 1
        high = x + partials[at]
        low = partials[at] - (high - x)
    if at > 0 and ((low < 0 and partials[at - 1] < 0) or (low > 0 and partials[at - 1] > 0)):
        doubled = low * 2
        x = high + doubled
        if doubled == x - high:
            high = x
    return high
