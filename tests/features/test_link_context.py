"""What page and context predict of a link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import TinyAssessor, url

from focuslab.features.link_context import blend
from focuslab.strategies.link_context import LinkContext
from focuslab.types import Assessment, Link, Page, Response, Visit

UNIT = st.floats(0, 1)


def visit(relevance: float, *links: Link, language: str = "") -> Visit:
    page = Page(url("s"), links=links, language=language)
    return Visit(
        1, Link(url("s")), 1.0, 0, Response(url("s"), 200), page, Assessment(relevance, relevance > 0.5)
    )


@pytest.mark.parametrize(("page", "context", "expected"), [(0.4, 0.9, 0.775), (0.9, 0.4, 0.525)])
def test_o7(page: float, context: float, expected: float) -> None:
    assert blend(page, context) == pytest.approx(expected, abs=1e-12)
    strategy = LinkContext(TinyAssessor({"word": context}))
    proposal = next(iter(strategy.propose(visit(page, Link(url("a"), "anchor", "a word here")))))
    assert proposal.score == pytest.approx(expected, abs=1e-12)
    assert proposal.terms == {"page": page, "context": context}


@given(UNIT, UNIT, UNIT)
def test_a_prediction_lies_between_page_and_context(page: float, context: float, beta: float) -> None:
    assert min(page, context) - 1e-12 <= blend(page, context, beta) <= max(page, context) + 1e-12
