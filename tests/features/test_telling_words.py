"""Words that tell pages apart, not those that are merely frequent."""

from __future__ import annotations

from focuslab.features.telling_words import shared_words, telling_words
from focuslab.types import Page


def pages(*texts: str, language: str = "en") -> list[Page]:
    return [Page(f"http://h{n}.example/", text=text, language=language) for n, text in enumerate(texts)]


SKY = pages("first planet 1 km 2007", "first planet and comet", "first star and comet, 10km")
SOUP = pages("first soup 1 km", "first onion", "first butter in 2007")


def test_what_both_have_tells_nothing_nor_do_numbers() -> None:
    found = telling_words(SKY, SOUP)
    assert set(found[:2]) == {"planet", "comet"}
    assert not {"first", "1", "km", "2007", "10km", "and"} & set(found)


def test_without_others_what_most_pages_have() -> None:
    assert shared_words(SKY, 2) == ("first", "planet")


def test_japanese() -> None:
    sky = pages("惑星と彗星", "惑星の軌道", language="ja")
    assert telling_words(sky, pages("玉ねぎと鍋", language="ja"), 1) == ("惑星",)
