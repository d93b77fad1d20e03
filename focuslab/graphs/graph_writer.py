"""A WebGraph too large for memory: written piece by piece, and opened by memory map."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from focuslab.graphs.array_files import ArrayFile
from focuslab.graphs.graph import SCORES
from focuslab.graphs.strings import Strings
from focuslab.types import GENRES

__all__ = ["GraphWriter"]

KINDS = {
    "relevance": "f8",
    "relevant": "?",
    "genre": "i1",
    "confidence": "f8",
    "host": "i4",
    "indptr": "i8",
    "indices": "i4",
    "urls_blob": "u1",
    "urls_starts": "i8",
}


class GraphWriter:
    """Writes the folder that `WebGraph.load` opens.

    Memory holds one piece, and four bytes for each page of the whole graph.

    Parameters
    ----------
    folder : path
        Where to write.
    pages : int
        How many pages there will be: links may lead to pages that come later.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from focuslab import WebGraph
    >>> with TemporaryDirectory() as folder:
    ...     with GraphWriter(folder, pages=3) as graph:
    ...         graph.add(["http://a.example/", "http://b.example/"], [0.9, 0.1], [1, 2, 0], sizes=[2, 1])
    ...         graph.add(["http://c.example/"], [0.5], [], sizes=[0])
    ...     WebGraph.load(folder)
    <WebGraph: 3 pages on 1 hosts, 3 links>
    """

    def __init__(self, folder: str | Path, pages: int) -> None:
        self._folder, self._pages = Path(folder), pages
        self._folder.mkdir(parents=True, exist_ok=True)
        self._files = {name: ArrayFile(self._folder / f"{name}.npy", kind) for name, kind in KINDS.items()}
        self._last = np.full(pages, -1, np.int32)
        self._written = 0
        for name in ("indptr", "urls_starts"):
            self._files[name].append([0])

    def add(
        self,
        urls: Iterable[str],
        relevance: ArrayLike,
        targets: ArrayLike,
        sizes: ArrayLike,
        host: ArrayLike | None = None,
        genre: ArrayLike | None = None,
        confidence: ArrayLike | None = None,
    ) -> None:
        """Write the next pages: their links follow each other in ``targets``, ``sizes`` of them a page.

        Links to the page itself and repeated ones are left out. Pages are on host 0, without a genre and
        with confidence 1, unless told otherwise.
        """
        worth, names = np.asarray(relevance, np.float64), Strings.of(urls)
        pages, links = len(worth), np.asarray(targets, np.int32)
        if len(links) and not 0 <= links.min() <= links.max() < self._pages:
            raise ValueError(f"links lead to pages {links.min()} to {links.max()}; there are {self._pages}")
        if len(names) != pages or self._written + pages > self._pages:
            raise ValueError(f"{len(names)} URLs for {pages} pages, of {self._pages} in all; give one a page")
        counts, kept = _distinct(np.asarray(sizes, np.int64), links, self._written, self._last)
        self._append("indices", links[kept])
        self._append("indptr", self._files["indices"].length - counts.sum() + np.cumsum(counts))
        self._append("urls_starts", self._files["urls_blob"].length + names.starts[1:])
        self._append("urls_blob", names.blob)
        columns = {"relevance": worth, "relevant": worth > 0.5, "host": host, "genre": genre}
        usual = {"host": 0, "genre": -1, "confidence": 1}
        for name, values in (columns | {"confidence": confidence}).items():
            self._append(name, np.full(pages, usual[name]) if values is None else values)
        self._written += pages

    def close(self, seeds: Sequence[int] = (0,), hosts: Iterable[str] = ("",)) -> None:
        """Write what belongs to the whole graph."""
        for file in self._files.values():
            file.close()
        if self._written != self._pages:
            raise ValueError(f"{self._written} pages were written of {self._pages}; write them all")
        named = Strings.of(hosts)
        small: dict[str, Any] = {
            "seeds": np.array(seeds, np.int32),
            "hosts_blob": named.blob,
            "hosts_starts": named.starts,
        }
        for name, values in small.items():
            np.save(self._folder / f"{name}.npy", values)
        present = ["relevance", "relevant", "genre", "confidence", "host"]
        about: dict[str, Any] = {"genres": GENRES, "failures": 0, "present": present}
        (self._folder / "graph.json").write_text(json.dumps(about | {group: [] for group in SCORES}))
        self._files = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._files:
            self.close()

    def _append(self, name: str, values: Any) -> None:
        self._files[name].append(values)


@njit(cache=True, nogil=True)
def _distinct(
    sizes: NDArray[np.int64], targets: NDArray[np.int32], first: int, last: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """How many links of each page remain without repeats and links to itself, and which."""
    counts, kept = np.zeros(len(sizes), np.int64), np.zeros(len(targets), np.bool_)
    place = 0
    for row in range(len(sizes)):
        for _ in range(sizes[row]):
            target = targets[place]
            if target != first + row and last[target] != first + row:
                last[target] = first + row
                kept[place] = True
                counts[row] += 1
            place += 1
    return counts, kept
