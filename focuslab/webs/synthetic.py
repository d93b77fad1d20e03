"""The built-in web: known truth, true links, and HTML written on demand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from focuslab.parse import parse
from focuslab.pig import PigTable
from focuslab.types import GENRES, Example, Response, Topic, Truth
from focuslab.webs.builtin.addresses import host_names, page_urls
from focuslab.webs.builtin.links import draw_links
from focuslab.webs.builtin.plan import plan
from focuslab.webs.builtin.quotas import link_classes
from focuslab.webs.builtin.reach import connect
from focuslab.webs.builtin.render import Renderer
from focuslab.webs.builtin.structure import Pages, draw_pages
from focuslab.webs.builtin.vocabulary import vocabulary

__all__ = ["SyntheticWeb", "synthetic"]

SMALLEST = 200
Flags = NDArray[np.bool_]


def synthetic(
    pages: int = 5_000, seed: int = 7, dirt: bool = False, links_per_page: float = 0.0
) -> SyntheticWeb:
    """Build a web."""
    if pages < SMALLEST:
        raise ValueError(
            f"a built-in web of {pages} pages is too small for 30 topics; ask for {SMALLEST} or more"
        )
    return _build(pages, seed, links_per_page)


def _build(
    pages: int, seed: int, links_per_page: float = 0.0, focus: int = -1, ending: str = ".example"
) -> SyntheticWeb:
    words = vocabulary()
    aim = plan(words, pages, links_per_page, focus)
    rng = np.random.default_rng([seed, pages, focus + 1])
    drawn = draw_pages(words, aim, rng)
    source, klass = link_classes(words, aim, drawn, rng)
    indptr, indices = draw_links(aim, drawn, source, klass, rng)
    core = connect(indptr, indices, drawn, rng)
    names = host_names(words, drawn.hosts, ending, rng)
    urls = page_urls(words, drawn, names, rng)
    return SyntheticWeb(seed, drawn, indptr, indices, core, names, urls)


@dataclass(frozen=True, eq=False)
class SyntheticWeb:
    seed: int
    pages: Pages
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    core: Flags
    names: list[str]
    urls: list[str]

    def __len__(self) -> int:
        return len(self.urls)

    def fetch(self, url: str) -> Response:
        page = self._numbers.get(url)
        if page is None:
            return Response(url, 404, error="")
        return Response(url, 200, self._renderer.html(page).encode(), "text/html; charset=utf-8", 0.1)

    def topics(self) -> tuple[str, ...]:
        return vocabulary().topics

    def topic(self, name: str, seed: int = 0, count: int = 7) -> Topic:
        number = self._number(name)
        subject = vocabulary().subjects[number]
        likely = np.flatnonzero((self.pages.klass == number) & self.core & ~self.pages.hidden)
        weight = self.pages.popularity[likely]
        rng = np.random.default_rng([self.seed, 2, number, seed])
        seeds = rng.choice(likely, min(count, len(likely)), replace=False, p=weight / weight.sum())
        return Topic(
            name,
            tuple(self.urls[page] for page in seeds),
            subject.keywords,
            subject.genre_terms,
            subject.content_terms,
            subject.url,
        )

    def truth(self, topic: str) -> Truth:
        return Truth(frozenset(self.urls[page] for page in np.flatnonzero(self.relevant(topic))))

    def relevant(self, topic: str) -> Flags:
        return self.pages.klass == self._number(topic)

    @property
    def genre(self) -> NDArray[np.int8]:
        return self.pages.genre

    @property
    def field(self) -> NDArray[np.int8]:
        return self.pages.content

    @property
    def grade(self) -> NDArray[np.float32]:
        return self.pages.grade

    @property
    def host(self) -> NDArray[np.int32]:
        return self.pages.host

    def url(self, page: int) -> str:
        return self.urls[page]

    def number(self, url: str) -> int:
        return self._numbers[url]

    def true_pig(self, topic: str) -> PigTable:
        relevant = self.relevant(topic)
        source = np.repeat(np.arange(len(self)), np.diff(self.indptr))
        cell = relevant[source] * 5 + self.genre[source]
        links = np.bincount(cell, minlength=10).reshape(2, 5)
        hits = np.bincount(cell[relevant[self.indices]], minlength=10).reshape(2, 5)
        return PigTable.from_counts(hits, links, source="truth")

    def examples(self, topic: str, count: int = 400, seed: int = 0) -> list[Example]:
        number = self._number(topic)
        sister = _sister(self.seed, number, max(2_000, 4 * count))
        rng = np.random.default_rng([self.seed, 3, number, seed])
        chosen = _sample(sister, number, count, rng)
        relevant = sister.pages.klass == number
        return [
            Example(parse(sister.fetch(sister.urls[page])), bool(relevant[page]), GENRES[sister.genre[page]])
            for page in chosen
        ]

    def _number(self, name: str) -> int:
        names = self.topics()
        if name not in names:
            raise ValueError(f"no topic named {name!r}; try {', '.join(names)}")
        return names.index(name)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {url: page for page, url in enumerate(self.urls)}

    @cached_property
    def _renderer(self) -> Renderer:
        return Renderer(
            vocabulary(), self.pages, self.names, self.urls, (self.indptr, self.indices), self.seed
        )


@lru_cache(maxsize=4)
def _sister(seed: int, topic: int, pages: int) -> SyntheticWeb:
    return _build(pages, seed + 1_000_003, focus=topic, ending=".test")


def _sample(web: SyntheticWeb, topic: int, count: int, rng: np.random.Generator) -> list[int]:
    relevant = web.pages.klass == topic
    chosen: list[int] = []
    for genre in range(5):
        for side in (True, False):
            pool = rng.permutation(np.flatnonzero((web.genre == genre) & (relevant == side)))
            chosen += pool[: count // 10].tolist()
    rest = rng.permutation(np.setdiff1d(np.arange(len(web)), chosen))
    chosen += rest[: count - len(chosen)].tolist()
    return [int(page) for page in rng.permutation(chosen)]
