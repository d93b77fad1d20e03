"""The numbers behind `focuslab.graphs.judging`: one function for each kind, all pages or links at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any, TypeGuard
from zlib import crc32

import numpy as np
from numba import njit
from numpy.typing import NDArray

from focuslab.classifiers.mlp import NeuralClassifier
from focuslab.classifiers.page_bayes import PageBayes
from focuslab.classifiers.relevance import PRESETS, RelevanceClassifier
from focuslab.classifiers.svm import SvmClassifier
from focuslab.classifiers.term_sets import TermAssessor, normalised
from focuslab.features.link_words import ADDRESS, ANCHOR, LONGEST, SPACE
from focuslab.features.passages import log_odds
from focuslab.graphs.array_files import fixed
from focuslab.graphs.kernels.kernel import Words
from focuslab.graphs.reading import Reading
from focuslab.graphs.texts import by_number
from focuslab.pages.text import words
from focuslab.types import Page

Floats = NDArray[np.float64]
ByVectors = SvmClassifier | NeuralClassifier
BATCH = 5_000
"""Rows that a classifier is given at a time, so that what it makes of them fits into memory."""


def is_plain(judge: RelevanceClassifier) -> bool:
    """Whether a classifier reads words as a reading has them, and adds up their weights."""
    return (judge.preset, judge.fields) == ("rungsawang_paper", "bag") and judge.segmenter is words


def is_usual(judge: Any) -> TypeGuard[ByVectors]:
    """Whether this is a classifier by vectors that reads words as a reading has them."""
    return type(judge) in (SvmClassifier, NeuralClassifier) and judge.segmenter is normalised


def page_relevances(reading: Reading, judge: RelevanceClassifier) -> Floats:
    """R of every page, whatever its language: of its words and those of all its anchors."""
    weights = by_number(judge.weights_, reading.vocabulary)
    texts = reading.texts
    return _probabilities(texts["page"].sums(weights, judge.prior_, texts["anchors"]))


def is_scaled(judge: RelevanceClassifier) -> bool:
    """Whether a classifier reads words as a reading has them, and scales their counts to length 1."""
    return PRESETS[judge.preset].normalise and judge.fields == "bag" and judge.segmenter is words


def scaled_relevances(reading: Reading, judge: RelevanceClassifier, page: Callable[[str], Page]) -> Floats:
    """R of every page by such a classifier."""
    known = [reading.vocabulary[word] for word in judge.weights_.keys() & reading.vocabulary.keys()]
    unknown = np.ones((1, len(reading.vocabulary)), np.bool_)
    unknown[0, known] = False
    texts, group = reading.texts, np.zeros(reading.pages, np.int64)
    every = texts["page"].followed_by(texts["anchors"])
    products, lengths = every.products(by_number(judge.weights_, reading.vocabulary), unknown, group)
    odds = judge.prior_ + products / np.where(lengths > 0, lengths, 1.0)
    found = np.array([judge.probability(each) for each in odds.tolist()])
    size = texts["text"].sizes
    found[reading.speaks("ja") & (size < PRESETS[judge.preset].min_japanese)] = 0.0
    for number in np.flatnonzero(size == 0).tolist():  # there may be a body without a word, or none
        found[number] = judge.score(page(reading.graph.urls[number]))
    return found


def text_relevances(reading: Reading, judge: RelevanceClassifier, texts: str) -> Floats:
    """R of every text of a kind."""
    return _probabilities(
        reading.texts[texts].sums(by_number(judge.weights_, reading.vocabulary), judge.prior_)
    )


@njit(cache=True, nogil=True)
def _probabilities(odds: Floats) -> Floats:
    """As `RelevanceClassifier.probability` has it, without rounding."""
    found = np.empty(len(odds), np.float64)
    for place in range(len(odds)):
        small = math.exp(-abs(odds[place]))
        found[place] = (1.0 if odds[place] >= 0 else small) / (1.0 + small)
    return found


def readings(reading: Reading, scores: Floats | None) -> Floats | None:
    """Mean log-odds of the first passages of each page, as `focuslab.features.passages.reading` has it."""
    if scores is None:
        return None
    odds = [log_odds(score) for score in scores.tolist()]
    pieces = pairwise(reading.passages().tolist())
    return np.array([sum(odds[first:last]) / (last - first) for first, last in pieces])


def cosines(reading: Reading, vector: Mapping[str, float], texts: str) -> Floats:
    """The cosine of the terms of every text of a kind with a vector."""
    weights, length = by_number(vector, reading.vocabulary), math.hypot(*vector.values())
    return reading.texts[texts].cosines(weights, length, reading.no_terms, reading.groups(texts))


def mentions(reading: Reading, keywords: Iterable[str]) -> Floats:
    """Whether each page has one of the keywords, as whole words."""
    phrases = _numbered(filter(None, map(words, keywords)), reading.vocabulary)
    size = len(reading.vocabulary)
    same, every = np.arange(size, dtype=np.int32), np.ones(size, np.bool_)
    return reading.texts["page"].occurrences(phrases, every, same).any(axis=1).astype("f8")


def _numbered(phrases: Iterable[Iterable[str]], vocabulary: Mapping[str, int]) -> list[list[int]]:
    """Phrases of known words only: no others can occur."""
    found = [[vocabulary.get(word, -1) for word in phrase] for phrase in phrases]
    return [phrase for phrase in found if -1 not in phrase]


def similarities(reading: Reading, judge: TermAssessor, page: Callable[[str], Page]) -> Floats | None:
    """f of every page by the terms of a topic."""
    if type(judge) is not TermAssessor:
        return None
    sets = {"genre": ("title", "text"), "content": ("title", "text"), "url": ("address_tokens",)}
    counts = [_term_counts(reading, getattr(judge, name), judge.language, sets[name]) for name in sets]
    rows, which = np.unique(np.hstack(counts), axis=0, return_inverse=True)
    sizes = np.cumsum([len(judge.genre), len(judge.content)])
    f = np.array([judge.of_counts(*map(list, np.split(row, sizes)))["f"] for row in rows])[which.ravel()]
    for place in np.flatnonzero(reading.array("odd")).tolist():
        f[place] = judge.similarity(page(reading.graph.urls[place]))["f"]
    return np.where(reading.speaks(judge.language) | reading.speaks(""), f, 0.0) if judge.language else f


def _term_counts(reading: Reading, terms: Any, language: str, texts: Iterable[str]) -> NDArray[np.int32]:
    bare, renamed = reading.bare
    kept = np.ones(len(bare), np.bool_)
    kept[[bare[word] for word in reading.ignored_in(language)]] = False
    found = np.zeros((reading.pages, len(terms)), np.int32)
    known = [(place, term.split(" ")) for place, term in enumerate(terms.terms)]
    known = [(place, phrase) for place, phrase in known if all(word in bare for word in phrase)]
    phrases = [[bare[word] for word in phrase] for _, phrase in known]
    places = [place for place, _ in known]
    for name in texts:
        some = reading.texts[name].take(np.arange(reading.pages))
        found[:, places] += some.occurrences(phrases, kept, renamed)
    return found


def vector_scores(reading: Reading, judge: ByVectors, page: Callable[[str], Page]) -> Floats:
    """The probability that a support vector machine or a neural network gives each page."""
    found = _by_rows(reading, judge, "page")
    for number in np.flatnonzero(reading.array("odd")).tolist():
        found[number] = judge.score(page(reading.graph.urls[number]))
    return found


def context_scores(reading: Reading, judge: ByVectors, page: Callable[[str], Page]) -> Floats:
    """The probability that one of them gives the words around each link."""
    found, starts = _by_rows(reading, judge, "context"), reading.graph.indptr
    for number in np.flatnonzero(reading.array("odd")).tolist():
        read = page(reading.graph.urls[number])
        said = [judge.score_text(link.context, read.language) for link in read.out]
        found[starts[number] : starts[number + 1]] = said
    return found


def _by_rows(reading: Reading, judge: ByVectors, texts: str) -> Floats:
    bare, renamed = reading.bare
    place = np.full(len(bare), -1, np.int32)
    for word, number in bare.items():
        place[number] = judge.vectors_.places.get(word, -1)
    ignored = np.zeros((len(reading.languages), len(judge.vectors_)), np.bool_)
    for code, language in enumerate(reading.languages):
        gone = [judge.vectors_.places.get(w, -1) for w in reading.ignored_in(language or judge.language)]
        ignored[code, [number for number in gone if number >= 0]] = True
    names = np.where(renamed >= 0, place[renamed], -1).astype(np.int32)
    rows = reading.texts[texts].counted(ignored, reading.groups(texts), names)
    return judge.score_rows(rows.words, rows.counts, rows.starts)


def posteriors(reading: Reading, judge: PageBayes, texts: str) -> Floats:
    """The posterior that the naive Bayes of Wang et al. gives every text of a kind."""
    all_texts, groups = reading.texts[texts], reading.groups(texts)
    column = np.full(len(reading.vocabulary), -1, np.int32)
    for word in judge.weigh_.vocabulary_.keys() & reading.vocabulary.keys():
        column[reading.vocabulary[word]] = judge.weigh_.vocabulary_[word]
    found = [np.zeros(0)]
    for start in range(0, len(all_texts), BATCH):
        some = np.arange(start, min(start + BATCH, len(all_texts)))
        rows = all_texts.take(some).counted(reading.no_terms, groups[some])
        found.append(judge.of_counts(column[rows.words], rows.counts, rows.starts))
    return np.concatenate(found)


def link_words(reading: Reading) -> Words:
    """The numbers of the words in anchor, address and context of every link."""
    names = list(reading.vocabulary)
    crc = [np.array([_number(f"{kind}:{word}") for word in names], np.uint16) for kind in "auc"]
    texts, graph = reading.texts, reading.graph
    parts = [(texts[name].tokens, texts[name].starts, texts[name].sizes) for name in ("anchor", "context")]
    phrases = (texts["phrases"].tokens, texts["phrases"].starts, texts["phrases"].sizes)
    return Words(*_link_words(fixed(graph.indices, np.int32), *parts[0], *phrases, *parts[1], *crc))


def _number(name: str) -> int:
    return 1 + crc32(name.encode("utf-8", "replace")) % (SPACE - 1)


@njit(cache=True, nogil=True)
def _link_words(  # type: ignore[no-untyped-def]
    target,
    tokens,
    starts,
    sizes,
    phrases,
    p_starts,
    p_sizes,
    more,
    m_starts,
    m_sizes,
    anchor,
    address,
    around,
):
    ends = np.zeros(len(target) + 1, np.int64)
    numbers = np.empty(len(target) * LONGEST, np.uint16)
    filled = 0
    for link in range(len(target)):
        first = filled
        page = target[link]
        for kind in range(3):
            if kind == 0:
                source, begin, size, crc = tokens, starts[link], min(sizes[link], ANCHOR), anchor
            elif kind == 1:
                source, begin, size, crc = phrases, p_starts[page], min(p_sizes[page], ADDRESS), address
            else:
                source, begin, size, crc = more, m_starts[link], m_sizes[link], around
            for at in range(begin, begin + size):
                if filled - first == LONGEST:
                    break
                number, new = crc[source[at]], True
                for place in range(first, filled):
                    if numbers[place] == number:
                        new = False
                        break
                if new:
                    numbers[filled] = number
                    filled += 1
        ends[link + 1] = filled
    return ends, numbers[:filled].copy()


def url_phrases(reading: Reading) -> Words:
    """The phrases of every address."""
    texts = reading.texts["phrases"]
    starts = (
        np.append(texts.starts, texts.starts[-1] + texts.sizes[-1]) if len(texts) else np.zeros(1, np.int64)
    )
    return Words(starts, texts.tokens, reading.words)


WORDS: Mapping[str, Callable[[Reading], Words]] = {"link_words": link_words, "url_phrases": url_phrases}
