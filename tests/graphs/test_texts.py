"""Sums, cosines and counts of many texts at a time are what they are text by text, to the last bit."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as some

from focuslab.features.vectors import cosine
from focuslab.graphs.texts import Texts, by_number

NUMBERS = some.floats(-1e6, 1e6) | some.sampled_from([0.1, -0.1, 1e-300, 1e15, -1e15])
LETTERS = "abcdefghij"
VOCABULARY = {letter: number for number, letter in enumerate(LETTERS)}
WORDS = some.lists(some.sampled_from(LETTERS), max_size=30)


def texts_of(lists: list[list[str]]) -> Texts:
    sizes = np.array([len(words) for words in lists], np.int64)
    tokens = np.array([VOCABULARY[word] for words in lists for word in words], np.int32)
    return Texts(tokens, np.cumsum(sizes) - sizes, sizes)


@settings(deadline=None)
@given(some.dictionaries(some.sampled_from("abcdefghyz"), NUMBERS), some.lists(WORDS, max_size=5), NUMBERS)
def test_sums_are_exact(weights: dict[str, float], lists: list[list[str]], start: float) -> None:
    texts, numbers = texts_of(lists), by_number(weights, VOCABULARY)
    once = [[weights.get(word, 0.0) for word in words] for words in lists]
    assert texts.sums(numbers, start).tolist() == [math.fsum([start, *one]) for one in once]
    twice = texts.sums(numbers, start, texts).tolist()
    assert twice == [math.fsum([start, *one, *one]) for one in once]


@settings(deadline=None)
@given(some.dictionaries(some.sampled_from("abcdefghyz"), some.floats(0, 10)), some.lists(WORDS, max_size=5))
def test_cosines_are_those_of_the_vectors(vector: dict[str, float], lists: list[list[str]]) -> None:
    ignored = np.array([[word == "b" for word in LETTERS], [word == "c" for word in LETTERS]])
    group = np.arange(len(lists)) % 2
    counts = [
        Counter(w for w in words if w != "bc"[place]) for words, place in zip(lists, group, strict=True)
    ]
    found = texts_of(lists).cosines(
        by_number(vector, VOCABULARY), math.hypot(*vector.values()), ignored, group
    )
    assert found.tolist() == [cosine(count, vector) for count in counts]


@settings(deadline=None)
@given(some.lists(WORDS, max_size=5))
def test_counts_are_in_the_order_of_the_words(lists: list[list[str]]) -> None:
    ignored, group = np.zeros((1, len(LETTERS)), np.bool_), np.zeros(len(lists), np.int64)
    rows = texts_of(lists).counted(ignored, group)
    for place, words in enumerate(lists):
        here = slice(rows.starts[place], rows.starts[place + 1])
        found = dict(zip(rows.words[here].tolist(), rows.counts[here].tolist(), strict=True))
        assert found == dict(sorted(Counter(VOCABULARY[word] for word in words).items()))
        assert list(found) == sorted(found)


@settings(deadline=None)
@given(some.lists(WORDS, max_size=5), some.lists(some.text("abc", min_size=1, max_size=3), max_size=4))
def test_phrases_are_found_where_words_follow_each_other(lists: list[list[str]], phrases: list[str]) -> None:
    kept = np.array([word != "j" for word in LETTERS])
    renamed = np.arange(len(LETTERS), dtype=np.int32)
    numbered = [[VOCABULARY[letter] for letter in phrase] for phrase in phrases]
    found = texts_of(lists).occurrences(numbered, kept, renamed)
    for row, words in zip(found.tolist(), lists, strict=True):
        text = "".join(words).replace("j", "")
        assert row == [sum(text.startswith(p, at) for at in range(len(text))) for p in phrases]


@settings(deadline=None)
@given(some.lists(some.integers(1, 10_000), min_size=1, max_size=60))
def test_the_length_of_whole_numbers_is_the_root_of_their_squares(counts: list[int]) -> None:
    assert math.hypot(*counts) == math.sqrt(sum(count * count for count in counts))
