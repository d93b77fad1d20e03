"""Pages as vectors of length 1, equal to scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer
from tiny_pages import corpus, page, spaced

from focuslab.classifiers.page_vectors import PageVectors, sigmoid
from focuslab.classifiers.svm import SvmClassifier
from focuslab.types import Page


def test_vectors_are_those_of_scikit_learn() -> None:
    pages, _ = corpus()
    theirs = TfidfVectorizer(analyzer=str.split)
    expected = theirs.fit_transform([p.text for p in pages])
    ours = PageVectors(pages, spaced)
    assert list(theirs.get_feature_names_out()) == list(ours.places)
    np.testing.assert_allclose(ours.rows.toarray(), expected.toarray(), atol=1e-12)
    again = ours.of_page(pages[3])
    np.testing.assert_allclose(again.weights, ours.rows[3].data, atol=1e-12)


def test_unknown_words_and_empty_texts_are_zero_vectors() -> None:
    vectors = PageVectors([page("a b"), page("b c")], spaced)
    assert len(vectors) == 3
    for text in ("", "x y z"):
        assert len(vectors.of_text(text).weights) == 0


def test_the_title_counts_and_accents_case_and_stop_words_do_not() -> None:
    pages = [Page("http://a.example/", "Café", "the Menu"), page("a CAFE menu"), page("stock"), page("price")]
    svm = SvmClassifier().fit(pages, [True, True, False, False])
    assert list(svm.vectors_.places) == ["cafe", "menu", "price", "stock"]
    assert svm.score(pages[0]) == svm.score(pages[1])


@given(st.floats(-1e9, 1e9))
def test_sigmoid_is_a_share(x: float) -> None:
    assert 0 <= sigmoid(x) <= 1
    assert sigmoid(x) + sigmoid(-x) == pytest.approx(1)
