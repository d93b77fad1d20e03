"""What a classifier thinks of a text, on a scale that does not saturate.

A naive Bayes score of a whole page is 0 or 1 to the last digit. Read in pieces as long as the context of a
link, pages stay comparable with each other and with links.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from focuslab.types import Page

__all__ = ["evidences", "log_odds", "passages", "reading", "score_texts"]

PASSAGES, PASSAGE_WORDS = 8, 25
"""How much of a page is read, and in what pieces (our choice; more adds nothing on real pages)."""
MOST = 36.0


class Texts(Protocol):
    """Whatever judges texts: an assessor, or a classifier alone."""

    def score_text(self, text: str, language: str = "") -> float: ...


def log_odds(probability: float) -> float:
    """log p - log(1 - p), kept within ±36, where a probability next to 1 ends in floating point.

    >>> log_odds(0.5), log_odds(1.0), round(log_odds(0.9), 3)
    (0.0, 36.0, 2.197)
    """
    return min(MOST, max(-MOST, math.log(max(probability, 1e-300)) - math.log(max(1 - probability, 1e-16))))


def score_texts(assessor: Texts, texts: Sequence[str], language: str = "") -> Sequence[float]:
    """What an assessor says of several texts: all at once where it offers that, as the lab's own do."""
    at_once: Callable[[Sequence[str], str], Sequence[float]] | None = getattr(assessor, "score_texts", None)
    if at_once is not None:
        return at_once(texts, language)
    return [assessor.score_text(text, language) for text in texts]


def evidences(assessor: Texts, texts: Sequence[str], language: str = "") -> list[float]:
    """Log-odds that short texts are on topic, one for each."""
    return [log_odds(score) for score in score_texts(assessor, texts, language)]


def reading(assessor: Texts, page: Page) -> float:
    """Mean log-odds of the first passages of a page, its title before them."""
    read = passages(page)
    return sum(evidences(assessor, read, page.language)) / len(read)


def passages(page: Page) -> list[str]:
    """The first passages of a page, its title before them; at least one, if only an empty one."""
    text = f"{page.title} {page.text[: 16 * PASSAGES * PASSAGE_WORDS]}"
    # a language without spaces has few "words" here, and long ones: its passages are cut by length too
    words = [word[:100] for word in text.split()[: PASSAGES * PASSAGE_WORDS]]
    starts = range(0, max(len(words), 1), PASSAGE_WORDS)
    return [" ".join(words[start : start + PASSAGE_WORDS]) for start in starts]
