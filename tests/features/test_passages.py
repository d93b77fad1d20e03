"""Log-odds that do not saturate, and how far a page is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import url

from focuslab.features.passages import MOST, log_odds, reading
from focuslab.types import Page


@given(st.floats(0, 1))
def test_log_odds_keep_the_order_and_stay_finite(probability: float) -> None:
    assert -MOST <= log_odds(probability) <= MOST
    assert log_odds(probability) <= log_odds(min(1.0, probability + 0.01))


class Counting:
    """1 for texts with the word "good", and a note of what was read."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def score_text(self, text: str, language: str = "") -> float:
        self.texts.append(text)
        return 0.9 if "good" in text.split() else 0.1


def test_a_page_is_read_in_passages_and_not_further_than_need_be() -> None:
    assessor = Counting()
    page = Page(url("a"), "title", "word " * 10_000)
    assert reading(assessor, page) == pytest.approx(log_odds(0.1))  # type: ignore[arg-type]
    assert len(assessor.texts) == 8
    assert assessor.texts[0].startswith("title word")
    assert {len(text.split()) for text in assessor.texts} == {25}


def test_a_reading_is_the_mean_of_its_passages() -> None:
    page = Page(url("a"), "", "good " * 25 + "bad " * 25)
    assert reading(Counting(), page) == pytest.approx(0.0, abs=1e-12)  # type: ignore[arg-type]


def test_a_page_without_words_is_read_too() -> None:
    assert reading(Counting(), Page(url("a"))) == pytest.approx(log_odds(0.1))  # type: ignore[arg-type]
