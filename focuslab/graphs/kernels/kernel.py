"""What a kernel is: the order of a crawl as a function of arrays, for one strategy.

A kernel asks three kinds of things of a web, by name, before it runs:

- *pages*: one number for every page. (strategy, page) -> number says what each is.
- *links*: one number for every link, in the order of ``graph.indices``. (strategy, page, link) -> number.
- *words*: whole numbers that depend on no topic, so that a web has them once: see `Words`.

The functions are the meaning of a name; whoever reads a web may answer for all pages or links at a time, as
long as each answer is the same to the last bit. Nothing else of a page is ever looked at. Dead addresses have
no links and may be given any number, 0 say.

What comes back is the trail of the crawl: pages in the order they were fetched, and between them, as
``~page``, the dead addresses that were tried.

======================  ========================================================  ============================
name                    what it is                                                asked by
======================  ========================================================  ============================
pages
``cosine``              cosine(page_terms(page), strategy.query_)                 shark_search and others
``content``             cosine(page_terms(page), strategy.content_)               ucrawler
``mentions``            mentions(title and text, strategy.keywords_)              fish_search
``genre_aware_f``       strategy.similarity(page)["f"]                            genre_aware
``svm_guided_f``        strategy.judge.score(page)                                svm_guided
``reading``             reading(strategy.assessor, page)                          adaptive
``posterior``           strategy.guide.assess(page).relevance, if it has a guide  naive_bayes
``accepted``            strategy.guide.assess(page).relevant, if it has a guide   naive_bayes
links
``context``             strategy.assessor.score_text(context, page.language)      link_context, otie, adaptive
``anchor``              strategy.assessor.score_text(anchor, page.language)       adaptive
``phrases``             strategy.assessor.score_text(words of the URL, language)  adaptive
``anchor_cosine``       cosine(terms(anchor, page.language), strategy.query_)     shark_search
``context_cosine``      cosine(terms(context, page.language), strategy.query_)    shark_search
``anchor_likeness``     cosine(terms(anchor, page.language), strategy.anchor_)    ucrawler
``guide_context``       strategy.guide.score_text(context, page.language)         naive_bayes, by link context
words
``link_words``          link_words(link, page.language), for each link            adaptive
``url_phrases``         url_phrases(url), for each page and dead address          ucrawler
======================  ========================================================  ============================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from focuslab.graphs.kernels.frontier import ENDLESS, RANDOM, Queue, Rules, queue
from focuslab.graphs.kernels.heap import Floats, Ints
from focuslab.pages.urls import registered_domain
from focuslab.types import Link, Page

if TYPE_CHECKING:
    from focuslab.graphs.graph import WebGraph

WORDS = ("link_words", "url_phrases")
NOWHERE = np.empty(0, np.int32)

Numbers = TypeVar("Numbers", bound=np.generic)


def fixed(values: NDArray[Numbers]) -> NDArray[Numbers]:
    """A read-only array, wherever it is from: the compiler then meets one type, and compiles once."""
    view = np.ascontiguousarray(values).view()
    view.flags.writeable = False
    return view


class Words(NamedTuple):
    """Several whole numbers for each page or link.

    ``link_words`` are those of `focuslab.features.link_words.link_words`, as many as it gives. Of
    ``url_phrases`` any numbering will do: ``names[number]`` is the phrase.
    """

    starts: NDArray[np.int64]
    """The numbers of page or link i are ``numbers[starts[i]:starts[i + 1]]``, without padding."""
    numbers: NDArray[Any]
    """uint16 for link_words, int32 for url_phrases."""
    names: Sequence[str] = ()


class Known(NamedTuple):
    """What a kernel must know beyond R, I, G and C: numbers of pages and of links, and words, by name."""

    pages: Mapping[str, Floats]
    links: Mapping[str, Floats]
    words: Mapping[str, Words] = {}


class Ground(NamedTuple):
    """All that a kernel crawls on, besides the strategy itself."""

    graph: WebGraph
    seeds: Ints
    budget: int
    rules: Rules
    lots: np.random.Generator
    """The frontier's chance, for ties drawn by lot."""
    chance: np.random.Generator
    """The strategy's own."""
    reach: int
    """Pages within reach: once all are found, links need no more reading."""
    pages: Mapping[str, Floats]
    """What the kernel asked to know of pages."""
    links: Mapping[str, Floats]
    """What the kernel asked to know of links."""
    words: Mapping[str, Words] = {}
    """What the kernel asked for of `WORDS`."""

    @property
    def start(self) -> Ints:
        """The seeds, each once."""
        return fixed(np.fromiter(dict.fromkeys(self.seeds.tolist()), np.int32))

    @property
    def roads(self) -> tuple[NDArray[np.int64], Ints]:
        """Where each page's links start, and where they lead."""
        return fixed(self.graph.indptr), fixed(self.graph.indices)

    @property
    def dead(self) -> NDArray[np.bool_]:
        """Pages that a fetch does not bring."""
        found = self.graph.dead
        return fixed(np.zeros(len(self.graph), np.bool_) if found is None else found)

    def queue(self) -> Queue:
        """An empty frontier by the rules of this crawl."""
        graph, rules = self.graph, self.rules
        lots = self.lots.random(len(graph) if rules.tie == RANDOM else 0)
        domain = domains(graph) if rules.domain_cap < ENDLESS or rules.by_domain else NOWHERE
        site = (domain if rules.by_domain else graph.host) if rules.name_sites else NOWHERE
        return queue(rules, self.budget, fixed(lots), self.dead, fixed(site), fixed(domain))


def domains(graph: WebGraph) -> Ints:
    """The registered domain of each page, as a number."""
    numbers: dict[str, int] = {}
    of_host = [numbers.setdefault(registered_domain(host), len(numbers)) for host in graph.hosts]
    return np.array(of_host, np.int32)[graph.host]


@dataclass(frozen=True, slots=True)
class Kernel:
    """A compiled twin of a strategy.

    Attributes
    ----------
    order : callable
        (strategy, ground) -> the trail of the crawl. The strategy has been started.
    pages : mapping of callable
        What it must know of each page beyond R, I, G and C: (strategy, page) -> number.
    links : mapping of callable
        What it must know of each link: (strategy, page, link) -> number.
    words : tuple of str
        Which of `WORDS` it needs.
    """

    order: Callable[[Any, Ground], Ints]
    pages: Mapping[str, Callable[[Any, Page], float]] = field(default_factory=dict)
    links: Mapping[str, Callable[[Any, Page, Link], float]] = field(default_factory=dict)
    words: tuple[str, ...] = ()
