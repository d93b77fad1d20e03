"""Some pages of a web as arrays: which words and links they have, by number. The work of one process.

The words of title and text are written down once, in order. Anchors, the words around links and the first
passages are stretches of them: where each begins, and how many words it has.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import count
from typing import Any, NamedTuple
from unicodedata import category, name

import numpy as np
from numpy.typing import NDArray

from focuslab.classifiers.term_sets import unaccented
from focuslab.crawling.few_collections import few_collections
from focuslab.crawling.loop import unreadable
from focuslab.features.genre import genre_features
from focuslab.features.passages import passages
from focuslab.features.url_terms import url_phrases
from focuslab.pages.text import UNSPACED, Spans, lowered, lowered_each, spans, words
from focuslab.pages.urls import tokens
from focuslab.types import Page, Response

_Places = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Where stretches of words begin, and how many words they have."""
CAME, DEAD, MOVED = range(3)
FLAT = {
    "tokens": "i4",
    "anchor_tokens": "i4",
    "targets": "i4",
    "phrases": "i4",
    "phrase_tokens": "i4",
    "address_tokens": "i4",
    "context_starts": "i8",
    "context_sizes": "i4",
    "link_anchor_starts": "i8",
    "link_anchor_sizes": "i4",
    "passage_starts": "i8",
    "passage_sizes": "i4",
}
"""Arrays of many numbers a page; ``starts`` are places in ``tokens``."""
COUNTS = {
    "tokens": "all words written down for a page",
    "own": "of them, those of title and text",
    "title": "of those, those of the title",
    "anchor_tokens": "words of all anchors, repeated links included",
    "targets": "links to other pages",
    "passages": "first passages",
    "bytes": "size of the response",
}
"""What is counted of each page that came."""


class Chunk(NamedTuple):
    """What some addresses brought; words and addresses have numbers of the chunk's own."""

    states: NDArray[np.int8]
    """For each address: CAME, DEAD, or MOVED to another."""
    urls: list[str]
    """Where links lead."""
    words: list[str]
    flat: dict[str, NDArray[Any]]
    counts: dict[str, NDArray[np.int64]]
    """Those of `COUNTS` for pages that came; ``phrases``, ``phrase_tokens``, ``address_tokens`` for all."""
    genre_features: NDArray[np.float64]
    languages: list[str]
    odd: list[bool]
    """Whether the words of a page without accents are others than its words, each without accents."""


def numbering() -> defaultdict[str, int]:
    """Numbers of strings, each by the place at which it was first asked for."""
    return defaultdict(count().__next__)


class Reader:
    """Reads address after address; `chunk` is what came."""

    def __init__(self, fetch: Callable[[str], Response], parse: Callable[[Response], Page]) -> None:
        self._fetch, self._parse = fetch, parse
        self._words, self._urls = numbering(), numbering()
        self._flat = {name: array({"i4": "i", "i8": "q"}[kind]) for name, kind in FLAT.items()}
        per_address = ("phrases", "phrase_tokens", "address_tokens")
        self._counts = {name: array("q") for name in (*COUNTS, *per_address)}
        self._states, self._odd = array("b"), array("b")
        self._genre: list[NDArray[np.float64]] = []
        self._languages: list[str] = []

    def read(self, url: str) -> None:
        """Ask for an address and take in what comes."""
        response = self._fetch(url)
        self._address(url)
        if response.url != url:
            self._states.append(MOVED)
        elif unreadable(response):
            self._states.append(DEAD)
        else:
            page = self._parse(response)
            self._states.append(CAME if page.url == url else MOVED)
            if page.url == url:
                self._count("bytes", len(response.body))
                self._page(page)

    def chunk(self) -> Chunk:
        """All that was read."""
        flat = {name: np.array(self._flat[name], kind) for name, kind in FLAT.items()}
        counts = {name: np.array(values, np.int64) for name, values in self._counts.items()}
        features = np.array(self._genre).reshape(-1, len(genre_features.names))
        named = (list(self._urls), list(self._words), flat, counts, features)
        return Chunk(np.array(self._states, np.int8), *named, self._languages, list(map(bool, self._odd)))

    def _page(self, page: Page) -> None:
        self._genre.append(genre_features(page))
        self._languages.append(page.language)
        stream = _Stream(f"{page.title} {page.text}", self._number)
        self._count("title", int(np.searchsorted(stream.spans.starts, len(lowered(page.title)))))
        self._count("own", len(stream.tokens))
        self._odd.append(_is_odd(stream.text, stream.words))
        links, read = page.out, passages(page)
        self._extend("targets", [self._urls[link.url] for link in links])
        texts = [*[link.context for link in links], *read, *[link.anchor for link in page.links]]
        base, ends = len(self._flat["tokens"]), np.cumsum([len(links), len(read)])
        contexts, passed, anchors = stream.find(texts, ends)
        self._keep("context", contexts, base)
        self._keep("passage", passed, base)
        self._count("passages", len(read))
        self._anchors(page, stream, anchors, base)
        self._extend("tokens", stream.tokens)

    def _anchors(self, page: Page, stream: _Stream, places: _Places, base: int) -> None:
        """Those of the links that count, and the words of all, repeats and links to itself included."""
        first: dict[str, int] = {}
        for place, link in enumerate(page.links):
            if link.url != page.url:
                first.setdefault(link.url, place)
        starts, sizes = places
        kept = list(first.values())
        self._keep("link_anchor", (starts[kept], sizes[kept]), base)
        pieces = zip(starts.tolist(), (starts + sizes).tolist(), strict=True)
        self._extend("anchor_tokens", [token for a, b in pieces for token in stream.tokens[a:b]])

    def _keep(self, name: str, places: _Places, base: int) -> None:
        starts, sizes = places
        self._flat[f"{name}_starts"].frombytes((starts + base).astype(np.int64).tobytes())
        self._flat[f"{name}_sizes"].frombytes(sizes.astype(np.int32).tobytes())

    def _address(self, url: str) -> None:
        phrases = url_phrases(url)
        self._extend("phrases", self._number(phrases))
        self._extend("phrase_tokens", self._number(words(" ".join(phrases))))
        self._extend("address_tokens", self._number(words(" ".join(tokens(url)))))

    def _extend(self, name: str, numbers: list[int]) -> None:
        self._flat[name].extend(numbers)
        self._count(name, len(numbers))

    def _count(self, name: str, count: int) -> None:
        self._counts[name].append(count)

    def _number(self, found: Iterable[str]) -> list[int]:
        return list(map(self._words.__getitem__, found))


class _Stream:
    """The words of a page in order, and stretches of them; what is no stretch is written behind them."""

    def __init__(self, text: str, number: Callable[[Iterable[str]], list[int]]) -> None:
        self.text, self._number = lowered(text), number
        alike = text.lower() == self.text and len(text) == len(self.text)
        # where each letter has its place in both, but for sigma, which looks at what follows
        self._as_it_is = text if alike and "Σ" not in text else None
        self.spans: Spans = spans(self.text)
        places = zip(self.spans.starts.tolist(), self.spans.ends.tolist(), strict=True)
        self.words = [self.text[start:end] for start, end in places]
        self.tokens = number(self.words)

    def find(self, texts: Sequence[str], ends: NDArray[np.int64]) -> list[_Places]:
        """Where the words of each text begin among those of the page, and how many; in lists that end so."""
        plain = texts if self._as_it_is else lowered_each(texts)
        begin = np.array(self._places(plain, self._as_it_is or self.text), np.int64)
        end = np.where(begin < 0, begin, begin + np.fromiter(map(len, plain), np.int64, len(plain)))
        first = np.searchsorted(self.spans.starts, begin)
        size = np.maximum(np.searchsorted(self.spans.ends, end, "right") - first, 0)
        for place in np.flatnonzero((begin < 0) | self._cuts(begin, end)).tolist():
            found = self._number(words(texts[place]))
            first[place], size[place] = len(self.tokens), len(found)
            self.tokens += found
        return list(zip(np.split(first, ends), np.split(size, ends), strict=True))

    @staticmethod
    def _places(texts: Iterable[str], whole: str) -> list[int]:
        """Where each text stands; any place will do, and most follow each other."""
        found, last = [], 0
        for text in texts:
            at = whole.find(text, last)
            if at < 0:
                at = whole.find(text)
            last = max(at, 0)
            found.append(at)
        return found

    def _cuts(self, begin: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether a word is cut at an end and leaves another: a run of pairs that is cut leaves its pairs."""
        kind = np.concatenate([[0, 0], self.spans.kinds, [0, 0]])  # two more on both sides
        first, last = np.maximum(begin, 0) + 2, np.maximum(end, 0) + 2
        left = (kind[first - 1] == kind[first]) & (kind[first] > 0)
        right = (kind[last - 1] == kind[last]) & (kind[last] > 0)
        pair_left = (kind[first] == UNSPACED) & (kind[first + 1] == UNSPACED) & (last - first > 1)
        pair_right = (kind[last - 1] == UNSPACED) & (kind[last - 2] == UNSPACED) & (last - first > 1)
        return ((left & ~pair_left) | (right & ~pair_right)) & (end > begin)


def _is_odd(text: str, found: Sequence[str]) -> bool:
    """Accents gone, are the words found in a text still its words, each without accents?"""
    if text.isascii() or all(map(_stays, set(text))):
        return False
    bared = [bare(word) for word in found]
    plain = words(unaccented(text))
    return any(len(one) > 1 for one in bared) or [one for each in bared for one in each] != plain


@cache
def _stays(char: str) -> bool:
    """Whether a character without its accents is one of the same kind, whatever its neighbours are."""
    plain = lowered(unaccented(char))
    joins = category(char).startswith("M") or name(char, "").startswith(("HANGUL JUNG", "HANGUL JONG"))
    if joins or len(plain) != 1:
        return False
    return bool(spans(plain).kinds[0] == spans(char).kinds[0])


@cache
def bare(word: str) -> tuple[str, ...]:
    """A word without its accents; nothing if it is one."""
    return tuple(words(unaccented(word)))


def read_chunk(web: Any, parse: Callable[[Response], Page], urls: Sequence[str]) -> Chunk:
    """Read these addresses."""
    reader = Reader(web.fetch, parse)
    with few_collections():
        for url in urls:
            reader.read(url)
    return reader.chunk()
