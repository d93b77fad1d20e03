"""What the classifiers and strategies of a topic say of all pages and links of a reading at a time.

Each number is what they say of that page or link alone, to the last bit: sums are exact or go in the same
order, and where that cannot be promised the pages are read one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.page_bayes import PageBayes
from focuslab.classifiers.relevance import RELEVANT, RelevanceClassifier
from focuslab.features.genre import genre_features
from focuslab.graphs import bulk
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.kernels.kernel import Kernel, Known, Words
from focuslab.graphs.read_web import read
from focuslab.graphs.reading import Reading
from focuslab.pages.parse import parse
from focuslab.types import GENRES, Assessment, Assessor, Link, Page, Web

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class Judged:
    """A reading as the classifiers of one topic see it.

    Parameters
    ----------
    reading : Reading
        A whole one.
    assessor : Assessor
        The trained classifiers.
    page : callable
        A page of the web by its URL, for what must be asked page by page.
    """

    def __init__(self, reading: Reading, assessor: Assessor, page: Callable[[str], Page]) -> None:
        self.reading, self._assessor, self._page = reading, assessor, page
        self._kept: dict[Any, Floats | None] = {}

    @classmethod
    def of(cls, web: Web | Reading, assessor: Assessor) -> Judged:
        """A web, which is read first, or what was read of it."""
        reading = web if isinstance(web, Reading) else read(web)
        if not reading.whole:
            raise ValueError("addresses of this web move or have no end; crawl it page by page: crawl(...)")
        return cls(reading, assessor, lambda url: parse(reading.web.fetch(url)))

    @cached_property
    def graph(self) -> WebGraph:
        """The links, and R, I, G and C of every page; nothing of dead addresses."""
        bare, verdicts = self.reading.graph, self._verdicts()
        blank = len(bare) - self.reading.pages
        relevance, genre, confidence, genres = verdicts
        padded = np.pad(relevance, (0, blank))
        return replace(
            bare,
            relevance=padded,
            relevant=padded > RELEVANT if self._usual else self._relevant,
            genre=np.pad(genre, (0, blank), constant_values=-1),
            confidence=np.pad(confidence, (0, blank)),
            genres=genres,
        )

    @property
    def links(self) -> WebGraph:
        """The links alone, which cost nothing to know."""
        return self.reading.graph

    @property
    def number(self) -> Mapping[str, int]:
        """The page that each URL is."""
        return self.reading.number

    @property
    def sizes(self) -> NDArray[Any]:
        """Bytes of each page."""
        return self.reading.array("count_bytes")

    def page(self, url: str) -> Page:
        """A page with its words."""
        return self._page(url)

    def words(self, name: str) -> Words:
        """What a kernel asks for of the words of all links or addresses."""
        return bulk.WORDS[name](self.reading)

    def assessment(self, url: str) -> Assessment | None:
        """What the classifiers say of a page; None for one that was not read."""
        place, graph = self.reading.number.get(url, -1), self.graph
        if not 0 <= place < self.reading.pages:
            return None
        genre = graph.genres[graph.genre[place]] if graph.genre[place] >= 0 else ""
        relevance, confidence = float(graph.relevance[place]), float(graph.confidence[place])
        return Assessment(relevance, bool(graph.relevant[place]), genre, confidence)

    def _verdicts(self) -> tuple[Floats, NDArray[np.int8], Floats, tuple[str, ...]]:
        found, read = self._assessor, self.reading
        relevance = self.relevances(found)
        genre = found.genre if type(found) is Classifiers else None
        self._usual = relevance is not None and (genre is None or _counts_features(genre))
        if not self._usual:
            return self._one_by_one()
        assert relevance is not None
        if genre is None:
            return relevance, np.full(read.pages, -1, np.int8), np.zeros(read.pages), GENRES
        assert isinstance(genre, GenreClassifier)
        codes, confidence = genre.predict_rows(read.array("genre_features"))
        genres = tuple(dict.fromkeys([*GENRES, *genre.genres]))
        place = np.array([genres.index(name) for name in genre.genres], np.int8)
        return relevance, place[codes], confidence, genres

    def _one_by_one(self) -> tuple[Floats, NDArray[np.int8], Floats, tuple[str, ...]]:
        pages, blank = self.reading.pages, len(self.reading.graph) - self.reading.pages
        said = [self._assessor.assess(self._page(url)) for url in self.reading.graph.urls[:pages]]
        genres = tuple(dict.fromkeys([*GENRES, *(each.genre for each in said if each.genre)]))
        codes = np.array([genres.index(each.genre) if each.genre else -1 for each in said], np.int8)
        self._relevant = np.pad(np.array([each.relevant for each in said], np.bool_), (0, blank))
        values = np.array([(each.relevance, each.confidence) for each in said]).reshape(-1, 2)
        return values[:, 0], codes, values[:, 1], genres

    # What is asked of pages and links; None where it must be asked one by one.

    def relevances(self, assessor: Any) -> Floats | None:
        """What an assessor says of all pages."""
        plain = type(assessor) is Classifiers
        return self._once(("relevances", assessor), lambda: self._relevances(assessor)) if plain else None

    def _relevances(self, assessor: Classifiers) -> Floats | None:
        judge = assessor.relevance
        found = self._page_scores(judge)
        if found is None:
            return None
        for language in {assessor.language, getattr(judge, "language", "")} - {""}:
            found = np.where(self.reading.speaks(language), found, 0.0)
        return found

    def _page_scores(self, judge: Any) -> Floats | None:
        if type(judge) is RelevanceClassifier and bulk.is_plain(judge):
            return bulk.page_relevances(self.reading, judge)
        if type(judge) is RelevanceClassifier and bulk.is_scaled(judge):
            return bulk.scaled_relevances(self.reading, judge, self._page)
        if type(judge) is PageBayes:
            return bulk.posteriors(self.reading, judge, "page")
        if bulk.is_usual(judge):
            return bulk.vector_scores(self.reading, judge, self._page)
        return None

    def text_scores(self, assessor: Any, texts: str) -> Floats | None:
        """What an assessor says of all texts of a kind."""
        plain = type(assessor) is Classifiers
        return self._once((texts, assessor), lambda: self._text_scores(assessor, texts)) if plain else None

    def _text_scores(self, assessor: Classifiers, texts: str) -> Floats | None:
        judge = assessor.relevance
        if type(judge) is RelevanceClassifier and bulk.is_plain(judge):
            return bulk.text_relevances(self.reading, judge, texts)
        if bulk.is_usual(judge) and texts == "context":
            return bulk.context_scores(self.reading, judge, self._page)
        return bulk.posteriors(self.reading, judge, texts) if type(judge) is PageBayes else None

    def cosines(self, vector: Mapping[str, float], texts: str) -> Floats:
        """Cosines of all texts of a kind with a vector."""
        key = (texts, "cosine", tuple(vector.items()))
        found = self._once(key, lambda: bulk.cosines(self.reading, vector, texts))
        assert found is not None
        return found

    def of_name(self, name: str, strategy: Any) -> Floats | None:
        """The numbers that a kernel asks for by this name, see `focuslab.graphs.kernels.kernel`."""
        asked = NAMES.get(name)
        return None if asked is None else asked(self, strategy)

    def _once(self, key: Any, make: Callable[[], Floats | None]) -> Floats | None:
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]


def _counts_features(genre: Any) -> bool:
    return type(genre) is GenreClassifier and genre.features == genre_features


def _guide_context(judged: Judged, strategy: Any) -> Floats | None:
    if strategy.guide is None or strategy.context == "page":
        return np.zeros(judged.links.links)
    return judged.text_scores(strategy.guide, "context")


def _accepted(judged: Judged, strategy: Any) -> Floats | None:
    if strategy.guide is None:
        return np.zeros(judged.reading.pages)
    found = judged.relevances(strategy.guide)
    return None if found is None else (found > RELEVANT).astype(np.float64)


def _posterior(judged: Judged, strategy: Any) -> Floats | None:
    return np.zeros(judged.reading.pages) if strategy.guide is None else judged.relevances(strategy.guide)


def _svm(judged: Judged, strategy: Any) -> Floats | None:
    return judged.relevances(Classifiers(strategy.judge, language=strategy.judge.language))


def _by_target(judged: Judged, strategy: Any) -> Floats | None:
    found = judged.text_scores(_plain(strategy), "phrase_tokens")
    return None if found is None else found[judged.reading.graph.indices]


def _plain(strategy: Any) -> Any:
    return getattr(strategy.assessor, "remembered", strategy.assessor)


NAMES: Mapping[str, Callable[[Judged, Any], Floats | None]] = {
    "cosine": lambda judged, strategy: judged.cosines(strategy.query_, "page"),
    "content": lambda judged, strategy: judged.cosines(strategy.content_, "page"),
    "mentions": lambda judged, strategy: bulk.mentions(judged.reading, strategy.keywords_),
    "genre_aware_f": lambda judged, strategy: bulk.similarities(
        judged.reading, strategy.assessor_, judged.page
    ),
    "svm_guided_f": _svm,
    "reading": lambda judged, strategy: bulk.readings(
        judged.reading, judged.text_scores(_plain(strategy), "passage")
    ),
    "posterior": _posterior,
    "accepted": _accepted,
    "context": lambda judged, strategy: judged.text_scores(_plain(strategy), "context"),
    "anchor": lambda judged, strategy: judged.text_scores(_plain(strategy), "anchor"),
    "phrases": _by_target,
    "anchor_cosine": lambda judged, strategy: judged.cosines(strategy.query_, "anchor"),
    "context_cosine": lambda judged, strategy: judged.cosines(strategy.query_, "context"),
    "anchor_likeness": lambda judged, strategy: judged.cosines(strategy.anchor_, "anchor"),
    "guide_context": _guide_context,
}
"""What can be told of all pages or links at a time."""


class Ground(Protocol):
    """What kernels crawl on: a `Judged` reading, or a graph that somebody else judged."""

    @property
    def graph(self) -> WebGraph: ...

    @property
    def links(self) -> WebGraph: ...

    @property
    def number(self) -> Mapping[str, int]: ...

    @property
    def sizes(self) -> NDArray[Any]: ...

    def page(self, url: str) -> Page: ...

    def words(self, name: str) -> Words: ...

    def assessment(self, url: str) -> Assessment | None: ...

    def of_name(self, name: str, strategy: Any) -> Floats | None: ...


class Numbers:
    """What a kernel must know of pages and links, as far as crawls have needed it, in arrays of its own.

    A number about a page, or about its links, matters only once the page is visited. What cannot be told of
    all pages at a time is therefore left open, and found out for the pages that a crawl visits; then it is
    crawled again, until nothing was open. Each time the order is right at least up to the first page that was
    open.
    """

    def __init__(self, judged: Ground, kernel: Kernel, strategy: Any) -> None:
        self._judged, self._strategy, graph = judged, strategy, judged.links
        self._open_pages, self._open_links = dict(kernel.pages), dict(kernel.links)
        self._pages = {name: self._told(name, self._open_pages, len(graph)) for name in kernel.pages}
        self._links = {name: self._told(name, self._open_links, graph.links) for name in kernel.links}
        self._words: dict[str, Words] = {name: judged.words(name) for name in kernel.words}
        self._known = np.full(len(graph), not self._open_pages and not self._open_links)

    def crawl(self, run: Callable[[Known], Ints]) -> Ints:
        """The trail of a crawl that needs nothing unknown."""
        while True:
            trail = run(Known(self._pages, self._links, self._words))
            came = trail[trail >= 0]
            unknown = came[~self._known[came]]
            if not len(unknown):
                return trail
            for page in unknown.tolist():
                self._learn(page)

    def _told(self, name: str, left_open: dict[str, Any], size: int) -> Floats:
        values = self._judged.of_name(name, self._strategy)
        if values is None:
            return np.zeros(size)
        del left_open[name]
        return values if len(values) == size else np.pad(values, (0, size - len(values)))

    def _learn(self, number: int) -> None:
        graph = self._judged.links
        page = self._judged.page(graph.urls[number])
        self._known[number] = True
        for name, of_page in self._open_pages.items():
            self._pages[name][number] = of_page(self._strategy, page)
        links: tuple[Link, ...] = page.out if self._open_links else ()
        for name, of_link in self._open_links.items():
            first, last = graph.indptr[number], graph.indptr[number + 1]
            self._links[name][first:last] = [of_link(self._strategy, page, link) for link in links]
