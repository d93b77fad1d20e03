"""What the experiments of de Assis et al. stand on: a web with lists, its five topics, portals, an SVM.

One language at a time, as the Brazilian web of the paper has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focuslab.classifiers.svm import SvmClassifier
from focuslab.classifiers.term_sets import TermAssessor, idf
from focuslab.classifiers.training.topic_file import load_topic
from focuslab.experiments.metrics import best_f1
from focuslab.experiments.reproduce._ground import SEED, built_in, reading
from focuslab.experiments.reproduce.experiment import Scale
from focuslab.graphs import bulk
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.reading import Reading
from focuslab.graphs.simulate import simulate
from focuslab.pages.parse import parse
from focuslab.strategies.genre_aware import GenreAware
from focuslab.types import Page, Topic
from focuslab.webs.builtin.hosts import FORM_KINDS
from focuslab.webs.builtin.vocabulary import LANGUAGES, Subject, vocabulary
from focuslab.webs.synthetic import SyntheticWeb, synthetic

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Published(NamedTuple):
    """What the paper has of one topic."""

    name: str
    seeds: int
    relevant: int
    """Of 20,000 pages: for syllabi as many as the paper's crawls found (DB and IR from what their F1 can be a
    ratio of, DS from Table 5), for jobs and sales as rare as in Table 5."""
    best: tuple[float, float]
    """F1 of Tables 7 and 8, all terms and IDF = 1, and its threshold."""
    svm: float
    single: tuple[float, float]
    """Best F1 of Table 4: with IDF, and with IDF = 1."""
    visited: tuple[float, float, float, float]
    """Table 5: ours with IDF, with IDF = 1, SVM with the traditional queue, SVM with ours."""
    examples: tuple[int, int]
    """Table 14: example pages of the genre, and relevant ones."""


TOPICS = {
    "data_structures_syllabus": Published(
        "DS",
        5,
        84,
        (92.41, 0.54),
        46.48,
        (72.39, 77.99),
        (719.01, 710.55, 1675.85, 1625.97),
        (36, 31),
    ),
    "database_syllabus": Published(
        "DB", 5, 35, (92.54, 0.47), 45.83, (78.26, 78.86), (1046.3, 1105.4, 3984.0, 2037.3), (36, 26)
    ),
    "information_retrieval_syllabus": Published(
        "IR",
        5,
        15,
        (100.0, 0.50),
        23.26,
        (51.43, 51.72),
        (1104.33, 1199.0, 9178.0, 7656.67),
        (36, 13),
    ),
    "computer_science_jobs": Published(
        "Job", 10, 136, (88.37, 0.40), 45.71, (28.60, 34.62), (173.47, 146.92, 336.0, 232.88), (30, 30)
    ),
    "computer_equipment_sales": Published(
        "Sale", 10, 249, (97.07, 0.37), 66.87, (68.73, 71.05), (90.86, 80.45, 172.81, 161.55), (25, 35)
    ),
}
PAGES = 20_000
RARE = tuple((name, one.relevant / PAGES) for name, one in TOPICS.items())


def web_of(scale: Scale, language: str = "en") -> dict[str, Any]:
    """A web with lists in a language; in English, at the paper's scale, topics are as rare as published."""
    form = {"language": language, "lists": True}
    large = {"pages": PAGES, "shares": RARE, **form} if language == "en" else {"pages": PAGES // 2, **form}
    return scale.pick({"pages": 5_000, **form}, large)


def sets_of(scale: Scale) -> int:
    """How many sets of seeds."""
    return scale.pick(2, 3)


def subject(name: str) -> Subject:
    """What the vocabulary knows of a topic."""
    words = vocabulary()
    return words.subjects[words.topics.index(name)]


def task(name: str, language: str = "en") -> Topic:
    """The paper's terms, or our translation of them, as the topic files have them."""
    told = load_topic(name if language == "en" else f"{name}.{language}")
    return Topic(name, (), told.keywords, told.genre_terms, told.content_terms, (), language)


@lru_cache(maxsize=2)
def sister(scale: Scale, language: str = "en") -> SyntheticWeb:
    """Another web with lists, with the usual shares, which nobody crawls: for examples and for IDF."""
    return synthetic(scale.pick(5_000, 10_000), seed=SEED + 1, lists=True, language=language)


def page_of(web: SyntheticWeb, number: int) -> Page:
    """A page by its number."""
    return parse(web.fetch(web.url(number)))


class Ground:
    """The web of a scale as it was read: pages by their place in the reading."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.web: SyntheticWeb = built_in(**options)
        self.reading: Reading = reading(**options)
        self.graph: WebGraph = self.reading.graph
        self.number = np.array([self.web.number(url) for url in self.graph.urls])
        """The web's own number of each page."""

    def relevant(self, name: str) -> Flags:
        """The truth."""
        return self.web.relevant(name)[self.number]

    def of_form(self, name: str) -> Flags:
        """Pages of the topic's form."""
        form = list(vocabulary().forms).index(subject(name).form)
        return (self.web.pages.form == form)[self.number]

    def with_content(self, name: str) -> Flags:
        """Pages with the topic's content."""
        return (self.web.pages.content == self.web.topics().index(name))[self.number]

    def similarity(self, topic: Topic, weights: Mapping[str, float] | None = None) -> Floats:
        """f of every page by the terms of a topic."""
        found = bulk.similarities(self.reading, TermAssessor(topic, idf=weights), self._page)
        assert found is not None
        return found

    def probability(self, judge: SvmClassifier) -> Floats:
        """What a support vector machine says of every page; 0 in another language than its own."""
        spoken = self.reading.speaks(judge.language)
        return np.where(spoken, bulk.vector_scores(self.reading, judge, self._page), 0.0)

    def portals(self, name: str, seed: int) -> NDArray[np.int32]:
        """Home pages of the largest hosts where the topic's form is at home, not relevant themselves.

        Universities for syllabi, employers for jobs, shops for sales, and others where there are too few;
        drawn by lot among twice as many as are needed (our choice).
        """
        hosts, count = self.web.pages.hosts, TOPICS[name].seeds
        likely = self.web.core[hosts.start] & ~self.web.relevant(name)[hosts.start]
        likely &= hosts.language < 2
        elsewhere = hosts.kind != vocabulary().kind(FORM_KINDS[subject(name).form])
        order = np.lexsort((-hosts.size, elsewhere))
        rng = np.random.default_rng([SEED, self.web.topics().index(name), seed])
        chosen = rng.choice(order[likely[order]][: 2 * count], count, replace=False)
        return self.graph.find(self.web.url(page) for page in hosts.start[chosen].tolist())

    def _page(self, url: str) -> Page:
        return parse(self.web.fetch(url))


@lru_cache(maxsize=2)
def ground(scale: Scale, language: str = "en") -> Ground:
    """The web of a scale, once a process."""
    return Ground(web_of(scale, language))


@lru_cache(maxsize=2)
def collection(scale: Scale, language: str) -> tuple[Page, ...]:
    """Pages drawn at random from the sister web, for IDF: the paper had about 500,000."""
    web = sister(scale, language)
    drawn = np.random.default_rng(SEED).choice(len(web), scale.pick(500, 3_000), replace=False)
    return tuple(page_of(web, number) for number in drawn.tolist())


def rarity_of(scale: Scale, topic: Topic) -> dict[str, float]:
    """IDF of the terms of a topic in the collection."""
    return idf(topic.genre_terms + topic.content_terms, collection(scale, topic.language), topic.language)


BALANCED, REALISTIC = 5, 50
"""Irrelevant training pages for each relevant one; the paper had 500,000 for thirty."""


def svm(scale: Scale, name: str, negatives: int) -> SvmClassifier:
    """Trained on thirty relevant pages of the sister web and so many others for each of them."""
    web, rng = sister(scale), np.random.default_rng([SEED, vocabulary().topics.index(name)])
    spoken = web.pages.language == LANGUAGES.index("en")
    yes, no = (np.flatnonzero((web.relevant(name) == kind) & spoken) for kind in (True, False))
    yes = rng.choice(yes, min(30, len(yes)), replace=False)
    chosen = np.concatenate([yes, rng.choice(no, min(negatives * len(yes), len(no)), replace=False)])
    pages = [page_of(web, number) for number in chosen.tolist()]
    labels = web.relevant(name)[chosen].tolist()
    return SvmClassifier(negatives=negatives, language="en", seed=SEED).fit(pages, labels)


@lru_cache(maxsize=15)
def guessed(scale: Scale, name: str, negatives: int) -> tuple[SvmClassifier, Floats]:
    """A trained machine, and what it says of every page."""
    judge = svm(scale, name, negatives)
    return judge, ground(scale).probability(judge)


def peak(f: Floats, truth: Flags) -> tuple[float, float]:
    """Best F1 in percent over all thresholds, and the threshold."""
    best = best_f1(f, truth, int(truth.sum())) if truth.any() else None
    if best is None or best.f1 is None:
        return np.nan, np.nan
    return 100 * best.f1, best.threshold


def with_terms(topic: Topic, genre: float, content: float) -> Topic:
    """The first shares of its terms: the paper let an expert drop those that say least."""
    kept = [
        terms[: round(share * len(terms))]
        for terms, share in ((topic.genre_terms, genre), (topic.content_terms, content))
    ]
    return replace(topic, genre_terms=kept[0], content_terms=kept[1])


def visited_pages(web: Ground, topic: Topic, f: Floats) -> NDArray[np.int32]:
    """The pages of one whole crawl; which these are hardly hangs on the order, but for the depth."""
    graph = replace(web.graph, page_scores={"genre_aware_f": f})
    return simulate(graph, GenreAware(), web.portals(topic.name, 0), topic=topic, seed=SEED)


def short(topic: object) -> str:
    """The paper's name of a topic."""
    return TOPICS[str(topic)].name
