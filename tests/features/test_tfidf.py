"""The modified TF-IDF against the numbers of the spec, and against its own definition."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from focuslab.features.tfidf import ModifiedTfidf

CORPUS = [
    ["nba", "game", "nba", "score"],
    ["nba", "team"],
    ["stock", "game"],
    ["stock", "market", "stock", "bank"],
]
documents = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=12), min_size=1, max_size=8)


def test_w1_the_weights_of_the_four_documents() -> None:
    weigh = ModifiedTfidf().fit(CORPUS)
    assert " ".join(weigh.get_feature_names_out()) == "bank game market nba score stock team"
    expected = [
        [0, 0.519860385, 0, 0.693147181, 1.039720771, 0, 0],
        [0, 0, 0, 0.693147181, 0, 0, 1.386294361],
        [0, 0.693147181, 0, 0, 0, 0.693147181, 0],
        [1.039720771, 0, 1.039720771, 0, 0, 0.693147181, 0],
    ]
    np.testing.assert_allclose(weigh.transform(CORPUS).toarray(), expected, atol=1e-9)


def test_unknown_words_weigh_nothing_but_count_for_the_maximum() -> None:
    weigh = ModifiedTfidf().fit(CORPUS)
    row = weigh.transform([["team", "zebra", "zebra", "zebra", "zebra"]])
    assert row.nnz == 1
    assert row[0, weigh.vocabulary_["team"]] == pytest.approx((0.5 + 0.5 / 4) * math.log(4))


def test_a_word_of_every_document_and_an_empty_page_weigh_nothing() -> None:
    weigh = ModifiedTfidf().fit([["the", "nba"], ["the", "bank"]])
    assert weigh.idf_[weigh.vocabulary_["the"]] == 0
    assert weigh.transform([["the"], [], ["zebra"]]).nnz == 0


def test_counts_are_as_good_as_words() -> None:
    counts = [Counter(document) for document in CORPUS]
    by_words, by_counts = ModifiedTfidf().fit(CORPUS), ModifiedTfidf().fit(counts)
    assert (by_words.transform(CORPUS) != by_counts.transform(counts)).nnz == 0


def test_rare_words_can_be_left_out_and_still_count_for_the_maximum() -> None:
    all_words, some = ModifiedTfidf().fit(CORPUS), ModifiedTfidf(min_documents=2).fit(CORPUS)
    assert list(some.vocabulary_) == ["game", "nba", "stock"]
    kept = [all_words.vocabulary_[word] for word in some.vocabulary_]
    assert (some.transform(CORPUS) != all_words.transform(CORPUS)[:, kept]).nnz == 0
    with pytest.raises(ValueError, match="no word is in 3 or more of 4 documents"):
        ModifiedTfidf(min_documents=3).fit(CORPUS)


@given(documents, documents)
def test_it_is_the_formula(learned: list[list[str]], others: list[list[str]]) -> None:
    if not any(learned):
        return
    weigh = ModifiedTfidf().fit(learned)
    told = weigh.transform(others).toarray()
    for row, words in zip(told, others, strict=True):
        for word, column in weigh.vocabulary_.items():
            having = sum(word in document for document in learned)
            tf, most = words.count(word), max(Counter(words).values(), default=1)
            weight = (0.5 + 0.5 * tf / most) * math.log(len(learned) / having) if tf else 0.0
            assert row[column] == pytest.approx(weight, abs=1e-12)


@given(documents)
def test_the_order_of_words_and_documents_does_not_matter(learned: list[list[str]]) -> None:
    if not any(learned):
        return
    weigh = ModifiedTfidf().fit(learned)
    turned = ModifiedTfidf().fit([words[::-1] for words in learned[::-1]])
    assert weigh.vocabulary_ == turned.vocabulary_
    assert (weigh.transform(learned) != turned.transform([words[::-1] for words in learned])).nnz == 0


def test_it_is_a_scikit_learn_transformer() -> None:
    weigh = ModifiedTfidf()
    assert weigh.get_params() == {"min_documents": 1}
    fitted = weigh.fit(CORPUS)
    assert fitted is weigh
    assert (clone(weigh).fit_transform(CORPUS) != fitted.transform(CORPUS)).nnz == 0
    forgotten = weigh.fit([["other"], ["words"]])
    assert list(forgotten.vocabulary_) == ["other", "words"]


def test_mistakes_are_named() -> None:
    with pytest.raises(NotFittedError):
        ModifiedTfidf().transform(CORPUS)
    with pytest.raises(ValueError, match="no word is in 1 or more of 2 documents"):
        ModifiedTfidf().fit([[], []])
    with pytest.raises(ValueError, match="'some text' is text; give its words"):
        ModifiedTfidf().fit(["some text"])
