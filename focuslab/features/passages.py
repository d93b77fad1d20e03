"""What a classifier thinks of a text, on a scale that does not saturate.

A naive Bayes score of a whole page is 0 or 1 to the last digit. Read in pieces as long as the context of a
link, pages stay comparable with each other and with links.
"""

from __future__ import annotations

import math

from focuslab.types import Assessor, Page

__all__ = ["evidence", "log_odds", "reading"]

PASSAGES, PASSAGE_WORDS = 8, 25
"""How much of a page is read, and in what pieces (our choice; more adds nothing on real pages)."""
MOST = 36.0


def log_odds(probability: float) -> float:
    """log p - log(1 - p), kept within ±36, where a probability next to 1 ends in floating point.

    >>> log_odds(0.5), log_odds(1.0), round(log_odds(0.9), 3)
    (0.0, 36.0, 2.197)
    """
    return min(MOST, max(-MOST, math.log(max(probability, 1e-300)) - math.log(max(1 - probability, 1e-16))))


def evidence(assessor: Assessor, text: str, language: str = "") -> float:
    """Log-odds that a short text is on topic."""
    return log_odds(assessor.score_text(text, language))


def reading(assessor: Assessor, page: Page) -> float:
    """Mean log-odds of the first passages of a page, its title before them."""
    text = f"{page.title} {page.text[: 16 * PASSAGES * PASSAGE_WORDS]}"
    # a language without spaces has few "words" here, and long ones: its passages are cut by length too
    words = [word[:100] for word in text.split()[: PASSAGES * PASSAGE_WORDS]]
    starts = range(0, max(len(words), 1), PASSAGE_WORDS)
    passages = [" ".join(words[start : start + PASSAGE_WORDS]) for start in starts]
    return sum([evidence(assessor, passage, page.language) for passage in passages]) / len(passages)
