"""The words of the built-in web, as ``vocabulary.yaml`` lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from focuslab.types import GENRES

Words = Mapping[str, Sequence[str]]
"""Words by language, most frequent first."""

LANGUAGES = ("en", "ja", "de", "fr", "es")
"""Topics are written about in the first two; pages in the others belong to none."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One topic: its words, and what a person would say to describe it."""

    name: str
    form: str
    """The form a page must have as well (syllabus, job, sale); empty: any."""
    words: Words
    overlaps: tuple[int, ...]
    """Numbers of the topics it shares words with."""
    url: tuple[str, ...]
    keywords: tuple[str, ...]
    genre_terms: tuple[str, ...]
    content_terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of host: its genre, its words, and endings of its name."""

    name: str
    genre: int
    words: Words
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Everything a page can say."""

    background: Words
    genre_words: tuple[Words, ...]
    kinds: tuple[Kind, ...]
    forms: Mapping[str, Words]
    subjects: tuple[Subject, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(subject.name for subject in self.subjects)

    def kind(self, name: str) -> int:
        """The number of a kind of host."""
        return next(number for number, kind in enumerate(self.kinds) if kind.name == name)


@cache
def vocabulary() -> Vocabulary:
    """Read the words once."""
    text = files("focuslab.webs.builtin").joinpath("vocabulary.yaml").read_text(encoding="utf-8")
    raw = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    names = [topic["name"] for topic in raw["topics"]]
    return Vocabulary(
        raw["background"],
        tuple(raw["genre_words"][genre] for genre in GENRES),
        tuple(_kind(name, entry) for name, entry in raw["kinds"].items()),
        raw["forms"],
        tuple(_subject(topic, names) for topic in raw["topics"]),
    )


def _kind(name: str, entry: Mapping[str, Any]) -> Kind:
    return Kind(name, GENRES.index(entry["genre"]), entry, tuple(entry["stems"]))


def _subject(topic: Mapping[str, Any], names: list[str]) -> Subject:
    lists = (tuple(topic[key]) for key in ("url", "keywords", "genre_terms", "content_terms"))
    overlaps = tuple(names.index(name) for name in topic["overlaps"])
    return Subject(topic["name"], topic["form"] or "", topic, overlaps, *lists)
