"""A whole web read once, for crawls of many topics: kernels then visit what the crawl loop would visit.

A site is all that the crawls of a comparison could reach; what a kernel must know of it is found out here.

Words are numbered once; a topic's classifiers are then asked about all pages and all links at a time, and
answer to the last bit as they would one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.relevance import RELEVANT, RelevanceClassifier
from focuslab.features.genre import genre_features
from focuslab.features.vectors import page_terms, terms
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.graph_web import Playback
from focuslab.graphs.kernels import Kernel
from focuslab.graphs.simulate import Known
from focuslab.graphs.survey import Blind
from focuslab.graphs.word_sums import Bags
from focuslab.pages.text import words
from focuslab.types import GENRES, Assessment, Assessor, Fetcher, Link, Page, Response

Floats = NDArray[np.float64]
TEXTS = {"cosine": "_page_terms", "anchor_cosine": "_anchor_terms", "context_cosine": "_context_terms"}
"""Which texts of a site a cosine is about."""
ADDRESSES = 10
"""Most addresses for each page: dead links are asked for too, but where there are more, there is no end."""


class Site:
    """The pages of a web within reach of some seeds, dead links included; ``pages`` is about how many.

    Attributes
    ----------
    graph : WebGraph
        Links only; `assessed` adds what the classifiers of a topic say.
    whole : bool
        False if an address led to another page, which only the crawl loop can follow, or if there was no end
        to the addresses, as in a calendar; reading stopped there.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        seeds: Iterable[str],
        parse: Callable[[Response], Page],
        pages: float = math.inf,
    ) -> None:
        watched = _Watched(fetcher, ADDRESSES * pages)
        self.graph = WebGraph.crawl(watched, seeds, Blind(), dead=True, parse=parse)
        self.whole = watched.whole
        self.number = {url: page for page, url in enumerate(self.graph.urls)}
        self._vocabulary: dict[str, int] = {}
        self._contexts: tuple[Classifiers, Floats] | None = None
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
        relevances = self._relevances(plain, self._page_words)
        return [
            Assessment(relevance, relevance > RELEVANT, *self._genre(plain.genre, page))
            for page, relevance in zip(self._alive, relevances, strict=True)
        ]

    def _genre(self, genre: Any, page: Page) -> tuple[str, float]:
        if genre is None:
            return "", 0.0
        known = type(genre) is GenreClassifier and genre.features == genre_features
        return genre.predict_vector(self._genre_vectors[page.url]) if known else genre.predict(page)

    def _relevances(self, classifiers: Classifiers, texts: Bags) -> list[float]:
        relevance: Any = classifiers.relevance
        odds = texts.sums(relevance.weights_, relevance.prior_)
        return [relevance.probability(value) for value in odds.tolist()]

    def cosines(self, name: str, vector: Mapping[str, float]) -> Floats:
        """Cosines of all pages, or of the anchors or the contexts of all links, with a vector."""
        bags: Bags = getattr(self, TEXTS[name])
        return bags.cosines(vector)

    def context_relevances(self, classifiers: Classifiers) -> Floats:
        """What the classifiers say of the words around each link; kept until another topic's ask."""
        if self._contexts is None or self._contexts[0] is not classifiers:
            self._contexts = classifiers, np.array(self._relevances(classifiers, self._context_words))
        return self._contexts[1]

    def page(self, number: int) -> Page:
        """A page that came, by its number."""
        return self._alive[number]

    def links_of(self, number: int) -> list[tuple[Page, Link]]:
        """The links of a page as the graph has them."""
        return self._links[self.graph.indptr[number] : self.graph.indptr[number + 1]]


class Knowledge:
    """What a kernel must know of pages and links, as far as crawls have needed it, in arrays of its own.

    A number about a page, or about its links, matters only once the page is visited. What the site cannot
    tell of all pages at a time is therefore left open, and found out for the pages that a crawl visits; then
    it is crawled again, until nothing was open. Each time the order is right at least up to the first
    page that was open.
    """

    def __init__(self, site: Site, kernel: Kernel, strategy: Any, graph: WebGraph) -> None:
        self._site, self._strategy = site, strategy
        self._open_pages, self._open_links = dict(kernel.pages), dict(kernel.links)
        self._pages = {name: self._bulk(name, self._open_pages, len(graph)) for name in kernel.pages}
        self._links = {name: self._bulk(name, self._open_links, graph.links) for name in kernel.links}
        self._known = np.full(len(graph), not self._open_pages and not self._open_links)

    def crawl(self, run: Callable[[Known], NDArray[np.int32]]) -> NDArray[np.int32]:
        """The order of a crawl that needs nothing unknown."""
        while True:
            order = run(Known(self._pages, self._links))
            unknown = order[~self._known[order]]
            if not len(unknown):
                return order
            for page in unknown.tolist():
                self._learn(page)

    def _bulk(self, name: str, left_open: dict[str, Any], size: int) -> Floats:
        found, values = np.zeros(size), self._of_all(name)
        if values is not None:
            found[: len(values)] = values  # dead addresses, which come last, stay at 0
            del left_open[name]
        return found

    def _of_all(self, name: str) -> Floats | None:
        """What the site can tell of all pages or links at a time."""
        if name in TEXTS:
            return self._site.cosines(name, self._strategy.query_)
        plain = plain_classifiers(self._strategy.assessor) if name == "context" else None
        return None if plain is None else self._site.context_relevances(plain)

    def _learn(self, number: int) -> None:
        self._known[number] = True
        for name, of_page in self._open_pages.items():
            self._pages[name][number] = of_page(self._strategy, self._site.page(number))
        if self._open_links:
            links, start = self._site.links_of(number), self._site.graph.indptr[number]
            for name, of_link in self._open_links.items():
                self._links[name][start : start + len(links)] = [
                    of_link(self._strategy, *one) for one in links
                ]


class _Watched:
    """Any fetcher, until an address leads to another or too many were asked for: from there, nothing."""

    def __init__(self, fetcher: Fetcher, most: float) -> None:
        self._fetcher, self._left = fetcher, most
        self.whole = True

    def fetch(self, url: str) -> Response:
        response = self._fetcher.fetch(url) if self.whole else Response(url)
        self._left -= 1
        self.whole &= response.url == url and self._left >= 0
        return response


def plain_classifiers(assessor: Any) -> Classifiers | None:
    """The classifiers behind an assessor, if they are the lab's own and read words as `Site` numbers them."""
    found = getattr(assessor, "remembered", assessor)
    if type(found) is not Classifiers or type(found.relevance) is not RelevanceClassifier:
        return None
    relevance = found.relevance
    usual = (relevance.preset, relevance.fields, relevance.language, found.language)
    return found if usual == ("rungsawang_paper", "bag", "", "") and relevance.segmenter is words else None
