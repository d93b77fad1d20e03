"""Pages judged by the terms a person lists: what the genre sounds like, and what the content is about."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from focuslab.pages import urls
from focuslab.pages.text import normalized, stop_words, words
from focuslab.types import Assessment, Page, Topic

__all__ = [
    "PUBLISHED",
    "TermAssessor",
    "TermSet",
    "Weights",
    "generate_terms",
    "idf",
    "ignored",
    "mean",
    "normalised",
    "single_set",
    "unaccented",
]

LANGUAGE = "en"
"""Whose stop words go where a topic names no language (our choice)."""
LONGEST = 3
"""Words in a generated term, at most."""
THRESHOLD = 0.45
"""About the mean of the paper's five best thresholds with IDF = 1: .54 .47 .50 .40 .37 (our choice)."""

_ACCENTS = re.compile("[\u0300-\u036f]")
Tokens = Sequence[str]


class Weights(NamedTuple):
    """How much genre counts against content, and both together against the URL."""

    genre: float = 5
    content: float = 5
    page: float = 7
    url: float = 3


PUBLISHED = Weights()


def normalised(text: str, language: str = LANGUAGE) -> list[str]:
    """The words of a text without case, accents and stop words.

    >>> normalised("Introdução à Computação", "pt")
    ['introducao', 'computacao']
    """
    stopped = ignored(language)
    return [word for word in words(unaccented(text)) if word not in stopped]


def unaccented(text: str) -> str:
    """A text without its accents."""
    return text if text.isascii() else _ACCENTS.sub("", normalized("NFKD", text))


@cache
def ignored(language: str) -> frozenset[str]:
    """Stop words of a language, or of English, as they look without accents."""
    return frozenset(unaccented(word) for word in stop_words(language or LANGUAGE))


def _blocks(page: Page, language: str) -> list[list[str]]:
    """Title and text; no phrase crosses from one to the other. A Page knows no smaller blocks."""
    return [normalised(page.title, language), normalised(page.text, language)]


def mean(a: float, b: float, weight_a: float, weight_b: float) -> float:
    """Weighted mean of two similarities."""
    return (a * weight_a + b * weight_b) / (weight_a + weight_b)


class TermSet:
    """Words and phrases, and how close a text is to them: the cosine over these terms alone.

    A term weighs its frequency in the text times its IDF, and its IDF in the set. Neither the length
    of the text nor the base of the logarithm matters. k of t terms, equally frequent and with IDF 1,
    give sqrt(k/t). Phrases are matched as consecutive words after the same normalisation on both sides.

    Parameters
    ----------
    terms : iterable of str
        Words and phrases of any length. Those equal after normalisation count once, those of stop
        words only not at all (our choice).
    idf : mapping, optional
        IDF of each term, see `idf`. Default: 1 for all, which the paper found as good or better.
    language : str
        Whose stop words to leave out.

    Examples
    --------
    >>> course = TermSet(["syllabus", "course", "class hours", "grading"])
    >>> round(course.cosine([normalised("Class hours of the course")]), 4)
    0.7071
    """

    def __init__(
        self, terms: Iterable[str], idf: Mapping[str, float] | None = None, language: str = LANGUAGE
    ) -> None:
        written: dict[tuple[str, ...], str] = {}
        for term in terms:
            written.setdefault(tuple(normalised(term, language)), term)
        written.pop((), None)
        self.terms = tuple(" ".join(phrase) for phrase in written)
        self.idf = tuple(_idf_of(term, idf) for term in written.values())
        self._norm = math.hypot(*self.idf)
        self._starting: dict[str, list[tuple[int, list[str]]]] = {}
        for place, phrase in enumerate(written):
            self._starting.setdefault(phrase[0], []).append((place, list(phrase)))

    def __len__(self) -> int:
        return len(self.terms)

    def counts(self, blocks: Iterable[Tokens]) -> list[int]:
        """How often each term occurs in blocks of normalised words, in one pass."""
        found = [0] * len(self.terms)
        for block in blocks:
            for at, word in enumerate(block):
                for place, phrase in self._starting.get(word, ()):
                    if len(phrase) == 1 or block[at : at + len(phrase)] == phrase:
                        found[place] += 1
        return found

    def cosine(self, blocks: Iterable[Tokens]) -> float:
        """Similarity in [0, 1] of blocks of normalised words; 0 where no term that weighs occurs."""
        return self.closeness(self.counts(blocks))

    def closeness(self, counts: Sequence[int]) -> float:
        """The same of a text in which the terms occur so often."""
        weights = [count * idf for count, idf in zip(counts, self.idf, strict=True)]
        norm = math.hypot(*weights) * self._norm
        product = math.fsum(weight * idf for weight, idf in zip(weights, self.idf, strict=True))
        return min(1.0, product / norm) if norm else 0.0


def _idf_of(term: str, idf: Mapping[str, float] | None) -> float:
    if idf is None:
        return 1.0
    if term not in idf:
        raise ValueError(f"no IDF for the term {term!r}; leave idf out to weigh all terms alike")
    return idf[term]


def idf(terms: Iterable[str], pages: Sequence[Page], language: str = LANGUAGE) -> dict[str, float]:
    """IDF of each term in a collection, log(N / n); a term of no page counts as one of one page.

    >>> idf(["sql", "course"], [Page("http://a.example/", text="A course"), Page("http://b.example/")])
    {'sql': 0.6931471805599453, 'course': 0.6931471805599453}
    """
    if not pages:
        raise ValueError("no pages to take IDF from; leave idf out to weigh all terms alike")
    plain = {term: " ".join(normalised(term, language)) for term in terms}
    together = TermSet(plain, language=language)
    pages_with: Counter[str] = Counter()
    for page in pages:
        counts = together.counts(_blocks(page, language))
        pages_with.update(term for term, count in zip(together.terms, counts, strict=True) if count)
    return {term: math.log(len(pages) / max(1, pages_with[same])) for term, same in plain.items()}


class TermAssessor:
    """Judge pages by a topic's genre, content and URL terms; nothing is trained.

    f = mean(g, c) of the cosines with genre and content terms, 5 to 5; with URL terms f = mean(f, x), 7
    to 3. A page is relevant if f >= threshold.

    Parameters
    ----------
    topic : Topic
        Its ``genre_terms``, ``content_terms`` and ``url_terms``. Without genre and content terms its
        ``keywords`` are the content terms; one set that is empty does not count (both our choice).
        Pages known to be in another language than the topic's score 0 (our choice).
    threshold : float
        Similarity of a relevant page. Fewer terms need a higher one.
    weights : Weights
        Of genre, content, page and URL; the paper's are 5, 5, 7, 3.
    idf : mapping, optional
        IDF of every term, see `idf`. Default: 1.

    References
    ----------
    de Assis, G. T., Laender, A. H. F., Gonçalves, M. A. and da Silva, A. S. "A genre-aware approach to
    focused crawling." World Wide Web, 2009. doi:10.1007/s11280-009-0063-7
    """

    def __init__(
        self,
        topic: Topic,
        threshold: float = THRESHOLD,
        weights: Weights = PUBLISHED,
        idf: Mapping[str, float] | None = None,
    ) -> None:
        self.threshold, self.weights = threshold, weights
        self.language = topic.language
        content = topic.content_terms or (() if topic.genre_terms else topic.keywords)
        language = topic.language or LANGUAGE
        self.genre, self.content, self.url = (
            TermSet(terms, idf, language) for terms in (topic.genre_terms, content, topic.url_terms)
        )
        if not self.genre and not self.content:
            raise ValueError(
                f"topic {topic.name!r} has no terms to judge by; give genre_terms, content_terms or keywords"
            )

    def similarity(self, page: Page) -> dict[str, float]:
        """f of a page and what made it: g, c, and x where there are URL terms."""
        if self.language and page.language not in ("", self.language):
            return {"g": 0.0, "c": 0.0, "f": 0.0}
        blocks = _blocks(page, self.language)
        address = [normalised(" ".join(urls.tokens(page.url)), self.language)] if self.url else []
        genre, content = self.genre.counts(blocks), self.content.counts(blocks)
        return self.of_counts(genre, content, self.url.counts(address))

    def of_counts(self, genre: Sequence[int], content: Sequence[int], url: Sequence[int]) -> dict[str, float]:
        """The same of a page in whose text and URL the terms of the three sets occur so often."""
        terms = self._text_similarity(genre, content)
        if self.url:
            x = self.url.closeness(url)
            terms |= {"x": x, "f": mean(terms["f"], x, self.weights.page, self.weights.url)}
        return terms

    def _text_similarity(self, genre: Sequence[int], content: Sequence[int]) -> dict[str, float]:
        g, c = self.genre.closeness(genre), self.content.closeness(content)
        if self.genre and self.content:
            return {"g": g, "c": c, "f": mean(g, c, self.weights.genre, self.weights.content)}
        return {"g": g, "c": c, "f": g if self.genre else c}

    def assess(self, page: Page) -> Assessment:
        """Relevance f of the page, and whether it reaches the threshold."""
        f = self.similarity(page)["f"]
        return Assessment(f, f >= self.threshold)

    def score_text(self, text: str, language: str = "") -> float:
        """f of a piece of text, which has no URL; the topic's language counts, not the text's."""
        blocks = [normalised(text, self.language)]
        return self._text_similarity(self.genre.counts(blocks), self.content.counts(blocks))["f"]


def single_set(topic: Topic) -> Topic:
    """The topic with its genre and content terms in one set, which the paper found much worse (Table 4)."""
    return replace(topic, genre_terms=(), content_terms=(*topic.genre_terms, *topic.content_terms))


def generate_terms(
    genre_pages: Iterable[Page],
    relevant_pages: Iterable[Page],
    genre_count: int,
    content_count: int,
    language: str = LANGUAGE,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Suggest genre and content terms from example pages: their most frequent 1-, 2- and 3-word sequences.

    Genre terms come from pages of the genre, whatever their content; content terms from relevant pages,
    the genre terms set aside (as whole terms). Occurrences count, not pages; ties go by the alphabet
    (our choice).

    References
    ----------
    de Assis et al. (see `TermAssessor`), GenerateTerms.
    """
    genre = _most_frequent(_sequences(genre_pages, language), genre_count)
    table = _sequences(relevant_pages, language)
    for term in genre:
        table.pop(term, None)
    return genre, _most_frequent(table, content_count)


def _sequences(pages: Iterable[Page], language: str) -> Counter[str]:
    table: Counter[str] = Counter()
    for page in pages:
        for block in _blocks(page, language):
            for size in range(1, LONGEST + 1):
                runs = zip(*(block[start:] for start in range(size)), strict=False)
                table.update(" ".join(run) for run in runs)
    return table


def _most_frequent(table: Counter[str], count: int) -> tuple[str, ...]:
    return tuple(sorted(table, key=lambda term: (-table[term], term))[:count])
