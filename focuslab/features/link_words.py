"""The words of a link as numbers, so that a model can keep a weight for each in a fixed space."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from focuslab.features.url_terms import url_phrases
from focuslab.pages.text import words_of_each
from focuslab.types import Link

__all__ = ["LONGEST", "SPACE", "link_words", "words_of_links"]

SPACE = 2**16
"""Numbers there are; two words may share one."""
LONGEST = 24
"""At most so many words of a link are kept; 0 stands for no word."""
ANCHOR, ADDRESS = 8, 8


def link_words(link: Link, language: str = "") -> list[int]:
    """Numbers of the words in anchor, address and context, each kind of its own, padded with 0.

    >>> [number > 0 for number in link_words(Link("http://a.example/tea/", "Go"))[:4]]
    [True, True, False, False]
    """
    return words_of_links([link])[0]


def words_of_links(links: Sequence[Link]) -> list[list[int]]:
    """`link_words` of several links at once."""
    anchors = words_of_each([link.anchor for link in links])
    contexts = words_of_each([link.context for link in links])
    return [
        _numbers(anchor[:ANCHOR], url_phrases(link.url)[:ADDRESS], context)
        for link, anchor, context in zip(links, anchors, contexts, strict=True)
    ]


def _numbers(anchor: Sequence[str], address: Sequence[str], context: Sequence[str]) -> list[int]:
    numbers = dict.fromkeys([_number("a:", word) for word in anchor])
    numbers.update(dict.fromkeys([_number("u:", word) for word in address]))
    for word in context:
        if len(numbers) >= LONGEST:
            break
        numbers[_number("c:", word)] = None
    kept = list(numbers)
    return kept + [0] * (LONGEST - len(kept))


@lru_cache(1 << 17)
def _number(kind: str, word: str) -> int:
    return 1 + crc32((kind + word).encode("utf-8", "replace")) % (SPACE - 1)
