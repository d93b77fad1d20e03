"""The words of the built-in web: their shape, their number, and how far the topics share them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
import yaml

VOCABULARY: dict[str, Any] = yaml.safe_load(
    files("focuslab.webs.builtin").joinpath("vocabulary.yaml").read_text(encoding="utf-8")
)
TOPICS: dict[str, dict[str, Any]] = {topic["name"]: topic for topic in VOCABULARY["topics"]}
GENRES = ["News", "Blog", "Image", "Video", "Other"]
FIRST_TOPICS = [
    "baseball",
    "gaming",
    "movie",
    "mobile_phone",
    "finance",
    "data_structures_syllabus",
    "database_syllabus",
    "information_retrieval_syllabus",
    "computer_science_jobs",
    "computer_equipment_sales",
]
# Published numbers of genre and content terms, 'system analysis' counted once.
TERM_COUNTS = {
    "data_structures_syllabus": ("syllabus", 16, 14),
    "database_syllabus": ("syllabus", 16, 21),
    "information_retrieval_syllabus": ("syllabus", 16, 21),
    "computer_science_jobs": ("job", 24, 23),
    "computer_equipment_sales": ("sale", 24, 48),
}
TOPIC_FIELDS = [
    "name",
    "title",
    "form",
    "en",
    "ja",
    "overlaps",
    "url",
    "keywords",
    "genre_terms",
    "content_terms",
]
JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
URL_WORD = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def word_lists(node: Any, path: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Every list of words with its path, e.g. ``.topics.baseball.en``."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from word_lists(value, f"{path}.{key}")
    elif isinstance(node, list) and node and isinstance(node[0], dict):
        for item in node:
            yield from word_lists(item, f"{path}.{item['name']}")
    elif isinstance(node, list):
        yield path, node


LISTS = dict(word_lists(VOCABULARY))
every_list = pytest.mark.parametrize("path", LISTS)
every_topic = pytest.mark.parametrize("name", TOPICS)


def lists_in(language: str) -> list[str]:
    return [path for path in LISTS if path.endswith(f".{language}")]


@every_list
def test_lists_hold_distinct_trimmed_strings(path: str) -> None:
    words = LISTS[path]
    assert [word for word in words if not isinstance(word, str) or not word or word != word.strip()] == []
    assert [word for word, count in Counter(words).items() if count > 1] == []


@pytest.mark.parametrize("path", lists_in("en"))
def test_english_is_lower_case_ascii(path: str) -> None:
    assert [word for word in LISTS[path] if not re.fullmatch(r"[a-z0-9][a-z0-9 '-]*", word)] == []


@pytest.mark.parametrize("path", lists_in("ja"))
def test_japanese_is_japanese(path: str) -> None:
    assert [word for word in LISTS[path] if not JAPANESE.search(word)] == []


def test_background_languages_and_sizes() -> None:
    sizes = {language: len(words) for language, words in VOCABULARY["background"].items()}
    assert list(sizes) == ["en", "ja", "de", "fr", "es"]
    assert 1100 <= sizes["en"] <= 1300
    assert 350 <= sizes["ja"] <= 480
    assert all(140 <= sizes[language] <= 200 for language in ("de", "fr", "es"))


def test_background_begins_with_function_words() -> None:
    background = VOCABULARY["background"]
    assert {"the", "of", "and", "to", "on", "he", "you"} <= set(background["en"][:40])
    assert {"の", "に", "は", "を"} <= set(background["ja"][:20])
    assert {"yes", "no", "on", "off"} <= set(background["en"]), "words that YAML takes for truth values"


def test_genre_words() -> None:
    genres = VOCABULARY["genre_words"]
    assert list(genres) == GENRES
    for words in genres.values():
        assert list(words) == ["en", "ja"]
        assert 35 <= len(words["en"]) <= 45
        assert 20 <= len(words["ja"]) <= 30


@pytest.mark.parametrize(
    ("genre", "words"),
    [
        ("News", "news ニュース 新聞"),
        ("Blog", "blog ブログ 日記"),
        ("Image", "image 写真 画像"),
        ("Video", "video 動画"),
    ],
)
def test_genres_contain_the_words_that_name_them(genre: str, words: str) -> None:
    lists = VOCABULARY["genre_words"][genre]
    assert set(words.split()) <= {*lists["en"], *lists["ja"]}


def test_kinds_of_site() -> None:
    kinds = VOCABULARY["kinds"]
    assert list(kinds) == [
        "news",
        "blog",
        "gallery",
        "video",
        "shop",
        "official",
        "forum",
        "university",
        "reference",
    ]
    assert [kind["genre"] for kind in kinds.values()] == [*GENRES, "Other", "Other", "Other", "Other"]
    for kind in kinds.values():
        assert list(kind) == ["genre", "en", "ja", "stems"]
        assert 25 <= len(kind["en"]) <= 35
        assert 12 <= len(kind["ja"]) <= 20
        assert 8 <= len(kind["stems"]) <= 12
        assert all(URL_WORD.fullmatch(stem) and len(stem) <= 16 for stem in kind["stems"])


def test_forms() -> None:
    forms = VOCABULARY["forms"]
    assert list(forms) == ["syllabus", "job", "sale"]
    assert all(list(words) == ["en", "ja"] and len(words["ja"]) >= 16 for words in forms.values())


def test_thirty_topics_in_order() -> None:
    names = [topic["name"] for topic in VOCABULARY["topics"]]
    assert len(names) == len(set(names)) == 30
    assert names[:10] == FIRST_TOPICS
    assert all(list(topic) == TOPIC_FIELDS for topic in VOCABULARY["topics"])


@every_topic
def test_topic_lists_have_their_sizes(name: str) -> None:
    topic = TOPICS[name]
    assert isinstance(topic["title"], str)
    assert 70 <= len(topic["en"]) <= 95
    assert 45 <= len(topic["ja"]) <= 60
    assert 2 <= len(topic["overlaps"]) <= 4
    assert 3 <= len(topic["url"]) <= 6
    assert all(URL_WORD.fullmatch(word) for word in topic["url"])
    assert 5 <= len(topic["keywords"]) <= 8
    assert set(topic["keywords"]) <= set(topic["en"])


@every_topic
def test_phrases_have_at_most_three_words(name: str) -> None:
    topic = TOPICS[name]
    ours = [phrase for phrase in topic["en"] if phrase not in topic["content_terms"]]
    assert [phrase for phrase in ours if len(phrase.split()) > 3] == []


@every_topic
def test_overlaps_are_symmetric_and_real(name: str) -> None:
    for other in TOPICS[name]["overlaps"]:
        assert other != name
        assert name in TOPICS[other]["overlaps"]
        shared = set(TOPICS[name]["en"]) & set(TOPICS[other]["en"])
        assert 8 <= len(shared) <= 20, f"{name} and {other} share {sorted(shared)}"


@every_topic
def test_topics_stay_apart_from_those_they_do_not_overlap(name: str) -> None:
    for other in TOPICS.keys() - {name, *TOPICS[name]["overlaps"]}:
        shared = set(TOPICS[name]["en"]) & set(TOPICS[other]["en"])
        assert len(shared) < 12, f"{name} and {other} share {sorted(shared)} without saying so"


@every_topic
def test_only_genre_and_content_topics_have_terms(name: str) -> None:
    topic = TOPICS[name]
    form, genre_terms, content_terms = TERM_COUNTS.get(name, (None, 0, 0))
    assert topic["form"] == form
    assert len(topic["genre_terms"]) == genre_terms
    assert len(topic["content_terms"]) == content_terms
    assert set(topic["content_terms"]) <= set(topic["en"])


@pytest.mark.parametrize("name", TERM_COUNTS)
def test_forms_begin_with_the_genre_terms(name: str) -> None:
    topic = TOPICS[name]
    words = VOCABULARY["forms"][topic["form"]]["en"]
    assert words[: len(topic["genre_terms"])] == topic["genre_terms"]
    assert len(words) > len(topic["genre_terms"])
