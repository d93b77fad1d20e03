"""Texts and topics as sparse term vectors (dicts), and the cosine between them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from focuslab.pages.text import stop_words, words, words_of_each
from focuslab.types import Example, Page, Task, Topic

__all__ = [
    "Vector",
    "centroid_difference",
    "cosine",
    "cosines",
    "page_terms",
    "required",
    "task_vector",
    "terms",
    "topic_vector",
]

Vector = Mapping[str, float]
SIZE = 50
"""Terms of a topic vector learned from pages (our choice)."""


def cosine(x: Vector, t: Vector) -> float:
    """Cosine of two vectors; 0 if one of them is zero.

    >>> round(cosine({"nba": 2, "game": 1}, {"nba": 1, "team": 1}), 9)
    0.632455532
    """
    short, long = (x, t) if len(x) <= len(t) else (t, x)
    product = math.fsum([weight * long[term] for term, weight in short.items() if term in long])
    return product / (math.hypot(*x.values()) * math.hypot(*t.values())) if product else 0.0


def terms(text: str, language: str = "") -> dict[str, float]:
    """How often each word occurs in a text, without stop words and single letters of ASCII.

    Without a language the English stop words count (our choice).

    >>> terms("The movie and the Movie stars")
    {'movie': 2, 'stars': 1}
    """
    stopped = stop_words(language or "en")
    counts = Counter(words(text, language))
    return {
        word: count
        for word, count in counts.items()
        if word not in stopped and not (len(word) == 1 and word.isascii())
    }


def cosines(texts: Sequence[str], language: str, vector: Vector) -> list[float]:
    """`cosine` of the `terms` of each text with a vector; most texts share no word with it.

    >>> [round(one, 9) for one in cosines(["movie stars", "stocks"], "en", {"movie": 1.0, "nba": 1.0})]
    [0.5, 0.0]
    """
    return [
        0.0 if vector.keys().isdisjoint(found) else cosine(terms(text, language), vector)
        for text, found in zip(texts, words_of_each(texts), strict=True)
    ]


def page_terms(page: Page) -> dict[str, float]:
    """Term frequencies of title and visible text."""
    return terms(f"{page.title} {page.text}", page.language)


def centroid_difference(
    positive: Sequence[Vector], negative: Sequence[Vector] = (), size: int = SIZE
) -> dict[str, float]:
    """The terms that tell one group of texts from another, the strongest with weight 1.

    Rocchio's rule with equal weights: mean of the positive unit vectors minus mean of the negative ones,
    positive part only. The paper names no rule for topic vectors; this is our choice.

    >>> centroid_difference([{"movie": 1.0}], [{"stock": 1.0}])
    {'movie': 1.0}
    """
    plus, minus = _centroid(positive), _centroid(negative)
    apart = {term: weight - minus.get(term, 0.0) for term, weight in plus.items()}
    best = sorted((-weight, term) for term, weight in apart.items() if weight > 0)[:size]
    return {term: weight / best[0][0] for weight, term in best}


def _centroid(vectors: Sequence[Vector]) -> dict[str, float]:
    total: dict[str, float] = {}
    for vector in vectors:
        length = math.hypot(*vector.values()) * len(vectors)
        for term, weight in vector.items():
            total[term] = total.get(term, 0.0) + (weight / length if length else 0.0)
    return total


def topic_vector(
    keywords: Iterable[str] = (),
    positive: Sequence[Vector] = (),
    negative: Sequence[Vector] = (),
    size: int = SIZE,
) -> dict[str, float]:
    """A topic as a vector: the words of its keywords at weight 1, then what example texts add.

    Parameters
    ----------
    keywords : iterable of str
        Words or phrases an expert chose.
    positive, negative : sequence of vectors
        Term vectors of texts on the topic, and of others.
    size : int
        How many terms the examples may give.

    Examples
    --------
    >>> topic_vector(["Mobile phone"], [{"phone": 1, "android": 1}], [{"stock": 3}])
    {'mobile': 1.0, 'phone': 1.0, 'android': 1.0}
    """
    chosen = {word: 1.0 for keyword in keywords for word in terms(keyword)}
    return chosen | {
        term: weight
        for term, weight in centroid_difference(positive, negative, size).items()
        if term not in chosen
    }


def task_vector(task: Task) -> dict[str, float]:
    """The content vector of a task, from its keywords and its labelled pages."""
    positive, negative = _pages(task.examples, True), _pages(task.examples, False)
    return topic_vector(task.topic.keywords, positive, negative)


def _pages(examples: Iterable[Example], relevant: bool) -> list[dict[str, float]]:
    return [page_terms(example.page) for example in examples if example.relevant == relevant]


def required(vector: Vector | None, topic: Topic) -> Vector:
    """The vector given, else one of the topic's keywords; a topic without any cannot be compared."""
    found = vector or topic_vector(topic.keywords)
    if not found:
        raise ValueError(
            f"topic {topic.name!r} has no keywords and no vector was given; "
            "add Topic(keywords=...) or build the strategy from a task with examples"
        )
    return found
