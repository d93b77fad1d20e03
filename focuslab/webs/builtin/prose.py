"""Words into sentences: what a page says, how much of it is about its topic, and how a link is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import islice
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from focuslab.webs.builtin.structure import Pages
from focuslab.webs.builtin.vocabulary import LANGUAGES, Vocabulary, Words

FUNCTION_WORDS = {"en": 130, "ja": 70, "de": 100, "fr": 100, "es": 100}
"""So many words at the head of a background list are glue rather than matter."""
FAVOURITES = 14
"""A page uses a few words of its topic again and again, not all of them a little."""
BACKGROUND = 4_096
"""Places in the pool of everyday words."""
HEAD = 20
SMALL_TALK = (0.05, 0.20)
"""Share of words that come from any topic at all, on pages about something and on those about nothing."""


@cache
def phrases() -> Mapping[str, Any]:
    """The phrases of ``phrases.yaml``, ready for HTML."""
    text = files("focuslab.webs.builtin").joinpath("phrases.yaml").read_text(encoding="utf-8")
    return _escaped(yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def _escaped(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _escaped(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_escaped(value) for value in node]
    return escape(node)


def _heads(words: Vocabulary) -> Words:
    """The most frequent words of all topics."""
    return {
        lang: [word for subject in words.subjects for word in subject.words[lang][:HEAD]]
        for lang in LANGUAGES[:2]
    }


class Lexicon:
    """Pools of words to draw from with one random number each, frequent words more often.

    A pool repeats its words in proportion to a Zipf law, so that a place in it, drawn evenly, is a word
    drawn by frequency. All pools lie in one array; ``start`` and ``size`` say where.
    """

    def __init__(self, words: Vocabulary) -> None:
        self._tables: list[list[str]] = []
        self.background = [self._add(words.background, lang, BACKGROUND, 0.85) for lang in LANGUAGES]
        self.topic = [self._both(subject.words, 512, 1.1) for subject in words.subjects]
        self.genre = [self._both(genre, 256, 1.2) for genre in words.genre_words]
        self.kind = [self._both(kind.words, 256, 0.6) for kind in words.kinds]
        self.form = [self._both(form, 256, 0.5) for form in words.forms.values()]
        self.small_talk = self._both(_heads(words), 2_048, 0.0)
        self.size = np.array([len(table) for table in self._tables])
        self.start = np.cumsum(self.size) - self.size
        self.flat: NDArray[np.object_] = np.array(
            [word for table in self._tables for word in table], dtype=object
        )

    def table(self, pool: int) -> Sequence[str]:
        return self._tables[pool]

    def _both(self, words: Words, size: int, exponent: float) -> tuple[int, ...]:
        """Pools for every language; those without words of their own borrow the English ones."""
        english, japanese = (self._add(words, lang, size, exponent) for lang in LANGUAGES[:2])
        return english, japanese, english, english, english

    def _add(self, words: Words, lang: str, size: int, exponent: float) -> int:
        matter = [escape(word) for word in words[lang]]
        if size == BACKGROUND:
            matter = matter[FUNCTION_WORDS[lang] :]
        ends = np.cumsum((np.arange(len(matter)) + 2.0) ** -exponent)
        ranks = np.searchsorted(ends, (np.arange(size) + 0.5) / size * ends[-1])
        self._tables.append([matter[rank] for rank in ranks])
        return len(self._tables) - 1


def mixture(lexicon: Lexicon, pages: Pages, page: int, kin: Sequence[int]) -> tuple[list[int], list[float]]:
    """Pools a page draws its words from, and the share of each."""
    lang, kind = int(pages.language[page]), int(pages.hosts.kind[pages.host[page]])
    content, grade = int(pages.content[page]), float(pages.grade[page])
    parts = [(lexicon.background[lang], 1.0), (lexicon.genre[pages.genre[page]][lang], 0.13)]
    parts.append((lexicon.kind[kind][lang], 0.03))
    if lang < 2:
        parts.append((lexicon.small_talk[lang], SMALL_TALK[content < 0]))
    if content >= 0:
        parts.append((lexicon.topic[content][lang], 0.13 + 0.46 * grade))
        parts += [(lexicon.topic[other][lang], 0.01) for other in kin]
    if pages.mention[page] >= 0:
        parts.append((lexicon.topic[pages.mention[page]][lang], 0.08 * float(pages.mention_grade[page])))
    if pages.form[page] >= 0:
        parts.append((lexicon.form[pages.form[page]][lang], 0.10))
    pools, shares = [pool for pool, _ in parts], [share for _, share in parts]
    shares[0] = max(1.0 - sum(shares[1:]), 0.15)
    return pools, shares


def draw_words(
    lexicon: Lexicon, pools: list[int], shares: list[float], count: int, rng: np.random.Generator
) -> list[str]:
    """So many words of the mixture; of each pool but the first (background) only a few favourites."""
    ends = np.cumsum(shares)
    part = np.searchsorted(ends, rng.random(count) * ends[-1])
    place = rng.random(count)
    favourites = rng.random((len(pools), FAVOURITES))
    chosen = favourites[part, (place * FAVOURITES).astype(np.int64)]
    place = np.where(part > 0, chosen, place)
    pool = np.array(pools)[part]
    spots = lexicon.start[pool] + (place * lexicon.size[pool]).astype(np.int64)
    return lexicon.flat[spots].tolist()


class Speaker:
    """Turns a stream of words into sentences of one language."""

    def __init__(self, lang: str, words: Iterator[str], luck: Iterator[float]) -> None:
        said = phrases()
        self.lang, self.words, self.luck = lang, words, luck
        self.space, self.pause = ("", "、") if lang == "ja" else (" ", "")
        self.glue, self.openers = said["glue"][lang], said["openers"][lang]
        self.closers = said["closers"].get(lang, [". "])

    def pick(self, options: Sequence[str]) -> str:
        return options[int(next(self.luck) * len(options))]

    def chain(self, words: Sequence[str]) -> str:
        """Words with glue between them."""
        glue, luck, space = self.glue, self.luck, self.space
        size = len(glue)
        parts = [words[0]] if words else []
        for word in words[1:]:
            # The power prefers the glue at the head of the list, as languages do; a third goes without.
            spot = 1.5 * next(luck)
            parts += (glue[int(spot**2 * size)], word) if spot < 1 else (self.pause + word,)
        return space.join(parts)

    def sentence(self, link: str = "", near: Sequence[str] = ()) -> str:
        """A sentence, with a link somewhere in it and words near the link."""
        own = list(islice(self.words, 3 + int(next(self.luck) * 5)))
        if link:
            middle = len(own) // 2
            own[middle:middle] = [*near[:1], link, *near[1:]]
        said = self.space.join(filter(None, (self.pick(self.openers), self.chain(own))))
        return said + self.pick(self.closers)

    def sentences(self, count: int) -> str:
        return "".join([self.sentence() for _ in range(count)])

    def few(self, count: int) -> str:
        """A few words in a row, as in a label."""
        return (self.space or "・").join(islice(self.words, count))
