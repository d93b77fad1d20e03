"""Is a page of a kind, and about a subject: a syllabus, and about databases, say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from focuslab.classifiers.keywords import KeywordJudge
from focuslab.classifiers.term_sets import TermAssessor
from focuslab.types import Assessment, Page, Topic

__all__ = ["OfGenre"]

ENOUGH = 0.3
"""Similarity to the genre's terms that a page must have: two of sixteen, say (set on WebKB; our choice)."""


@dataclass(frozen=True, slots=True)
class OfGenre:
    """A judge of what a page is about, and the terms that its genre sounds like; it takes both.

    R is what `KeywordJudge` says of the content terms, but where the cosine g with the genre terms is below
    0.3, no more than g; a page is relevant if the first calls it so and g is not below.

    Notes
    -----
    Ours. The paper adds both cosines and compares the sum with a threshold that a person finds for each
    topic (`TermAssessor`). On the pages of WebKB no threshold is any good for the terms of
    ``database_syllabus``: a course on another subject that says "database" once is as near to the content
    as one on databases.
    """

    relevance: KeywordJudge
    genre_terms: TermAssessor

    @classmethod
    def of(cls, topic: Topic) -> Self:
        """The judge of a topic with terms of both kinds."""
        content = topic.content_terms or topic.keywords
        about = Topic(topic.name, keywords=content, language=topic.language)
        kind = Topic(topic.name, genre_terms=topic.genre_terms, language=topic.language)
        return cls(KeywordJudge(about), TermAssessor(kind))

    def assess(self, page: Page) -> Assessment:
        """Judge a page, and learn its words if it is about the subject."""
        found = self.relevance.assess(page)
        g = self.genre_terms.similarity(page)["g"]
        if g >= ENOUGH:
            return found
        return Assessment(min(found.relevance, g), False)

    def score_text(self, text: str, language: str = "") -> float:
        """P(relevant) of a piece of text, which is too short to show a genre."""
        return self.relevance.score_text(text, language)
