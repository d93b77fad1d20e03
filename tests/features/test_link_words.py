"""Words of a link as numbers: told apart by where they stand, within the space."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tiny import url

from focuslab.features.link_words import LONGEST, SPACE, link_words
from focuslab.types import Link


def test_words_are_told_apart_by_where_they_stand() -> None:
    anchor, context = link_words(Link(url("x"), "physics")), link_words(Link(url("x"), "", "physics"))
    assert set(anchor) & set(context) == set(link_words(Link(url("x"))))  # the address only
    assert len(anchor) == LONGEST


@given(st.text(max_size=200), st.text(max_size=50))
def test_any_text_gives_numbers_in_the_space(context: str, anchor: str) -> None:
    numbers = link_words(Link("http://a.example/x", anchor, context))
    kept = [number for number in numbers if number]
    assert len(numbers) == LONGEST
    assert len(set(kept)) == len(kept)
    assert all(0 <= number < SPACE for number in numbers)
