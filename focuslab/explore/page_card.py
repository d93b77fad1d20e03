"""What there is to know of one fetched page: its words, for or against the topic, its features, its links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from focuslab.features.genre import genre_features
from focuslab.pages.text import words
from focuslab.types import Page, Visit

__all__ = ["card", "linked_from", "weighed"]

MOST_WORDS = 150
MOST_LINKS = 12
UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
PIECES = re.compile(rf"([{UNSPACED}]{{1,2}}|[^\W{UNSPACED}]*)((?:(?![{UNSPACED}])\W)*)")
"""A word, or two letters of a script without spaces; and what stands behind it."""


def card(
    page: Page, guide: Any = None, inward: Iterable[str] = (), most: int = MOST_WORDS, links: int = MOST_LINKS
) -> dict[str, Any]:
    """The page as plain values.

    Parameters
    ----------
    page : Page
        A page that was fetched.
    guide : Assessor, optional
        Its weights colour the words, where it is naive Bayes on words.
    inward : iterable of str
        Pages known to link here.
    most, links : int
        Words of text, and links, to keep.
    """
    sources, (text, weights) = list(inward), weighed(page.text, guide, page.language, most)
    return {
        "text": text,
        "weights": weights,
        "features": genre_features(page).astype(int).tolist(),
        "language": page.language,
        "out": [[link.url, " ".join(link.anchor.split())[:60]] for link in page.out[:links]],
        "out_count": len(page.out),
        "in": sources[:links],
        "in_count": len(sources),
    }


def weighed(
    text: str, guide: Any, language: str = "", most: int = MOST_WORDS
) -> tuple[list[str], list[int] | None]:
    """A text as word, gap, word, gap, …, and for each word what it adds to the log-odds, in hundredths.

    There are no weights where the guide is not naive Bayes on words.

    >>> weighed("Tea, please", None)
    (['Tea', ', ', 'please', ''], None)
    """
    weights: Mapping[str, float] | None = getattr(getattr(guide, "relevance", None), "weights_", None)
    matches = (match for match in PIECES.finditer(" ".join(text.split())) if match[0])
    found = [(match[1], match[2]) for match in islice(matches, most + 1)]
    pieces = [part for pair in found[:most] for part in pair] + (["", "…"] if len(found) > most else [])
    if weights is None:
        return pieces, None
    odds = (sum(weights.get(word, 0.0) for word in words(piece, language)) for piece in pieces[::2])
    return pieces, [round(100 * value) for value in odds]


def linked_from(visits: Iterable[Visit]) -> dict[str, list[str]]:
    """For each URL the fetched pages that link to it, in the order they were fetched."""
    found: dict[str, list[str]] = {}
    for visit in visits:
        for link in visit.page.out:
            found.setdefault(link.url, []).append(visit.page.url)
    return found
