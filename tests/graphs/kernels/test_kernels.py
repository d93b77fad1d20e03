"""Every kernel and the crawl loop visit the same pages in the same order, words, dead links and all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from focuslab import webs
from focuslab.classifiers.assessor import train_classifiers
from focuslab.crawling.frontier import REDISCOVERIES, SITES, TIES
from focuslab.crawling.loop import crawl
from focuslab.features.url_terms import UrlKnowledge
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.kernels import KERNELS, kernel_of
from focuslab.graphs.simulate import features, run_kernel, simulate
from focuslab.strategies import all_strategies, make
from focuslab.strategies.best_first import BestFirst
from focuslab.strategies.shark_search import SharkSearch
from focuslab.strategies.ucrawler import Thresholds
from focuslab.types import Assessment, Page, Proposal, Response, Strategy, Task, Topic, Truth, Visit

WORDS = ("ball", "bat", "pitcher", "stock", "price", "cake")


class WordyWeb:
    """Pages of a few words out of six, so that scores vary and ties are frequent; some links are dead."""

    def __init__(self, pages: int, links: int, chance: int) -> None:
        rng = np.random.default_rng(chance)
        self.urls = [
            f"http://h{page % 5}.d{page % 2}.example/{WORDS[page % 3]}-{page}" for page in range(pages)
        ]
        addresses = [*self.urls, "http://gone.example/", "http://lost.example/"]
        said = rng.integers(0, len(WORDS), (pages, 3))
        ends = [[] for _ in range(pages)]
        for source, target, word in zip(
            rng.integers(0, pages, links),
            rng.integers(0, len(addresses), links),
            rng.integers(0, len(WORDS), links),
            strict=True,
        ):
            ends[source].append(f'<p>{WORDS[word - 1]} <a href="{addresses[target]}">{WORDS[word]}</a></p>')
        texts = [" ".join(WORDS[word] for word in row) for row in said]
        self.bodies = {
            url: f"<html lang=en><body><h1>{text}</h1>{''.join(links)}</body>"
            for url, text, links in zip(self.urls, texts, ends, strict=True)
        }

    def fetch(self, url: str) -> Response:
        body = self.bodies.get(url)
        return Response(url, 404) if body is None else Response(url, 200, body.encode(), "text/html")


class Counting:
    """Relevance by counting balls and bats; genre by length."""

    def assess(self, page: Page) -> Assessment:
        score = self.score_text(page.text)
        genres = ("News", "Blog", "")
        return Assessment(score, score > 0.5, genres[len(page.text) % 3], 0.25 + len(page.text) % 4 / 4)

    def score(self, page: Page) -> float:
        return self.score_text(page.text)

    def score_text(self, text: str, language: str = "") -> float:
        return min(1.0, (2 * text.count("ball") + text.count("bat")) / 4)


TOPIC = {"keywords": ("ball", "pitcher"), "genre_terms": ("bat",), "content_terms": ("ball", "price")}
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "genre_enhanced": [{}, {"w_r": 0.5}],
    "link_context": [{}, {"beta": 0.8}],
    "shark_search": [{}, {"depth": 1}, {"gamma": 0.8, "delta": 0.9, "beta": 0.5}],
    "fish_search": [{}, {"width": 1, "depth": 2}, {"width": 2, "a": 3}],
    "opic": [{"recrawl_every": 2}, {"recrawl_every": 0}, {"total": 1e-99, "recrawl_every": 3}],
    "otie": [
        {"recrawl_every": 2},
        {"recrawl_every": 3, "revise_on_recrawl": True, "a": 1.5},
        {"total": 1e99},
    ],
    "genre_aware": [
        {"policy": policy, **more}
        for policy in ("plain", "PS", "FS-1", "FS-2", "PFS-1", "PFS-2")
        for more in ({}, {"siblings": "all_parents", "change": "max", "width": 2}, {"depth": 2})
    ],
}
VARIANTS["naive_bayes"] = [{}, {"context": "link", "expand_seeds": False}]
VARIANTS["adaptive"] = [
    {},
    {"review": 3, "hindsight": 1, "without": ["words", "pig"]},
    {"explore": 2.0, "review": 0},
]
BASE = UrlKnowledge(
    {"h1": 0.9, "pitcher": 0.2}, {"h3": 0.5, "elsewhere": 0.1}, {"pitcher": 1}, drop_percent=40.0
)
VARIANTS["ucrawler"] = [
    {"limits": Thresholds(0.3, 0.1), "update_every": 2, "hub_threshold": 0},
    {"feedback": "predicted", "knowledge": BASE, "bonus": (0.1, 0.3, 0.7)},
    {
        "knowledge": UrlKnowledge({"h2": 0.3}, measure="all", occurrences=1, least_weight=0.5),
        "update_every": 3,
    },
    {"knowledge": UrlKnowledge({"h2": 0.3}, measure="max", drop_percent=90.0), "update_every": 1},
]
VARIANTS["pagerank"] = [{"every": 1}, {"every": 3, "growth": 0.5}, {"every": 2, "damping": 0.5}, {}]
CASES = [(name, variant) for name in KERNELS for variant in VARIANTS.get(name, [{}])]
CAPS = some.none() | some.integers(1, 4)
RULES = some.fixed_dictionaries(
    {"tie": some.sampled_from(TIES), "rediscovery": some.sampled_from(REDISCOVERIES)},
    optional={
        "hosts_apart": some.integers(1, 7),
        "host_cap": CAPS,
        "domain_cap": CAPS,
        "max_depth": CAPS,
        "site": some.sampled_from(tuple(SITES)),
    },
)


def by_loop(
    web: Any, topic: Topic, strategy: Strategy, assessor: Any, seed: int, rules: Mapping[str, Any]
) -> tuple[list[str], list[str]]:
    """Addresses of the pages, and those that were tried in vain."""
    walk = crawl(topic, web, strategy, assessor, seed=seed, frontier=rules)
    return [visit.page.url for visit in walk], [failure.link.url for failure in walk.failures]


@pytest.mark.parametrize(
    ("name", "variant"), CASES, ids=[f"{name}-{number}" for number, (name, _) in enumerate(CASES)]
)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    pages=some.integers(1, 25),
    density=some.integers(0, 5),
    chance=some.integers(0, 2**32 - 1),
    starts=some.integers(1, 3),
    rules=RULES,
)
def test_kernel_and_loop_agree(
    name: str,
    variant: dict[str, Any],
    pages: int,
    density: int,
    chance: int,
    starts: int,
    rules: dict[str, Any],
) -> None:
    web = WordyWeb(pages, density * pages, chance)
    topic = Topic("ball", tuple(web.urls[:starts]), **TOPIC)
    task = Task(topic, Counting(), extras={"truth": Truth(frozenset(web.urls[::3])), "svm": Counting()})
    strategy = make(name, task, **variant)
    graph = WebGraph.crawl(web, topic.seeds, task.assessor, dead=True, **features(strategy, topic))
    expected, lost = by_loop(web, topic, strategy, task.assessor, chance % 7, rules)
    start = graph.find(topic.seeds)
    kernel, told = KERNELS[name], (strategy.frontier | rules, chance % 7, topic, web)
    trail = run_kernel(kernel, strategy, graph, start, len(graph), *told).tolist()
    assert [graph.urls[page] for page in trail if page >= 0] == expected
    assert [graph.urls[~page] for page in trail if page < 0] == lost
    played = simulate(graph, strategy, loop=True, web=web, seed=chance % 7, topic=topic, frontier=rules)
    assert [graph.urls[page] for page in played] == expected


@pytest.fixture(scope="module")
def ground() -> tuple[webs.SyntheticWeb, Task, WebGraph]:
    web = webs.synthetic(pages=600, seed=3)
    topic, examples = web.topic("baseball", seed=1), web.examples("baseball", 150)
    task = Task(topic, train_classifiers(examples, topic), examples, {"truth": web.truth("baseball")})
    return web, task, WebGraph.crawl(web, topic.seeds, task.assessor)


@pytest.mark.parametrize("name", list(all_strategies()))
def test_the_built_in_web(name: str, ground: tuple[webs.SyntheticWeb, Task, WebGraph]) -> None:
    """What the loop visits live, one call visits on the graph: by kernel, or else by the loop."""
    web, task, graph = ground
    strategy = make(name, task)
    visits = crawl(task.topic, web, strategy, task.assessor, seed=5)
    expected = [visit.page.url for visit in islice(visits, 250)]
    visited = simulate(graph, strategy, budget=250, seed=5, topic=task.topic, web=web)
    assert [graph.urls[page] for page in visited] == expected


@pytest.mark.parametrize(("name", "total"), [("opic", 1e-102), ("otie", 1e-102), ("otie", 1e103)])
def test_cash_that_leaves_the_scale_comes_back(name: str, total: float) -> None:
    web = WordyWeb(500, 2_500, 3)
    topic = Topic("ball", tuple(web.urls[:2]), **TOPIC)
    strategy = make(name, Task(topic, Counting()), total=total, recrawl_every=7)
    graph = WebGraph.crawl(web, topic.seeds, Counting(), dead=True, **features(strategy, topic))
    expected, _ = by_loop(web, topic, strategy, Counting(), 0, {})
    assert strategy.machine_.exponent != 0  # type: ignore[attr-defined]
    assert [graph.urls[page] for page in simulate(graph, strategy)] == expected


def test_every_kernel_has_a_strategy() -> None:
    assert set(KERNELS) <= set(all_strategies())


def test_a_subclass_keeps_the_kernel_if_only_the_frontiers_rules_change() -> None:
    class Best(BestFirst):
        """Trusts the best source."""

        name: ClassVar[str] = "best_of_all"
        frontier: ClassVar[Mapping[str, Any]] = {"rediscovery": "max"}

    class Mine(Best):
        def propose(self, visit: Visit) -> Iterable[Proposal]:
            return ()

    class Built(BestFirst):
        def __init__(self) -> None:
            super().__init__()

    assert kernel_of(Best()) is kernel_of(BestFirst()) is not None
    assert kernel_of(Mine()) is kernel_of(Built()) is None
    graph = WebGraph.crawl(WordyWeb(300, 2_000, 5), ["http://h0.d0.example/ball-0"], Counting(), dead=True)
    by_kernel, by_loop = (simulate(graph, Best(), loop=loop) for loop in (False, True))
    assert list(by_kernel) == list(by_loop) != list(simulate(graph, BestFirst()))


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (
            lambda graph: simulate(graph, SharkSearch({"ball": 1.0})),
            "shark_search needs 'cosine' and 'anchor_cosine'",
        ),
        (lambda graph: simulate(graph, SharkSearch({"ball": 1.0}), loop=True), "a graph holds no words"),
    ],
)
def test_missing_words_are_named(act: Callable[[WebGraph], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        act(WebGraph.from_edges([0], [1], [0.1, 0.2]))


def test_a_web_that_has_changed_is_noticed() -> None:
    web = WordyWeb(10, 40, 1)
    graph = WebGraph.crawl(web, web.urls[:1], Counting())
    other = WordyWeb(10, 40, 2)
    with pytest.raises(ValueError, match="has other links than when the graph was built"):
        simulate(graph, SharkSearch({"ball": 1.0}), web=other)
