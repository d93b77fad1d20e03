"""Reading a web: links are followed in waves from some seeds, by many processes, into files that grow."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from focuslab.graphs.array_files import ArrayFile, opened
from focuslab.graphs.page_arrays import CAME, DEAD, FLAT, MOVED, Chunk, numbering, read_chunk
from focuslab.graphs.reading import PER_ADDRESS, PER_PAGE, Reading
from focuslab.graphs.room import check_disk
from focuslab.graphs.spread import Workers, spread
from focuslab.graphs.strings import Strings
from focuslab.graphs.survey import hosts_of
from focuslab.pages.parse import parse as parse_html
from focuslab.types import Fetcher, Page, Response, Web

__all__ = ["read", "seeds_of"]

CHUNK = 250
"""Addresses that a worker reads at a time; the result does not depend on it."""
FEW = 1_500
"""A web of so few pages is read before other processes would have started."""
ADDRESSES = 10
"""Most addresses for each page: dead links are asked for too, but where there are more, there is no end."""


def seeds_of(web: Web, topics: Iterable[str], seeds: Iterable[int]) -> list[str]:
    """All starting pages of these topics."""
    drawn = (web.topic(topic, seed).seeds for topic, seed in product(topics, tuple(seeds)))
    return list(dict.fromkeys(url for some in drawn for url in some))


def read(
    web: Web,
    folder: str | Path | None = None,
    seeds: Iterable[str] | None = None,
    jobs: int | Workers | None = None,
    fetcher: Fetcher | None = None,
    parse: Callable[[Response], Page] = parse_html,
) -> Reading:
    """Read all pages of a web within reach of some seeds, dead links included.

    Parameters
    ----------
    web : Web
        Must give the same response whenever it is asked for the same URL.
    folder : path, optional
        Where to keep what was read. Without it, in a temporary folder as long as the Reading lives; workers
        on other machines then read the web themselves.
    seeds : iterable of str, optional
        Where to start; by default the seeds of all topics.
    jobs : int or Workers, optional
        Who reads: all cores by default. The result does not depend on it.
    fetcher : Fetcher, optional
        Asked for the pages in the place of the web, such as a cache of it.
    """
    start = seeds_of(web, web.topics(), (0,)) if seeds is None else list(dict.fromkeys(seeds))
    by = Workers.of(jobs)
    if by.cluster is None and len(web) <= FEW:
        by = Workers(1)
    path = Path(tempfile.mkdtemp(prefix="focuslab-") if folder is None else folder)
    path.mkdir(parents=True, exist_ok=True)
    try:
        _Build(path, fetcher or web, parse, len(web)).follow(start, by)
        found = Reading(path, web)
    except BaseException:
        if folder is None:
            shutil.rmtree(path, ignore_errors=True)
        raise
    if folder is None:
        weakref.finalize(found, shutil.rmtree, path, ignore_errors=True)
    return found


class _Build:
    """The files of a reading while they grow."""

    def __init__(self, folder: Path, fetcher: Fetcher, parse: Callable[[Response], Page], pages: int) -> None:
        self._folder, self._shared, self._size = folder, (fetcher, parse), pages
        counted = (*PER_PAGE, *PER_ADDRESS)
        kinds = FLAT | {f"count_{name}": "i8" for name in counted} | {"language": "i2", "odd": "?"}
        self._files = {name: ArrayFile(folder / f"{name}.npy", kind) for name, kind in kinds.items()}
        self._files["genre_features"] = ArrayFile(folder / "genre_features.npy", "f8", 9)
        self._urls, self._words, self._languages = numbering(), numbering(), numbering()
        self._states: list[NDArray[np.int8]] = []
        self._tokens = 0

    def follow(self, seeds: Sequence[str], by: Workers) -> None:
        """Read in waves: the seeds, what they link to, and so on."""
        wave, whole = list(seeds), True
        _numbered(self._urls, wave)
        silent = self._size <= FEW or "TQDM_DISABLE" in os.environ  # said, it is the last word
        with tqdm(total=self._size, unit="page", leave=False, disable=silent) as bar:
            while wave and whole:
                before = len(self._urls)
                for chunk in self._read(wave, by):
                    self._take(chunk)
                    bar.update(int((chunk.states == CAME).sum()))
                    whole = whole and not (chunk.states == MOVED).any()
                    whole = whole and len(self._urls) <= max(ADDRESSES * self._size, len(seeds))
                    if not whole:
                        break
                wave = list(self._urls)[before:]
        self._finish(whole)

    def _read(self, wave: Sequence[str], by: Workers) -> Iterator[Chunk]:
        chunks = [wave[start : start + CHUNK] for start in range(0, len(wave), CHUNK)]
        return spread(_read_chunk, self._shared, chunks, by)

    def _take(self, chunk: Chunk) -> None:
        """Take in a chunk, its numbers for words and addresses changed to those of the whole."""
        first = not self._states
        word, url = _numbered(self._words, chunk.words), _numbered(self._urls, chunk.urls)
        code = [self._languages[each] for each in chunk.languages]
        for name, values in chunk.flat.items():
            if name == "targets":
                values = url[values]
            elif name.endswith("starts"):
                values = values + self._tokens
            elif not name.endswith("sizes"):
                values = word[values]
            self._files[name].append(values)
        for name, values in chunk.counts.items():
            self._files[f"count_{name}"].append(values)
        self._files["genre_features"].append(chunk.genre_features)
        self._files["language"].append(code)
        self._files["odd"].append(chunk.odd)
        self._states.append(chunk.states)
        self._tokens += len(chunk.flat["tokens"])
        if first:
            share = max(1, int((chunk.states == CAME).sum())) / self._size
            check_disk(self._folder, sum(file.length for file in self._files.values()) * 5 / share)

    def _finish(self, whole: bool) -> None:
        """Number the pages that came first, then the dead addresses, and save what is left."""
        for file in self._files.values():
            file.close()
        if whole:
            self._number()
        about: dict[str, Any] = {
            "whole": whole,
            "pages": self._pages(),
            "links": self._files["targets"].length,
        }
        about |= {"languages": list(self._languages)}
        (self._folder / "reading.json").write_text(json.dumps(about, ensure_ascii=False))

    def _pages(self) -> int:
        return int(sum((states == CAME).sum() for states in self._states))

    def _number(self) -> None:
        states = np.concatenate(self._states) if self._states else np.zeros(0, np.int8)
        order = np.concatenate([np.flatnonzero(states == CAME), np.flatnonzero(states == DEAD)])
        renamed = np.empty(len(order), np.int32)
        renamed[order] = np.arange(len(order), dtype=np.int32)
        _rewrite(self._folder / "targets.npy", renamed)
        self._reorder(order)
        names = list(self._urls)
        urls = [names[place] for place in order.tolist()]
        hosts = hosts_of(urls)
        for name, strings in (("urls", Strings.of(urls)), ("hosts", hosts["hosts"])):
            self._save_strings(name, strings)
        self._save_strings("words", Strings.of(self._words))
        np.save(self._folder / "host.npy", hosts["host"])
        links = np.zeros(len(order), np.int64)
        links[: self._pages()] = opened(self._folder / "count_targets.npy")
        np.save(self._folder / "indptr.npy", np.concatenate([[0], np.cumsum(links)]))

    def _reorder(self, order: NDArray[np.int64]) -> None:
        """What is known of every address, dead ones too, goes the way of its number."""
        if (order == np.arange(len(order))).all():
            return
        for name in PER_ADDRESS:
            count, flat = (np.load(self._folder / f"{file}.npy") for file in (f"count_{name}", name))
            starts = np.cumsum(count) - count
            places = np.repeat(starts[order] - np.cumsum(count[order]) + count[order], count[order])
            np.save(self._folder / f"{name}.npy", flat[places + np.arange(len(places))])
            np.save(self._folder / f"count_{name}.npy", count[order])

    def _save_strings(self, name: str, strings: Strings) -> None:
        np.save(self._folder / f"{name}_blob.npy", strings.blob)
        np.save(self._folder / f"{name}_starts.npy", strings.starts)


def _read_chunk(shared: tuple[Fetcher, Callable[[Response], Page]], urls: Sequence[str]) -> Chunk:
    return read_chunk(*shared, urls)


def _numbered(known: dict[str, int], names: Sequence[str]) -> NDArray[np.int32]:
    """The numbers of these names; new ones get the next."""
    return np.fromiter(map(known.__getitem__, names), np.int32, len(names))


def _rewrite(path: Path, renamed: NDArray[np.int32], piece: int = 10_000_000) -> None:
    """Change numbers in a file, a piece at a time."""
    values = np.load(path, mmap_mode="r+")
    for start in range(0, len(values), piece):
        values[start : start + piece] = renamed[values[start : start + piece]]
