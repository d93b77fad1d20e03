"""Read a web once, breadth-first, and keep numbers only: the arrays a WebGraph is made of.

The crawl loop does the walking, so failures, redirects and duplicates are treated as in any other crawl.
Pages are assessed afterwards in batches, for breadth-first needs no scores to go on.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from tqdm import tqdm

from focuslab.crawling.loop import crawl
from focuslab.graphs.strings import Strings
from focuslab.pages.urls import host
from focuslab.types import (
    Assessment,
    Assessor,
    Fetcher,
    Link,
    Page,
    Proposal,
    Response,
    Strategy,
    Topic,
    Visit,
)

PageScore = Callable[[Page], float]
LinkScore = Callable[[Page, Link], float]
BATCH = 256


class Asked(NamedTuple):
    """What to keep of a web besides what every WebGraph has."""

    page_scores: Mapping[str, PageScore]
    link_scores: Mapping[str, LinkScore]
    dead: bool = False


def survey(
    fetcher: Fetcher,
    seeds: tuple[str, ...],
    assessor: Assessor,
    genres: tuple[str, ...],
    parse: Callable[[Response], Page],
    hops: int | None = None,
    limit: int | None = None,
    asked: Asked | None = None,
    progress: bool = False,
) -> dict[str, Any]:
    """Crawl from the seeds and return the fields of a WebGraph by name."""
    watched = _Watched(fetcher)
    table = LinkTable(asked or Asked({}, {}))
    verdicts = Verdicts(assessor, genres)
    visits = crawl(Topic("survey", seeds=seeds), watched, _Flood(hops), Blind(), parse=parse)
    chosen = islice(visits, limit)
    for visit in tqdm(chosen, total=limit, unit="page", leave=False) if progress else chosen:
        table.take(visit.page)
        verdicts.take(visit.page)
    visits.close()
    links = table.finish(watched.redirects, seeds)
    verdicts.add_blank(len(links["urls"]) - len(table))
    fields = links | verdicts.finish()
    return fields | {"genres": genres, "failures": len(visits.failures)}


class _Flood(Strategy):
    """Follow every link up to a distance; bare links, for a million of them wait at a time."""

    name: ClassVar[str] = "flood"

    def __init__(self, hops: int | None) -> None:
        self.hops = hops

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        if self.hops is not None and visit.depth >= self.hops:
            return ()
        return (Proposal(Link(link.url), 0.0) for link in visit.page.out)


class Blind:
    """Stands in for the classifiers while the web is walked."""

    nothing = Assessment(0.0, False)

    def assess(self, page: Page) -> Assessment:
        return self.nothing

    def score_text(self, text: str, language: str = "") -> float:
        return 0.0


class _Watched:
    """Any fetcher, with a note of which URL led to which other."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self.redirects: dict[str, str] = {}

    def fetch(self, url: str) -> Response:
        response = self._fetcher.fetch(url)
        if response.url != url:
            self.redirects[url] = response.url
        return response


class Verdicts:
    """What the classifiers say of page after page, in batches where they offer ``assess_many``."""

    def __init__(self, assessor: Assessor, genres: tuple[str, ...]) -> None:
        self._many: Callable[[list[Page]], Iterable[Assessment]] = getattr(
            assessor, "assess_many", lambda pages: map(assessor.assess, pages)
        )
        self._codes = {genre: code for code, genre in enumerate(genres)}
        self._pages: list[Page] = []
        self._relevance, self._confidence = array("d"), array("d")
        self._relevant, self._genre = array("b"), array("b")

    def take(self, page: Page) -> None:
        self._pages.append(page)
        if len(self._pages) == BATCH:
            self._assess()

    def add_blank(self, count: int) -> None:
        """Say nothing of so many addresses that brought no page."""
        self._assess()
        for values, nothing in ((self._relevance, 0), (self._relevant, 0), (self._genre, -1)):
            values.extend([nothing] * count)
        self._confidence.extend([0] * count)

    def finish(self) -> dict[str, Any]:
        self._assess()
        return {
            "relevance": np.array(self._relevance, np.float64),
            "relevant": np.array(self._relevant, np.bool_),
            "genre": np.array(self._genre, np.int8),
            "confidence": np.array(self._confidence, np.float64),
        }

    def _assess(self) -> None:
        if self._pages:
            self.keep(self._many(self._pages))
        self._pages.clear()

    def keep(self, verdicts: Iterable[Assessment]) -> None:
        """Take in assessments made elsewhere."""
        for verdict in verdicts:
            self._relevance.append(verdict.relevance)
            self._relevant.append(verdict.relevant)
            self._genre.append(self._codes.get(verdict.genre, -1))
            self._confidence.append(verdict.confidence)


class Piece(NamedTuple):
    """The links of some pages, as one process found them and another can add them up."""

    urls: Strings
    pages: array[int]
    ends: array[int]
    targets: array[int]
    page_scores: dict[str, array[float]]
    link_scores: dict[str, array[float]]


class LinkTable:
    """The links of page after page as numbers, every URL ever seen having one."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._ids: dict[str, int] = {}
        self._pages = array("i")
        self._ends = array("q", [0])
        self._targets = array("i")
        self._page_scores = {name: array("d") for name in asked.page_scores}
        self._link_scores = {name: array("d") for name in asked.link_scores}

    def __len__(self) -> int:
        return len(self._pages)

    def take(self, page: Page) -> None:
        self._pages.append(self._id(page.url))
        links = page.out
        self._targets.extend([self._id(link.url) for link in links])
        self._ends.append(len(self._targets))
        for name, of_page in self._asked.page_scores.items():
            self._page_scores[name].append(of_page(page))
        for name, of_link in self._asked.link_scores.items():
            self._link_scores[name].extend([of_link(page, link) for link in links])

    def piece(self) -> Piece:
        """All that is in here, to be added to another table."""
        found = (self._pages, self._ends, self._targets, self._page_scores, self._link_scores)
        return Piece(Strings.of(self._ids), *found)

    def add(self, piece: Piece) -> None:
        """Take in the pages of another table after those that are here."""
        ids, before = [self._id(url) for url in piece.urls], len(self._targets)
        self._pages.extend([ids[page] for page in piece.pages])
        self._targets.extend([ids[target] for target in piece.targets])
        self._ends.extend([before + end for end in piece.ends[1:]])
        for name, values in piece.page_scores.items():
            self._page_scores[name].extend(values)
        for name, values in piece.link_scores.items():
            self._link_scores[name].extend(values)

    def unread(self) -> list[str]:
        """Addresses that links lead to and that are no page of the table."""
        names, read = list(self._ids), set(self._pages)
        return [name for number, name in enumerate(names) if number not in read]

    def finish(self, redirects: Mapping[str, str], seeds: Iterable[str]) -> dict[str, Any]:
        """Turn URL numbers into page numbers; links to what was not fetched fall away, or stay dead."""
        page_of = self._numbered(redirects)
        names = list(self._ids)
        urls = [names[page] for page in self._pages]
        if self._asked.dead:
            lost = np.flatnonzero(page_of < 0)
            page_of[lost] = np.arange(len(urls), len(urls) + len(lost), dtype=np.int32)
            urls += [names[url] for url in lost]
        ends = np.array(self._ends, np.int64)
        ends = np.concatenate([ends, np.full(len(urls) - len(self), ends[-1])])
        targets = np.frombuffer(self._targets, np.int32)
        rows = np.arange(len(urls), dtype=np.int32)
        indptr, kept = keep_links(ends, targets, rows, page_of, len(urls))
        starts = [page_of[self._ids[url]] for url in seeds if url in self._ids]
        return {
            "urls": Strings.of(urls),
            **hosts_of(urls),
            "indptr": indptr,
            "indices": page_of[targets[kept]],
            "seeds": np.array([page for page in dict.fromkeys(starts) if page >= 0], np.int32),
            "dead": rows >= len(self) if self._asked.dead else None,
            "page_scores": {name: self._padded(values, urls) for name, values in self._page_scores.items()},
            "link_scores": {name: np.array(values)[kept] for name, values in self._link_scores.items()},
        }

    def _numbered(self, redirects: Mapping[str, str]) -> NDArray[np.int32]:
        """The page that each URL leads to, -1 for none."""
        pages = np.array(self._pages, np.int64)
        for url in redirects:
            self._id(url)
        page_of = np.full(len(self._ids), -1, np.int32)
        page_of[pages] = np.arange(len(pages), dtype=np.int32)
        for asked, answered in redirects.items():
            page_of[self._ids[asked]] = page_of[self._ids.get(answered, self._ids[asked])]
        return page_of

    def _padded(self, values: array[float], urls: list[str]) -> NDArray[np.float64]:
        return np.concatenate([np.array(values), np.zeros(len(urls) - len(values))])

    def _id(self, url: str) -> int:
        return self._ids.setdefault(url, len(self._ids))


def hosts_of(urls: Iterable[str]) -> dict[str, Any]:
    """The hosts of these URLs, and which one each URL is on."""
    numbers: dict[str, int] = {}
    of_page = [numbers.setdefault(host(url), len(numbers)) for url in urls]
    return {"host": np.array(of_page, np.int32), "hosts": Strings.of(numbers)}


@njit(cache=True, nogil=True)
def keep_links(
    indptr: NDArray[np.int64],
    targets: NDArray[np.int32],
    row_name: NDArray[np.int32],
    target_name: NDArray[np.int32],
    rows: int,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Mark the links to keep after renaming: both ends named (not -1), no self-link, no repeat.

    ``row_name`` must not decrease over the rows that stay. Returns the new row ends and the marks.
    """
    ends = np.zeros(rows + 1, np.int64)
    kept = np.zeros(len(targets), np.bool_)
    last_row = np.full(rows, -1, np.int32)
    count = 0
    for row in range(len(indptr) - 1):
        name = row_name[row]
        if name < 0:
            continue
        for place in range(indptr[row], indptr[row + 1]):
            target = target_name[targets[place]]
            if target >= 0 and target != name and last_row[target] != name:
                last_row[target] = name
                kept[place] = True
                count += 1
        ends[name + 1] = count
    return ends, kept
