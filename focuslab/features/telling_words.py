"""The words that tell some pages from others, to suggest as keywords."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from focuslab.pages.text import stop_words, words
from focuslab.types import Page

__all__ = ["shared_words", "telling_words"]

PRIOR = 0.5
"""Pages that every word is taken to be on besides, on either side (our choice)."""


def telling_words(
    pages: Sequence[Page], others: Sequence[Page], count: int = 10, language: str = ""
) -> tuple[str, ...]:
    """The words whose odds to be on a page of the first kind are highest, for how sure that is.

    z = log(odds of a page / odds of an other) / its standard error, with half a page added everywhere;
    numbers, stop words and single letters are left out, and words of a single page.

    References
    ----------
    Monroe, B. L., Colaresi, M. P. and Quinn, K. M. "Fightin' words: lexical feature selection and evaluation
    for identifying the content of political conflict." Political Analysis 16, 372-403, 2008.
    doi:10.1093/pan/mpn018. Pages are counted here, not occurrences (our choice).

    Examples
    --------
    >>> sky = [Page("http://a.example/", text=text) for text in ("first planet 1 km", "a planet, first")]
    >>> telling_words(sky, [Page("http://b.example/", text="first soup")], 1)
    ('planet',)
    """
    mine, theirs = _pages_with(pages, language), _pages_with(others, language)
    least = min(2, len(pages))

    def surprise(word: str) -> float:
        yes, no = mine[word] + PRIOR, theirs[word] + PRIOR
        not_yes, not_no = len(pages) - mine[word] + PRIOR, len(others) - theirs[word] + PRIOR
        error = math.sqrt(1 / yes + 1 / no + 1 / not_yes + 1 / not_no)
        return math.log(yes * not_no / (no * not_yes)) / error

    known = (word for word in mine if mine[word] >= least)
    scored = sorted((-surprise(word), word) for word in known)
    return tuple(word for score, word in scored[:count] if score < 0)


def shared_words(pages: Sequence[Page], count: int = 30, language: str = "") -> tuple[str, ...]:
    """The words that most of some pages have, the longest first among equals, where no others are known.

    >>> texts = ["the planet orbits", "a planet"]
    >>> shared_words([Page("http://a.example/", text=text) for text in texts])
    ('planet',)
    """
    having = _pages_with(pages, language)
    least = 2 if len(pages) > 1 else 1
    common = (word for word, pages_with in having.items() if pages_with >= least)
    return tuple(sorted(common, key=lambda word: (-having[word], -len(word), word))[:count])


def _pages_with(pages: Iterable[Page], language: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for page in pages:
        spoken = page.language or language
        stopped = stop_words(spoken or "en")
        told = set(words(f"{page.title}\n{page.text}", spoken)) - stopped
        found.update(word for word in told if len(word) > 1 and not any(map(str.isdigit, word)))
    return found
