"""Shark search by hand: inheritance that fades, anchors before contexts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_visits import links, started, visit

from focuslab.strategies.shark_search import SharkSearch, inherited_score, neighbourhood_score
from focuslab.types import Link

UNIT = st.floats(0, 1)


@pytest.mark.parametrize(("gamma", "expected"), [(0.5, 0.41), (0.8, 0.344)])
def test_b1_shark_below_a_similar_page(gamma: float, expected: float) -> None:
    inherited, near = inherited_score(0.6, 0.9), neighbourhood_score(0.4, 0.0)
    assert (inherited, near) == pytest.approx((0.3, 0.52))
    assert gamma * inherited + (1 - gamma) * near == pytest.approx(expected)


def test_b1_as_the_strategy_scores_it() -> None:
    # 3 of movie and 4 of stock make a vector of length 5, so the cosine is 3/5.
    shark = started(SharkSearch())
    seen = visit("movie " * 3 + "stock " * 4, Link("http://a.example/", anchor="movie " * 3 + "stock " * 4))
    (proposal,) = shark.propose(seen)
    assert proposal.terms["inherited"] == pytest.approx(0.3)
    assert proposal.score == pytest.approx(0.5 * 0.3 + 0.5 * (0.8 * 0.6 + 0.2))


def test_b2_shark_below_an_unlike_page() -> None:
    inherited, near = inherited_score(0.0, 0.3), neighbourhood_score(0.0, 0.2)
    assert (inherited, near, 0.5 * inherited + 0.5 * near) == pytest.approx((0.15, 0.04, 0.095))


def test_b3_inheritance_fades_over_irrelevant_pages() -> None:
    shark, terms, seen = started(SharkSearch(depth=9)), {"inherited": 0.8}, []
    for hop in "abc":
        (proposal,) = shark.propose(visit("stock", *links("z"), url=f"http://{hop}.example/", terms=terms))
        terms = dict(proposal.terms)
        seen.append(terms["inherited"])
    assert seen == pytest.approx([0.4, 0.2, 0.1])


def test_shark_gives_up_after_three_unlike_pages() -> None:
    shark, lengths = started(SharkSearch()), []
    for here, there in zip("abcde", "bcdef", strict=True):
        lengths.append(len(list(shark.propose(visit("stock", *links(there), url=f"http://{here}.example/")))))
    assert lengths == [1, 1, 1, 0, 1]  # e was never reached, so it counts as a seed


def test_context_speaks_only_where_the_anchor_is_silent() -> None:
    silent, telling = Link("http://a.example/", "here", "movie"), Link("http://b.example/", "movie", "stock")
    first, second = started(SharkSearch()).propose(visit("x", silent, telling))
    assert first.terms["neighbourhood"] == pytest.approx(0.2)
    assert second.terms["neighbourhood"] == pytest.approx(1.0)


@given(UNIT, UNIT, UNIT, UNIT, UNIT)
def test_shark_scores_stay_in_bounds(
    similarity: float, above: float, anchor: float, context: float, share: float
) -> None:
    assert 0 <= inherited_score(similarity, above, share) <= 1
    assert 0 <= neighbourhood_score(anchor, context, share) <= 1 + 1e-9


def test_shares_are_shares() -> None:
    with pytest.raises(ValueError, match="gamma is 2; it is a share"):
        started(SharkSearch(gamma=2))
