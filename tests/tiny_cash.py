"""A graph whose cash was worked out by hand."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from tiny import TinyAssessor, TinyWeb, name, topic

from focuslab.crawling.loop import crawl
from focuslab.pages.parse import parse
from focuslab.strategies.opic import Opic
from focuslab.strategies.otie import Otie
from focuslab.types import Page, Response

GRAPH = {"s1": "a b", "s2": "b c", "a": "d", "b": "d e", "c": "s1", "d": "", "e": "a"}


ROOTED = {"root": "s1 s2", **GRAPH}
"""The loop fetches seeds first; below a root that pays half to each, they compete by their cash."""


MEASURED = {"root": 0.5, "s1": 1.0, "s2": 0.5, "a": 0.75, "b": 1.0, "c": 0.0, "d": 0.5, "e": 0.5}


PREDICTED = {"s1": 0.5, "s2": 0.5, "a": 0.6, "b": 0.9, "c": 0.3, "d": 0.5, "e": 0.5}


class Predicting(TinyAssessor):
    """Pages score as measured, links as predicted."""

    def __init__(self, measured: dict[str, float], predicted: dict[str, float]) -> None:
        super().__init__(measured)
        self.predicted = predicted

    def score_text(self, text: str, language: str = "") -> float:
        return self.predicted[text.split()[-1]]


def parse_anchors(response: Response) -> Page:
    """A page whose links have their own anchor for context, so that each can be given a prediction."""
    page = parse(response)
    return replace(page, links=tuple(replace(link, context=link.anchor) for link in page.links))


ASSESSOR = Predicting(MEASURED, PREDICTED)


def otie(**parameters: float) -> Otie:
    return Otie(ASSESSOR, **({"beta": 0.0, "recrawl_every": 0} | parameters))  # type: ignore[arg-type]


def walk(
    strategy: Otie | Opic,
    links: dict[str, str] = ROOTED,
    seeds: str = "root",
    assessor: TinyAssessor = ASSESSOR,
):  # type: ignore[no-untyped-def]
    return crawl(topic(seeds), TinyWeb(links), strategy, assessor, parse=parse_anchors)


def order(visits) -> str:  # type: ignore[no-untyped-def]
    return " ".join(name(visit.page.url) for visit in visits)


GRAPHS = st.lists(st.lists(st.integers(0, 11), max_size=6), min_size=12, max_size=12)


def as_web(graph: list[list[int]]) -> dict[str, str]:
    return {f"p{i}": " ".join(f"p{j}" for j in out) for i, out in enumerate(graph)}
