"""Words, languages, stop words, and the windows of words around a place."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuslab.pages.text import language, normalized, windows, words, words_of_each

TEXTS = st.text(max_size=120) | st.text("aZ9 -_.é野球ニュス가나ไทย\u0301\n", max_size=120)
SENTENCES = {
    "en": "The weather is fine in most of the country today, and people are going to the beach.",
    "de": "Das Wetter ist heute in weiten Teilen des Landes schön, und die Leute gehen an den Strand.",
    "fr": "Le temps est beau aujourd'hui dans la plus grande partie du pays et les gens vont à la plage.",
    "es": "El tiempo es bueno hoy en la mayor parte del país y la gente va a la playa con sus hijos.",
    "ru": "Сегодня на большей части страны хорошая погода, и люди идут на пляж вместе с детьми."
    " Вечером ожидается дождь, сообщили синоптики в среду.",  # one is too little for CLD2
    "ja": "今日は全国的に天気がよく、海に行く人が多いでしょう。",
    "zh": "今天全国大部分地区天气晴朗，很多人带着孩子去海边玩。",
    "ko": "오늘은 전국적으로 날씨가 좋아서 많은 사람들이 바다에 갑니다.",
}


def test_a_normal_form_is_no_more_than_twice_a_long_text() -> None:
    assert len(normalized("NFKC", "ﷺ" * 1_000)) == 18_000
    assert len(normalized("NFKC", "ﷺ" * 10_000)) == 20_000
    assert normalized("NFKC", "Ａ…" * 60_000) == "A..." * 60_000


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Video-Games of 2007!", ["the", "video", "games", "of", "2007"]),
        ("snake_case don't", ["snake", "case", "don", "t"]),
        ("Größe ÉTÉ", ["größe", "été"]),
        ("ＦＵＬＬ ﬁne", ["full", "fine"]),  # NFKC
        ("हिन्दी समाचार", ["हिन्दी", "समाचार"]),  # vowel signs stay inside words
        ("野球ニュース NPB", ["野球", "球ニ", "ニュ", "ュー", "ース", "npb"]),
        ("篮球比赛", ["篮球", "球比", "比赛"]),
        ("球 と", ["球", "と"]),
        ("2007年", ["2007", "年"]),
        ("한국 야구", ["한국", "야구"]),  # Korean has spaces
        ("ไทย", ["ไท", "ทย"]),
        ("", []),
        (" .,;!-_ ", []),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found


@given(TEXTS, st.sampled_from(["", "ja", "zh", "en"]))
def test_words_of_any_text(text: str, code: str) -> None:
    found = words(text, code)
    assert found == words(text, code)
    assert found == words(text, "")  # pairs need no language
    assert all(found)
    assert not any(re.search(r"\s", word) for word in found)
    assert words(text.upper().lower()) == words(text.upper())


@given(TEXTS, TEXTS)
def test_words_of_two_texts_are_those_of_both(one: str, other: str) -> None:
    assert words(f"{one} . {other}") == words(one) + words(other)


@given(st.text("野球場新聞社", min_size=2, max_size=20))
def test_pairs_overlap_by_one(run: str) -> None:
    assert words(run) == [run[i : i + 2] for i in range(len(run) - 1)]


def test_segmenters_that_are_installed() -> None:
    pytest.importorskip("fugashi", reason="focuslab[ja] is not installed")
    pytest.importorskip("rjieba", reason="focuslab[zh] is not installed")
    assert words("東京で野球を見る", "ja", "fugashi") == ["東京", "で", "野球", "を", "見る"]
    assert words("我们去北京看比赛", "zh", "rjieba") == ["我们", "去", "北京", "看", "比赛"]
    assert words("東京で", "ja", "auto") == ["東京", "で"]
    assert words("plain English", "ja", "auto") == ["plain", "english"]


def test_an_unknown_segmenter_names_the_others() -> None:
    with pytest.raises(ValueError, match="no segmenter named 'mecab'; try bigrams, auto, fugashi, rjieba"):
        words("x", "ja", "mecab")


@pytest.mark.parametrize(("code", "text"), SENTENCES.items())
def test_language(code: str, text: str) -> None:
    assert language(text) == code
    assert language(text, hint="en") == code  # pages often claim to be English


@pytest.mark.parametrize(
    ("text", "hint", "code"),
    [
        ("", "", ""),
        ("12 34", "", ""),
        ("", "pt-BR", "pt"),
        ("", "zh_Hant_TW", "zh"),
        ("", "JP", "ja"),
        ("", "iw", "he"),
        ("", "<b>", ""),
        ("東京都庁舎", "ja", "ja"),  # Han alone: the page's own word decides between the three
        ("東京都庁舎", "", "zh"),
        ("東京都庁舎", "en", "zh"),
    ],
)
def test_the_hint_counts_where_the_text_does_not_tell(text: str, hint: str, code: str) -> None:
    assert language(text, hint) == code


@given(st.text(max_size=200) | TEXTS, st.text(max_size=10))
def test_any_text_has_a_code_or_none(text: str, hint: str) -> None:
    assert re.fullmatch(r"[a-z]{2,3}|", language(text, hint))


NUMBERS = " ".join(f"w{i}" for i in range(100))


def place(first: int, last: int) -> tuple[int, int]:
    """Where the words ``first`` to ``last`` stand in NUMBERS."""
    return NUMBERS.index(f"w{first}"), NUMBERS.index(f"w{last}") + len(f"w{last}")


@pytest.mark.parametrize(
    ("first", "last", "left", "right"),
    [
        (50, 50, 40, 59),  # 1 of the anchor, 10 to the left (the odd one too), 9 to the right
        (50, 51, 41, 60),  # 2, 9 and 9
        (50, 52, 41, 60),  # 3, 9 and 8
        (50, 68, 49, 68),  # 19: the odd one goes to the left
        (50, 69, 50, 69),
        (50, 90, 50, 69),  # longer: its first twenty
        (0, 0, 0, 9),  # nothing is filled up from the other side
        (3, 3, 0, 12),
        (99, 99, 89, 99),
    ],
)
def test_twenty_words_around_an_anchor(first: int, last: int, left: int, right: int) -> None:
    start, end = place(first, last)
    assert words(windows(NUMBERS, [start], [end], 20)[0]) == [f"w{i}" for i in range(left, right + 1)]


def test_windows_without_words() -> None:
    assert windows("", [], []) == []
    assert windows("", [0], [0]) == [""]
    assert windows(" . ", [1], [2]) == [""]
    assert windows("one two three four", [8], [8], size=2) == ["two three"]  # a linked picture


def test_in_scripts_without_spaces_two_characters_count_as_a_word() -> None:
    text = "一二三四五六七八九十" * 4
    assert windows(text, [20], [22], size=5) == [text[16:26]]


def test_where_an_anchor_begins_a_word_begins() -> None:
    assert windows("one twothree four", [4, 7], [7, 12], size=1) == ["two", "three"]


@given(st.text("ab .野\n", max_size=80), st.data())
def test_any_window_is_a_slice_of_at_most_so_many_words(text: str, data: st.DataObject) -> None:
    offsets = st.integers(0, len(text))
    start, end = sorted((data.draw(offsets), data.draw(offsets)))
    size = data.draw(st.integers(1, 6))
    (window,) = windows(text, [start], [end], size)
    assert window in text
    assert len(re.findall(r"[ab]+", window)) <= size + 2  # the place's edges may cut two words
    assert window == window.strip(" .\n")


def test_nothing_depends_on_the_hash_seed() -> None:
    code = "from focuslab.pages.text import words, language; print(words('b a 野球場 c'), language('x'))"
    runs = {
        subprocess.run(
            [sys.executable, "-X", "utf8", "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert b"\xe9\x87\x8e" in runs.pop()


ODD = st.text(st.sampled_from("aB9 \u0301\u03a3\u91ce\u7403\u1100\u1161\u0e01\0\ufb01"), max_size=8)


@given(st.lists(ODD, max_size=6))
def test_words_of_several_texts_are_those_of_each(texts: list[str]) -> None:
    assert words_of_each(texts) == [tuple(words(text)) for text in texts]
