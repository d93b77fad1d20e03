"""Topics in YAML files: those of the paper, those a person writes, and what a mistake in one says."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuslab.classifiers.term_sets import TermAssessor, TermSet, normalised
from focuslab.classifiers.training.topic_file import Examples, load_topic, read_topic, topic_names
from focuslab.types import Topic

COMPLETE = """\
name: syllabi of databases courses
language: en
genre: [syllabus, course, class hours]
content:
  - database
  - relational model
url: [course, db]
keywords: [database, sql]
seeds: [HTTP://WWW.Example.com, http://www.example.com/]
examples:
  genre: [pages/chemistry.html]
  relevant: [pages/databases.html, "https://a.example"]
  irrelevant: [/elsewhere/news.html]
"""


def written(folder: Path, text: str | bytes, name: str = "mine.yaml") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_the_five_topics_of_the_paper_are_there() -> None:
    assert topic_names() == (
        "computer_equipment_sales",
        "computer_science_jobs",
        "data_structures_syllabus",
        "database_syllabus",
        "information_retrieval_syllabus",
    )


@pytest.mark.parametrize(
    ("name", "genre", "content"),
    [
        ("data_structures_syllabus", 16, 14),
        ("database_syllabus", 16, 21),
        ("information_retrieval_syllabus", 16, 21),
        ("computer_science_jobs", 24, 23),
        ("computer_equipment_sales", 24, 48),
    ],
)
def test_they_have_the_printed_terms(name: str, genre: int, content: int) -> None:
    topic = load_topic(name)
    assert (len(topic.genre_terms), len(topic.content_terms)) == (genre, content)
    assert topic.seeds == topic.url_terms == ()


def test_syllabi_share_their_genre_and_no_term_is_lost_by_normalisation() -> None:
    syllabi = [load_topic(name) for name in topic_names() if name.endswith("syllabus")]
    assert len({topic.genre_terms for topic in syllabi}) == 1
    for name in topic_names():
        topic, judge = load_topic(name), TermAssessor(load_topic(name))
        assert (len(judge.genre), len(judge.content)) == (len(topic.genre_terms), len(topic.content_terms))


@pytest.mark.parametrize("name", topic_names())
def test_they_are_there_in_japanese_term_by_term(name: str) -> None:
    english, japanese = load_topic(name), load_topic(f"{name}.ja")
    assert japanese.language == "ja"
    for kind in ("genre_terms", "content_terms"):
        terms = getattr(japanese, kind)
        assert len(terms) == len(getattr(english, kind)) == len(TermSet(terms, language="ja"))
        assert all(
            TermSet([term]).counts([normalised(f"この{term}です")]) == [1]
            for term in terms
            if term.isalpha() and not term.isascii()
        )


def test_every_field_is_read(tmp_path: Path) -> None:
    file = read_topic(written(tmp_path, COMPLETE))
    assert file.topic == Topic(
        "syllabi of databases courses",
        ("http://www.example.com/",),
        ("database", "sql"),
        ("syllabus", "course", "class hours"),
        ("database", "relational model"),
        ("course", "db"),
        "en",
    )
    assert file.examples == Examples(
        (str(tmp_path / "pages/chemistry.html"),),
        (str(tmp_path / "pages/databases.html"), "https://a.example/"),
        ("/elsewhere/news.html",),
    )


def test_a_path_may_be_a_string_and_the_name_may_be_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, "keywords: [sql]\nseeds:\ngenre: []\n")
    assert load_topic(str(path)) == Topic("mine", keywords=("sql",))


def test_words_are_taken_as_written_and_once(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeffkeywords: [no, 2024, 1e3, 1:30, ~, no, ' sql ', 'add: to', 料理]\n")
    assert load_topic(path).keywords == ("no", "2024", "1e3", "1:30", "~", "sql", "add: to", "料理")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the file is empty; give seeds, and genre"),
        ("# nothing\n", "line 1: the file is empty"),
        ("name: x\n", "line 1: nothing says what is wanted; give genre, content, keywords or examples"),
        ("- a\n- b\n", "line 1: expected fields such as 'name: …'; known are name, language, genre"),
        ("just words\n", "line 1: expected fields"),
        ("name: x\ngenres: [a]\n", "line 2: no field named 'genres'; try genre"),
        ("title: x\n", "line 1: no field named 'title'; try "),
        ("genre: [a]\n\ngenre: [b]\n", "line 3: 'genre' stands in line 1 already; join the two"),
        ("name: x\ngenre: syllabus, course\n", r"line 2: expected a list; write \[one, another\]"),
        ("genre: {a: b}\n", "line 1: expected a list"),
        ("genre:\n  - a\n  - [b]\n", "line 3: expected a single word or phrase"),
        ("genre:\n  - tentative: schedule\n", "line 2: expected a single word or phrase; put it in quotes"),
        ("name: [x]\ngenre: [a]\n", "line 1: expected a single word"),
        (
            "genre: [a]\nseeds:\n  - www.example.com\n",
            "line 3: 'www.example.com' is no web address; start it with http",
        ),
        ("genre: [a]\nseeds: [mailto:a@b.example]\n", "line 2: 'mailto:a@b.example' is no web address"),
        ("genre: [a]\nlanguage: English\n", "line 2: 'English' is no language code; write en"),
        ("genre: [a\ncontent: [b]\n", r"line 2: not YAML \(.*\); close every bracket and quote"),
        ("genre: [a]\n\tcontent: [b]\n", r"line 2: not YAML \(.*\); .* indent with spaces"),
        ("genre: [a]\nexamples: [a.html]\n", "line 2: expected fields such as 'genre: …'; known are genre"),
        ("examples:\n  good: [a.html]\n", "line 2: no field named 'good'; try genre, relevant, irrelevant"),
        (b"genre: [a]\nname: caf\xe9\n", "line 2: not UTF-8 text; save the file as UTF-8"),
        ("genre: [a\x00]\n", "not YAML, it holds control characters"),
        ("genre: " + "[" * 5_000, "not YAML"),
        ("genre: !!python/object/apply:os.getcwd []\nname: !!python/name:os x\n", "nothing says"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_remedy(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message) as told:
        load_topic(written(tmp_path, text))
    assert str(told.value).startswith(str(tmp_path / "mine.yaml"))
    assert "\n" not in str(told.value)


def test_an_unknown_name_lists_the_known() -> None:
    with pytest.raises(
        FileNotFoundError, match=r"no topic named 'databases'; try .*database_syllabus.* YAML"
    ):
        load_topic("databases")


@given(st.text(max_size=60))
def test_no_text_makes_it_fail_otherwise(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = written(tmp_path_factory.getbasetemp(), text.encode("utf-8", "surrogatepass"), "any.yaml")
    with suppress(ValueError):
        assert isinstance(load_topic(path), Topic)
