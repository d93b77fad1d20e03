"""Pages that say nearly the same are found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from focuslab.pages.near_duplicates import near_duplicates
from focuslab.types import Page

CHESS = ["knight", "bishop", "rook", "pawn", "queen", "castle", "check", "mate", "gambit", "endgame"]


GARDEN = ["rose", "tulip", "soil", "rake", "water", "seed", "prune", "hedge", "lawn", "compost"]


def text(words: Sequence[str], seed: int, length: int = 60) -> str:
    return " ".join(np.random.default_rng(seed).choice(words, length))


def test_near_duplicates_are_found_by_their_shingles() -> None:
    one, two = text(CHESS, 1, 200), text(GARDEN, 2, 200)
    pages = [
        Page("", text=one),
        Page("", text=two),
        Page("", text=one + " new words"),
        Page("", text="too short"),
    ]
    assert [(pair.first, pair.second) for pair in near_duplicates(pages)] == [(0, 2)]
