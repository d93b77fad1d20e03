"""Normal and kernel density naive Bayes, against the spec's numbers and against plain sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.sparse import csr_matrix
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity
from sklearn.utils.estimator_checks import parametrize_with_checks
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.naive_bayes import KernelNB, NormalNB
from focuslab.classifiers.page_bayes import PageBayes
from focuslab.crawling.loop import crawl
from focuslab.features.tfidf import ModifiedTfidf
from focuslab.strategies import make
from focuslab.strategies.naive_bayes import NaiveBayes
from focuslab.types import Example, Link, Page, Task

CORPUS = [
    ["nba", "game", "nba", "score"],
    ["nba", "team"],
    ["stock", "game"],
    ["stock", "market", "stock", "bank"],
]
LABELS = [1, 1, 0, 0]
QUERIES = [["nba", "team", "game"], ["stock", "bank"], ["game"]]
BOTH = [KernelNB, NormalNB]
both = pytest.mark.parametrize("kind", BOTH)


def trained(model: Any) -> tuple[Any, csr_matrix]:
    weigh = ModifiedTfidf().fit(CORPUS)
    return model.fit(weigh.transform(CORPUS), LABELS), weigh.transform(QUERIES)


def column(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)[:, None]


@parametrize_with_checks([KernelNB(), NormalNB()])
def test_they_keep_the_contract_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


# --- the spec's numbers


def test_w2_kernel() -> None:
    model, queries = trained(KernelNB())
    np.testing.assert_allclose(
        model.predict_proba(queries)[:, 1], [0.93754028, 0.06337901, 0.45661432], atol=1e-8
    )
    np.testing.assert_allclose(model.log_likelihood(queries)[0], [-7.90299364, -5.19425582], atol=1e-8)
    assert model.predict(queries).tolist() == [1, 0, 0]


def test_w3_normal() -> None:
    model, queries = trained(NormalNB())
    assert model.predict_proba(queries)[2, 1] == pytest.approx(0.291339175, abs=1e-9)
    np.testing.assert_allclose(model.log_likelihood(queries)[0], [-1433.108051, 7.362102], atol=1e-6)
    assert model.predict_proba(queries)[0].tolist() == [0.0, 1.0]


def test_w4_w5_normal_in_one_dimension() -> None:
    rows, labels = column(1, 3, 5, 7), [1, 1, 0, 0]
    model = NormalNB().fit(rows, labels)
    np.testing.assert_allclose(model.log_likelihood([[2.0]])[0], [-8.9189385332, -0.9189385332], atol=1e-10)
    assert model.predict_proba([[2.0]])[0, 1] == pytest.approx(0.9996646499, abs=1e-10)
    assert model.predict_proba([[4.0]])[0, 1] == pytest.approx(0.5)
    biased = NormalNB(priors=[0.25, 0.75]).fit(rows, labels)
    assert biased.predict_proba([[4.0]])[0, 1] == pytest.approx(0.75)


def test_w6_kernel_in_one_dimension() -> None:
    model = KernelNB().fit(column(0, 1, 2, 3), [1, 1, 0, 0])
    np.testing.assert_allclose(
        np.exp(model.log_likelihood([[0.0]])[0]), [0.0052015596, 0.3858716661], atol=1e-10
    )
    assert model.predict_proba([[0.0]])[0, 1] == pytest.approx(0.9866992694, abs=1e-10)


@pytest.mark.parametrize(
    ("prior", "literal", "bayes"), [(0.5, (0.375, 0.125), 0.75), (0.8, (0.6, 0.05), 0.9230769231)]
)
def test_w8_both_posteriors(prior: float, literal: tuple, bayes: float) -> None:
    """Two normal classes, placed so that the likelihoods of x = 0 are .3 and .1."""
    spread = 1.0

    def at(likelihood: float) -> float:
        return spread * math.sqrt(-2 * math.log(likelihood * spread * math.sqrt(2 * math.pi)))

    rows = column(at(0.3) - 1, at(0.3) + 1, at(0.1) - 1, at(0.1) + 1)
    labels, priors = [1, 1, 0, 0], [1 - prior, prior]
    model = NormalNB(px="literal", priors=priors).fit(rows, labels)
    np.testing.assert_allclose(np.exp(model.log_likelihood([[0.0]])[0]), [0.1, 0.3], atol=1e-12)
    np.testing.assert_allclose(model.predict_proba([[0.0]])[0][::-1], literal, atol=1e-12)
    model = NormalNB(priors=priors).fit(rows, labels)
    assert model.predict_proba([[0.0]])[0, 1] == pytest.approx(bayes, abs=1e-10)


def test_w9_a_word_that_never_varies_and_products_that_vanish() -> None:
    flat = NormalNB().fit(column(0, 0, 0, 0), [1, 1, 0, 0])
    assert flat.log_likelihood([[0.0]])[0, 0] == pytest.approx(2.53493911, abs=1e-8)
    assert flat.log_likelihood([[0.1]])[0, 0] == pytest.approx(-2.46506089, abs=1e-8)
    # 2,000 features whose density is 1e-3 each: their product is 0 in floating point, its logarithm is not.
    place = math.sqrt(-2 * math.log(1e-3 * math.sqrt(2 * math.pi)))
    rows = np.repeat(column(place - 1, place + 1, 1 - place, -1 - place), 2_000, axis=1)
    model = NormalNB().fit(rows, [1, 1, 0, 0])
    assert 1e-3**2_000 == 0
    np.testing.assert_allclose(model.log_likelihood(np.zeros((1, 2_000))), -13815.510558, atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(np.zeros((1, 2_000))), 0.5)


# --- others of the same kind

matrices = arrays.arrays(
    float,
    st.tuples(st.integers(4, 9), st.integers(1, 5)),
    elements=st.sampled_from([0.0, 0.0, 0.0, 0.5, 0.7, 1.4, -1.0, 30.0]),
)


def split(rows: np.ndarray) -> np.ndarray:
    labels = np.arange(len(rows)) % 3 == 0
    labels[0], labels[1] = True, False
    return labels


@given(matrices)
@example(np.full((4, 1), 30.0))
@settings(max_examples=60, deadline=None)
def test_kernel_is_the_plain_sum(rows: np.ndarray) -> None:
    labels = split(rows)
    told = KernelNB().fit(csr_matrix(rows), labels).log_likelihood(rows)
    for code, chosen in enumerate([~labels, labels]):
        sigma = 1 / math.sqrt(chosen.sum())
        for row, found in zip(rows, told[:, code], strict=True):
            terms = norm.logpdf(row, rows[chosen], sigma)
            assert found == pytest.approx((np.logaddexp.reduce(terms) - math.log(chosen.sum())).sum())


@given(matrices)
@settings(max_examples=60, deadline=None)
def test_normal_is_the_plain_formula(rows: np.ndarray) -> None:
    labels = split(rows)
    told = NormalNB().fit(csr_matrix(rows), labels).log_likelihood(rows)
    for code, chosen in enumerate([~labels, labels]):
        spread = np.sqrt(np.maximum(rows[chosen].var(axis=0), 1e-3))
        wanted = norm.logpdf(rows, rows[chosen].mean(axis=0), spread).sum(axis=1)
        np.testing.assert_allclose(told[:, code], wanted, rtol=1e-9, atol=1e-7)


@both
@given(matrices)
@settings(max_examples=30, deadline=None)
def test_sparse_and_dense_one_and_many_agree(kind: type, rows: np.ndarray) -> None:
    labels = split(rows)
    dense, sparse = kind().fit(rows, labels), kind().fit(csr_matrix(rows), labels)
    told = dense.log_likelihood(rows)
    np.testing.assert_array_equal(told, sparse.log_likelihood(csr_matrix(rows)))
    single = [dense.log_likelihood(row[None])[0] for row in rows]
    np.testing.assert_allclose(told, single, rtol=1e-12)


@both
@given(matrices, st.floats(0.05, 0.95))
@settings(max_examples=30, deadline=None)
def test_both_posteriors_give_the_same_order_and_decision(kind: type, rows: np.ndarray, prior: float) -> None:
    labels, priors = split(rows), [1 - prior, prior]
    bayes = kind(priors=priors).fit(rows, labels)
    literal = kind(priors=priors, px="literal").fit(rows, labels)
    first, second = bayes.predict_log_proba(rows)[:, 1], literal.predict_log_proba(rows)[:, 1]
    order = np.argsort(bayes.decision_function(rows), kind="stable")
    assert (np.diff(first[order]) >= -1e-9).all()
    assert (np.diff(second[order]) >= -1e-9).all()
    np.testing.assert_array_equal(bayes.predict(rows), literal.predict(rows))
    np.testing.assert_allclose(bayes.predict_proba(rows).sum(axis=1), 1)


def test_scikit_learn_agrees() -> None:
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(60, 4)), np.arange(60) % 3
    ours, theirs = (
        NormalNB(var_floor=1e-9).fit(rows, labels),
        GaussianNB(var_smoothing=1e-12).fit(rows, labels),
    )
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-6)
    kernel = KernelNB().fit(rows[:, :1], labels)
    theirs = KernelDensity(bandwidth=1 / math.sqrt(20)).fit(rows[labels == 1, :1])
    np.testing.assert_allclose(
        kernel.log_likelihood(rows[:, :1])[:, 1], theirs.score_samples(rows[:, :1]), atol=1e-9
    )


@both
def test_of_equal_posteriors_irrelevant_wins(kind: type) -> None:
    model = kind().fit(column(0, 1, 0, 1), [True, True, False, False])
    assert model.predict_proba([[0.4]]).tolist() == [[0.5, 0.5]]
    assert not model.predict([[0.4]])[0]


@both
def test_far_away_points_do_not_underflow(kind: type) -> None:
    model = kind().fit(column(0, 1, 2, 3), [1, 1, 0, 0])
    told = model.predict_proba(column(-1e4, 1e4, -1e6, 1e6))
    assert np.isfinite(model.log_likelihood(column(1e6))).all()
    assert told[:, 1].tolist() == [1, 0, 1, 0]


def test_the_work_follows_the_words_present() -> None:
    """Absent words are settled once: a model asked about a page touches that page's columns only."""
    rows = csr_matrix(([0.7, 0.7, 0.9, 0.9], ([0, 1, 2, 3], [1, 1, 5, 5])), shape=(4, 50_000))
    model = KernelNB().fit(rows, [1, 1, 0, 0])
    before = model.predict_proba(rows)
    model._zero[[column for column in range(50_000) if column not in (1, 5)]] = np.nan
    np.testing.assert_array_equal(model.predict_proba(rows), before)
    kept = [len(density.values) for density in model.densities_]
    assert kept == [50_000, 50_000]  # a zero for each word, but for the one word that all pages have


def test_a_class_of_more_rows_wins_where_nothing_is_known() -> None:
    """What the notes of KernelNB warn of: the curves of the larger class are narrower."""
    rows = csr_matrix((5, 300))
    assert KernelNB().fit(rows, [1, 0, 0, 0, 0]).predict_proba(rows[:1])[0, 1] < 1e-50
    equal = KernelNB(bandwidth=0.5).fit(rows, [1, 0, 0, 0, 0])
    assert equal.predict_proba(rows[:1])[0, 1] == pytest.approx(0.2)


def test_the_floor_can_be_the_kernels_variance() -> None:
    model = NormalNB(var_floor="kernel").fit(column(0, 0, 0, 0, 0), [1, 1, 0, 0, 0])
    np.testing.assert_allclose(model.var_, [[1 / 3], [1 / 2]])


@both
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"px": "frequentist"}, "no px named 'frequentist'; try bayes, literal"),
        ({"priors": [0.5, 0.6]}, "2 positive shares that sum to 1"),
        ({"priors": [1.0]}, "2 positive shares"),
    ],
)
def test_bad_parameters_are_named(kind: type, parameters: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kind(**parameters).fit(column(0, 1), [0, 1])


def test_bad_widths_are_named() -> None:
    with pytest.raises(ValueError, match="give a number above 0, or 'kernel'"):
        NormalNB(var_floor=0.0).fit(column(0, 1), [0, 1])
    with pytest.raises(ValueError, match="give a number above 0, or 'kernel'"):
        NormalNB(var_floor="wide").fit(column(0, 1), [0, 1])
    with pytest.raises(ValueError, match="or None for 1/√n"):
        KernelNB(bandwidth=-1).fit(column(0, 1), [0, 1])


# --- pages


def pages(documents: list[list[str]]) -> list[Page]:
    return [Page(url(f"p{n}"), text=" ".join(words)) for n, words in enumerate(documents)]


@pytest.mark.parametrize(("density", "kind"), [("kernel", KernelNB), ("normal", NormalNB)])
def test_a_page_is_scored_by_its_words(density: str, kind: type) -> None:
    classifier = PageBayes(density).fit(pages(CORPUS), [True, True, False, False])
    model, queries = trained(kind())
    told = [classifier.score(page) for page in pages(QUERIES)]
    np.testing.assert_allclose(told, model.predict_proba(queries)[:, 1], atol=1e-12)
    assert [classifier.score_text(" ".join(words)) for words in QUERIES] == told
    odds = [classifier.log_odds(page) for page in pages(QUERIES)]
    np.testing.assert_allclose(odds, model.decision_function(queries), atol=1e-9)


@pytest.mark.parametrize("density", ["kernel", "normal"])
def test_every_word_says_what_it_adds(density: str) -> None:
    classifier = PageBayes(density).fit(pages(CORPUS), [True, True, False, False])
    page, empty = Page(url("x"), "nba stock", "stock zebra"), Page(url("y"))
    told = classifier.word_odds(page)
    assert list(told) == ["stock", "nba"]
    assert told["stock"] < 0 < told["nba"]
    assert sum(told.values()) == pytest.approx(classifier.log_odds(page) - classifier.log_odds(empty))


def test_title_counts_and_stop_words_do_not() -> None:
    classifier = PageBayes().fit(pages(CORPUS), [True, True, False, False])
    told = classifier.score(Page(url("x"), "NBA team", "and the game of a"))
    assert told == pytest.approx(0.93754028, abs=1e-8)


def test_the_larger_class_is_cut_by_the_seed_only() -> None:
    documents = [*CORPUS, *[["stock", f"word{n}"] for n in range(30)]]
    labels = [True, True] + [False] * 32
    learned = [list(PageBayes(seed=n).fit(pages(documents), labels).weigh_.vocabulary_) for n in (0, 0, 1)]
    assert learned[0] == learned[1] != learned[2]
    assert PageBayes().fit(pages(documents), labels).model_.class_log_prior_ == pytest.approx(math.log(0.5))
    assert len(PageBayes(balance=False).fit(pages(documents), labels).weigh_.vocabulary_) == 37


def test_one_rare_word_can_outweigh_the_topic() -> None:
    """Why min_pages exists: the second page is all nba, but for a word that one stock page had."""
    documents = [["nba", "game", f"a{n}"] for n in range(20)] + [
        ["stock", "bank", f"b{n}"] for n in range(20)
    ]
    learned = pages(documents), [True] * 20 + [False] * 20
    all_words, common = PageBayes().fit(*learned), PageBayes(min_pages=2).fit(*learned)
    assert all_words.score_text("nba game") > 0.99
    assert all_words.score_text("nba game b3") < 0.01
    assert common.score_text("nba game b3") > 0.99


def test_an_empty_page_has_a_score() -> None:
    assert 0 <= PageBayes().fit(pages(CORPUS), [True, True, False, False]).score(Page(url("x"))) <= 1


def test_mistakes_of_training_are_named() -> None:
    with pytest.raises(ValueError, match="no density named 'flat'; try kernel, normal"):
        PageBayes("flat")
    with pytest.raises(ValueError, match="4 relevant, 0 irrelevant"):
        PageBayes().fit(pages(CORPUS), [True] * 4)


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
