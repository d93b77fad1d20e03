"""A web small enough to check by hand: a dict of links, and pages whose relevance is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from focuslab.crawling.loop import crawl
from focuslab.graphs.graph import WebGraph
from focuslab.types import Assessment, Link, Page, Response, Strategy, Topic


def url(name: str) -> str:
    """``a`` stands for http://a.example/; ``a/b`` for http://a.example/b; a full URL for itself."""
    host, _, path = name.partition("/")
    return name if name.startswith("http") else f"http://{host}.example/{path}"


def name(address: str) -> str:
    host, _, path = address.removeprefix("http://").partition(".example/")
    return f"{host}/{path}" if path else host


class TinyWeb:
    """Pages named by short names; ``{"s": "x y"}`` is a page s with links to x and y."""

    def __init__(self, links: Mapping[str, str], odd: Mapping[str, Response] | None = None) -> None:
        self.links = {url(page): [url(target) for target in out.split()] for page, out in links.items()}
        self.odd = {url(page): response for page, response in (odd or {}).items()}
        self.fetched: list[str] = []

    def fetch(self, address: str) -> Response:
        self.fetched.append(name(address))
        if address in self.odd:
            return self.odd[address]
        if address not in self.links:
            return Response(address, 404, b"gone", "text/html")
        anchors = " ".join(f'<a href="{target}">to {name(target)}</a>' for target in self.links[address])
        body = f"<title>{name(address)}</title><body>{anchors}</body>"
        return Response(address, 200, body.encode(), "text/html; charset=utf-8")


class TinyAssessor:
    """Relevance, genre and confidence by page name; text is as relevant as the pages it names."""

    def __init__(
        self,
        relevance: Mapping[str, float],
        genre: Mapping[str, str] | None = None,
        confidence: Mapping[str, float] | None = None,
    ) -> None:
        self.relevance, self.genre, self.confidence = relevance, genre or {}, confidence or {}

    def assess(self, page: Page) -> Assessment:
        short = name(page.url)
        score = self.relevance.get(short, 0.0)
        return Assessment(score, score > 0.5, self.genre.get(short, "Other"), self.confidence.get(short, 1.0))

    def score_text(self, text: str, language: str = "") -> float:
        return max((self.relevance.get(word, 0.0) for word in text.split()), default=0.0)


class GraphWeb:
    """A web graph played back as a web: fetch, parse and assess answer from its arrays."""

    def __init__(self, graph: WebGraph) -> None:
        self.graph = graph
        self.number = {url: page for page, url in enumerate(graph.urls)}

    def fetch(self, url: str) -> Response:
        return Response(url, 200, b"", "text/html")

    def parse(self, response: Response) -> Page:
        targets = self.graph.out(self.number[response.url])
        return Page(response.url, links=tuple(Link(self.graph.urls[target]) for target in targets))

    def assess(self, page: Page) -> Assessment:
        graph, i = self.graph, self.number[page.url]
        genre = graph.genres[graph.genre[i]] if graph.genre[i] >= 0 else ""
        return Assessment(
            float(graph.relevance[i]), bool(graph.relevant[i]), genre, float(graph.confidence[i])
        )

    def score_text(self, text: str, language: str = "") -> float:
        return 0.0

    def visits(self, strategy: Strategy, seeds: Iterable[int], seed: int = 0, **frontier: Any) -> list[int]:
        topic = Topic("graph", tuple(self.graph.urls[page] for page in seeds))
        run = crawl(topic, self, strategy, self, seed=seed, frontier=frontier, parse=self.parse)
        return [self.number[visit.page.url] for visit in run]


def topic(seeds: str, **more: Sequence[str]) -> Topic:
    return Topic("tiny", tuple(url(seed) for seed in seeds.split()), **more)  # type: ignore[arg-type]
