"""A playback: a WebGraph stands in for the web it was read from, so that the crawl loop can crawl it.

For strategies without a kernel; `survey_again` reads the pages of a graph once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focuslab.graphs.graph import WebGraph
from focuslab.graphs.survey import LinkScore, PageScore
from focuslab.pages.parse import parse
from focuslab.types import Assessment, Example, Fetcher, Link, Page, Response, Topic, Truth

TEXTS = ("title", "text", "images", "multimedia", "language", "anchor", "context")


class _Wordless:
    """Fails in words of its own where a strategy asks for text."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name in TEXTS:
            raise ValueError(f"a graph holds no words, so {name!r} is unknown; give web= to read the pages")
        raise AttributeError(name)


class _Link(_Wordless, Link):
    __slots__ = ()

    def __init__(self, url: str, source: str) -> None:
        object.__setattr__(self, "url", url)
        object.__setattr__(self, "source", source)


class _Page(_Wordless, Page):
    __slots__ = ()

    def __init__(self, url: str, links: tuple[Link, ...]) -> None:
        object.__setattr__(self, "url", url)
        object.__setattr__(self, "links", links)


class Playback:
    """Fetcher, parser and assessor that answer from the arrays of a graph.

    With a ``web`` the pages have their words too; of their links, those remain that the graph has.
    """

    def __init__(self, graph: WebGraph, web: Fetcher | None = None) -> None:
        self.graph, self.web = graph, web
        self.number = {url: page for page, url in enumerate(graph.urls)}
        self._leads_to: dict[str, int] = {}

    def fetch(self, url: str) -> Response:
        """The page, as long as the graph has it alive."""
        page = self.number.get(url, -1)
        if page < 0 or (self.graph.dead is not None and self.graph.dead[page]):
            return Response(url, 404)
        return Response(url, 200, content_type="text/html") if self.web is None else self.web.fetch(url)

    def parse(self, response: Response) -> Page:
        """The page with the links of the graph."""
        urls, number = self.graph.urls, self.number[response.url]
        if self.web is None:
            links = (_Link(urls[target], response.url) for target in self.graph.out(number).tolist())
            return _Page(response.url, tuple(links))
        page = parse(response)
        return replace(page, links=tuple(replace(link, url=urls[to]) for to, link in self.links(page)))

    def assess(self, page: Page) -> Assessment:
        """R, I, G and C as the graph has them."""
        graph, i = self.graph, self.number[page.url]
        genre = graph.genres[graph.genre[i]] if graph.genre[i] >= 0 else ""
        return Assessment(
            float(graph.relevance[i]), bool(graph.relevant[i]), genre, float(graph.confidence[i])
        )

    def score_text(self, text: str, language: str = "") -> float:
        """Words are for the strategy's own classifiers."""
        raise ValueError("a graph cannot score text; build the strategy with a trained assessor")

    def assessment(self, url: str) -> Assessment | None:
        """R, I, G and C of a page by its URL; None if the graph does not have it."""
        return self.assess(_Page(url, ())) if url in self.number else None

    def links(self, page: Page) -> list[tuple[int, Link]]:
        """The links of a page that the graph has, with the page each leads to; distinct, no self-links."""
        home, found = self.number[page.url], dict[int, Link]()
        for link in page.out:
            target = self._target(link.url)
            if target >= 0 and target != home:
                found.setdefault(target, link)
        if [*found] != self.graph.out(home).tolist():
            raise ValueError(f"{page.url} has other links than when the graph was built; build it again")
        return list(found.items())

    def _target(self, url: str) -> int:
        """Where a link leads; an address that the graph does not know may be an old one of a page it has."""
        if url in self.number:
            return self.number[url]
        if url not in self._leads_to and self.web is not None:
            response = self.web.fetch(url)
            self._leads_to[url] = self.number.get(response.url, -1) if response.ok else -1
        return self._leads_to[url]


class GraphWeb(Playback):
    """A graph as a web of one topic, so that comparisons take it: what it holds is judged, and has no words.

    Parameters
    ----------
    graph : WebGraph
        With its truth, unless the guide is to judge.
    name : str
        Of the topic.
    seeds : int
        How many pages a crawl starts from, drawn by lot among those that the guide calls relevant.
    """

    def __init__(self, graph: WebGraph, name: str = "graph", seeds: int = 7) -> None:
        super().__init__(graph)
        self.name, self._count = name, seeds

    def __len__(self) -> int:
        return len(self.graph) - (0 if self.graph.dead is None else int(self.graph.dead.sum()))

    def topics(self) -> tuple[str, ...]:
        """The one that was judged."""
        return (self.name,)

    def topic(self, name: str, seed: int = 0) -> Topic:
        """The task: seeds and nothing else."""
        pool, rng = np.flatnonzero(self.graph.relevant), np.random.default_rng(seed)
        if not len(pool):
            raise ValueError("no page of this graph is relevant to the guide, so no crawl can start")
        drawn = rng.choice(pool, min(self._count, len(pool)), replace=False)
        return Topic(name, tuple(self.graph.urls[int(page)] for page in drawn))

    def examples(self, topic: str, count: int = 400, seed: int = 0) -> Sequence[Example]:
        """None: a graph has no pages to show."""
        return ()

    def truth(self, topic: str) -> Truth:
        """The relevant pages, if the graph knows them."""
        found = np.flatnonzero(self.graph.judged("truth"))
        return Truth(frozenset(self.graph.urls[int(page)] for page in found))

    @property
    def links(self) -> WebGraph:  # type: ignore[override]
        """The graph itself: what kernels crawl."""
        return self.graph

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Nobody knows how many bytes its pages had."""
        return np.zeros(len(self.graph), np.int64)

    def page(self, url: str) -> Page:
        """Never: a graph has no words."""
        raise ValueError(f"a graph holds no words of {url}; compare on the web, or on a reading of it")

    def words(self, name: str) -> Any:
        """Never: a graph has no words."""
        raise ValueError(f"a graph holds no {name!r}; compare on the web, or on a reading of it")

    def of_name(self, name: str, strategy: Any) -> NDArray[np.float64] | None:
        """Numbers that were kept when the graph was built."""
        kept = {**self.graph.page_scores, **self.graph.link_scores}
        if name not in kept:
            raise ValueError(
                f"{strategy.name} needs {name!r} of this graph; leave it out, or give a reading of the web"
            )
        return kept[name]


def survey_again(
    graph: WebGraph, web: Fetcher, page_scores: Mapping[str, PageScore], link_scores: Mapping[str, LinkScore]
) -> WebGraph:
    """Read the pages of a graph again and keep what these functions say of them and of their links."""
    play = Playback(graph, web)
    pages = {name: np.zeros(len(graph)) for name in page_scores}
    links = {name: np.zeros(graph.links) for name in link_scores}
    for number, url in enumerate(graph.urls):
        response = play.fetch(url)
        if not response.ok:
            continue
        page = parse(response)
        for name, of_page in page_scores.items():
            pages[name][number] = of_page(page)
        if links:
            kept = [link for _, link in play.links(page)]
            place = slice(graph.indptr[number], graph.indptr[number + 1])
            for name, of_link in link_scores.items():
                links[name][place] = [of_link(page, link) for link in kept]
    return replace(
        graph, page_scores={**graph.page_scores, **pages}, link_scores={**graph.link_scores, **links}
    )
