"""From the file of a topic to an assessor: examples from files and the web, or terms alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny import TinyWeb, url

from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.keywords import KeywordJudge
from focuslab.classifiers.of_genre import OfGenre
from focuslab.classifiers.term_sets import TermAssessor
from focuslab.classifiers.training.from_topic import (
    SHIPPED_GENRES,
    FilesToo,
    assessor_of,
    genre_files,
    read_examples,
    with_genres,
)
from focuslab.classifiers.training.model_file import load_model
from focuslab.classifiers.training.topic_file import Examples, TopicFile
from focuslab.types import GENRES, Example, Page, Topic
from focuslab.webs.real_pages import genre_pages

TOPIC = Topic("ball games", content_terms=("ballgame",))


def test_an_address_without_a_scheme_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "one page.html").write_text("<title>One</title>")
    web = FilesToo(TinyWeb({"a": ""}))
    read = web.fetch(str(tmp_path / "one page.html"))
    assert (read.url, read.body) == ("http://file.invalid/one%20page.html", b"<title>One</title>")
    assert web.fetch(url("a")).ok
    assert not web.fetch(str(tmp_path / "none.html")).ok


def test_examples_are_relevant_irrelevant_and_of_genres(tmp_path: Path) -> None:
    (tmp_path / "News").mkdir()
    (tmp_path / "News" / "n.html").write_text("news")
    topic = TopicFile(TOPIC, Examples(relevant=(url("a"),), irrelevant=(url("b"),)))
    found = read_examples(topic, [str(tmp_path / "News" / "n.html")], FilesToo(TinyWeb({"a": "", "b": ""})))
    assert [(one.page.title, one.relevant, one.genre) for one in found] == [
        ("a", True, ""),
        ("b", False, ""),
        ("", False, "News"),
    ]


def test_examples_that_cannot_be_read_are_counted_and_all_of_them_are_a_mistake() -> None:
    topic = TopicFile(TOPIC, Examples(relevant=(url("gone"),)))
    with pytest.raises(ValueError, match=r"1 of 1 .* cannot be read, the first http://gone"):
        read_examples(topic, (), TinyWeb({}))
    topic = TopicFile(TOPIC, Examples(relevant=(url("gone"), url("a"))))
    with pytest.warns(
        UserWarning, match=r"1 of 2 example pages cannot be read and are left out: http://gone"
    ):
        assert len(read_examples(topic, (), TinyWeb({"a": ""}))) == 1


def test_genres_come_from_folders_of_two_genres_or_more(tmp_path: Path) -> None:
    for genre in ("News", "Blog", "Recipes"):
        (tmp_path / genre).mkdir()
        (tmp_path / genre / "1.html").write_text("x")
    assert [Path(file).parent.name for file in genre_files(tmp_path)] == ["News", "Blog"]
    with pytest.raises(ValueError, match="fewer than two genres; put them in News, Blog"):
        genre_files(tmp_path / "News")


def test_without_examples_terms_judge_and_with_them_classifiers() -> None:
    topic = TopicFile(TOPIC, Examples())
    assert isinstance(assessor_of(topic, []), KeywordJudge)
    course = TopicFile(Topic("courses", genre_terms=("syllabus",)), Examples(), threshold=0.3)
    judge = assessor_of(course, [])
    assert isinstance(judge, TermAssessor)
    assert judge.threshold == 0.3
    syllabus = Topic("courses", genre_terms=("syllabus",), content_terms=("sql",))
    assert isinstance(assessor_of(TopicFile(syllabus, Examples()), []), OfGenre)
    both = [
        Example(Page(url("a"), text="ballgame pitcher " * 9), True),
        Example(Page(url("b"), text="stock market " * 9), False),
    ]
    trained = assessor_of(topic, both)
    assert isinstance(trained, Classifiers)
    assert trained.score_text("the pitcher") > 0.5 > trained.score_text("the market")
    assert isinstance(assessor_of(topic, both[:1]), KeywordJudge)
    with pytest.raises(ValueError, match="says only what is not wanted"):
        assessor_of(TopicFile(Topic("x"), Examples()), both[1:])


def test_the_genres_that_ship_are_better_than_always_saying_other(data: Path) -> None:
    """On real pages, none of which they were learned from."""
    model = load_model(SHIPPED_GENRES)
    assert isinstance(model, GenreClassifier)
    some = list(zip(*genre_pages(data), strict=True))[::4]
    right = sum(model.predict(page)[0] == row["genre"] for page, row in some) / len(some)
    others = sum(row["genre"] == "Other" for _, row in some) / len(some)
    assert right > others + 0.1


def test_a_judge_that_tells_genres_too() -> None:
    page = Page(url("a"), text="ballgame " * 30)
    alone = KeywordJudge(TOPIC).assess(page)
    found = with_genres(KeywordJudge(TOPIC)).assess(page)
    assert (found.relevance, found.relevant) == (alone.relevance, alone.relevant)
    assert found.genre in GENRES
    with pytest.raises(ValueError, match="take --strategy genre_aware"):
        with_genres(TermAssessor(Topic("x", genre_terms=("news",))))
