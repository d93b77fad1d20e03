"""The crawler guided by an SVM, with the traditional queue and with that of genre-aware crawling."""

from __future__ import annotations

from typing import Any

import pytest
from tiny import TinyAssessor, TinyWeb, name, topic

from focuslab import webs
from focuslab.classifiers.svm import SvmClassifier
from focuslab.classifiers.term_sets import TermAssessor, single_set
from focuslab.crawling.loop import crawl
from focuslab.strategies import make
from focuslab.strategies.genre_aware import GenreAware
from focuslab.strategies.svm_guided import SvmGuided
from focuslab.types import Example, Page, Task, Topic

GRAPH = {"s": "p q", "p": "a b c", "q": "d e", "c": "x y"} | dict.fromkeys("abdexy", "")


class Given(SvmClassifier):
    """An SVM that has its scores from a table, to see the queue alone."""

    def __init__(self, scores: dict[str, float]) -> None:
        self.table = scores

    def score(self, page: Page) -> float:
        return self.table.get(name(page.url), 0.0)


def order(scores: dict[str, float], tie: str = "fifo", **parameters: Any) -> str:
    strategy = SvmGuided(Given(scores), **parameters)
    visits = crawl(topic("s"), TinyWeb(GRAPH), strategy, TinyAssessor({}), frontier={"tie": tie})
    return "".join(name(visit.page.url) for visit in visits)


def example(text: str, relevant: bool) -> Example:
    return Example(Page("http://a.example/", text=text), relevant)


EXAMPLES = [example("course syllabus sql", True)] * 3 + [example("stock price", False)] * 3


def test_the_traditional_queue_follows_good_pages() -> None:
    scores = {"s": 0.1, "p": 0.15, "q": 0.12, "a": 0.8, "b": 0.9, "c": 0.7, "d": 0.05}
    assert order(scores) == "spabcxyqde"


def test_the_other_queue_follows_the_siblings_of_relevant_pages() -> None:
    scores = {"a": 0.9, "e": 0.9}
    assert order(scores, "lifo", policy="FS-2") == "sqedpcyxba"
    assert order({"c": 0.9}, "lifo", policy="FS-2") == "sqedpcbayx"


def test_relevant_means_more_than_one_half() -> None:
    assert order({"c": 0.5}, "lifo", policy="FS-2") == order({}, "lifo", policy="FS-2")
    assert order({"c": 0.51}, "lifo", policy="FS-2") != order({}, "lifo", policy="FS-2")


def test_it_is_trained_on_the_examples_of_a_task() -> None:
    strategy = make("svm_guided", Task(topic("s"), TinyAssessor({}), EXAMPLES))
    good, bad = (strategy.similarity(Page("", text=text))["f"] for text in ("sql course", "stock"))  # type: ignore[attr-defined]
    assert good > 0.5 > bad


def test_a_trained_svm_may_be_brought_along() -> None:
    judge = Given({"s": 0.3})
    task = Task(topic("s"), TinyAssessor({}), extras={"svm": judge})
    strategy = make("svm_guided", task, policy="FS-2")
    assert strategy.judge is judge  # type: ignore[attr-defined]
    assert strategy.policy == "FS-2"  # type: ignore[attr-defined]


def test_bad_input_names_the_remedy() -> None:
    with pytest.raises(ValueError, match=r"has no judge; build it with make\('svm_guided', task\)"):
        crawl(topic("s"), TinyWeb(GRAPH), SvmGuided(), TinyAssessor({}))
    with pytest.raises(ValueError, match="no policy named 'best'; try plain, PS"):
        order({}, policy="best")
    with pytest.raises(ValueError, match="no pages to train on"):
        make("svm_guided", Task(topic("s"), TinyAssessor({})))


def test_f1_does_not_depend_on_the_queue() -> None:
    """As the paper says: both queues end up with the same pages, only the order differs."""
    web = webs.synthetic(pages=400, seed=3)
    wanted = web.topic("database_syllabus", seed=1)
    examples = web.examples("database_syllabus", 60)
    judge = SvmClassifier().fit([e.page for e in examples], [e.relevant for e in examples])
    runs = []
    for policy in ("PS", "FS-2"):
        strategy = SvmGuided(judge, policy, depth=99, width=9_999)
        runs.append([v.page.url for v in crawl(wanted, web, strategy, TermAssessor(wanted), seed=2)])
    assert runs[0] != runs[1]
    assert sorted(runs[0]) == sorted(runs[1])


def test_one_set_of_terms_does_not_ask_for_both() -> None:
    """A page of the genre about something else passes for half of what is wanted, whatever its content."""
    wanted = Topic("db", ("http://s.example/",), genre_terms=("course", "credits"), content_terms=("sql",))
    merged = single_set(wanted)
    assert (merged.genre_terms, merged.content_terms) == ((), ("course", "credits", "sql"))
    genre_only = Page("", text="course credits")
    assert TermAssessor(wanted).similarity(genre_only)["f"] == pytest.approx(0.5)
    assert TermAssessor(merged).similarity(genre_only)["f"] == pytest.approx((2 / 3) ** 0.5)


def test_genre_aware_crawling_can_merge_its_terms() -> None:
    wanted = Topic("db", ("http://s.example/",), genre_terms=("course", "credits"), content_terms=("sql",))
    f = []
    for separate in (True, False):
        strategy = GenreAware(separate=separate)
        crawl(wanted, TinyWeb(GRAPH), strategy, TinyAssessor({}))
        f.append(strategy.similarity(Page("", text="course credits"))["f"])
    assert f == pytest.approx([0.5, (2 / 3) ** 0.5])
