"""A visit of a page with these words and links, for strategies that read texts."""

from __future__ import annotations

import numpy as np

from focuslab.types import Assessment, Link, Page, Response, Topic, Visit

TOPIC = Topic("movies", ("http://s.example/",), keywords=("movie",))


def visit(text: str, *links: Link, url: str = "http://s.example/", terms: dict | None = None) -> Visit:
    page = Page(url, text=text, links=links)
    return Visit(1, Link(url), 1.0, 0, Response(url, 200), page, Assessment(0, False), terms or {})


def links(names: str) -> tuple[Link, ...]:
    return tuple(Link(f"http://{name}.example/") for name in names)


def started(strategy):  # type: ignore[no-untyped-def]
    strategy.start(TOPIC, np.random.default_rng(0))
    return strategy
