"""Cosine with term sets, their mean, and terms from example pages, on numbers worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuslab import metrics
from focuslab.classifiers.term_sets import (
    TermAssessor,
    TermSet,
    Weights,
    generate_terms,
    idf,
    mean,
    normalised,
)
from focuslab.types import Assessor, Page, Topic

TEXT = (
    "Course syllabus. The course covers data structures: linked lists, stacks. "
    "Algorithms and data structures."
)
SPACED = "course syllabus course covers data structures linked lists stacks algorithms data structures"
TOKENS = SPACED.split()
GENRE = ("syllabus", "course", "credits", "grading")
CONTENT = ("data structures", "algorithms and data structures", "stacks", "trees")
SIXTEEN = tuple(f"term{n}" for n in range(16))
URL = "http://www.x.br/course/ds"

vocabulary = st.sampled_from(["course", "syllabus", "data", "structures", "sql", "the"])
texts = st.lists(vocabulary, min_size=1, max_size=30).map(" ".join)


def cosine(terms: tuple[str, ...], text: str, weights: dict[str, float] | None = None) -> float:
    return TermSet(terms, weights).cosine([normalised(text)])


def page(text: str, url: str = URL, **more: str) -> Page:
    return Page(url, text=text, **more)  # type: ignore[arg-type]


def wanted(**more: tuple[str, ...] | str) -> Topic:
    return Topic("ds", **({"genre_terms": GENRE, "content_terms": CONTENT} | more))  # type: ignore[arg-type]


def test_case_punctuation_and_stop_words_go() -> None:
    assert normalised(TEXT) == TOKENS


def test_phrases_are_counted_as_consecutive_words() -> None:
    assert TermSet(GENRE).counts([TOKENS]) == [1, 2, 0, 0]
    assert TermSet(CONTENT).counts([TOKENS]) == [2, 1, 1, 0]


def test_a_phrase_does_not_cross_blocks() -> None:
    assert TermSet(["data structures"]).counts([["data"], ["structures"]]) == [0]
    assert TermAssessor(wanted()).similarity(Page(URL, title="data", text="structures"))["c"] == 0


def test_a_phrase_may_overlap_itself_and_be_of_any_length() -> None:
    assert TermSet(["a b a b", "b b"], language="none").counts([list("abababbb")]) == [2, 2]


def test_similarities_of_the_worked_page() -> None:
    assert cosine(GENRE, TEXT) == pytest.approx(3 / (2 * math.sqrt(5)), abs=1e-10)
    assert cosine(CONTENT, TEXT) == pytest.approx(0.8164965809, abs=1e-10)


def test_genre_and_content_weigh_alike() -> None:
    found = TermAssessor(wanted()).similarity(page(TEXT))
    assert found["f"] == pytest.approx(0.7436584871, abs=1e-10)
    assert found == {"g": cosine(GENRE, TEXT), "c": cosine(CONTENT, TEXT), "f": found["f"]}


def test_url_terms_weigh_three_of_ten() -> None:
    found = TermAssessor(wanted(url_terms=("course", "syllabus"))).similarity(page(TEXT))
    assert found["x"] == pytest.approx(0.7071067812, abs=1e-10)
    assert found["f"] == pytest.approx(0.7326929753, abs=1e-10)


def test_weights_can_be_chosen() -> None:
    found = TermAssessor(wanted(), weights=Weights(1, 3)).similarity(page(TEXT))
    assert found["f"] == pytest.approx((found["g"] + 3 * found["c"]) / 4)
    assert mean(1.0, 0.0, 7, 3) == 0.7


@pytest.mark.parametrize(("present", "similarity"), [(1, 0.25), (8, 0.7071067812), (0, 0.0), (16, 1.0)])
def test_some_of_sixteen_terms(present: int, similarity: float) -> None:
    assert cosine(SIXTEEN, " ".join(SIXTEEN[:present])) == pytest.approx(similarity, abs=1e-10)


@pytest.mark.parametrize("log", [math.log, math.log10])
def test_idf_weighs_whatever_the_base(log) -> None:  # type: ignore[no-untyped-def]
    pages_with = dict(zip(GENRE, (1_000, 50_000, 5_000, 2_500), strict=True))
    weights = {term: log(500_000 / n) for term, n in pages_with.items()}
    assert cosine(GENRE, TEXT, weights) == pytest.approx(0.659198787, abs=1e-9)


def test_a_term_on_every_page_tells_nothing() -> None:
    assert cosine(("course", "syllabus"), "course", {"course": 0.0, "syllabus": 1.0}) == 0


def test_idf_counts_pages_and_takes_an_unseen_term_for_one_page() -> None:
    pages = [page("course course sql"), page("a course"), page("course"), page("nothing")]
    found = idf(["course", "sql", "query plans"], pages)
    assert found == {"course": math.log(4 / 3), "sql": math.log(4), "query plans": math.log(4)}


def test_idf_knows_a_term_however_it_is_written() -> None:
    pages = [page("Course of SQL"), page("a course"), page("nothing"), page("nothing")]
    found = idf(["Course", "courses", "the course", "of the", "course"], pages)
    assert found == dict.fromkeys(["Course", "the course", "course"], math.log(2)) | dict.fromkeys(
        ["courses", "of the"], math.log(4)
    )


def test_accents_and_bare_articles_go() -> None:
    assert normalised("Introdução à Computação", "pt") == ["introducao", "computacao"]
    assert normalised("Introdução à Computação") == ["introducao", "computacao"]


def test_a_term_is_normalised_like_the_text() -> None:
    assert TermSet(["add to"]).terms == ("add",)
    assert TermSet(["add to"]).counts([normalised("Add to cart, add")]) == [2]
    assert cosine(("COMPUTAÇÃO",), "computacao") == 1


def test_repeated_terms_count_once_and_empty_ones_not_at_all() -> None:
    assert TermSet(["system analysis", "sql", "System  Analysis", "of the", ""]).terms == (
        "system analysis",
        "sql",
    )


@pytest.mark.parametrize(
    ("counts", "percent"), [((15, 16, 15), 96.7742), ((31, 32, 35), 92.5373), ((5, 28, 15), 23.2558)]
)
def test_published_f1(counts: tuple[int, int, int], percent: float) -> None:
    assert 100 * metrics.f1_of_counts(*counts) == pytest.approx(percent, abs=1e-4)  # type: ignore[operator]


def test_f1_of_shares_and_the_published_mean_gain() -> None:
    assert metrics.f1(0.5, 0.8) == pytest.approx(0.6153846154)
    best, svm = (92.41, 92.54, 100.0, 88.37, 97.07), (46.48, 45.83, 23.26, 45.71, 66.87)
    gains = [100 * (ours / theirs - 1) for ours, theirs in zip(best, svm, strict=True)]
    assert sum(gains) / 5 == pytest.approx(133.83, abs=0.01)


def test_terms_from_examples() -> None:
    genre = [page(text) for text in ("course syllabus", "course syllabus grading", "course credits")]
    relevant = [page(text) for text in ("course syllabus sql", "sql query sql")]
    assert generate_terms(genre, relevant, 2, 2) == (
        ("course", "course syllabus"),
        ("sql", "course syllabus sql"),
    )


def test_four_words_have_nine_sequences() -> None:
    genre, content = generate_terms([page("w1 w2 w3 w4")], [page("w1 w2")], 99, 99)
    assert len(genre) == 9
    assert content == ()


def test_stop_words_go_before_sequences_are_formed() -> None:
    assert (
        "algorithms data structures" in generate_terms([page("Algorithms and data structures")], [], 9, 9)[0]
    )


def test_the_threshold_itself_is_relevant() -> None:
    f = TermAssessor(wanted()).similarity(page(TEXT))["f"]
    assert TermAssessor(wanted(), threshold=f).assess(page(TEXT)).relevant
    assert not TermAssessor(wanted(), threshold=math.nextafter(f, 1)).assess(page(TEXT)).relevant


def test_it_is_an_assessor_of_pages_and_texts() -> None:
    assessor = TermAssessor(wanted(url_terms=("course",)))
    assert isinstance(assessor, Assessor)
    assert assessor.score_text(TEXT) == TermAssessor(wanted()).assess(page(TEXT)).relevance
    assert assessor.score_text("") == 0


def test_keywords_stand_in_for_missing_terms() -> None:
    keywords = TermAssessor(Topic("t", keywords=("course", "sql")))
    assert keywords.assess(page("a course")).relevance == pytest.approx(math.sqrt(1 / 2))
    genre_only = TermAssessor(Topic("t", genre_terms=("course",), keywords=("sql",)))
    assert genre_only.assess(page("a course")).relevance == 1


def test_pages_in_another_language_score_nothing() -> None:
    assessor = TermAssessor(wanted(language="en"))
    assert assessor.assess(page(TEXT, language="pt")).relevance == 0
    assert assessor.assess(page(TEXT, language="en")).relevance > 0.7
    assert assessor.assess(page(TEXT)).relevance > 0.7


def test_bad_input_names_the_remedy() -> None:
    with pytest.raises(ValueError, match=r"topic 'empty' has no terms .* give genre_terms"):
        TermAssessor(Topic("empty", url_terms=("course",)))
    with pytest.raises(ValueError, match="no IDF for the term 'sql'"):
        TermSet(["sql"], {"course": 1.0})
    with pytest.raises(ValueError, match="no pages to take IDF from"):
        idf(["sql"], [])


@given(texts, st.integers(2, 5))
def test_the_length_of_a_text_does_not_matter(text: str, times: int) -> None:
    blocks = [normalised(text)]
    terms = TermSet([*GENRE, *CONTENT])
    assert terms.cosine(blocks * times) == pytest.approx(terms.cosine(blocks))


@given(texts, st.permutations([*GENRE, *CONTENT, "data"]))
def test_a_similarity_is_a_share_whatever_the_order_of_terms(text: str, terms: list[str]) -> None:
    found = cosine(tuple(terms), text)
    assert 0 <= found <= 1
    assert found == pytest.approx(cosine(tuple(sorted(terms)), text))


@given(texts)
def test_generated_terms_all_occur(text: str) -> None:
    genre, _ = generate_terms([page(text)], [], 50, 0)
    counts = TermSet(genre).counts([normalised(text)])
    assert all(counts)
    assert counts == sorted(counts, reverse=True)
