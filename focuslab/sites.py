"""A whole web read once, for crawls of many topics: kernels then visit what the crawl loop would visit.

Words are numbered once; a topic's classifiers are then asked about all pages and all links at a time, and
answer to the last bit as they would one by one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focuslab.assess import Classifiers
from focuslab.bags import Bags
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.relevance import RELEVANT, RelevanceClassifier
from focuslab.features.genre import genre_features
from focuslab.features.vectors import page_terms, terms
from focuslab.graph import WebGraph
from focuslab.kernels import Kernel
from focuslab.playback import Playback
from focuslab.survey import Blind
from focuslab.text import words
from focuslab.types import GENRES, Assessment, Assessor, Fetcher, Link, Page, Response, Strategy

Floats = NDArray[np.float64]


class Site:
    """The pages of a web within reach of some seeds, dead links included.

    Attributes
    ----------
    graph : WebGraph
        Links only; `assessed` adds what the classifiers of a topic say.
    moved : bool
        True if an address led to another page: only the crawl loop can follow that.
    """

    def __init__(self, fetcher: Fetcher, seeds: Iterable[str], parse: Callable[[Response], Page]) -> None:
        watched = _Watched(fetcher)
        self.graph = WebGraph.crawl(watched, seeds, Blind(), dead=True, parse=parse)
        self.moved = watched.moved
        self.number = {url: page for page, url in enumerate(self.graph.urls)}
        self._vocabulary: dict[str, int] = {}
        self._read = lambda url: parse(fetcher.fetch(url))

    @cached_property
    def _alive(self) -> list[Page]:
        """The pages that came, which are the first of the graph."""
        dead = self.graph.dead
        assert dead is not None
        return [self._read(url) for url, gone in zip(self.graph.urls, dead.tolist(), strict=True) if not gone]

    @cached_property
    def _links(self) -> list[tuple[Page, Link]]:
        """The links of the graph in its order, with the page each stands on."""
        play = Playback(self.graph)
        return [(page, link) for page in self._alive for _, link in play.links(page)]

    # What the texts are made of; each is made when first asked for.

    @cached_property
    def _page_words(self) -> Bags:
        plain = RelevanceClassifier()
        return Bags(map(plain.tokens, self._alive), self._vocabulary)

    @cached_property
    def _context_words(self) -> Bags:
        texts = (words(link.context, page.language) for page, link in self._links)
        return Bags(texts, self._vocabulary)

    @cached_property
    def _page_terms(self) -> Bags:
        return Bags(map(page_terms, self._alive), self._vocabulary)

    @cached_property
    def _anchor_terms(self) -> Bags:
        return Bags((terms(link.anchor, page.language) for page, link in self._links), self._vocabulary)

    @cached_property
    def _context_terms(self) -> Bags:
        return Bags((terms(link.context, page.language) for page, link in self._links), self._vocabulary)

    @cached_property
    def _genre_vectors(self) -> dict[str, NDArray[np.float64]]:
        return {page.url: genre_features(page) for page in self._alive}

    def assessed(self, assessor: Assessor) -> tuple[WebGraph, dict[str, Assessment]]:
        """The graph as these classifiers see it, and what they say of each page by its URL."""
        verdicts = self._verdicts(assessor)
        blank = [Blind.nothing] * (len(self.graph) - len(verdicts))
        by_url = {page.url: verdict for page, verdict in zip(self._alive, verdicts, strict=True)}
        genres = tuple(dict.fromkeys([*GENRES, *(verdict.genre for verdict in verdicts if verdict.genre)]))
        return replace(self.graph, genres=genres).with_verdicts([*verdicts, *blank]), by_url

    def _verdicts(self, assessor: Assessor) -> list[Assessment]:
        plain = plain_classifiers(assessor)
        if plain is None:
            return [assessor.assess(page) for page in self._alive]
        genre = _recalling(plain.genre, self._genre_vectors)
        relevances = self._relevances(plain, self._page_words)
        return [
            Assessment(relevance, relevance > RELEVANT, *(genre.predict(page) if genre else ("", 0.0)))
            for page, relevance in zip(self._alive, relevances, strict=True)
        ]

    def _relevances(self, classifiers: Classifiers, texts: Bags) -> list[float]:
        relevance: Any = classifiers.relevance
        odds = texts.sums(relevance.weights_, relevance.prior_)
        return [relevance._probability(value) for value in odds.tolist()]

    def knows(self, kernel: Kernel, strategy: Strategy, graph: WebGraph) -> WebGraph:
        """The graph with what a kernel must know of pages and links; the strategy has been started."""
        pages = {name: self._of_pages(name, of, strategy) for name, of in kernel.pages.items()}
        links = {name: self._of_links(name, of, strategy) for name, of in kernel.links.items()}
        return replace(graph, page_scores=pages, link_scores=links)

    def _of_pages(self, name: str, of: Callable[[Any, Page], float], strategy: Any) -> Floats:
        found = np.zeros(len(self.graph))  # dead addresses come last
        if name == "cosine":
            found[: len(self._alive)] = self._page_terms.cosines(strategy.query_)
        else:
            found[: len(self._alive)] = [of(strategy, page) for page in self._alive]
        return found

    def _of_links(self, name: str, of: Callable[[Any, Page, Link], float], strategy: Any) -> Floats:
        if name == "anchor_cosine":
            return self._anchor_terms.cosines(strategy.query_)
        if name == "context_cosine":
            return self._context_terms.cosines(strategy.query_)
        plain = plain_classifiers(strategy.assessor) if name == "context" else None
        if plain is not None:
            return np.array(self._relevances(plain, self._context_words))
        return np.array([of(strategy, page, link) for page, link in self._links])


class _Watched:
    """Any fetcher, and whether an address ever led to another."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self.moved = False

    def fetch(self, url: str) -> Response:
        response = self._fetcher.fetch(url)
        self.moved |= response.url != url
        return response


def plain_classifiers(assessor: Any) -> Classifiers | None:
    """The classifiers behind an assessor, if they are the lab's own and read words as `Site` numbers them."""
    found = getattr(assessor, "remembered", assessor)
    if type(found) is not Classifiers or type(found.relevance) is not RelevanceClassifier:
        return None
    relevance = found.relevance
    usual = (relevance.preset, relevance.fields, relevance.language, found.language)
    return found if usual == ("rungsawang_paper", "bag", "", "") and relevance.segmenter is words else None


def _recalling(genre: Any, vectors: Mapping[str, NDArray[np.float64]]) -> Any:
    """The same genre classifier, with the features of known pages looked up."""
    if type(genre) is not GenreClassifier or genre.features != genre_features:
        return genre
    quick = copy.copy(genre)
    quick.features = lambda page: vectors[page.url]
    return quick
