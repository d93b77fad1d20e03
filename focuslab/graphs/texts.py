"""Many texts as numbered words, so that a topic can be asked about all of them at once.

Sums are exact, as `math.fsum` makes them: what comes out is what the classifiers and
`focuslab.features.vectors` say text by text, to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.graphs.array_files import fixed

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int32]
PARTIALS = 64  # more than enough: the whole range of a float has room for 40


class Rows(NamedTuple):
    """A sparse matrix of counts: for each text its distinct words, and how often each occurs."""

    words: Numbers
    counts: Numbers
    starts: NDArray[np.int64]


class Texts:
    """Texts as stretches of an array of word numbers.

    Parameters
    ----------
    tokens : array of int32
        Numbers of words.
    starts, sizes : array of int
        Where each text begins among them, and how many words it has.

    Examples
    --------
    >>> texts = Texts(np.array([0, 1, 0, 2], np.int32), np.array([0, 3]), np.array([3, 1]))
    >>> texts.sums(np.array([0.5, 0.25, -1.0]), start=0.25).tolist()
    [1.5, -0.75]
    """

    def __init__(self, tokens: Numbers, starts: NDArray[np.integer], sizes: NDArray[np.integer]) -> None:
        self.tokens, self.starts = fixed(tokens, np.int32), fixed(starts, np.int64)
        self.sizes = fixed(sizes, np.int64)

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, places: NDArray[np.integer]) -> Texts:
        """Some of the texts."""
        return Texts(self.tokens, self.starts[places], self.sizes[places])

    def words(self, place: int) -> Numbers:
        """The words of one text, in order."""
        return self.tokens[self.starts[place] : self.starts[place] + self.sizes[place]]

    def sums(self, weights: Floats, start: float = 0.0, more: Texts | None = None) -> Floats:
        """For each text, ``start`` and the weights of all its words, and of more words beside, together."""
        other = self if more is None else more
        mine, theirs = (self.tokens, self.starts, self.sizes), (other.tokens, other.starts, other.sizes)
        return _sums(*mine, *theirs, more is not None, fixed(weights, np.float64), start)

    def cosines(self, vector: Floats, length: float, ignored: Flags, group: NDArray[np.integer]) -> Floats:
        """The cosine of each text with a vector of some length, as `focuslab.features.vectors.cosine` has it.

        ``ignored[group[i], word]`` says which words of text i do not count.
        """
        products, norms = self.products(vector, ignored, group)
        return np.divide(products, norms * length, out=np.zeros(len(self)), where=products != 0)

    def products(self, vector: Floats, ignored: Flags, group: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """The product of each text's counts with a vector, and their length."""
        mine = (self.tokens, self.starts, self.sizes)
        found: tuple[Floats, Floats] = _products(
            *mine, fixed(vector, np.float64), ignored, fixed(group, np.int64)
        )
        return found

    def followed_by(self, others: Texts) -> Texts:
        """Each text with another one behind it."""
        sizes = self.sizes + others.sizes
        mine, theirs = (self.tokens, self.starts, self.sizes), (others.tokens, others.starts, others.sizes)
        return Texts(_joined(*mine, *theirs, int(sizes.sum())), np.cumsum(sizes) - sizes, sizes)

    def counted(self, ignored: Flags, group: NDArray[np.integer], renamed: Numbers | None = None) -> Rows:
        """Each text's distinct words in ascending order, after renaming (-1 for none), and their counts."""
        names = np.arange(ignored.shape[1], dtype=np.int32) if renamed is None else renamed
        mine = (self.tokens, self.starts, self.sizes)
        return Rows(*_counted(*mine, ignored, fixed(group, np.int64), fixed(names, np.int32)))

    def occurrences(self, phrases: Sequence[Sequence[int]], kept: Flags, renamed: Numbers) -> Numbers:
        """How often each phrase occurs in each text, words that are not kept being skipped."""
        starts = np.concatenate([[0], np.cumsum([len(phrase) for phrase in phrases])]).astype(np.int64)
        flat = np.array([word for phrase in phrases for word in phrase], np.int32)
        mine = (self.tokens, self.starts, self.sizes)
        return _occurrences(*mine, flat, starts, fixed(kept, np.bool_), fixed(renamed, np.int32))


def by_number(weights: Mapping[str, float], vocabulary: Mapping[str, int]) -> Floats:
    """The weights of words in the order of their numbers; 0 for words without."""
    found = np.zeros(len(vocabulary) + 1)
    for word, weight in weights.items():
        found[vocabulary.get(word, -1)] = weight  # the last place is for words that nobody uses
    return found[:-1]


@njit(cache=True, nogil=True)
def _sums(
    tokens: Numbers,
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    more_tokens: Numbers,
    more_starts: NDArray[np.int64],
    more_sizes: NDArray[np.int64],
    more: bool,
    weights: Floats,
    start: float,
) -> Floats:
    """Exact sums, correctly rounded (Shewchuk 1997, as in `math.fsum`)."""
    found = np.empty(len(starts), np.float64)
    partials = np.empty(PARTIALS, np.float64)
    for row in range(len(found)):
        partials[0] = start
        size = 1
        for at in range(starts[row], starts[row] + sizes[row]):
            size = _add(partials, size, weights[tokens[at]])
        if more:
            for at in range(more_starts[row], more_starts[row] + more_sizes[row]):
                size = _add(partials, size, weights[more_tokens[at]])
        found[row] = _rounded(partials, size)
    return found


@njit(cache=True, nogil=True)
def _add(partials: Floats, size: int, x: float) -> int:
    """Add a number to partials that do not overlap; how many they are then."""
    if x == 0:
        return size
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
    return kept + 1


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


@njit(cache=True, nogil=True)
def _products(
    tokens: Numbers,
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    vector: Floats,
    ignored: Flags,
    group: NDArray[np.int64],
) -> tuple[Floats, Floats]:
    """Products with a vector and lengths: the square of a length is a whole number, so its root is exact."""
    products, norms = np.zeros(len(starts), np.float64), np.zeros(len(starts), np.float64)
    counts = np.zeros(len(vector), np.int64)
    partials = np.empty(PARTIALS, np.float64)
    for row in range(len(starts)):
        skipped, squares, size = ignored[group[row]], 0, 1
        partials[0] = 0.0
        for at in range(starts[row], starts[row] + sizes[row]):
            word = tokens[at]
            if not skipped[word]:
                counts[word] += 1
        for at in range(starts[row], starts[row] + sizes[row]):
            word = tokens[at]
            count = counts[word]
            if count > 0:
                squares += count * count
                size = _add(partials, size, vector[word] * count)
                counts[word] = 0
        products[row], norms[row] = _rounded(partials, size), math.sqrt(squares)
    return products, norms


@njit(cache=True, nogil=True)
def _joined(
    tokens: Numbers,
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    more_tokens: Numbers,
    more_starts: NDArray[np.int64],
    more_sizes: NDArray[np.int64],
    total: int,
) -> Numbers:
    found, filled = np.empty(total, np.int32), 0
    for row in range(len(starts)):
        for at in range(starts[row], starts[row] + sizes[row]):
            found[filled] = tokens[at]
            filled += 1
        for at in range(more_starts[row], more_starts[row] + more_sizes[row]):
            found[filled] = more_tokens[at]
            filled += 1
    return found


@njit(cache=True, nogil=True)
def _counted(
    tokens: Numbers,
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    ignored: Flags,
    group: NDArray[np.int64],
    renamed: Numbers,
) -> tuple[Numbers, Numbers, NDArray[np.int64]]:
    words, counts = np.empty(sizes.sum(), np.int32), np.empty(sizes.sum(), np.int32)
    ends = np.zeros(len(starts) + 1, np.int64)
    seen = np.zeros(ignored.shape[1], np.int32)
    filled = 0
    for row in range(len(starts)):
        skipped = ignored[group[row]]
        first = filled
        for at in range(starts[row], starts[row] + sizes[row]):
            word = renamed[tokens[at]]
            if word < 0 or skipped[word]:
                continue
            if seen[word] == 0:
                words[filled] = word
                filled += 1
            seen[word] += 1
        words[first:filled].sort()
        for place in range(first, filled):
            counts[place] = seen[words[place]]
            seen[words[place]] = 0
        ends[row + 1] = filled
    return words[:filled], counts[:filled], ends


@njit(cache=True, nogil=True)
def _occurrences(
    tokens: Numbers,
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    flat: Numbers,
    phrases: NDArray[np.int64],
    kept: Flags,
    renamed: Numbers,
) -> Numbers:
    found = np.zeros((len(starts), len(phrases) - 1), np.int32)
    beginning = np.zeros(len(kept) + 1, np.bool_)
    for phrase in range(len(phrases) - 1):
        beginning[flat[phrases[phrase]]] = True
    block = np.empty(sizes.max() if len(sizes) else 0, np.int32)
    for row in range(len(starts)):
        length = 0
        for at in range(starts[row], starts[row] + sizes[row]):
            word = renamed[tokens[at]]
            if word >= 0 and kept[word]:
                block[length] = word
                length += 1
        for at in range(length):
            if not beginning[block[at]]:
                continue
            for phrase in range(len(phrases) - 1):
                first, long = phrases[phrase], phrases[phrase + 1] - phrases[phrase]
                same = at + long <= length
                for step in range(long):
                    same = same and block[at + step] == flat[first + step]
                found[row, phrase] += same
    return found
