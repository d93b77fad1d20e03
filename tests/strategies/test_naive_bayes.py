"""Normal and kernel density naive Bayes, against the spec's numbers and against plain sums."""

from __future__ import annotations

import pytest
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.page_bayes import PageBayes
from focuslab.crawling.loop import crawl
from focuslab.strategies import make
from focuslab.strategies.naive_bayes import NaiveBayes
from focuslab.types import Example, Link, Page, Task

CORPUS = [
    ["nba", "game", "nba", "score"],
    ["nba", "team"],
    ["stock", "game"],
    ["stock", "market", "stock", "bank"],
]


# --- pages


def pages(documents: list[list[str]]) -> list[Page]:
    return [Page(url(f"p{n}"), text=" ".join(words)) for n, words in enumerate(documents)]


# --- the crawler

RELEVANCE = {"s": 0.9, "a": 0.8, "b": 0.3, "c": 0.7, "d": 0.6}
LINKS = {"s": "a b", "a": "c", "b": "x y", "c": "d", "d": "", "x": "", "y": ""}


def order(web: TinyWeb, strategy: NaiveBayes, seeds: str, guide: TinyAssessor) -> str:
    return " ".join(name(visit.page.url) for visit in crawl(topic(seeds), web, strategy, guide))


def test_w13_links_of_an_irrelevant_page_never_enter_the_queue() -> None:
    guide = TinyAssessor(RELEVANCE)
    visits = crawl(topic("s"), TinyWeb(LINKS), NaiveBayes(guide), guide)
    assert " ".join(name(visit.page.url) for visit in visits) == "s a b c d"
    assert not any(visits.frontier.seen(url(page)) for page in "xy")


def test_exactly_one_half_is_irrelevant() -> None:
    guide = TinyAssessor({"s": 0.9, "a": 0.5})
    assert order(TinyWeb({"s": "a", "a": "b", "b": ""}), NaiveBayes(guide), "s", guide) == "s a"


def test_seeds_are_expanded_whatever_they_are_about() -> None:
    web, guide = TinyWeb(LINKS), TinyAssessor(RELEVANCE)
    assert order(web, NaiveBayes(guide), "b", guide) == "b x y"
    assert order(web, NaiveBayes(guide, expand_seeds=False), "b", guide) == "b"


def test_a_link_is_worth_its_page_or_its_context() -> None:
    """Contexts name the page they lead to, and the guide finds text as relevant as the pages it names."""
    web = TinyWeb({"s": "a b", "a": "", "b": ""})
    guide = TinyAssessor({"s": 0.9, "a": 0.2, "b": 0.8})
    assert order(web, NaiveBayes(guide), "s", guide) == "s a b"
    far = [f"http://{one}.example/" for one in "ab"]
    links = tuple(Link(address, name(address), name(address)) for address in far)
    visit = next(crawl(topic("s"), web, NaiveBayes(guide), guide))
    page = Page(url("s"), links=links)
    visit = type(visit)(1, visit.link, 1.0, 0, visit.response, page, guide.assess(page))
    told = list(NaiveBayes(guide, context="link").propose(visit))
    assert [proposal.score for proposal in told] == [0.2, 0.8]
    assert [dict(proposal.terms) for proposal in told] == [
        {"page": 0.9, "context": 0.2},
        {"page": 0.9, "context": 0.8},
    ]


def test_w12_equal_priorities_go_by_discovery() -> None:
    guide = TinyAssessor(dict.fromkeys("sabcd", 0.9))
    assert order(
        TinyWeb({"s": "c a", "c": "d", "a": "b", "d": "", "b": ""}), NaiveBayes(guide), "s", guide
    ) == ("s c a d b")


def test_k_fetches_in_a_row_come_from_k_hosts() -> None:
    web = TinyWeb({"s": "a/1 a/2 a/3 b c", "a/1": "", "a/2": "", "a/3": "", "b": "", "c": ""})
    guide = TinyAssessor({"s": 0.9})
    assert order(web, NaiveBayes(guide), "s", guide) == "s a/1 b c a/2 a/3"
    assert NaiveBayes.frontier["hosts_apart"] == 100


def test_it_judges_by_its_own_guide() -> None:
    """The crawl's assessor may be another classifier, as when several crawlers are compared."""
    web, everything = TinyWeb(LINKS), TinyAssessor(dict.fromkeys(LINKS, 0.9))
    assert order(web, NaiveBayes(TinyAssessor(RELEVANCE)), "s", everything) == "s a b c d"
    assert order(web, NaiveBayes(), "s", everything) == "s a b c x y d"


@pytest.mark.parametrize("density", ["kernel", "normal"])
def test_from_a_task_it_trains_the_papers_classifier(density: str) -> None:
    examples = [Example(page, label) for page, label in zip(pages(CORPUS), [1, 1, 0, 0], strict=True)]
    task = Task(topic("s"), TinyAssessor({}), [Example(one.page, bool(one.relevant)) for one in examples])
    strategy = make("naive_bayes", task, density=density)
    wanted = PageBayes(density).fit(pages(CORPUS), [True, True, False, False])
    assert isinstance(strategy.guide, Classifiers)
    assert strategy.guide.score_text("nba team") == wanted.score_text("nba team")


def test_without_examples_the_tasks_assessor_guides() -> None:
    guide = TinyAssessor(RELEVANCE)
    assert make("naive_bayes", Task(topic("s"), guide)).guide is guide


def test_a_context_that_does_not_exist_is_named() -> None:
    with pytest.raises(ValueError, match="no context named 'site'; try page, link"):
        crawl(topic("s"), TinyWeb(LINKS), NaiveBayes(context="site"), TinyAssessor({}))
