"""Pages of a few words to learn from, and a voter that has made up its mind."""

from __future__ import annotations

import numpy as np

from focuslab.types import Page


def page(text: str, **more: str) -> Page:
    return Page("http://a.example/", text=text, **more)  # type: ignore[arg-type]


GOOD = [page(f"game score pitcher {word}") for word in ("home", "run", "league", "team", "bat")]
BAD = [page(f"stock price market {word}") for word in ("home", "share", "bank", "team", "bond")]
LABELS = [True] * 5 + [False] * 5
WORDS = [f"w{number}" for number in range(30)]


class Fixed:
    """A voter that always says the same."""

    def __init__(self, score: float) -> None:
        self.value = score

    def score(self, page: Page) -> float:
        return self.value

    def score_text(self, text: str, language: str = "") -> float:
        return self.value


def spaced(text: str, language: str) -> list[str]:
    return text.split()


def corpus(count: int = 60, seed: int = 0) -> tuple[list[Page], list[bool]]:
    """Texts whose words lean one way or the other, so that some are hard to tell."""
    rng = np.random.default_rng(seed)
    labels = rng.random(count) < 0.4
    lean = np.linspace(1, 4, len(WORDS))
    drawn = [rng.choice(WORDS, 12, p=(w := lean if label else lean[::-1]) / w.sum()) for label in labels]
    return [page(" ".join(words)) for words in drawn], labels.tolist()
