"""The words of a link as numbers, so that a model can keep a weight for each in a fixed space."""

from __future__ import annotations

from zlib import crc32

from focuslab.features.url_terms import url_phrases
from focuslab.pages.text import words
from focuslab.types import Link

__all__ = ["LONGEST", "SPACE", "link_words"]

SPACE = 2**16
"""Numbers there are; two words may share one."""
LONGEST = 24
"""At most so many words of a link are kept; 0 stands for no word."""
ANCHOR, ADDRESS = 8, 8


def link_words(link: Link, language: str = "") -> list[int]:
    """Numbers of the words in anchor, address and context, each kind of its own, padded with 0.

    >>> [number > 0 for number in link_words(Link("http://a.example/", "Go"))[:4]]
    [True, True, False, False]
    """
    named = [f"a:{word}" for word in words(link.anchor, language)[:ANCHOR]]
    named += [f"u:{word}" for word in url_phrases(link.url)[:ADDRESS]]
    named += [f"c:{word}" for word in words(link.context, language)]
    numbers = dict.fromkeys(1 + crc32(name.encode("utf-8", "replace")) % (SPACE - 1) for name in named)
    kept = list(numbers)[:LONGEST]
    return kept + [0] * (LONGEST - len(kept))
