"""Fish-search, by numbers worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_visits import links, started, visit

from focuslab.strategies.fish_search import FishSearch, brood, mentions


def test_b4_fish() -> None:
    rules = {"children": 5, "width": 2, "most": 3, "a": 1.5}
    assert brood(True, 2, **rules) == [(1, 3), (1, 3), (1, 3), (0, 3), (0, 3)]
    assert brood(False, 2, **rules) == [(0.5, 1), (0.5, 1), (0, 1), (0, 1), (0, 1)]
    assert brood(False, 0, **rules) == []


@given(st.booleans(), st.integers(0, 5), st.integers(0, 30), st.integers(0, 10), st.integers(0, 5))
def test_fish_favours_no_more_than_its_width(
    relevant: bool, depth: int, children: int, width: int, most: int
) -> None:
    scored = brood(relevant, depth, children, width, most, 1.5)
    assert len(scored) == (children if depth else 0)
    assert sum(score > 0 for score, _ in scored) <= (1.5 if relevant else 1) * width
    assert all(below == (most if relevant else depth - 1) for _, below in scored)


def test_fish_as_the_strategy_scores_it() -> None:
    fish = started(FishSearch(width=2))
    assert [p.score for p in fish.propose(visit("A movie!", *links("abcde")))] == [1, 1, 1, 0, 0]
    assert [p.score for p in fish.propose(visit("stock", *links("vwxyz"), url="http://a.example/"))] == [
        0.5,
        0.5,
        0,
        0,
        0,
    ]
    assert fish.depth_["http://v.example/"] == 2


def test_a_listed_child_keeps_the_larger_depth() -> None:
    fish = started(FishSearch())
    fish.propose(visit("movie", *links("a")))
    fish.propose(visit("stock", *links("a"), url="http://b.example/"))
    assert fish.depth_["http://a.example/"] == 3


def test_fish_dies_out_without_food() -> None:
    fish = started(FishSearch(depth=2))
    lengths = [
        len(list(fish.propose(visit("stock", *links(there), url=f"http://{here}.example/"))))
        for here, there in zip("abc", "bcd", strict=True)
    ]
    assert lengths == [1, 1, 0]


@pytest.mark.parametrize(
    ("text", "keyword", "found"),
    [
        ("immovieable", "movie", False),
        ("My MOVIE.", "movie", True),
        ("映画館です", "映画", True),
        ("x", "!", False),
    ],
)
def test_keywords_match_whole_words(text: str, keyword: str, found: bool) -> None:
    assert mentions(text, [keyword]) is found
