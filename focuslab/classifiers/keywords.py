"""Is a page about the topic: judged by a few keywords, and by what the crawl's own pages teach about them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import snowballstemmer

from focuslab.classifiers.linear import LinearClassifier
from focuslab.classifiers.page_vectors import sigmoid
from focuslab.classifiers.term_sets import LANGUAGE
from focuslab.features.passages import log_odds
from focuslab.features.telling_words import shared_words
from focuslab.pages.text import words
from focuslab.pages.urls import host
from focuslab.types import Assessment, Page, Topic

__all__ = ["Drift", "KeywordJudge"]

THRESHOLD = 0.6
"""Mean weight of the keywords on a page from which on it is relevant; on eight subjects of Wikipedia for
Schools this gave a precision above .7 at a recall above .5 (our choice)."""
SLOPE = 6.0
"""Log-odds of relevance for each unit of weight above the threshold (our choice)."""
LIKE_EXAMPLES, SHARED_WORDS = 0.6, 30
"""Share of an example's weight that is enough, and keywords made of examples (our choice)."""
HEAVIEST = 10
"""Keywords that a mean is taken of: of a longer list no page has them all (our choice)."""
SHORTEST = 25
"""Words that a page is taken to have at least: one keyword on a page of two words is no topic."""
TAUGHT, LINE = 0.75, 0.9
"""Share of the threshold from which on a page teaches what is wanted, and where between the means of both
kinds the line is (tuned on half of the subjects of benchmarks/quality/cold_start.py; our choice)."""
TEACHERS = 8
"""Pages of each kind before anything is learned from them (our choice)."""
KEPT, KEPT_TEXT = 400, 20_000
"""Pages of each kind that are kept to learn from, and characters of each."""
HOSTS, SAME_ON, MENU = 2_000, 3, 2
"""Hosts whose menus are remembered, pages of one before that counts, and how often a menu says a word."""

STEMMED = {
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ru": "russian",
    "sv": "swedish",
}


class Drift(NamedTuple):
    """What was learned from the crawl's own pages, at one time it was."""

    pages: int
    """Judged so far."""
    teachers: tuple[int, int]
    """Relevant and other pages that were learned from."""
    agreement: float
    """Share of them that the new model judges as the keywords alone did."""
    words: tuple[str, ...]
    """That speak most for the topic now."""


class _Seen(NamedTuple):
    page: Page
    counts: np.ndarray
    length: int


class KeywordJudge:
    """An assessor made of keywords, which learns while it judges.

    A keyword weighs ln(1 + occurrences per thousand words) · rarity on a page, its stem counts, and words
    of a phrase must follow each other; the page's weight w is the mean over the keywords (their ten
    rarest, if there are more). Rarity is ln((B + 1) / (b + ½)) over the B pages judged irrelevant so far,
    of which b have it. What all pages of a host have of a keyword, in a menu say, does not count.
    P(relevant) = 1 / (1 + exp(-g)), g = x / (1 + |x| / 6), x = 6 · (w - threshold): so that pages far above
    the threshold still differ.

    Each time the number of pages on both sides has doubled, a `LinearClassifier` of two centroids learns
    them anew: pages that weigh three quarters of the threshold against all others. From then on it judges
    pages in the keywords' stead. What it says of a page never teaches it, so that it cannot drift away from
    the keywords. ``drift`` has a line for each time.

    Parameters
    ----------
    topic : Topic
        Its keywords, content and genre terms; pages known to be in another language than its own score 0.
    threshold : float, optional
        See `THRESHOLD`. A higher one makes what is learned stricter too.
    examples : sequence of Page
        Relevant pages. They teach from the beginning; where the topic has no terms, the words that most of
        them share are the keywords, and the threshold is a share of what these pages weigh themselves.
    learn : bool
        False: keywords only.

    Notes
    -----
    Ours. What it learns depends on the pages it saw and their order, so that a crawl repeats exactly.
    """

    def __init__(
        self,
        topic: Topic,
        threshold: float | None = None,
        examples: Sequence[Page] = (),
        learn: bool = True,
    ) -> None:
        self.language, self.learn = topic.language, learn
        terms = (*topic.keywords, *topic.content_terms, *topic.genre_terms)
        known = terms or shared_words(examples, SHARED_WORDS, self.language)
        if not known:
            raise ValueError(f"topic {topic.name!r} has no terms to judge by; give keywords: [one, another]")
        self.keywords = tuple(dict.fromkeys(filter(None, (self._stems(word) for word in known))))
        self._first: dict[str, list[int]] = {}
        for place, phrase in enumerate(self.keywords):
            self._first.setdefault(phrase[0], []).append(place)
        self.drift: list[Drift] = []
        self._background = np.full(len(self.keywords), 0.5)
        self._pages = self._others = 0
        self._menus: OrderedDict[str, tuple[int, np.ndarray]] = OrderedDict()
        self._examples = list(examples)[:KEPT]
        self._seen: tuple[list[_Seen], list[_Seen]] = ([], [])
        self._next = min(TEACHERS, max(2, len(examples))) if examples else TEACHERS
        self._model: LinearClassifier | None = None
        self._measured = () if threshold is not None or terms else tuple(self._examples)
        usual = THRESHOLD * min(
            1, HEAVIEST / len(self.keywords)
        )  # of a longer list a page has a smaller share
        self.threshold = usual if threshold is None else threshold
        self._measure()

    def assess(self, page: Page) -> Assessment:
        """Judge a page, and learn from it."""
        self._pages += 1
        if self.language and page.language not in ("", self.language):
            return Assessment(0.0, False)
        everywhere, length = self._counts(f"{page.title}\n{page.text}", page.language)
        counts = np.maximum(everywhere - self._menu(page.url, everywhere), 0)
        if self._model is None:
            odds = _graded(SLOPE * (self._weight(counts, length) - self.threshold))
        else:
            odds = _graded(log_odds(self._model.score(page)))
        if odds <= 0:
            self._others += 1
            self._background += everywhere > 0
        if self.learn:
            self._learn(page, counts, length)
        return Assessment(sigmoid(odds), odds > 0)

    def score(self, page: Page) -> float:
        """P(relevant) of a page, from which it learns as `assess` does."""
        return self.assess(page).relevance

    def score_text(self, text: str, language: str = "") -> float:
        """P(relevant) of a piece of text, such as the words around a link."""
        odds = _graded(SLOPE * (self._weight(*self._counts(text, language)) - self.threshold))
        if self._model is not None:
            odds = (odds + _graded(log_odds(self._model.score_text(text, language)))) / 2
        return sigmoid(odds)

    def _weight(self, counts: np.ndarray, length: float) -> float:
        rarity = np.log((self._others + 1.5) / self._background)
        density = np.log1p(1000 * counts / max(length, SHORTEST))
        return float(density @ rarity / np.sort(rarity)[-HEAVIEST:].sum())

    def _measure(self) -> None:
        """Set the threshold by what the examples weigh, which changes as rarities become known."""
        if self._measured:
            weights = [
                self._weight(*self._counts(f"{page.title}\n{page.text}", page.language))
                for page in self._measured
            ]
            self.threshold = LIKE_EXAMPLES * float(np.median(weights))

    def _counts(self, text: str, language: str) -> tuple[np.ndarray, int]:
        """How often each keyword occurs in a text, and of how many words that is."""
        stems = self._stems(text, language)
        found = np.zeros(len(self.keywords))
        for at, stem in enumerate(stems):
            for place in self._first.get(stem, ()):
                phrase = self.keywords[place]
                found[place] += len(phrase) == 1 or stems[at : at + len(phrase)] == phrase
        return found, len(stems)

    def _stems(self, text: str, language: str = "") -> tuple[str, ...]:
        stem = _stemmer(self.language or language or LANGUAGE)
        return tuple(map(stem, words(text, language)))

    def _menu(self, url: str, counts: np.ndarray) -> np.ndarray:
        """What every page of this host has; nothing as long as few of them were seen."""
        place = host(url)
        seen, least = self._menus.pop(place, (0, counts))
        least = np.minimum(least, counts)
        self._menus[place] = (seen + 1, least)
        if len(self._menus) > HOSTS:
            self._menus.popitem(last=False)
        return np.minimum(least, MENU) if seen + 1 >= SAME_ON else np.zeros_like(counts)

    def _learn(self, page: Page, counts: np.ndarray, length: int) -> None:
        """Keep a page; learn when there are twice as many on both sides as the last time."""
        kind = self._seen[0 if self._teaches(counts, length) else 1]
        if len(kind) < KEPT:
            small = Page(page.url, page.title, page.text[:KEPT_TEXT], language=page.language)
            kind.append(_Seen(small, counts, length))
        if min(len(self._seen[0]) + len(self._examples), len(self._seen[1])) >= self._next:
            self._next *= 2
            self._teach()

    def _teaches(self, counts: np.ndarray, length: int) -> bool:
        return self._weight(counts, length) > TAUGHT * self.threshold

    def _teach(self) -> None:
        """Learn from the pages kept, by what is known of the keywords' rarity now."""
        self._measure()
        seen = [*self._seen[0], *self._seen[1]]
        pages = [*self._examples, *(each.page for each in seen)]
        labels = [True] * len(self._examples) + [self._teaches(each.counts, each.length) for each in seen]
        if len(set(labels)) < 2:
            return
        model = LinearClassifier({"centroids": (LINE,)}).fit(pages, labels)
        same = [(model.score(page) > 0.5) == label for page, label in zip(pages, labels, strict=True)]
        self._model = model
        teachers = (sum(labels), len(labels) - sum(labels))
        self.drift.append(Drift(self._pages, teachers, sum(same) / len(same), tuple(model.strongest(8))))


def _graded(odds: float) -> float:
    """Log-odds within ±6, in the same order."""
    return odds / (1 + abs(odds) / SLOPE)


@lru_cache(maxsize=32)
def _stemmer(language: str) -> Callable[[str], str]:
    """A function from a word to its stem; words of languages without one stay as they are."""
    if language not in STEMMED:
        return str
    return lru_cache(maxsize=100_000)(snowballstemmer.stemmer(STEMMED[language]).stemWord)
