"""A WebGraph of all pages that a web lists, such as many WARC files, read by many processes or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from tqdm import tqdm

from focuslab.graphs.graph import WebGraph
from focuslab.graphs.spread import Workers, spread
from focuslab.graphs.survey import Asked, LinkScore, LinkTable, PageScore, Piece, Verdicts
from focuslab.pages.parse import parse as parse_html
from focuslab.types import GENRES, Assessor, Page, Response

__all__ = ["Listed", "gather"]

CHUNK = 500
"""Pages that a worker reads at a time; the result does not depend on it."""


class Listed(Protocol):
    """A web that can name all of its pages, and where any address ends ("" for nowhere)."""

    def fetch(self, url: str) -> Response: ...

    def resolve(self, url: str) -> str: ...


class Reading(NamedTuple):
    """All that a worker needs to read pages."""

    web: Listed
    assessor: Assessor
    asked: Asked
    parse: Callable[[Response], Page]


class Read(NamedTuple):
    """What came of some pages: their links, what the classifiers say, and how many did not come."""

    links: Piece
    verdicts: Mapping[str, Any]
    failures: int


def gather(
    web: Listed,
    urls: Iterable[str],
    assessor: Assessor,
    *,
    seeds: Iterable[str] = (),
    truth: Callable[[str], bool] | None = None,
    page_scores: Mapping[str, PageScore] | None = None,
    link_scores: Mapping[str, LinkScore] | None = None,
    jobs: int | None = None,
    cluster: Any = None,
    parse: Callable[[Response], Page] = parse_html,
    chunk: int = CHUNK,
) -> WebGraph:
    """Read these pages, each once, and keep numbers only.

    Unlike `WebGraph.crawl` it follows no links, so the work can be shared out. Workers of a cluster must see
    the same files.

    Parameters
    ----------
    web : Listed
        ``webs.archive(folder)``, or any other web with ``resolve``.
    urls : iterable of str
        The pages to read, such as ``web.urls``; they are numbered in this order.
    assessor : Assessor
        The classifiers.
    seeds : iterable of str
        Where simulated crawls start by default.
    page_scores, link_scores : mapping of callable, optional
        See `WebGraph.crawl`; functions of a module, if other processes are to find them.
    jobs, cluster
        Who does it: see `focuslab.graphs.spread.Workers`. The result does not depend on it.
    """
    asked = Asked(page_scores or {}, link_scores or {})
    listed = list(dict.fromkeys(urls))
    chunks = [listed[start : start + chunk] for start in range(0, len(listed), chunk)]
    if not chunks:
        raise ValueError("no pages to read; give their addresses, such as web.urls")
    table, verdicts, failures = LinkTable(asked), [], 0
    reading = Reading(web, assessor, asked, parse)
    reads = spread(_read, reading, chunks, Workers(jobs, cluster))
    for read in tqdm(reads, total=len(chunks), unit="chunk", leave=False):
        table.add(read.links)
        verdicts.append(read.verdicts)
        failures += read.failures
    redirects = {url: end for url in table.unread() if (end := web.resolve(url)) and end != url}
    said = {name: np.concatenate([one[name] for one in verdicts]) for name in verdicts[0]}
    fields = table.finish(redirects, [web.resolve(url) or url for url in seeds]) | said
    return WebGraph(**fields, failures=failures).judge_by(truth)


def _read(reading: Reading, urls: Sequence[str]) -> Read:
    table, verdicts, failures = LinkTable(reading.asked), Verdicts(reading.assessor, GENRES), 0
    for url in urls:
        response = reading.web.fetch(url)
        if not response.ok:
            failures += 1
            continue
        page = reading.parse(response)
        table.take(page)
        verdicts.take(page)
    return Read(table.piece(), verdicts.finish(), failures)
