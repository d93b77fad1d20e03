"""The relevance classifier against hand-worked numbers and scikit-learn's MultinomialNB."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.preprocessing import normalize

from focuslab.classifiers.relevance import PRESETS, RelevanceClassifier
from focuslab.classifiers.validation import balanced, splits
from focuslab.types import Link, Page

TEXTS = ["game game score", "game console", "stock price", "price game price"]
LABELS = [True, True, False, False]
WORDS = [f"w{number}" for number in range(40)]


def spaced(text: str, language: str) -> list[str]:
    """Split at spaces, so that a test knows the words."""
    return text.split()


def page(text: str = "", title: str = "", anchors: str = "", language: str = "", url: str = "") -> Page:
    links = tuple(Link("http://b.example/", anchor) for anchor in anchors.split())
    return Page(url or "http://a.example/", title, text, links, language=language)


def corpus(rng: np.random.Generator, documents: int = 60) -> tuple[list[Page], list[bool]]:
    """Pages whose words lean one way or the other."""
    labels = rng.random(documents) < 0.4
    lean = np.linspace(1, 3, len(WORDS))
    pages = []
    for number, label in enumerate(labels):
        weight = lean if label else lean[::-1]
        text = " ".join(rng.choice(WORDS, rng.integers(1, 30), p=weight / weight.sum()))
        pages.append(page(text, rng.choice(WORDS), rng.choice(WORDS), url=f"http://h{number}.example/"))
    return pages, labels.tolist()


def trained(**settings: object) -> RelevanceClassifier:
    return RelevanceClassifier(**settings).fit([page(text) for text in TEXTS], LABELS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("game", 2 / 3), ("game price", 1 / 3), ("console score", 0.8), ("unknown words", 0.5), ("", 0.5)],
)
def test_the_worked_example(text: str, expected: float) -> None:
    assert trained().score_text(text) == pytest.approx(expected, abs=1e-9)
    assert trained().score(page(text)) == pytest.approx(expected, abs=1e-9)


def test_words_that_cancel_out_leave_exactly_one_half() -> None:
    classifier = RelevanceClassifier(segmenter=spaced)
    classifier.fit([page("a b b b c c c"), page("x y y y z z z")], [True, False])
    for text in ("a b c x y z", "z c y b a x", "c b z y x a"):
        assert classifier.score_text(text) == 0.5


@pytest.mark.parametrize("fields", ["bag", "prefixed"])
@pytest.mark.parametrize("seed", range(3))
def test_the_plain_preset_equals_scikit_learn(seed: int, fields: str) -> None:
    rng = np.random.default_rng(seed)
    pages, labels = corpus(rng)
    classifier = RelevanceClassifier(fields=fields, segmenter=spaced).fit(pages, labels)
    vectorizer = CountVectorizer(analyzer=classifier.tokens)
    oracle = MultinomialNB(alpha=1.0).fit(vectorizer.fit_transform(pages), labels)
    unseen = [*corpus(rng)[0], page("never seen"), page()]
    expected = oracle.predict_proba(vectorizer.transform(unseen))[:, 1]
    np.testing.assert_allclose([classifier.score(p) for p in unseen], expected, rtol=0, atol=1e-9)


def test_the_afsc_preset_equals_scikit_learn_on_scaled_counts() -> None:
    rng = np.random.default_rng(7)
    pages, labels = corpus(rng, 25)
    pages[0] = page(f"{pages[0].text} rare rare")
    classifier = RelevanceClassifier("rungsawang_afsc", segmenter=spaced).fit(pages, labels)
    vectorizer = CountVectorizer(analyzer=classifier.tokens)
    counts = vectorizer.fit_transform(pages)
    frequent = np.flatnonzero(np.asarray(counts.sum(axis=0)).ravel() >= 3)
    assert "rare" not in classifier.weights_
    assert len(frequent) == len(classifier.weights_) < counts.shape[1]
    oracle = MultinomialNB(alpha=1.0).fit(normalize(counts[:, frequent]), labels)
    unseen, _ = corpus(rng)
    expected = oracle.predict_proba(normalize(vectorizer.transform(unseen)[:, frequent]))[:, 1]
    found = [1 / (1 + math.exp(-classifier.log_odds(p))) for p in unseen]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    np.testing.assert_allclose(
        [classifier.score(p) for p in unseen], np.floor(expected * 100) / 100, atol=1e-12
    )


def test_anchor_words_count_twice_being_in_the_body_too() -> None:
    assert sorted(RelevanceClassifier().tokens(page("read more", "title", "more"))) == [
        "more",
        "more",
        "read",
        "title",
    ]


def test_prefixed_fields_keep_their_words_apart() -> None:
    tokens = RelevanceClassifier(fields="prefixed").tokens(page("read more", "title", "more"))
    assert tokens == ["title:title", "body:read", "body:more", "anchor:more"]
    pages = [page(title="same"), page("same")]
    classifier = RelevanceClassifier(fields="prefixed").fit(pages, [True, False])
    assert classifier.score(pages[0]) == pytest.approx(2 / 3)
    assert classifier.score_text("same") == pytest.approx(1 / 3)


@pytest.mark.parametrize("preset", PRESETS)
def test_pages_of_another_language_score_nothing(preset: str) -> None:
    pages = [page(text * 3, language="ja") for text in ("game ", "price ")]
    classifier = RelevanceClassifier(preset, language="ja", segmenter=spaced).fit(pages, [True, False])
    for language in ("en", ""):
        assert classifier.score(page("game " * 60, language=language)) == 0.0
        assert classifier.log_odds(page("game " * 60, language=language)) == -math.inf
    assert classifier.score(page("game " * 60, language="ja")) > 0.5


def test_pages_of_another_language_teach_nothing() -> None:
    pages = [page("game", language="en"), page("price", language="en")]
    foreign = [page("jeu prix", language="fr")] * 5
    alone = RelevanceClassifier(language="en").fit(pages, [True, False])
    mixed = RelevanceClassifier(language="en").fit([*foreign, *pages], [True] * 6 + [False])
    assert (mixed.weights_, mixed.prior_) == (alone.weights_, alone.prior_)


def test_the_afsc_preset_turns_away_empty_and_short_pages() -> None:
    pages = [page(text * 3) for text in ("game ", "price ")]
    afsc = RelevanceClassifier("rungsawang_afsc", segmenter=spaced).fit(pages, [True, False])
    plain = RelevanceClassifier(segmenter=spaced).fit(pages, [True, False])
    bodiless = page(title="game", anchors="game")
    assert (afsc.score(bodiless), plain.score(bodiless) > 0.5) == (0.0, True)
    for length, score in ((49, 0.0), (50, afsc.score(page("game")))):
        assert afsc.score(page("game " * length, "game game", language="ja")) == score
    assert afsc.score(page("game")) == afsc.score(page("game", language="en")) > 0.5


@given(st.floats(-40, 40))
def test_scores_of_the_afsc_preset_are_cut_not_rounded(odds: float) -> None:
    exact = RelevanceClassifier().probability(odds)
    cut = RelevanceClassifier("rungsawang_afsc").probability(odds)
    assert cut <= exact
    assert exact - cut < 0.01 + 1e-12
    assert cut == round(cut, 2)


def test_a_score_of_two_decimals_is_not_cut() -> None:
    cut = RelevanceClassifier("rungsawang_afsc").probability
    assert cut(0.0) == 0.5
    assert cut(math.inf) == 1.0
    assert cut(math.log(0.506 / 0.494)) == 0.5


def test_log_odds_rank_pages_whose_scores_are_all_one() -> None:
    classifier = trained()
    long, longer = page("console " * 100), page("console " * 101)
    assert classifier.score(long) == classifier.score(longer) == 1.0
    assert classifier.log_odds(long) < classifier.log_odds(longer)


def test_very_long_pages_do_not_overflow() -> None:
    classifier = trained()
    assert classifier.score(page("console " * 20_000)) == 1.0
    assert classifier.score(page("stock " * 20_000)) == 0.0


@given(st.lists(st.sampled_from([*WORDS, "unseen"])), st.randoms())
def test_the_order_of_words_does_not_matter(tokens: list[str], random: object) -> None:
    classifier = RelevanceClassifier(segmenter=spaced).fit(*corpus(np.random.default_rng(0)))
    mixed = sorted(tokens, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert classifier.score_text(" ".join(tokens)) == classifier.score_text(" ".join(mixed))


def test_under_sampling_as_published() -> None:
    labels = np.array([True] * 13_401 + [False] * 15_303)
    for train, test in splits(labels, 10, 0):
        kept = train[balanced(labels[train], np.random.default_rng(0))]
        positives = int(labels[train].sum())
        assert positives in (12_060, 12_061)
        assert int(labels[kept].sum()) == int((~labels[kept]).sum()) == positives
        assert len(test) in range(2_869, 2_873)
        assert not np.intersect1d(kept, test).size


def test_the_published_fold() -> None:
    train = np.array([True] * 12_061 + [False] * 13_773)
    kept = balanced(train, np.random.default_rng(1))
    assert len(kept) == len(np.unique(kept)) == 24_122
    assert int(train[kept].sum()) == 12_061


@pytest.mark.parametrize("preset", PRESETS)
def test_folds_score_as_separate_training_would(preset: str) -> None:
    pages, labels = corpus(np.random.default_rng(3), 80)
    classifier = RelevanceClassifier(preset, segmenter=spaced)
    found = classifier.cross_validate(pages, labels, folds=4, undersample=False, seed=2)
    expected = []
    for train, test in splits(np.array(labels), 4, 2):
        alone = RelevanceClassifier(preset, segmenter=spaced)
        alone.fit([pages[row] for row in train], [labels[row] for row in train])
        expected.append(np.mean([(alone.score(pages[row]) > 0.5) == labels[row] for row in test]))
    assert found.accuracies == pytest.approx(expected, abs=1e-12)
    assert not hasattr(classifier, "weights_")


def test_under_sampling_touches_training_only() -> None:
    pages, labels = corpus(np.random.default_rng(3), 200)
    found = RelevanceClassifier(segmenter=spaced).cross_validate(pages, labels, seed=1)
    relevant, irrelevant = np.array(found.confusion).sum(axis=1)
    assert (relevant, irrelevant) == (sum(labels), len(labels) - sum(labels))
    assert len(found.accuracies) == 10
    assert found == RelevanceClassifier(segmenter=spaced).cross_validate(pages, labels, seed=1)


def test_under_sampling_takes_the_prior_away() -> None:
    # One word, on every page: what decides is the prior alone, and equal classes leave none.
    pages = [page("word", url=f"http://h{number}.example/") for number in range(40)]
    labels = [True] * 30 + [False] * 10
    weighted = RelevanceClassifier().cross_validate(pages, labels, folds=5, undersample=False)
    level = RelevanceClassifier().cross_validate(pages, labels, folds=5)
    assert weighted.confusion == ((30, 0), (10, 0))
    assert level.confusion == ((0, 30), (0, 10))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"preset": "paper"}, "no preset named 'paper'; try rungsawang_paper, rungsawang_afsc"),
        ({"fields": "title"}, "no way to join fields named 'title'; try bag, prefixed"),
    ],
)
def test_unknown_settings_are_refused(settings: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RelevanceClassifier(**settings)


@pytest.mark.parametrize(
    ("pages", "labels", "message"),
    [
        ([page("a"), page("b")], [True, True], "pages of both kinds; these are 2 relevant, 0 irrelevant"),
        ([page("a"), page("b")], [True], "2 pages need as many labels"),
        ([page("a"), page("b")], ["Relevant", "Irrelevant"], "each True or False"),
        ([page(), page()], [True, False], "no words; check their text and language"),
    ],
)
def test_training_that_cannot_work_is_refused(pages: list[Page], labels: list, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RelevanceClassifier().fit(pages, labels)


def test_words_too_rare_for_the_preset_are_refused() -> None:
    with pytest.raises(ValueError, match="no word occurs 3 times in 2 pages; train rungsawang_afsc on more"):
        RelevanceClassifier("rungsawang_afsc").fit([page("a a"), page("b b")], [True, False])


def test_a_mistake_in_a_segmenter_is_not_hidden() -> None:
    def broken(text: str, language: str) -> list[str]:
        raise ValueError("my own mistake")

    with pytest.raises(ValueError, match="my own mistake"):
        trained(segmenter=broken)


def test_a_language_nobody_speaks_is_refused() -> None:
    with pytest.raises(ValueError, match="none of the 4 pages is in 'ja'"):
        trained(language="ja")


def test_it_survives_pickling() -> None:
    classifier = trained()
    assert pickle.loads(pickle.dumps(classifier)).score_text("game") == classifier.score_text("game")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("fields", ["bag", "prefixed"])
def test_texts_at_once_score_as_one_by_one(preset: str, fields: str) -> None:
    pages = [Page("http://a.example/", text=text) for text in ("ball bat " * 4, "stock price " * 4)]
    trained = RelevanceClassifier(preset, fields).fit(pages, [True, False])
    texts = ["ball", "", "ball price", "BALL bat unheard-of", "野球 ball"]
    assert trained.score_texts(texts, "en") == [trained.score_text(text, "en") for text in texts]
