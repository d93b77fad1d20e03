"""Many strings in two arrays, so that a million URLs can be saved, memory-mapped and shared."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray


class Strings(Sequence[str]):
    """A read-only sequence of strings: all their bytes, and where each one starts.

    Examples
    --------
    >>> words = Strings.of(["focus", "", "野球"])
    >>> words[2], len(words), words[:2]
    ('野球', 3, ['focus', ''])
    """

    __slots__ = ("blob", "starts")

    def __init__(self, blob: NDArray[np.uint8], starts: NDArray[np.int64]) -> None:
        self.blob, self.starts = np.asarray(blob), np.asarray(starts)  # slices of a memory map are slow

    @classmethod
    def of(cls, strings: Iterable[str]) -> Strings:
        """Pack strings."""
        blob, starts = bytearray(), array("q", [0])
        for string in strings:
            blob += string.encode("utf-8", "surrogatepass")
            starts.append(len(blob))
        return cls(np.frombuffer(blob, np.uint8), np.array(starts, np.int64))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(f"no string {place} among {len(self)}")
        i = place % len(self)
        start, end = self.starts[i : i + 2].tolist()
        return self.blob[start:end].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        for start, end in pairwise(self.starts.tolist()):
            yield self.blob[start:end].tobytes().decode("utf-8", "surrogatepass")

    def take(self, places: NDArray[Any]) -> Strings:
        """The strings at these places, in this order."""
        return Strings.of(self[int(place)] for place in places)
