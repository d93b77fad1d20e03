"""UCrawler: labelled links, hub and authority pages, vectors that evolve, and the verdicts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

from focuslab.experiments.reproduce import _ucrawler_training as training
from focuslab.experiments.reproduce import ucrawler as paper
from focuslab.experiments.reproduce.experiment import Scale
from focuslab.strategies.ucrawler import UCrawler
from focuslab.types import Assessment, Link, Page, Response, Topic, Visit

LESSON = Scale("lesson")


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """The lesson on a smaller web."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "_size", lambda scale: (800, 40, 1))
        yield


def test_labelled_links_stand_on_their_page_and_half_are_relevant() -> None:
    links = training.labelled_links("movie", 1_000, 40)
    web = training.sister(1_000)
    truth = web.truth("movie")
    assert [one.relevant for one in links] == [True] * 20 + [False] * 20
    assert all(one.link in one.page.out and one.relevant == truth(one.link.url) for one in links)
    assert links == training.labelled_links("movie", 1_000, 40)


def test_hubs_and_authorities_are_relevant_and_the_others_are_not() -> None:
    examples = training.hubs_and_authorities("finance", 1_000, 10)
    truth = training.sister(1_000).truth("finance")
    assert all(one.relevant == truth(one.page.url) for one in examples)
    assert sum(one.relevant for one in examples) >= 10
    assert sum(not one.relevant for one in examples) == 20


def test_a_blend_moves_half_way_and_keeps_the_strongest() -> None:
    assert paper._blend({"film": 1.0, "actor": 0.5}, {"film": 0.5, "oscar": 1.0}, 0.5) == {
        "film": 0.75,
        "oscar": 0.5,
        "actor": 0.25,
    }
    many = {f"word{number:03}": 1.0 for number in range(150)}
    assert list(paper._blend(many, {}, 0.5)) == [f"word{number:03}" for number in range(100)]


def visit(url: str, text: str) -> Visit:
    page = Page(url, text=text, links=(Link(f"{url}more", anchor=text),))
    return Visit(1, Link(url), 1.0, 0, Response(url, 200), page, Assessment(0, False))


def test_vectors_take_in_words_of_pages_judged_relevant() -> None:
    topic = Topic("movies", keywords=("movie",))
    stays, evolves = UCrawler(update_every=2), paper.Evolving(update_every=2)
    for strategy in (stays, evolves):
        strategy.start(topic, np.random.default_rng(0))
        strategy.propose(visit("http://a.test/", "movie oscar"))
        assert set(strategy.content_) == {"movie"}
        strategy.propose(visit("http://b.test/", "stock price"))
    assert set(stays.content_) == set(stays.anchor_) == {"movie"}
    assert set(evolves.content_) == set(evolves.anchor_) == {"movie", "oscar"}
    assert evolves.content_["movie"] > evolves.content_["oscar"]


def test_the_knowledge_base_is_told_at_four_moments() -> None:
    rows = paper._table_3(LESSON, "movie")
    assert sorted(rows["pages"].unique()) == [0, 4, 20, 40]
    assert rows["telling"].any()
    assert not set(rows["phrase"]) & {"example", "test", "http", "www"}


def crawled(ours: tuple[float, float], shark: tuple[float, float]) -> pd.DataFrame:
    """Precision and hosts of the topic: ours, those of shark-search, and less of both for all others."""
    values = dict.fromkeys(training.crawlers(LESSON), (0.1, 1.0)) | {
        training.OURS: ours,
        "shark_search": shark,
    }
    rows = [
        {
            "topic": topic,
            "strategy": name,
            "seed": seed,
            "hosts": 9.0,
            "topic_hosts": hosts,
            "precision_600": value,
        }
        for topic in training.TOPICS
        for name, (value, hosts) in values.items()
        for seed in range(2)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("ours", "shark", "verdict"),
    [
        ((0.6, 9.0), (0.5, 5.0), "reproduces"),
        ((0.6, 4.0), (0.5, 5.0), "order only"),
        ((0.4, 9.0), (0.5, 5.0), "order only"),
        ((0.4, 4.0), (0.5, 5.0), "contradicts"),
    ],
)
def test_the_verdict_follows_precision_and_hosts_of_the_topic(
    ours: tuple[float, float], shark: tuple[float, float], verdict: str
) -> None:
    assert paper._crawls_finding(crawled(ours, shark)).verdict == verdict


def test_every_experiment_has_a_name_of_its_own_and_parts() -> None:
    names = [one.name for one in paper.EXPERIMENTS]
    assert len(names) == len(set(names)) == 3
    assert all(one.parts(LESSON) for one in paper.EXPERIMENTS)
