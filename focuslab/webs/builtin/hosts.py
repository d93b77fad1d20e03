"""Hosts: long-tailed sizes, each with a kind, a language and, often, a subject."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focuslab.webs.builtin.plan import GENRE_MIX, HOST_SPREAD, Plan
from focuslab.webs.builtin.vocabulary import Vocabulary

FORM_KINDS = {"syllabus": "university", "job": "official", "sale": "shop"}
"""The kind of host on which a form is at home."""
FORMED_MIX = (0.07, 0.08, 0.04, 0.04, 0.77)


@dataclass(frozen=True)
class Hosts:
    """One entry per host in every array."""

    size: NDArray[np.int64]
    start: NDArray[np.int64]
    """Number of its first page, which is its home page."""
    kind: NDArray[np.int64]
    genre: NDArray[np.int64]
    language: NDArray[np.int64]
    subject: NDArray[np.int64]
    """The topic it is about; -1: none (portals, general news)."""
    devotion: NDArray[np.float64]
    """Share of its pages that are about its subject."""
    lean: NDArray[np.float64]
    """Below 1: its pages are more about their subject than elsewhere."""
    inside: NDArray[np.float64]
    """Factor on the share of links that stay on the host."""

    def __len__(self) -> int:
        return len(self.size)


def draw_hosts(words: Vocabulary, plan: Plan, counts: NDArray[np.int64], rng: np.random.Generator) -> Hosts:
    """Hosts for all pages of the plan."""
    size = _sizes(plan, rng)
    language, subject, kind = _characters(words, plan, counts, size, rng)
    order = rng.permutation(len(size))
    size, language, subject, kind = size[order], language[order], subject[order], kind[order]
    genres = np.array([entry.genre for entry in words.kinds])
    return Hosts(
        size,
        np.cumsum(size) - size,
        kind,
        genres[kind],
        language,
        subject,
        np.where(subject < 0, rng.beta(6, 5, len(size)), rng.beta(12, 2.5, len(size))),
        np.exp(rng.normal(0, 0.3, len(size))),
        np.clip(rng.normal(1.0, 0.15, len(size)), 0.4, 1.35),
    )


def _sizes(plan: Plan, rng: np.random.Generator) -> NDArray[np.int64]:
    """Log-normal sizes, largest first, that add up to the number of pages."""
    pages, mean = plan.pages, plan.mean_host
    middle = np.log(mean) - HOST_SPREAD**2 / 2
    drawn = np.exp(rng.normal(middle, HOST_SPREAD, int(pages / mean)))
    drawn = np.minimum(drawn, max(8.0, 0.04 * pages, 12 * pages**0.25))
    ends = np.round(np.cumsum(drawn / drawn.sum() * pages)).astype(np.int64)
    size = np.diff(ends, prepend=0)
    return np.sort(size[size > 0])[::-1]


def _characters(
    words: Vocabulary,
    plan: Plan,
    counts: NDArray[np.int64],
    size: NDArray[np.int64],
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Language, subject and kind of each host, drawn by how many pages of each are still wanted."""
    wanted, general_mix = _wanted(words, plan, counts), kind_mix(words, plan, plan.mix)
    speakers = _speakers(plan, counts)
    kinds = len(words.kinds)
    # Both languages get their share of every subject, as far as whole hosts allow.
    lacking = np.outer(speakers[:2] / speakers[:2].sum(), wanted.reshape(-1, kinds).sum(axis=1))
    language, subject, kind = (np.full(len(size), -1) for _ in range(3))
    for host, (pages, luck) in enumerate(
        zip(size.tolist(), rng.random((len(size), 2)).tolist(), strict=True)
    ):
        language[host] = _draw(np.where(speakers >= pages * 0.6, speakers, 0), luck[0])
        speakers[language[host]] -= pages
        tongue = min(language[host], 1)
        fitting = np.where((wanted >= 0.55 * pages) & np.repeat(lacking[tongue] > 0, kinds), wanted, 0)
        if language[host] > 1 or not fitting.any():
            kind[host] = _draw(general_mix, luck[1])
            continue
        subject[host], kind[host] = divmod(_draw(fitting, luck[1]), kinds)
        wanted[subject[host] * kinds + kind[host]] -= 0.8 * pages
        lacking[tongue, subject[host]] -= 0.8 * pages
    return language, np.where(subject < len(words.subjects), subject, -1), kind


def _draw(weights: NDArray[np.float64], luck: float) -> int:
    """A number drawn by weight; the first if all weights are zero, which is English, or baseball news."""
    cumulated = np.cumsum(weights)
    return int(min(np.searchsorted(cumulated, luck * cumulated[-1], side="right"), len(weights) - 1))


def _wanted(words: Vocabulary, plan: Plan, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Pages wanted on hosts of each (subject, kind); the last subject stands for none."""
    topics = len(words.subjects)
    pages = np.bincount(plan.content[:-1], weights=counts[:-1], minlength=topics)
    if plan.lists:
        pages[plan.formed] = 0  # no host is about them alone: they stand in lists among others of their form
    table = np.array([pages[number] * _subject_mix(words, plan, number) for number in range(topics)])
    foreign = sum(plan.languages[2:]) * plan.pages
    general = max(counts[-1] - foreign, 0) * kind_mix(words, plan, plan.mix)
    return np.vstack([0.9 * table, 1.6 * general]).ravel()


def _subject_mix(words: Vocabulary, plan: Plan, number: int) -> NDArray[np.float64]:
    subject = words.subjects[number]
    if not subject.form:
        return kind_mix(words, plan, GENRE_MIX.get(subject.name, plan.mix))
    mix = kind_mix(words, plan, FORMED_MIX) * 0.35
    mix[words.kind(FORM_KINDS[subject.form])] += 0.65
    return mix


def kind_mix(words: Vocabulary, plan: Plan, genres: tuple[float, ...]) -> NDArray[np.float64]:
    """Shares of the kinds of host that give these shares of genres."""
    return np.array([genres[kind.genre] * plan.kinds.get(kind.name, 1.0) for kind in words.kinds])


def _speakers(plan: Plan, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Pages wanted in each language; foreign ones only as far as pages without a topic go."""
    pages = np.array(plan.languages) * plan.pages
    pages[2:] *= min(1.0, 0.5 * counts[-1] / pages[2:].sum())
    pages[:2] *= (plan.pages - pages[2:].sum()) / pages[:2].sum()
    return pages
