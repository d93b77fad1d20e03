"""Common Crawl as a web with topics: what a comparison needs of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from focuslab import webs
from focuslab.classifiers.training.topic_file import Examples, TopicFile, catalogue, read_topic
from focuslab.types import Topic
from focuslab.webs.archived_web import ArchivedWeb
from focuslab.webs.file_server import serve_files
from focuslab.webs.small_crawl import CRAWL, small_crawl

NAMES = ("baseball", "gaming")


def topic_file(web: webs.SyntheticWeb, name: str) -> TopicFile:
    """A topic as a person would write it down for a web of which they know a few pages."""
    truth = web.truth(name)
    urls = {wanted: tuple(url for url in web.urls if truth(url) is wanted)[:30] for wanted in (True, False)}
    found = web.topic(name)
    return TopicFile(Topic(name, found.seeds, found.keywords), Examples((), urls[True], urls[False]))


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArchivedWeb]:
    web = webs.synthetic(pages=600, seed=7)
    folder = small_crawl(web, web.urls, tmp_path_factory.mktemp("data"))
    topics = [topic_file(web, name) for name in NAMES]
    cache = tmp_path_factory.mktemp("kept")
    with serve_files(folder) as served:
        yield webs.common_crawl(CRAWL, topics, data=served.url, server=served.url, cache=cache)


def test_it_has_topics_with_seeds_that_answer(archived: ArchivedWeb) -> None:
    assert archived.topics() == NAMES
    for name in NAMES:
        assert any(archived.fetch(seed).ok for seed in archived.topic(name).seeds)
        assert set(archived.topic(name, seed=3).seeds) < set(archived.topic(name).seeds)
    with pytest.raises(ValueError, match="no topic named 'nonsense'"):
        archived.topic("nonsense")


def test_a_judge_can_be_trained_on_pages_that_the_guide_never_saw(archived: ArchivedWeb) -> None:
    for seed in (0, 1, 4):
        guide, judge = archived.examples("baseball", seed=seed), archived.examples("baseball", seed=seed ^ 1)
        assert {e.page.url for e in guide}.isdisjoint(e.page.url for e in judge)
        for examples in (guide, judge):
            assert 0 < sum(e.relevant for e in examples) < len(examples)
    assert archived.examples("baseball", seed=2) == archived.examples("baseball", seed=2)


def test_it_has_no_truth_and_says_what_to_do(archived: ArchivedWeb) -> None:
    with pytest.raises(ValueError, match=r"nobody knows all pages about 'gaming'.*judge='majority'"):
        archived.truth("gaming")


@pytest.mark.parametrize("name", catalogue())
def test_the_catalogue_names_enough_to_begin_with(name: str) -> None:
    found = read_topic(name)
    assert len(found.topic.seeds) >= 4
    assert len(found.examples.relevant) >= 8
    assert len(found.examples.irrelevant) >= 6
    assert not set(found.examples.relevant) & set(found.examples.irrelevant)
    assert found.topic.keywords
    assert found.topic.language == "en"


def test_the_catalogue_has_twenty_topics() -> None:
    assert len(catalogue()) == 20
    assert len({read_topic(name).topic.name for name in catalogue()}) == 20
