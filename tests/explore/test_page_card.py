"""What the words of a page say for and against a topic."""

from __future__ import annotations

import math

import pytest

from focuslab.explore.explorer import Explorer
from focuslab.explore.page_card import weighed


def test_the_words_weigh_what_the_classifier_gives_them(race: Explorer) -> None:
    guide = race.recordings[0].assessor
    texts = [visit.page for visit in race.recordings[0].visits if visit.page.language == "en"]
    for page in texts[:5]:
        pieces, weights = weighed(page.text, guide, "en", most=10_000)
        assert "".join(pieces) == " ".join(page.text.split())
        spaced = [word for word in guide.relevance.segmenter(page.text, "en") if word.isascii()]
        exact = [guide.relevance.weights_.get(word, 0) for word in spaced]
        shown = [weight for piece, weight in zip(pieces[::2], weights, strict=True) if piece.isascii()]
        assert sum(shown) / 100 == pytest.approx(math.fsum(exact), abs=0.01 * len(pieces))
