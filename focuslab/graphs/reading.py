"""A web read once: its links, and the words of its pages and links, as numbers in files opened by memory map.

`focuslab.graphs.read_web` writes one. What the classifiers of a topic make of the words is found out later,
for all pages at a time: see `focuslab.graphs.judging`.
"""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focuslab.classifiers.term_sets import ignored
from focuslab.graphs.array_files import opened
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.page_arrays import bare
from focuslab.graphs.strings import Strings
from focuslab.graphs.texts import Texts
from focuslab.pages.text import stop_words
from focuslab.types import Web

__all__ = ["PER_ADDRESS", "PER_PAGE", "Reading"]

PER_ADDRESS = ("phrases", "phrase_tokens", "address_tokens")
PER_PAGE = ("tokens", "own", "title", "anchor_tokens", "targets", "passages", "bytes")


class Reading:
    """A web and what was read of it; a web itself, so that comparisons take either.

    Attributes
    ----------
    web : Web
        What was read: it is asked for topics, examples and truth, and for pages that must be seen as a whole.
    folder : Path
        Where the arrays are.
    whole : bool
        False if an address led to another page, which only the crawl loop can follow, or if there was no end
        to the addresses, as in a calendar; reading stopped there, and nothing is kept.
    """

    def __init__(self, folder: str | Path, web: Web) -> None:
        self.folder, self.web = Path(folder), web
        if not (self.folder / "reading.json").is_file():
            raise FileNotFoundError(f"no reading in {self.folder}; write one there with read(web, folder)")
        self.about: dict[str, Any] = json.loads((self.folder / "reading.json").read_text())
        self.whole: bool = self.about["whole"]

    def __reduce__(self) -> tuple[type[Reading], tuple[Path, Web]]:
        """Other processes open the same files."""
        return type(self), (self.folder, self.web)

    def __len__(self) -> int:
        return len(self.web)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "web" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.web, name)

    def __repr__(self) -> str:
        return f"<Reading: {self.about['pages']:,} pages and {self.about['links']:,} links in {self.folder}>"

    def array(self, name: str) -> NDArray[Any]:
        """One of the arrays."""
        return opened(self.folder / f"{name}.npy")

    @cached_property
    def graph(self) -> WebGraph:
        """Links only: nothing is judged, and no page is a seed. Dead addresses come last."""
        urls, hosts = (self._strings(name) for name in ("urls", "hosts"))
        none = np.zeros(len(urls))
        return WebGraph(
            urls=urls,
            hosts=hosts,
            host=self.array("host"),
            relevance=none,
            relevant=none.astype(np.bool_),
            genre=np.full(len(urls), -1, np.int8),
            confidence=none,
            indptr=self.array("indptr"),
            indices=self.array("targets"),
            seeds=np.zeros(0, np.int32),
            dead=np.arange(len(urls)) >= self.pages,
        )

    @cached_property
    def number(self) -> dict[str, int]:
        """The page, or dead address, that each URL is."""
        return {url: page for page, url in enumerate(self.graph.urls)}

    @property
    def pages(self) -> int:
        """How many pages came."""
        return int(self.about["pages"])

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def words(self) -> Strings:
        """All words, by number."""
        return self._strings("words")

    @cached_property
    def texts(self) -> dict[str, Texts]:
        """The texts there are, each kind by its name: page, title, anchors, context, anchor and so on."""
        tokens, page = self.array("tokens"), self._starts("tokens")
        size = {name: self.array(f"count_{name}") for name in PER_PAGE}
        found = {
            "page": Texts(tokens, page[:-1], size["own"]),
            "title": Texts(tokens, page[:-1], size["title"]),
            "text": Texts(tokens, page[:-1] + size["title"], size["own"] - size["title"]),
            "anchors": Texts(
                self.array("anchor_tokens"), self._starts("anchor_tokens")[:-1], size["anchor_tokens"]
            ),
        }
        for name, stored in (("context", "context"), ("anchor", "link_anchor"), ("passage", "passage")):
            found[name] = Texts(tokens, self.array(f"{stored}_starts"), self.array(f"{stored}_sizes"))
        for name in PER_ADDRESS:
            found[name] = Texts(self.array(name), self._starts(name)[:-1], self.array(f"count_{name}"))
        return found

    def passages(self) -> NDArray[np.int64]:
        """Where the passages of each page begin among all."""
        return self._starts("passages")

    # Languages, and which words do not count in each.

    @cached_property
    def languages(self) -> list[str]:
        """The languages of the pages."""
        return list(self.about["languages"])

    @cached_property
    def language(self) -> NDArray[np.int16]:
        """Place of each page's language in ``languages``."""
        return self.array("language")

    def speaks(self, language: str) -> NDArray[np.bool_]:
        """Which pages are in a language."""
        return self.language == (self.languages.index(language) if language in self.languages else -1)

    def groups(self, texts: str) -> NDArray[np.int16]:
        """The language of the page that each text of a kind stands on."""
        if texts in ("page", "title", "text", "anchors"):
            return self.language
        return np.repeat(
            self.language, self.array(f"count_{'passages' if texts == 'passage' else 'targets'}")
        )

    @cached_property
    def no_terms(self) -> NDArray[np.bool_]:
        """For each language the words that `focuslab.features.vectors.terms` leaves out."""
        single = np.array([len(word) == 1 and word.isascii() for word in self.vocabulary], np.bool_)
        found = np.tile(single, (max(1, len(self.languages)), 1))
        for code, language in enumerate(self.languages):
            stopped = [self.vocabulary.get(word, -1) for word in stop_words(language or "en")]
            found[code, [word for word in stopped if word >= 0]] = True
        return found

    @cached_property
    def bare(self) -> tuple[dict[str, int], NDArray[np.int32]]:
        """Words without accents by number, and which of them each word is; -1 where nothing is left."""
        numbers: dict[str, int] = {}
        forms = ((word,) if word.isascii() else bare(word) for word in self.vocabulary)
        renamed = [numbers.setdefault(form[0], len(numbers)) if form else -1 for form in forms]
        return numbers, np.array(renamed, np.int32)

    def ignored_in(self, language: str) -> list[str]:
        """Words without accents that do not count in a language, as far as the web has them."""
        return [word for word in ignored(language) if word in self.bare[0]]

    def _strings(self, name: str) -> Strings:
        return Strings(self.array(f"{name}_blob"), self.array(f"{name}_starts"))

    def _starts(self, name: str) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.array(f"count_{name}"), dtype=np.int64)])
