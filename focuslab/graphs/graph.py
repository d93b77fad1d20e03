"""An assessed web as arrays, so that the same pages can be crawled many times without reading them again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from focuslab.graphs.strings import Strings
from focuslab.graphs.survey import Asked, Blind, LinkScore, PageScore, Verdicts, hosts_of, keep_links, survey
from focuslab.pages.parse import parse as parse_html
from focuslab.types import GENRES, Assessment, Assessor, Fetcher, Page, Response

PAGE_ARRAYS = ("relevance", "relevant", "genre", "confidence", "host", "truth", "true_genre", "dead")
GRAPH_ARRAYS = ("indptr", "indices", "seeds")
SCORES = ("page_scores", "link_scores")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WebGraph:
    """Pages that were fetched and assessed, and the links among them; pages are numbers from 0.

    Attributes
    ----------
    urls : Strings
        Address of each page, after redirects.
    relevance, relevant, genre, confidence : array
        R, I, G (place in ``genres``, -1 for none) and C as the classifiers saw them.
    host : array of int32
        Place of each page's host in ``hosts``.
    indptr, indices : array
        Links of page u: ``indices[indptr[u]:indptr[u + 1]]``, distinct, no self-links, in order of
        appearance, only to pages of this graph.
    seeds : array of int32
        The pages it all started from.
    truth, true_genre : array, optional
        The answer key of the topic: for judging, never for guiding.
    page_scores, link_scores : mapping
        Arrays with one number per page, or per link, such as the relevance of the words around it: what
        some kernels need to know, see `focuslab.graphs.simulate.features`.
    dead : array, optional
        Addresses that were tried and brought no page: a crawl that pops one goes on without it.
    failures : int
        Fetches that brought no page.
    """

    urls: Strings
    relevance: NDArray[np.float64]
    relevant: NDArray[np.bool_]
    genre: NDArray[np.int8]
    confidence: NDArray[np.float64]
    host: NDArray[np.int32]
    hosts: Strings
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    seeds: NDArray[np.int32]
    truth: NDArray[np.bool_] | None = None
    true_genre: NDArray[np.int8] | None = None
    dead: NDArray[np.bool_] | None = None
    page_scores: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    link_scores: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    genres: tuple[str, ...] = GENRES
    failures: int = 0

    def __post_init__(self) -> None:
        """Freeze the arrays: threads share them, and a compiled kernel then sees one type of array."""
        for name in PAGE_ARRAYS + GRAPH_ARRAYS:
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _frozen(value))
        for group in SCORES:
            frozen = {name: _frozen(scores) for name, scores in getattr(self, group).items()}
            object.__setattr__(self, group, frozen)
        self._check()

    def _check(self) -> None:
        for name in PAGE_ARRAYS:
            value = getattr(self, name)
            if value is not None and len(value) != len(self):
                raise ValueError(f"{name} has {len(value)} entries for {len(self)} pages; give one a page")
        if len(self.indptr) != len(self) + 1 or self.indptr[-1] != len(self.indices):
            raise ValueError(f"indptr must have {len(self) + 1} entries and end at {len(self.indices)}")
        for group, size in zip(SCORES, (len(self), self.links), strict=True):
            for name, scores in getattr(self, group).items():
                if scores.shape != (size,):
                    raise ValueError(f"{group}[{name!r}] has shape {scores.shape}; give {size} numbers")

    def __len__(self) -> int:
        return len(self.urls)

    def __repr__(self) -> str:
        judged = "" if self.truth is None else ", truth known"
        hosts = len(np.unique(self.host))
        return f"<WebGraph: {len(self):,} pages on {hosts:,} hosts, {self.links:,} links{judged}>"

    @property
    def links(self) -> int:
        """How many links there are among the pages."""
        return len(self.indices)

    def out(self, page: int) -> NDArray[np.int32]:
        """The pages that this page links to, in order of appearance."""
        return self.indices[self.indptr[page] : self.indptr[page + 1]]

    def find(self, urls: Iterable[str]) -> NDArray[np.int32]:
        """The numbers of these URLs; -1 for those the graph does not hold."""
        wanted = list(urls)
        places = dict.fromkeys(wanted, -1)
        for place, url in enumerate(self.urls):
            if url in places:
                places[url] = place
        return np.array([places[url] for url in wanted], np.int32)

    def judged(self, judge: str) -> NDArray[np.bool_]:
        """Which pages count as relevant: by the ``truth``, or by the ``guide``, the classifier itself."""
        if judge not in ("truth", "guide"):
            raise ValueError(f"no judge named {judge!r}; try truth, guide")
        if judge == "guide":
            return self.relevant
        if self.truth is None:
            raise ValueError("this graph has no truth; build it with truth=, or judge by 'guide' and say so")
        return self.truth

    @classmethod
    def crawl(
        cls,
        fetcher: Fetcher,
        seeds: Iterable[str],
        assessor: Assessor,
        *,
        hops: int | None = None,
        limit: int | None = None,
        truth: Callable[[str], bool] | None = None,
        true_genre: Callable[[str], str] | None = None,
        page_scores: Mapping[str, PageScore] | None = None,
        link_scores: Mapping[str, LinkScore] | None = None,
        dead: bool = False,
        genres: tuple[str, ...] = GENRES,
        parse: Callable[[Response], Page] = parse_html,
        progress: bool = False,
    ) -> WebGraph:
        """Crawl breadth-first from the seeds, reading every page once, and keep numbers only.

        Parameters
        ----------
        fetcher : Fetcher
            A web or any other source of responses.
        seeds : iterable of str
            Where to start.
        assessor : Assessor
            The classifiers; one with ``assess_many`` is given pages in batches.
        hops : int, optional
            Go no further from the seeds than this (the paper: 2); None for as far as links lead.
        limit : int, optional
            Fetch no more pages than this.
        truth, true_genre : callable, optional
            The answer key, URL to relevance and to genre, kept beside what the classifiers say.
        page_scores, link_scores : mapping of callable, optional
            Named functions of a page, or of (page, link), that give it a number;
            `focuslab.graphs.simulate.features` lists those a strategy needs.
        dead : bool
            Keep addresses that brought no page, at the end: then a simulated crawl tries them too, as
            strategies that share something among all links of a page need it. Addresses that a limit or
            a number of hops left unread are dead as well.
        """
        asked = Asked(page_scores or {}, link_scores or {}, dead)
        fields = survey(fetcher, tuple(seeds), assessor, genres, parse, hops, limit, asked, progress)
        return cls(**fields).judge_by(truth, true_genre)

    @classmethod
    def from_edges(
        cls,
        sources: ArrayLike,
        targets: ArrayLike,
        relevance: ArrayLike,
        *,
        relevant: ArrayLike | None = None,
        genre: ArrayLike | None = None,
        confidence: ArrayLike | None = None,
        truth: ArrayLike | None = None,
        seeds: ArrayLike = (0,),
        urls: Iterable[str] | None = None,
    ) -> WebGraph:
        """Build a graph from link pairs (source page, target page) of your own, with one R per page.

        Where they are not given, a page is relevant if R > 0.5, has no genre, and gets a made-up URL.
        """
        worth = np.array(relevance, np.float64)
        pages = len(worth)
        start, end = np.asarray(sources, np.int32), np.asarray(targets, np.int32)
        if (start[1:] < start[:-1]).any():
            order = np.argsort(start, kind="stable")
            start, end = start[order], end[order]
        indptr = np.concatenate([[0], np.cumsum(np.bincount(start, minlength=pages))]).astype(np.int64)
        same = np.arange(pages, dtype=np.int32)
        ends, kept = keep_links(indptr, end, same, same, pages)
        names = [f"http://page-{page}.example/" for page in range(pages)] if urls is None else list(urls)
        return cls(
            urls=Strings.of(names),
            relevance=worth,
            relevant=worth > 0.5 if relevant is None else np.array(relevant, np.bool_),
            genre=np.full(pages, -1, np.int8) if genre is None else np.array(genre, np.int8),
            confidence=np.ones(pages) if confidence is None else np.array(confidence, np.float64),
            indptr=ends,
            indices=end[kept],
            seeds=np.array(seeds, np.int32),
            truth=None if truth is None else np.array(truth, np.bool_),
            **hosts_of(names),
        )

    def assess(
        self, fetcher: Fetcher, assessor: Assessor, parse: Callable[[Response], Page] = parse_html
    ) -> WebGraph:
        """Read the same pages again for another topic; links stay, truth and scores are dropped.

        A page that no longer comes back is as good as blank.
        """
        verdicts = Verdicts(assessor, self.genres)
        for url in self.urls:
            verdicts.take(_read(fetcher, url, parse))
        return self._reassessed(verdicts)

    def with_verdicts(self, verdicts: Iterable[Assessment]) -> WebGraph:
        """The same graph with another assessment of each page, in the order of the pages."""
        found = Verdicts(Blind(), self.genres)
        found.keep(verdicts)
        return self._reassessed(found)

    def _reassessed(self, verdicts: Verdicts) -> WebGraph:
        fresh: dict[str, Any] = {"truth": None, "true_genre": None, "page_scores": {}, "link_scores": {}}
        return replace(self, **verdicts.finish(), **fresh)

    def judge_by(
        self, truth: Callable[[str], bool] | None = None, true_genre: Callable[[str], str] | None = None
    ) -> WebGraph:
        """The same graph with an answer key beside it."""
        found: dict[str, Any] = {}
        if truth is not None:
            found["truth"] = np.fromiter((bool(truth(url)) for url in self.urls), np.bool_, len(self))
        if true_genre is not None:
            codes = {genre: code for code, genre in enumerate(self.genres)}
            genres = (codes.get(true_genre(url), -1) for url in self.urls)
            found["true_genre"] = np.fromiter(genres, np.int8, len(self))
        return replace(self, **found) if found else self

    def hops(self, seeds: Iterable[int] | None = None) -> NDArray[np.int32]:
        """Links between each page and the nearest seed; -1 for pages out of reach."""
        start = self.seeds if seeds is None else np.fromiter(seeds, np.int32)
        return _hops(self.indptr, self.indices, start)

    def hop_counts(self, seeds: Iterable[int] | None = None) -> list[int]:
        """Pages at distance 0, 1, 2, … from the seeds: Table 1 of Qian et al."""
        distance = self.hops(seeds)
        return np.bincount(distance[distance >= 0]).tolist()

    def within(self, hops: int, seeds: Iterable[int] | None = None) -> WebGraph:
        """The part no further than so many hops from the seeds."""
        distance = self.hops(seeds)
        return self.restrict((distance >= 0) & (distance <= hops))

    def restrict(self, keep: NDArray[np.bool_]) -> WebGraph:
        """The pages where ``keep`` is true, and the links among them."""
        chosen = np.flatnonzero(keep)
        renamed = np.full(len(self), -1, np.int32)
        renamed[chosen] = np.arange(len(chosen), dtype=np.int32)
        indptr, kept = keep_links(self.indptr, self.indices, renamed, renamed, len(chosen))
        pages = {name: value[chosen] for name in PAGE_ARRAYS if (value := getattr(self, name)) is not None}
        seeds = renamed[self.seeds]
        return replace(
            self,
            **pages,
            urls=self.urls.take(chosen),
            indptr=indptr,
            indices=renamed[self.indices[kept]],
            seeds=seeds[seeds >= 0],
            page_scores={name: scores[chosen] for name, scores in self.page_scores.items()},
            link_scores={name: scores[kept] for name, scores in self.link_scores.items()},
        )

    def split(self, fraction: float = 0.5, seed: int = 0) -> tuple[WebGraph, WebGraph]:
        """Two graphs without a host in common, the first with about this share of the pages.

        Hosts are drawn by lot, those with seeds apart from the others, so that both parts get seeds
        where there are several seed hosts.
        """
        if not 0 < fraction < 1:
            raise ValueError(f"fraction is {fraction}; give a share between 0 and 1")
        rng = np.random.default_rng(seed)
        pages = np.bincount(self.host, minlength=len(self.hosts))
        seeded = np.bincount(self.host[self.seeds], minlength=len(self.hosts)) > 0
        first = np.zeros(len(self.hosts), np.bool_)
        for group in (np.flatnonzero(seeded), np.flatnonzero(~seeded)):
            order = rng.permutation(group)
            before = np.cumsum(pages[order]) - pages[order] / 2  # to the nearer side, by the middle of a host
            first[order] = before < fraction * pages[order].sum()
        return self.restrict(first[self.host]), self.restrict(~first[self.host])

    def save(self, folder: str | Path) -> None:
        """Write one ``.npy`` file per array into a folder."""
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        for name, values in self._files():
            np.save(path / f"{name}.npy", values)
        about = {
            "genres": self.genres,
            "failures": self.failures,
            **{group: list(getattr(self, group)) for group in SCORES},
            "present": [name for name in PAGE_ARRAYS if getattr(self, name) is not None],
        }
        (path / "graph.json").write_text(json.dumps(about))

    def _files(self) -> Iterator[tuple[str, NDArray[Any]]]:
        for name in ("urls", "hosts"):
            strings: Strings = getattr(self, name)
            yield from ((f"{name}_blob", strings.blob), (f"{name}_starts", strings.starts))
        for name in PAGE_ARRAYS + GRAPH_ARRAYS:
            if (value := getattr(self, name)) is not None:
                yield name, value
        for group in SCORES:
            yield from ((f"{group}_{name}", scores) for name, scores in getattr(self, group).items())

    @classmethod
    def load(cls, folder: str | Path) -> WebGraph:
        """Open what `save` wrote, by memory map: pages of the files come in as they are needed."""
        path = Path(folder)
        if not (path / "graph.json").is_file():
            raise FileNotFoundError(f"no web graph in {path}; write one there with graph.save")
        about = json.loads((path / "graph.json").read_text())

        def read(name: str) -> NDArray[Any]:
            return np.load(path / f"{name}.npy", mmap_mode="r")

        strings = {name: Strings(read(f"{name}_blob"), read(f"{name}_starts")) for name in ("urls", "hosts")}
        arrays = {name: read(name) for name in (*about["present"], *GRAPH_ARRAYS)}
        scores = {group: {name: read(f"{group}_{name}") for name in about[group]} for group in SCORES}
        fields: dict[str, Any] = {**strings, **arrays, **scores}
        return cls(**fields, genres=tuple(about["genres"]), failures=about["failures"])


def _read(fetcher: Fetcher, url: str, parse: Callable[[Response], Page]) -> Page:
    response = fetcher.fetch(url)
    return parse(response) if response.ok else Page(url)


def _frozen(values: NDArray[Any]) -> NDArray[Any]:
    view = np.asarray(values).view()
    view.flags.writeable = False
    return view


@njit(cache=True, nogil=True)
def _hops(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], seeds: NDArray[np.int32]
) -> NDArray[np.int32]:
    distance = np.full(len(indptr) - 1, -1, np.int32)
    queue = np.empty(len(distance), np.int32)
    found = 0
    for seed in seeds:
        if distance[seed] < 0:
            distance[seed] = 0
            queue[found] = seed
            found += 1
    done = 0
    while done < found:
        page = queue[done]
        done += 1
        for place in range(indptr[page], indptr[page + 1]):
            target = indices[place]
            if distance[target] < 0:
                distance[target] = distance[page] + 1
                queue[found] = target
                found += 1
    return distance
