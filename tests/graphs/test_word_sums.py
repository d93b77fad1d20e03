"""Sums and cosines in bulk are exact."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as some

from focuslab.features.vectors import cosine
from focuslab.graphs.word_sums import Bags

NUMBERS = some.floats(-1e6, 1e6) | some.sampled_from([0.1, -0.1, 1e-300, 1e15, -1e15])


@settings(deadline=None)
@given(
    some.dictionaries(some.sampled_from("abcdefgh"), NUMBERS),
    some.lists(some.lists(some.sampled_from("abcdefghij"), max_size=30), max_size=5),
    NUMBERS,
)
def test_sums_are_exact(weights: dict[str, float], texts: list[list[str]], start: float) -> None:
    expected = [math.fsum([start, *(weights.get(word, 0.0) for word in text)]) for text in texts]
    assert Bags(texts, {}).sums(weights, start).tolist() == expected


@settings(deadline=None)
@given(
    some.dictionaries(some.sampled_from("abcdefgh"), some.floats(0, 10)),
    some.lists(some.dictionaries(some.sampled_from("abcdefghij"), some.integers(1, 50)), max_size=5),
)
def test_cosines_are_those_of_the_vectors(vector: dict[str, float], texts: list[dict[str, float]]) -> None:
    assert Bags(texts, {}).cosines(vector).tolist() == [cosine(text, vector) for text in texts]
