"""The crawler that learns: its model, its records, its scores, and that it does learn."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab import webs
from focuslab.classifiers.assessor import train_classifiers
from focuslab.classifiers.online_regression import OnlineRegression
from focuslab.crawling.loop import crawl
from focuslab.experiments.compare import compare
from focuslab.features.link_records import SIGNALS, LinkRecords, Scale
from focuslab.features.link_words import LONGEST, SPACE, link_words
from focuslab.features.passages import MOST, evidence, log_odds, reading
from focuslab.strategies.adaptive import PRIOR, TERMS, Adaptive
from focuslab.types import Link, Page, Task, Topic, Visit

VALUES = st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30)


# --- the scale of evidence


@given(st.floats(0, 1))
def test_log_odds_keep_the_order_and_stay_finite(probability: float) -> None:
    assert -MOST <= log_odds(probability) <= MOST
    assert log_odds(probability) <= log_odds(min(1.0, probability + 0.01))


class Counting:
    """1 for texts with the word "good", and a note of what was read."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def score_text(self, text: str, language: str = "") -> float:
        self.texts.append(text)
        return 0.9 if "good" in text.split() else 0.1


def test_a_page_is_read_in_passages_and_not_further_than_need_be() -> None:
    assessor = Counting()
    page = Page(url("a"), "title", "word " * 10_000)
    assert reading(assessor, page) == pytest.approx(log_odds(0.1))  # type: ignore[arg-type]
    assert len(assessor.texts) == 8
    assert assessor.texts[0].startswith("title word")
    assert {len(text.split()) for text in assessor.texts} == {25}


def test_a_reading_is_the_mean_of_its_passages() -> None:
    page = Page(url("a"), "", "good " * 25 + "bad " * 25)
    assert reading(Counting(), page) == pytest.approx(0.0, abs=1e-12)  # type: ignore[arg-type]


def test_a_page_without_words_is_read_too() -> None:
    assert reading(Counting(), Page(url("a"))) == pytest.approx(log_odds(0.1))  # type: ignore[arg-type]


# --- words


def test_words_are_told_apart_by_where_they_stand() -> None:
    anchor, context = link_words(Link(url("x"), "physics")), link_words(Link(url("x"), "", "physics"))
    assert set(anchor) & set(context) == set(link_words(Link(url("x"))))  # the address only
    assert len(anchor) == LONGEST


@given(st.text(max_size=200), st.text(max_size=50))
def test_any_text_gives_numbers_in_the_space(context: str, anchor: str) -> None:
    numbers = link_words(Link("http://a.example/x", anchor, context))
    kept = [number for number in numbers if number]
    assert len(numbers) == LONGEST
    assert len(set(kept)) == len(kept)
    assert all(0 <= number < SPACE for number in numbers)


# --- the model


def test_the_model_equals_ridge_regression() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(50, 4)), rng.normal(size=50)
    prior, variance, noise = np.array([1.0, 0.0, -1.0, 0.5]), 0.25, 0.1
    model = OnlineRegression(prior, variance, noise=noise)
    for row, outcome in zip(x, y, strict=True):
        model.learn(row, np.zeros(3, np.int32), outcome)
    precision = np.eye(4) / variance + x.T @ x / noise
    expected = np.linalg.solve(precision, prior / variance + x.T @ y / noise)
    np.testing.assert_allclose(model.mean, expected, atol=1e-9)
    np.testing.assert_allclose(model.covariance, np.linalg.inv(precision), atol=1e-9)


def test_words_learn_and_no_word_does_not() -> None:
    model = OnlineRegression(np.zeros(1), words=4)
    for _ in range(50):
        model.learn(np.ones(1), np.array([1, 0]), 1.0)
        model.learn(np.ones(1), np.array([2, 0]), -1.0)
    said = model.said(np.array([[1, 0], [2, 0], [3, 0], [0, 0]]))
    assert said[0] > 0.5 > -0.5 > said[1]
    assert said[2] == said[3] == 0


def test_doubt_shrinks_where_there_is_experience() -> None:
    model = OnlineRegression(np.zeros(2), words=3)
    one, other = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
    before = model.spread(one, np.array([[1]]))
    model.learn(one[0], np.array([1]), 0.0)
    assert model.spread(one, np.array([[1]])) < before
    assert model.spread(other, np.array([[2]])) == before


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=1, max_size=30))
def test_the_covariance_stays_one(examples: list[tuple[float, float]]) -> None:
    model = OnlineRegression(np.zeros(2), words=2)
    for x, y in examples:
        model.learn(np.array([1.0, x]), np.array([1]), y)
    assert np.linalg.eigvalsh(model.covariance).min() > -1e-9
    assert model.word_variance.min() >= 0


def test_noisy_examples_teach_less() -> None:
    quiet, noisy = OnlineRegression(np.zeros(1)), OnlineRegression(np.zeros(1))
    quiet.learn(np.ones(1), np.array([0]), 1.0)
    noisy.learn(np.ones(1), np.array([0]), 1.0, noise=10.0)
    assert 0 < noisy.mean[0] < quiet.mean[0]


# --- the records


@given(VALUES, VALUES)
@settings(deadline=None)
def test_a_scale_of_two_parts_is_that_of_the_whole(first: list[float], second: list[float]) -> None:
    scale = Scale()
    scale.add(np.array(first))
    scale.add(np.array(second))
    whole = np.array(first + second)
    assert scale.mean == pytest.approx(whole.mean(), abs=1e-6)
    assert scale.spread == pytest.approx(whole.std() or 1.0, abs=1e-4, rel=1e-6)


def signal(records: LinkRecords, row: int, which: str) -> float:
    return float(records.signals(np.array([row]))[0, SIGNALS.index(which)])


def test_records_keep_mean_and_best_over_parents() -> None:
    records = LinkRecords()
    for parent, context in (("p", -1.0), ("q", 3.0)):
        page = records.read(url(parent), 0.0, True, "News")
        rows, new = records.find([url("t")], page, np.array([[0.0, context, 0.0]]), 1)
    assert not new[0]
    unit = records.context_scale.spread
    assert signal(records, rows[0], "context_mean") == pytest.approx(1.0 / unit)
    assert signal(records, rows[0], "context_best") == pytest.approx(3.0 / unit)
    assert signal(records, rows[0], "times") == pytest.approx(np.log(2))


def test_siblings_and_hosts_share_a_surprise() -> None:
    records = LinkRecords()
    page = records.read(url("p"), 0.0, True, "")
    targets = [url("x/1"), url("x/2"), url("y/1")]
    rows, _ = records.find(targets, page, np.zeros((3, 3)), 1)
    other = records.read(url("q"), 0.0, True, "")
    away, _ = records.find([url("x/3")], other, np.zeros((1, 3)), 1)
    records.credit(int(rows[0]), True, 3.0)
    assert signal(records, rows[1], "siblings") == signal(records, rows[2], "siblings") == 1.0
    assert signal(records, away[0], "siblings") == 0.0
    assert signal(records, away[0], "host") == signal(records, rows[1], "host") == 1.0
    assert signal(records, rows[2], "host") == 0.0


def test_pig_is_a_beta_posterior_by_class_and_genre() -> None:
    records = LinkRecords()
    page = records.read(url("p"), 0.0, True, "Blog")
    rows, _ = records.find([url("a"), url("b"), url("c")], page, np.zeros((3, 3)), 1)
    for row, relevant in zip(rows, (True, True, False), strict=True):
        records.credit(int(row), relevant, 0.0)
    assert records.pig[1, 1].tolist() == [2, 3]
    assert records.pig.sum() == 24 + 3
    assert signal(records, rows[0], "pig") == pytest.approx(np.log(3 / 2))


def test_records_grow_beyond_their_first_size() -> None:
    records = LinkRecords()
    page = records.read(url("p"), 0.0, False, "")
    rows, new = records.find([url(f"h{n}") for n in range(1_000)], page, np.ones((1_000, 3)), 2)
    assert new.all()
    assert rows.tolist() == list(range(1_000))
    assert np.isfinite(records.signals(rows)).all()


# --- the strategy


def ground(pages: int = 600) -> tuple[webs.SyntheticWeb, Task]:
    web = webs.synthetic(pages=pages, seed=3)
    examples = web.examples("baseball", 150)
    start = web.topic("baseball", seed=1)
    return web, Task(start, train_classifiers(examples, start), examples)


def visits(web: object, task: Task, count: int = 200, **parameters: object) -> tuple[Adaptive, list[Visit]]:
    strategy = Adaptive.from_task(task, **parameters)
    return strategy, list(islice(crawl(task.topic, web, strategy, task.assessor), count))  # type: ignore[arg-type]


def test_a_score_is_the_sum_of_its_terms_also_after_reviews() -> None:
    _, found = visits(*ground())
    chosen = [visit for visit in found if visit.depth]
    assert len(chosen) > 100
    for visit in chosen:
        assert tuple(visit.terms) == tuple(TERMS)
        assert visit.score == pytest.approx(sum(visit.terms.values()), abs=1e-9)


@pytest.mark.parametrize("term", TERMS)
def test_what_is_left_out_adds_nothing(term: str) -> None:
    _, found = visits(*ground(), count=40, without=(term,))
    assert {visit.terms[term] for visit in found if visit.depth} == {0.0}


def test_before_it_learns_it_goes_by_the_prior() -> None:
    assessor = TinyAssessor({"s": 0.5, "good": 0.9, "bad": 0.1})
    strategy = Adaptive(assessor, explore=0)
    visit = next(crawl(topic("s"), TinyWeb({"s": "good bad"}), strategy, assessor))
    good, bad = (strategy.terms_[strategy.records_.links.row(url(page))] for page in ("good", "bad"))
    assert visit.step == 1
    assert good["anchor"] > bad["anchor"]
    assert good["words"] == bad["words"] == good["siblings"] == 0
    assert strategy.model_.mean.tolist() == [PRIOR.get(each, 0.0) for each in SIGNALS]


def test_it_learns_which_word_leads_to_relevant_pages() -> None:
    """The classifier is blind to anchors; only experience tells that "red" links are worth it."""

    class Blind(TinyAssessor):
        def score_text(self, text: str, language: str = "") -> float:
            return 0.95 if text.startswith("goal") else 0.2 if text.startswith("dull") else 0.5

    strategy = Adaptive(Blind({}), explore=0)
    strategy.start(Topic("t"), np.random.default_rng(0))
    assessment = Blind({}).assess(Page(url("s")))
    links = tuple(Link(url(f"{kind}{n}"), kind) for n in range(20) for kind in ("red", "blue"))
    pages = [Page(url("s"), "hub", links=links)]
    pages += [
        Page(url(f"{kind}{n}"), title)
        for n in range(15)
        for kind, title in (("red", "goal"), ("blue", "dull"))
    ]
    for page in pages:
        found = Visit(1, Link(page.url), 0.0, 1, None, page, assessment)  # type: ignore[arg-type]
        list(strategy.propose(found))
    scores = dict(strategy.revise(found))
    assert min(scores[url(f"red{n}")] for n in range(15, 20)) > max(
        scores[url(f"blue{n}")] for n in range(15, 20)
    )


def test_pages_fetched_before_teach_in_hindsight() -> None:
    web, task = ground()
    learned = [visits(web, task, 30, hindsight=most)[0].model_.covariance.trace() for most in (10, 0)]
    assert learned[0] < learned[1]


def test_no_fetched_page_is_proposed_and_none_twice_at_once() -> None:
    web, task = ground()
    strategy = Adaptive.from_task(task)
    fetched: set[str] = set()
    propose = strategy.propose

    def watched(visit: Visit):  # type: ignore[no-untyped-def]
        fetched.update((visit.page.url, visit.link.url))
        proposals = list(propose(visit))
        targets = [proposal.link.url for proposal in proposals]
        assert not fetched.intersection(targets)
        assert len(set(targets)) == len(targets)
        return proposals

    strategy.propose = watched  # type: ignore[method-assign]
    assert len(list(islice(crawl(task.topic, web, strategy, task.assessor), 150))) == 150


def test_its_pig_counts_the_links_that_were_followed() -> None:
    strategy, found = visits(*ground())
    table = strategy.pig()
    followed = sum(visit.depth > 0 for visit in found)
    assert table.links is not None
    assert followed <= sum(map(sum, table.links)) <= 4 * followed
    assert table.genres == ("News", "Blog", "Image", "Video", "Other")


def test_terms_are_kept_for_waiting_links_only() -> None:
    strategy, found = visits(*ground(), count=100)
    rows = {strategy.records_.links.row(visit.link.url) for visit in found}
    assert not rows & strategy.terms_.keys()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"without": ["luck"]}, "no term named 'luck'; try base, page, context"),
        ({"review": -1}, "cannot be negative; 0 turns each off"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict, message: str) -> None:
    assessor = TinyAssessor({})
    with pytest.raises(ValueError, match=message):
        crawl(topic("s"), TinyWeb({}), Adaptive(assessor, **parameters), assessor)


def test_a_web_without_links() -> None:
    assessor = TinyAssessor({"s": 1.0})
    found = list(crawl(topic("s"), TinyWeb({"s": ""}), Adaptive(assessor), assessor))
    assert [name(visit.page.url) for visit in found] == ["s"]
    assert evidence(assessor, "s") == MOST


def test_on_a_real_web_it_finds_more_than_its_rivals(data: Path) -> None:
    """A guard, no proof: one of the subjects its variances were chosen on, where it leads by much."""
    topics = ["Science.Biology.Insects_Reptiles_and_Fish"]
    web = webs.wikischools(data)
    found = compare(["adaptive", "link_context"], web, topics, budget=200, bounds=(), jobs=1)
    area = found.summary.query("metric == 'area'").set_index("strategy")["mean"]
    assert area["adaptive"] > area["link_context"] > area["best_first"]
