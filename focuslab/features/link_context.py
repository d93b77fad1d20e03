"""What the words around a link say of the page behind it (eq. 4 of Guan et al.)."""

from __future__ import annotations

from collections.abc import Iterable

from focuslab.features.passages import score_texts
from focuslab.types import Assessor, Link, Visit

__all__ = ["blend", "check_beta", "predict"]


def blend(page: float, context: float, beta: float = 0.25) -> float:
    """Mix the score of the source page with that of the link's context: β·page + (1-β)·context.

    Examples
    --------
    >>> round(blend(0.4, 0.9), 3)
    0.775
    """
    return beta * page + (1 - beta) * context


def check_beta(beta: float) -> None:
    """Refuse a weight that is no share."""
    if not 0 <= beta <= 1:
        raise ValueError(f"beta is {beta}; it is a share, so give a number from 0 to 1")


def predict(
    assessor: Assessor, visit: Visit, links: Iterable[Link], beta: float = 0.25
) -> list[tuple[float, float]]:
    """Context score and predicted relevance of links on the page just fetched.

    The context is ``Link.context``, which the parser cuts to the paper's 20 words, anchor included.
    """
    page = visit.assessment.relevance
    contexts = score_texts(assessor, [link.context for link in links], visit.page.language)
    return [(context, blend(page, context, beta)) for context in contexts]
