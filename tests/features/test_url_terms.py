"""URL phrases, the knowledge base (a reconstruction) and term vectors, by numbers worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuslab.features.url_terms import UrlKnowledge, url_phrases
from focuslab.features.vectors import centroid_difference, cosine, cosines, required, terms, topic_vector
from focuslab.types import Topic

WORDS = st.sampled_from(["movie", "oscar", "sina", "nba", "stock", "film"])
URLS = st.lists(WORDS, max_size=4).map(lambda parts: "http://x.com/" + "/".join(parts))
UNIT = st.floats(0, 1)
VECTORS = st.dictionaries(WORDS, st.floats(0.01, 100), max_size=5)
OSCAR = "http://movie.sina.com.cn/oscar/"


@pytest.mark.parametrize(
    ("url", "phrases"),
    [
        ("http://sports.sina.com.cn/nba/", ["sports", "sina", "nba"]),
        (
            "https://www.example.com/a/movie-news/2012/oscar_the_movie.shtml?id=33",
            ["movie", "news", "oscar", "id"],
        ),
        ("", []),
        ("http://www.com/2012/index.html", []),
        ("http://x.com/MOVIE/%6Dovie", ["movie"]),
    ],
)
def test_u1_splitting(url: str, phrases: list[str]) -> None:
    assert url_phrases(url) == phrases


@pytest.mark.parametrize(
    ("page", "expected"),
    [({"movie": 2, "stock": 1}, 0.8), ({"movie": 2, "film": 1}, 1.0), ({"x": 1}, 0.0), ({}, 0.0)],
)
def test_u2_content_similarity(page: dict[str, float], expected: float) -> None:
    assert cosine(page, {"movie": 1, "film": 0.5}) == pytest.approx(expected)


def test_b7_cosine() -> None:
    assert cosine({"nba": 2, "game": 1}, {"nba": 1, "team": 1}) == pytest.approx(0.632455532)


@given(VECTORS, VECTORS, st.floats(0.1, 10))
def test_cosine_is_symmetric_bounded_and_blind_to_length(x: dict, y: dict, factor: float) -> None:
    assert cosine(x, y) == pytest.approx(cosine(y, x))
    assert 0 <= cosine(x, y) <= 1 + 1e-9
    assert cosine({term: factor * weight for term, weight in x.items()}, y) == pytest.approx(cosine(x, y))


@pytest.mark.parametrize(
    ("measure", "expected"), [("known", (0.6, 0.9, 0)), ("all", (0.6, 0.6, 0)), ("max", (1, 1, 0))]
)
def test_u3_url_relevance(measure: str, expected: tuple[float, ...]) -> None:
    base = UrlKnowledge({"sports": 1, "nba": 0.8}, {"sina": 0}, measure=measure)
    urls = ("sports.sina.com.cn/nba", "sports.unknownhost.com/nba", "abc.xyz.com/q")
    assert [base.relevance(url) for url in urls] == pytest.approx(list(expected))


def test_u5_initial_thesauruses() -> None:
    positive = (
        "movie.sina.com.cn/oscar/ www.film.com/movie/ ent.sina.com.cn/movie/review/ movie.mtime.com/film/"
    )
    base = UrlKnowledge.from_urls(positive.split(), ["sports.sina.com.cn/nba/", "finance.sina.com.cn/stock/"])
    assert base.relevant == {
        "movie": 1,
        "oscar": 0.25,
        "film": 0.5,
        "ent": 0.25,
        "review": 0.25,
        "mtime": 0.25,
    }
    assert base.irrelevant == dict.fromkeys(["sina", "sports", "nba", "finance", "stock"], 0)
    assert not base.learning


@pytest.mark.parametrize(("relevance", "expected"), [(0.9, 0.54), (0.1, 0.46)])
def test_u7_feedback_moves_a_known_phrase(relevance: float, expected: float) -> None:
    base = UrlKnowledge({"movie": 0.5})
    base.learn("http://movie.com/", relevance, 0.6, 0.3)
    assert base.relevant == pytest.approx({"movie": expected})


def test_u8_a_phrase_is_learned_on_trial() -> None:
    base = UrlKnowledge({"movie": 1}, {"sina": 0})
    seen = []
    for relevance in (0.8, 0.9, 0.7):
        base.learn(OSCAR, relevance, 0.6, 0.3)
        seen.append((base.relevant["oscar"], base.relevant["movie"], base.learning.get("oscar", 0)))
    assert seen == [
        pytest.approx((0.2666666667, 0.98, 1)),
        pytest.approx((0.5666666667, 0.972, 2)),
        pytest.approx((0.8, 0.9448, 0)),
    ]
    assert base.irrelevant == {"sina": 0}


def test_evidence_of_irrelevance_adds_up() -> None:
    base = UrlKnowledge({"movie": 1}, {"sina": 0})
    for relevance in (0.1, 0.2):
        base.learn("http://sina.com/stock/", relevance, 0.6, 0.3)
    assert base.irrelevant == pytest.approx({"sina": 1.7, "stock": 1.7})
    assert base.relevant == {"movie": 1}


def test_a_phrase_on_trial_can_be_blamed() -> None:
    base = UrlKnowledge()
    base.learn("http://oscar.com/", 0.9, 0.6, 0.3)
    base.learn("http://oscar.com/", 0.1, 0.6, 0.3)
    assert base.relevant == pytest.approx({"oscar": 0.28})
    assert base.learning == {"oscar": 1}
    assert not base.irrelevant


def test_u11_between_the_thresholds_nothing_is_learned() -> None:
    base = UrlKnowledge({"movie": 1}, {"sina": 0})
    base.learn(OSCAR, 0.45, 0.6, 0.3)
    assert (base.relevant, base.irrelevant, base.learning) == ({"movie": 1}, {"sina": 0}, {})


def test_u12_update() -> None:
    irrelevant = {"p": 0.9, "q": 0, "r": 0.3, "s": 0, "t": 2}
    base = UrlKnowledge({"a1": 0.05, "b1": 0.1, "c1": 0.4}, irrelevant, least_weight=0.1, drop_percent=40)
    base.update()
    assert base.relevant == {"b1": 0.1, "c1": 0.4}
    assert base.irrelevant == {"p": 0.9, "r": 0.3, "t": 2}


def test_update_spares_what_is_on_trial() -> None:
    base = UrlKnowledge({"new": 0.01, "old": 0.01}, learning={"new": 1})
    base.update()
    assert base.relevant == {"new": 0.01}


@given(st.lists(st.tuples(URLS, UNIT), max_size=40), UNIT, UNIT, st.integers(1, 5))
def test_the_thesauruses_stay_in_order(lessons: list, one: float, other: float, occurrences: int) -> None:
    base = UrlKnowledge({"movie": 1}, {"sina": 0}, occurrences=occurrences)
    for place, (url, relevance) in enumerate(lessons):
        base.learn(url, relevance, max(one, other), min(one, other))
        if place % 7 == 6:
            base.update()
        base.copy()  # checks that no phrase is on both sides, and none on trial without a weight
        assert all(0 <= weight <= 1 for weight in base.relevant.values())
        assert all(weight >= 0 for weight in base.irrelevant.values())
        assert all(0 < count < occurrences for count in base.learning.values())
        assert 0 <= base.relevance(url) <= 1


def test_saved_and_loaded_it_is_the_same(tmp_path: Path) -> None:
    base = UrlKnowledge({"movie": 1}, {"sina": 0}, eta=0.2, measure="all")
    base.learn("http://movie.com/映画", 0.8, 0.6, 0.3)
    base.save(tmp_path / "base.json")
    loaded = UrlKnowledge.load(tmp_path / "base.json")
    assert vars(loaded) == vars(base)
    assert "映画" in loaded.learning
    (tmp_path / "bad.json").write_text("[]")
    with pytest.raises(ValueError, match=r"bad\.json holds no URL knowledge base"):
        UrlKnowledge.load(tmp_path / "bad.json")


def test_a_copy_learns_alone_and_the_frame_shows_all() -> None:
    base = UrlKnowledge({"movie": 1}, {"sina": 0})
    other = base.copy()
    other.learn(OSCAR, 0.9, 0.6, 0.3)
    assert base.relevant == {"movie": 1}
    rows = other.frame.set_index("phrase")
    assert rows.thesaurus.to_dict() == {"movie": "relevant", "oscar": "learning", "sina": "irrelevant"}
    assert rows.occurrences["oscar"] == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"measure": "median"}, "no measure named 'median'; try known, all, max"),
        ({"occurrences": 0}, "occurrences is 0"),
        ({"relevant": {"a": 1}, "irrelevant": {"a": 0}}, "'a' is both relevant and irrelevant"),
        ({"learning": {"a": 1}}, "'a' is on trial without a weight"),
    ],
)
def test_a_wrong_base_is_refused(arguments: dict, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        UrlKnowledge(**arguments)


def test_topic_vectors_put_keywords_first() -> None:
    vector = topic_vector(["movie"], [{"film": 2, "the": 1}, {"film": 1}], [{"the": 1}])
    assert list(vector) == ["movie", "film"]
    assert vector == {"movie": 1.0, "film": 1.0}
    assert centroid_difference([{"a": 3, "b": 4}, {}], size=1) == {"b": 1.0}
    assert centroid_difference([]) == {}


def test_a_topic_without_words_is_refused() -> None:
    with pytest.raises(ValueError, match="topic 'dumb' has no keywords"):
        required(None, Topic("dumb"))


@given(st.lists(st.lists(st.sampled_from(["the", "nba", "Game", "x", "stock"]), max_size=6).map(" ".join)))
def test_cosines_at_once_are_those_of_each(texts: list[str]) -> None:
    vector = {"nba": 1.0, "game": 0.5, "the": 2.0}
    assert cosines(texts, "en", vector) == [cosine(terms(text, "en"), vector) for text in texts]
