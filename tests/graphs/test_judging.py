"""What is said of all pages and links at a time is what is said of each, to the last bit."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from focuslab import webs
from focuslab.classifiers.assessor import Classifiers, train_classifiers
from focuslab.classifiers.mlp import NeuralClassifier
from focuslab.classifiers.page_bayes import PageBayes
from focuslab.classifiers.svm import SvmClassifier
from focuslab.experiments.compare import default_setup
from focuslab.graphs.judging import NAMES, Judged
from focuslab.graphs.kernels import KERNELS
from focuslab.graphs.read_web import read
from focuslab.graphs.reading import Reading
from focuslab.pages.parse import parse
from focuslab.strategies import make
from focuslab.types import Page, Response, Task

WEB = webs.synthetic(pages=300, seed=3)


@lru_cache(None)
def page(url: str) -> Page:
    return parse(WEB.fetch(url))


@pytest.fixture(scope="module")
def reading() -> Reading:
    return read(WEB, jobs=1)


@pytest.fixture(scope="module")
def task() -> Task:
    return default_setup(WEB, "gaming", 0)


def test_pages_are_judged_as_one_by_one(reading: Reading) -> None:
    topic, examples = WEB.topic("gaming"), WEB.examples("gaming", 150)
    pages, labels = [each.page for each in examples], [each.relevant for each in examples]
    for classifiers in (
        train_classifiers(examples, topic),
        train_classifiers(examples, topic, preset="rungsawang_afsc"),
        train_classifiers(examples, replace(topic, language="en")),
        Classifiers(PageBayes().fit(pages, labels), language="en"),
        Classifiers(SvmClassifier().fit(pages, labels)),
        Classifiers(NeuralClassifier().fit(pages, labels)),
    ):
        judged = Judged(reading, classifiers, page)
        assert all(judged.assessment(url) == classifiers.assess(page(url)) for url in reading.graph.urls)
        assert judged.assessment("http://nowhere.example/") is None


ODD = "日本\u0301語 <a "
"""An accent between characters without spaces: without it the words are others."""


class Accented:
    """The web with such words before each link of one page in ten."""

    def fetch(self, url: str) -> Response:
        found = WEB.fetch(url)
        return found if len(url) % 10 else replace(found, body=found.body.replace(b"<a ", ODD.encode()))

    def page(self, url: str) -> Page:
        return parse(self.fetch(url))


def test_words_around_links_are_judged_as_one_by_one() -> None:
    accented, examples = Accented(), WEB.examples("gaming", 150)
    odd = read(WEB, jobs=1, fetcher=accented)
    assert 0 < odd.array("odd").sum() < odd.pages
    pages, labels = [each.page for each in examples], [each.relevant for each in examples]
    alone = [
        (link.context, page.language) for page in map(accented.page, odd.graph.urls) for link in page.out
    ]
    for judge in (SvmClassifier("linear").fit(pages, labels), NeuralClassifier().fit(pages, labels)):
        guide = Classifiers(judge)
        found = Judged(odd, guide, accented.page).text_scores(guide, "context")
        assert found is not None
        assert found.tolist() == [guide.score_text(*context) for context in alone]


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_kernels_are_told_what_their_strategies_would_say(name: str, reading: Reading, task: Task) -> None:
    kernel, judged = KERNELS[name], Judged(reading, task.assessor, page)
    strategy: Any = make(name, task) if name != "oracle" else None
    if strategy is not None:
        strategy.start(task.topic, np.random.default_rng(0))
    graph = reading.graph
    for asked, of_page in kernel.pages.items():
        found = NAMES[asked](judged, strategy)
        assert found is not None
        pages = range(0, reading.pages, 3)
        assert found[::3].tolist()[: len(pages)] == [of_page(strategy, page(graph.urls[i])) for i in pages]
    for asked, of_link in kernel.links.items():
        found = NAMES[asked](judged, strategy)
        assert found is not None
        for i in range(0, reading.pages, 10):
            links = found[graph.indptr[i] : graph.indptr[i + 1]]
            here = page(graph.urls[i])
            assert links.tolist() == [of_link(strategy, here, link) for link in here.out]
