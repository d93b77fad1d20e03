"""Is a page about the topic: multinomial naive Bayes on the words of its title, body and anchors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from itertools import repeat
from typing import Self

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize

from focuslab.classifiers.validation import Validation, balanced, splits
from focuslab.pages.text import words, words_of_each
from focuslab.types import Page

__all__ = ["PRESETS", "Preset", "RelevanceClassifier"]

RELEVANT = 0.5
"""A page is relevant if its score is greater than this; exactly this is irrelevant."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Details in which published classifiers of this kind differ."""

    min_frequency: int = 1
    """Words rarer than this in the training pages are unknown."""
    normalise: bool = False
    """Scale the counts of a page to Euclidean length 1."""
    needs_body: bool = False
    """A page without body text scores 0."""
    min_japanese: int = 0
    """A Japanese page with fewer words than this in its body scores 0."""
    hundredths: bool = False
    """Cut scores after two decimals, so that ties are frequent."""


PRESETS = {
    "rungsawang_paper": Preset(),
    "rungsawang_afsc": Preset(3, normalise=True, needs_body=True, min_japanese=50, hundredths=True),
}


class RelevanceClassifier:
    """Multinomial naive Bayes with Laplace smoothing; words it never saw are ignored.

    R = P(relevant | words), from log P(c) + sum over words of n_w log((N_cw + 1) / (N_c + |V|)).

    Parameters
    ----------
    preset : {"rungsawang_paper", "rungsawang_afsc"}
        The plain classifier of the paper, or the one in the public code of a later crawler by its authors.
    fields : {"bag", "prefixed"}
        One bag of words for title, body and anchors (so an anchor's words count twice, being in the body
        too), or a vocabulary for each. The paper does not say; the bag is our choice.
    language : str
        Pages of any other language score 0, and are left out of training. Empty: any language.
    segmenter : callable
        (text, language) -> words.

    References
    ----------
    A. Rungsawang, T. Suebchua, B. Manaskasemsak. Thai related foreign language-specific website segment
    crawler. AINA Workshops 2014. As used by J. Qian, T. Suebchua, H. Yamana. Enhancing focused crawler
    through genre detection, section 4.2. Preset rungsawang_afsc: the repository b4lmung/AFSCrawler.

    Examples
    --------
    >>> texts = ["game game score", "game console", "stock price", "price game price"]
    >>> pages = [Page("http://a.example/", text=text) for text in texts]
    >>> trained = RelevanceClassifier().fit(pages, [True, True, False, False])
    >>> round(trained.score_text("console score"), 6)
    0.8
    """

    def __init__(
        self,
        preset: str = "rungsawang_paper",
        fields: str = "bag",
        language: str = "",
        segmenter: Callable[[str, str], list[str]] = words,
    ) -> None:
        if preset not in PRESETS:
            raise ValueError(f"no preset named {preset!r}; try {', '.join(PRESETS)}")
        if fields not in ("bag", "prefixed"):
            raise ValueError(f"no way to join fields named {fields!r}; try bag, prefixed")
        self.preset = preset
        self.fields = fields
        self.language = language
        self.segmenter = segmenter

    def fit(self, pages: Sequence[Page], labels: Sequence[bool]) -> Self:
        """Learn from pages and whether each is relevant; what was learned before is forgotten."""
        relevant = _truths(pages, labels)
        rows = self._readable_rows(pages)
        vocabulary, counts = self._count([page for page, use in zip(pages, rows, strict=True) if use])
        self.prior_, weights = self._learn(counts, relevant[rows])
        self.weights_ = {
            word: float(weights[i]) for word, i in vocabulary.items() if not np.isnan(weights[i])
        }
        return self

    def score(self, page: Page) -> float:
        """R, the probability that the page is relevant."""
        return self.probability(self.log_odds(page))

    def score_text(self, text: str, language: str = "") -> float:
        """R of a piece of text, which is read as the body of a page."""
        prefix = "" if self.fields == "bag" else "body:"
        tokens = [prefix + word for word in self.segmenter(text, language or self.language)]
        return self.probability(self._odds(tokens))

    def score_texts(self, texts: Sequence[str], language: str = "") -> list[float]:
        """R of several texts at once, each as `score_text` has it."""
        plain = self.segmenter is words and self.fields == "bag" and not PRESETS[self.preset].normalise
        if not plain:
            return [self.score_text(text, language) for text in texts]
        weight_of, start, nothing = self._trained().get, self.prior_, repeat(0.0)
        odds = [math.fsum((start, *map(weight_of, bag, nothing))) for bag in words_of_each(texts)]
        return [self.probability(each) for each in odds]

    def log_odds(self, page: Page) -> float:
        """log R - log(1 - R) before any rounding, minus infinity for a page that is not read.

        R is exactly 1 for many long pages; this still ranks them.
        """
        return self._odds(self.tokens(page)) if self._accepted(page) else -math.inf

    def tokens(self, page: Page) -> list[str]:
        """The words that count, of title, body and anchors."""
        language = page.language or self.language
        anchors = "\n".join([link.anchor for link in page.links])
        if self.fields == "bag":
            return self.segmenter(f"{page.title}\n{page.text}\n{anchors}", language)
        parts = {"title:": page.title, "body:": page.text, "anchor:": anchors}
        return [prefix + word for prefix, text in parts.items() for word in self.segmenter(text, language)]

    def cross_validate(
        self,
        pages: Sequence[Page],
        labels: Sequence[bool],
        folds: int = 10,
        undersample: bool = True,
        seed: int = 0,
        groups: Sequence[Hashable] | None = None,
    ) -> Validation:
        """Train on all folds but one, test on that one, in turn; the classifier itself stays as it was.

        Under-sampling drops pages of the larger class from the training folds only. With ``groups``
        (hosts, say) pages of one group are never on both sides.
        """
        relevant = _truths(pages, labels)
        _, counts = self._count(pages)
        accepted = np.array([self._accepted(page) for page in pages])
        readable = self._readable_rows(pages)
        rng = np.random.default_rng(seed)
        found = []
        for train, test in splits(relevant, folds, seed, groups):
            train = train[readable[train]]
            train = train[balanced(relevant[train], rng)] if undersample else train
            odds = self._many_odds(counts[test], *self._learn(counts[train], relevant[train]))
            odds[~accepted[test]] = -np.inf
            guess = np.array([self.probability(x) > RELEVANT for x in odds.tolist()])
            found.append((~relevant[test], ~guess))
        return Validation.of(("Relevant", "Irrelevant"), found)

    def _readable(self, page: Page) -> bool:
        return not self.language or page.language == self.language

    def _readable_rows(self, pages: Sequence[Page]) -> np.ndarray:
        rows = np.array([self._readable(page) for page in pages])
        if not rows.any():
            raise ValueError(
                f"none of the {len(pages)} pages is in {self.language!r}; check language and pages"
            )
        return rows

    def _accepted(self, page: Page) -> bool:
        preset = PRESETS[self.preset]
        if not self._readable(page) or (preset.needs_body and not page.text):
            return False
        if page.language == "ja" and preset.min_japanese:
            return len(self.segmenter(page.text, "ja")) >= preset.min_japanese
        return True

    def _count(self, pages: Iterable[Page]) -> tuple[dict[str, int], csr_matrix]:
        """Vocabulary, and how often each page has each word."""
        documents = [self.tokens(page) for page in pages]
        if not any(documents):
            raise ValueError("the pages to train on have no words; check their text and language")
        vectorizer = CountVectorizer(analyzer=list)
        counts = csr_matrix(vectorizer.fit_transform(documents))
        return vectorizer.vocabulary_, counts

    def _learn(self, counts: csr_matrix, relevant: np.ndarray) -> tuple[float, np.ndarray]:
        """Log-odds before any word, and what each word adds; not a number for a word that is unknown."""
        yes, no = int(relevant.sum()), int((~relevant).sum())
        if not yes or not no:
            raise ValueError(f"training needs pages of both kinds; these are {yes} relevant, {no} irrelevant")
        frequency = np.asarray(counts.sum(axis=0)).ravel()
        least = PRESETS[self.preset].min_frequency
        known = np.flatnonzero(frequency >= least)
        if not len(known):
            raise ValueError(f"no word occurs {least} times in {yes + no} pages; train {self.preset} on more")
        scaled = self._scaled(counts[:, known])
        weights = np.full(len(frequency), np.nan)
        weights[known] = _log_shares(scaled[relevant]) - _log_shares(scaled[~relevant])
        return math.log(yes) - math.log(no), weights

    def _scaled(self, counts: csr_matrix) -> csr_matrix:
        return normalize(counts.astype(np.float64)) if PRESETS[self.preset].normalise else counts

    def _many_odds(self, counts: csr_matrix, prior: float, weights: np.ndarray) -> np.ndarray:
        known = np.flatnonzero(~np.isnan(weights))
        return prior + self._scaled(counts[:, known]) @ weights[known]

    def _odds(self, tokens: list[str]) -> float:
        weights = self._trained()
        if not PRESETS[self.preset].normalise:
            # fsum is exact, so words that cancel out leave nothing, in whatever order they come.
            return math.fsum((self.prior_, *map(weights.get, tokens, repeat(0.0))))
        counts = {word: n for word, n in Counter(tokens).items() if word in weights}
        length = math.sqrt(sum(n * n for n in counts.values())) or 1.0
        return self.prior_ + math.fsum(weights[word] * n for word, n in counts.items()) / length

    def probability(self, odds: float) -> float:
        """R of these log-odds, rounded as the preset has it."""
        small = math.exp(-abs(odds))
        probability = (1.0 if odds >= 0 else small) / (1.0 + small)
        if not PRESETS[self.preset].hundredths:
            return probability
        # By way of decimals: 0.29 * 100 is less than 29 in binary.
        return float(Decimal(repr(probability)).quantize(Decimal("0.01"), ROUND_DOWN))

    def _trained(self) -> dict[str, float]:
        try:
            return self.weights_
        except AttributeError:
            raise ValueError("this RelevanceClassifier has learned nothing yet; call fit first") from None


def _truths(pages: Sequence[Page], labels: Sequence[bool]) -> np.ndarray:
    if not len(pages):
        raise ValueError("no pages to train on; give some of both kinds, relevant and irrelevant")
    truths = np.asarray(labels)
    if truths.shape != (len(pages),) or truths.dtype.kind not in "bui":
        raise ValueError(f"{len(pages)} pages need as many labels, each True or False; got {truths.shape}")
    return truths.astype(bool)


def _log_shares(counts: csr_matrix) -> np.ndarray:
    """log P(word | class), each word counted once more than it occurs."""
    smoothed = np.asarray(counts.sum(axis=0)).ravel() + 1.0
    return np.log(smoothed) - math.log(smoothed.sum())
