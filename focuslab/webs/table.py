"""Pages in a table as a web: CSV, JSON lines or Parquet with a column of addresses and one of HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuslab.classifiers.training.labels import by_label, read_labels
from focuslab.pages.urls import canonical
from focuslab.webs.labelled import LabelledWeb, alias

__all__ = ["TableWeb", "table"]

JSON_LINES = (".jsonl", ".ndjson")


def table(
    path: str | Path,
    url: str = "url",
    html: str = "html",
    label: str = "label",
    labels: str | Path | None = None,
    seeds: Iterable[str] = (),
) -> TableWeb:
    """A web out of a table; all its pages are held in memory.

    Parameters
    ----------
    path
        A ``.csv``, ``.jsonl`` or ``.parquet`` file; the first two may be packed (``.csv.gz``).
    url, html
        Names of the columns with a page's address and its HTML, as text or as bytes.
    label
        Name of the column, if there is one, with a page's topic, or with a list of them. A page with several
        topics may also stand on several lines.
    labels
        A CSV of url,label besides.
    seeds
        Where every topic starts; if not given, from five of its own pages.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     file = Path(place) / "pages.csv"
    ...     _ = file.write_text("url,html,label\\nhttp://a.example/,<p>Hello,greetings\\n")
    ...     table(file)
    <pages.csv: 1 pages, 1 topics, 0 lines skipped>
    """
    frame = _read(Path(path))
    for name in (url, html):
        if name not in frame:
            columns = ", ".join(map(str, frame)) or "none at all"
            raise ValueError(f"{path} has no column {name!r} but {columns}; say which with url= and html=")
    addresses = [canonical(said) if isinstance(said, str) else "" for said in frame[url]]
    pages = {at: _bytes(said) for at, said in zip(addresses, frame[html], strict=True) if at and _bytes(said)}
    if not pages:
        raise ValueError(f"{path} holds no pages: no line has an address in {url!r} and HTML in {html!r}")
    known = by_label(read_labels(labels, several=True)) if labels else {}
    for at, said in zip(addresses, frame.get(label, ()), strict=False):
        for topic in _topics(said):
            known.setdefault(topic, []).append(at)
    return TableWeb(
        Path(path).name, pages, known, seeds, skipped=len(frame) - sum(map(pages.__contains__, addresses))
    )


class TableWeb(LabelledWeb):
    """The pages of a table; an address that is not in it is a 404, unless another spelling of it is.

    Of several lines of one address the last one has the page. Lines without an address or without HTML are
    left out.

    Attributes
    ----------
    skipped : int
        How many lines were left out.
    """

    def __init__(
        self,
        name: str,
        pages: Mapping[str, bytes],
        labels: Mapping[str, Iterable[str]],
        seeds: Iterable[str] = (),
        skipped: int = 0,
    ) -> None:
        self.name, self.skipped = name, skipped
        self._start = tuple(canonical(url) or url for url in seeds)
        super().__init__(_Bodies(), pages, {})
        self._labels = {
            topic: frozenset(filter(None, map(self.resolve, urls))) for topic, urls in labels.items()
        }

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {self.skipped} lines skipped>"

    def _fold(self, url: str) -> str:
        return alias(url)

    def _seeds(self, topic: str, rng: np.random.Generator) -> tuple[str, ...]:
        return self._start or super()._seeds(topic, rng)


class _Bodies:
    """A store whose members are the bytes themselves."""

    def read(self, member: bytes) -> bytes:
        return member


def _read(path: Path) -> pd.DataFrame:
    endings = [ending for ending in path.suffixes if ending not in (".gz", ".bz2", ".xz", ".zst")]
    kind = endings[-1].lower() if endings else ""
    try:
        if kind == ".csv":
            return pd.read_csv(path, dtype=str, keep_default_na=False)
        if kind in JSON_LINES:
            return pd.read_json(path, lines=True, dtype=False)
        if kind == ".parquet":
            return pd.read_parquet(path)
    except (ValueError, pd.errors.ParserError) as problem:
        raise ValueError(f"{path} cannot be read as {kind[1:]}: {problem}") from problem
    raise ValueError(f"{path} is no table that is known; give a .csv, .jsonl or .parquet file")


def _bytes(said: Any) -> bytes:
    """HTML as bytes, with a mark that says how text was encoded, whatever the page says of itself."""
    if isinstance(said, str):
        return b"\xef\xbb\xbf" + said.encode("utf-8", "replace") if said.strip() else b""
    return bytes(said) if isinstance(said, (bytes, bytearray)) else b""


def _topics(said: Any) -> Iterator[str]:
    """The topics in a cell: a name, a list of names, or nothing."""
    for topic in said if isinstance(said, (list, tuple, np.ndarray)) else [said]:
        if isinstance(topic, str) and topic.strip():
            yield topic.strip()
