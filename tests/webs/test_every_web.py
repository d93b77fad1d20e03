"""The contract of a web, checked for each that is at hand."""

from __future__ import annotations

import pytest

from focuslab import webs
from focuslab.pages.parse import parse
from focuslab.types import Web

MAKERS = {
    "synthetic": lambda: webs.synthetic(pages=400, seed=5),
    "synthetic with dirt": lambda: webs.synthetic(pages=400, seed=5, dirt=True),
    "webkb": lambda: webs.webkb(),
    "wikischools": lambda: webs.wikischools(),
}


@pytest.fixture(scope="module", params=MAKERS)
def web(request: pytest.FixtureRequest) -> Web:
    if not request.param.startswith("synthetic"):
        request.getfixturevalue("data")
    return MAKERS[request.param]()


def test_it_has_topics_with_seeds_that_answer(web: Web) -> None:
    for name in web.topics()[:5]:
        topic = web.topic(name, seed=1)
        assert topic.name == name
        assert topic.seeds
        assert all(web.fetch(seed).ok for seed in topic.seeds)


def test_seeds_are_a_function_of_the_seed(web: Web) -> None:
    name = web.topics()[0]
    assert web.topic(name, seed=4) == web.topic(name, seed=4)


def test_the_truth_names_pages_that_exist(web: Web) -> None:
    truth = web.truth(web.topics()[0])
    assert 0 < len(truth) < len(web)
    assert all(web.fetch(url).status == 200 for url in sorted(truth.targets)[:20])


def test_the_same_url_gives_the_same_bytes(web: Web) -> None:
    url = sorted(web.truth(web.topics()[0]).targets)[0]
    assert web.fetch(url).body == web.fetch(url).body


@pytest.mark.parametrize(
    "url", ["http://nowhere.example/", "", "ftp://x/", "http://", "http://[/", "\x00", "é" * 3000]
)
def test_an_unknown_url_is_a_failed_response(web: Web, url: str) -> None:
    assert not web.fetch(url).ok


def test_examples_are_labelled_both_ways(web: Web) -> None:
    examples = web.examples(web.topics()[0], 60, seed=2)
    assert 0 < sum(example.relevant for example in examples) < len(examples)
    assert all(example.page.text for example in examples if example.relevant)


def test_pages_parse_and_link_on(web: Web) -> None:
    seed = web.topic(web.topics()[0]).seeds[0]
    page = parse(web.fetch(seed))
    assert page.url == seed
    assert page.text
    assert page.out


def test_an_unknown_topic_lists_the_known(web: Web) -> None:
    with pytest.raises(ValueError, match="no topic named 'nonsense'"):
        web.topic("nonsense")
