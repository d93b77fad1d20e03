"""Pages about chess and about the garden, easy to tell apart, and a list of their labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from focuslab.classifiers.training.labels import Labelling
from focuslab.types import Response

CHESS = ["knight", "bishop", "rook", "pawn", "queen", "castle", "check", "mate", "gambit", "endgame"]
GARDEN = ["rose", "tulip", "soil", "rake", "water", "seed", "prune", "hedge", "lawn", "compost"]


def text(words: Sequence[str], seed: int, length: int = 60) -> str:
    return " ".join(np.random.default_rng(seed).choice(words, length))


class Little:
    """A web of two subjects that are easy to tell apart."""

    def __init__(self, pages: dict[str, str]) -> None:
        self.pages = pages

    def fetch(self, url: str) -> Response:
        body = self.pages.get(url)
        return Response(url, 404) if body is None else Response(url, 200, body.encode(), "text/html")


def little(count: int = 40, host: Callable[[int], str] = lambda i: f"h{i}.example") -> tuple[Little, list]:
    pages, rows = {}, []
    for i in range(count):
        url = f"http://{host(i)}/{i}"
        pages[url] = f"<p>{text(CHESS if i % 2 else GARDEN, i)}"
        rows.append(Labelling(url, "chess" if i % 2 else "garden"))
    return Little(pages), rows
