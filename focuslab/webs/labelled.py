"""Webs of pages that people have labelled: topics, truth and examples out of the labels."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Protocol

import numpy as np

from focuslab.pages.parse import parse
from focuslab.pages.text import stop_words
from focuslab.pages.urls import canonical
from focuslab.types import Example, Response, Topic, Truth

LABELLED_SHARE = 0.3
"""How much of a web is taken to be labelled before a crawl; examples are drawn from this part."""
SEEDS = 5
"""Pages a topic starts from, where a web has no better idea (our choice)."""
FEWEST = 2
"""Relevant examples to give even for the smallest topic: with fewer there is nothing to learn from."""


@dataclass(frozen=True, slots=True)
class ResolvingTruth(Truth):
    """An answer key that knows a page under every address it answers to, as the web itself does."""

    resolve: Callable[[str], str] = str

    def __call__(self, url: str) -> bool:
        return url in self.targets or self.resolve(url) in self.targets


class Labelled(ABC):
    """A web whose pages people have labelled: topics, truth and examples out of the labels.

    The web has a ``name`` and fetches pages; ``_labels`` maps each topic to the addresses of its pages.
    Kinds of webs override `_pool` (addresses to draw examples from), `_seeds` and `_keywords`.
    """

    name: str
    _labels: Mapping[str, frozenset[str]]

    @abstractmethod
    def fetch(self, url: str) -> Response:
        """The page at an address; a failure is a response too."""

    @abstractmethod
    def resolve(self, url: str) -> str:
        """The address under which a page is stored, "" if it is not."""

    def topics(self) -> tuple[str, ...]:
        """Names of the topics, in alphabetical order."""
        return tuple(sorted(self._labels))

    def topic(self, name: str, seed: int = 0) -> Topic:
        """The task; ``seed`` draws or orders the pages to start from."""
        self._known(name)
        return Topic(name, self._seeds(name, self._rng(name, seed, 0)), self._keywords(name))

    def truth(self, topic: str, *, without: Iterable[Example] = ()) -> Truth:
        """The pages of a topic; ``without`` leaves out examples that the crawler was trained on."""
        known = {example.page.url for example in without}
        return ResolvingTruth(frozenset(self._known(topic) - known), f"{self.name} {topic}", self.resolve)

    def examples(self, topic: str, count: int = 400, seed: int = 0) -> Sequence[Example]:
        """Labelled pages to train on, relevant and other ones mixed.

        They come from a sample of 30 % of the topic's pages and 30 % of all others, as if that much of the
        web had been labelled beforehand: the relevant ones of the sample (at least two, and at most half of
        ``count``), then others up to ``count``. The shares and the bounds are our choice. These pages remain
        part of the crawlable web; ``truth(topic, without=examples)`` does not count them.
        """
        relevant = self._known(topic)
        if count < 2 * FEWEST:
            raise ValueError(f"count is {count}; ask for at least {2 * FEWEST} examples")
        rng, pool = self._rng(topic, seed, 1), self._pool()
        good = _sample([url for url in pool if url in relevant], count // 2, rng)
        rest = _sample([url for url in pool if url not in relevant], count - len(good), rng)
        drawn = [*good, *rest]
        order = (drawn[i] for i in rng.permutation(len(drawn)))
        return [Example(parse(self.fetch(url)), url in relevant) for url in order]

    def _pool(self) -> Sequence[str]:
        """All pages that have a label (our choice: of others nobody knows what they are)."""
        return sorted({url for urls in self._labels.values() for url in urls})

    def _seeds(self, topic: str, rng: np.random.Generator) -> tuple[str, ...]:
        """A few pages of the topic."""
        pages = sorted(self._labels[topic])
        return tuple(pages[i] for i in rng.permutation(len(pages))[:SEEDS])

    def _keywords(self, topic: str) -> tuple[str, ...]:
        """The words of the topic's own name, or of the last part of it."""
        found = re.findall(r"[^\W\d_]+", topic.rpartition(".")[2].lower())
        return tuple(dict.fromkeys(word for word in found if word not in stop_words("en")))

    def _known(self, topic: str) -> frozenset[str]:
        if not self._labels:
            raise ValueError(f"{self.name} has no labels, so no topics; give labels=, a CSV of url,label")
        if topic not in self._labels:
            near = get_close_matches(topic, self._labels, n=3, cutoff=0.3) or self.topics()[:3]
            raise ValueError(
                f"no topic named {topic!r} in {self.name}; try {', '.join(near)} "
                f"(topics() lists all {len(self._labels)})"
            )
        return self._labels[topic]

    def _rng(self, topic: str, seed: int, purpose: int) -> np.random.Generator:
        """Independent draws for every topic and purpose."""
        return np.random.default_rng([seed, self.topics().index(topic), purpose])


INDEX_PAGE = re.compile(r"/(?:(?:index|default|home)\.[a-z]{3,5})?\Z")


def alias(url: str) -> str:
    """What addresses of one page have in common: no scheme, no name of an index page, no final slash.

    >>> alias("https://a.example/b/index.html") == alias("http://a.example/b/") == alias("http://a.example/b")
    True
    """
    path, mark, query = url.removeprefix("https://").removeprefix("http://").partition("?")
    return INDEX_PAGE.sub("", path) + mark + query


class Store(Protocol):
    """Where bytes are."""

    def read(self, member: Any) -> bytes: ...


class LabelledWeb(Labelled):
    """Pages in an archive, and for each topic the addresses of the pages that belong to it.

    Addresses are canonical. A page that is not in the archive answers with status 404, as a dead link does.
    Kinds of webs override `_answer` (stored bytes to Response), `_seeds`, `_keywords` and, where several
    addresses mean one page, `_fold`.

    Parameters
    ----------
    archive : Store
        Where the bytes are.
    members : mapping of str to Any
        The page's address, and where it lies in the archive.
    labels : mapping of str to collection of str
        Topic, and the addresses of its pages.
    """

    def __init__(
        self, archive: Store, members: Mapping[str, Any], labels: Mapping[str, Iterable[str]]
    ) -> None:
        self._archive = archive
        self._members = dict(members)
        self._labels = {topic: frozenset(urls) for topic, urls in labels.items()}
        self._aliases = {self._fold(url): url for url in sorted(self._members, reverse=True)}

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self):,} pages, {len(self._labels)} topics>"

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses of all pages, in the archive's order."""
        return tuple(self._members)

    def resolve(self, url: str) -> str:
        """The address under which a page is stored, "" if it is not: where a fetch would end."""
        if url in self._members:
            return url
        url = canonical(url)
        return url if url in self._members else self._aliases.get(self._fold(url), "")

    def fetch(self, url: str) -> Response:
        """The page, under the address it is stored at; status 404 if there is none."""
        address = self.resolve(url)
        if not address:
            return Response(url, 404)
        return self._answer(address, self._archive.read(self._members[address]))

    def out(self, url: str) -> tuple[str, ...]:
        """Addresses of other pages of this web that a page links to, each once, in order of appearance."""
        ends = (self.resolve(link.url) for link in parse(self.fetch(url)).out)
        return tuple(dict.fromkeys(end for end in ends if end and end != url))

    def _answer(self, url: str, stored: bytes) -> Response:
        return Response(url, 200, stored, "text/html")

    def _pool(self) -> Sequence[str]:
        return self.urls

    def _fold(self, url: str) -> str:
        """Two addresses with the same fold lead to the same page, unless both are stored."""
        return url


def _sample(urls: Sequence[str], most: int, rng: np.random.Generator) -> list[str]:
    share = max(FEWEST, round(LABELLED_SHARE * len(urls)))
    chosen = rng.permutation(len(urls))[: min(share, most)]
    return [urls[i] for i in chosen]
