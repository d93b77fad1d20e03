"""How many links each page has, and how many of them lead to which class of page.

The published P_IG tables are met by quota, not by chance: within each cell (what the source is about, its
genre) the number of links to baseball and to gaming is fixed, and shared out so that a page that is more
about a topic, or mentions it, gets more of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focuslab.webs.builtin.plan import DEGREE_FACTOR, OWN_SHARE, Plan
from focuslab.webs.builtin.structure import Pages
from focuslab.webs.builtin.vocabulary import Vocabulary

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ROLE_FACTOR = (1.7, 1.5, 1.0)
FORMED_PULL = 0.6
"""Syllabi, job offers and sale offers link to their like less than other pages do."""
GRADE_PULL = 2.2
"""How much more a page fully about a topic links to it than one barely about it (in powers of e)."""


def link_classes(
    words: Vocabulary, plan: Plan, pages: Pages, rng: np.random.Generator
) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    """Source page and class of target of every link of the web, source by source."""
    degree = _degrees(plan, pages, rng)
    first, second = _published(words, plan, pages, degree, rng)
    room = degree - first - second
    own = _own(plan, pages, degree, room, rng)
    mentioned = _mentioned(pages, degree, room - own, rng)
    rest = room - own - mentioned
    source = [np.repeat(np.arange(len(pages)), count) for count in (first, second, own, mentioned, rest)]
    klass = [
        np.zeros(first.sum()),
        np.ones(second.sum()),
        pages.klass[source[2]],
        pages.mention[source[3]],
        _strangers(words, plan, pages.klass[source[4]].astype(np.int64), rng),
    ]
    sources, classes = np.concatenate(source), np.concatenate(klass).astype(np.int8)
    order = np.argsort(sources, kind="stable")
    return sources[order].astype(np.int32), classes[order]


def _degrees(plan: Plan, pages: Pages, rng: np.random.Generator) -> Ints:
    """Log-normal numbers of links, with the mean of the plan, three at least and a bounded tail."""
    factor = np.array(DEGREE_FACTOR)[pages.genre] * np.array(ROLE_FACTOR)[pages.role]
    drawn = factor * np.exp(rng.normal(0, 0.6, len(pages)))
    most = min(12 * plan.links_per_page, 0.06 * plan.pages + 4)
    for _ in range(4):
        drawn = np.clip(drawn * plan.links_per_page / drawn.mean(), 3, most)
    return _systematic(drawn, rng)


def _published(
    words: Vocabulary, plan: Plan, pages: Pages, degree: Ints, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """Links of each page to the two topics with a published table, exact in every cell.

    Links to the own topic are dealt first, since they need the most room.
    """
    counts = np.zeros((2, len(pages)), np.int64)
    pulls = [_pull(words, pages, topic, rng) for topic in (0, 1)]
    about = np.minimum(pages.klass, 2)
    cells = [
        np.flatnonzero((about == kind) & (pages.genre == genre)) for kind in range(3) for genre in range(5)
    ]
    for kind, topic in ((0, 0), (1, 1), (0, 1), (1, 0), (2, 0), (2, 1)):
        for genre, cell in enumerate(cells[5 * kind : 5 * kind + 5]):
            chance = plan.pig[topic, int(kind == topic), genre]
            room = degree[cell] - counts[1 - topic, cell]
            most = np.minimum((0.96 if kind == topic else 0.6) * degree[cell], room)
            counts[topic, cell] = _split(chance, degree[cell], pulls[topic][cell], most, rng)
    return counts[0], counts[1]


def _pull(words: Vocabulary, pages: Pages, topic: int, rng: np.random.Generator) -> Floats:
    """Relative wish to link to the topic: grows with the grade, with a mention, with kinship."""
    kin = np.zeros(len(words.subjects) + 1)
    kin[list(words.subjects[topic].overlaps)] = 0.6
    stranger = 0.25 + kin[pages.content] + 9.0 * pages.mention_grade * (pages.mention == topic)
    wish = np.where(pages.klass == topic, np.exp(GRADE_PULL * pages.grade), stranger)
    return wish * np.exp(rng.normal(0, 0.25, len(pages)))


def _split(chance: float, degree: Ints, pull: Floats, most: Floats, rng: np.random.Generator) -> Ints:
    """Share ``chance`` of all links of a cell out among its pages by their pull, each at ``most`` so many."""
    quota = round(chance * int(degree.sum()))
    if not quota:
        return np.zeros(len(degree), np.int64)
    low, high = 0.0, 1e6
    for _ in range(60):
        scale = (low + high) / 2
        low, high = (scale, high) if np.minimum(degree * pull * scale, most).sum() < quota else (low, scale)
    order = rng.permutation(len(degree))
    counts = np.empty(len(degree), np.int64)
    counts[order] = _systematic(np.minimum(degree * pull * high, most)[order], rng)
    return counts


def _systematic(expected: Floats, rng: np.random.Generator) -> Ints:
    """Whole numbers next to the expected ones, with the same sum where that is whole."""
    ends = np.cumsum(expected) + 0.001 + 0.998 * rng.random()
    counts = np.diff(np.floor(ends).astype(np.int64), prepend=0)
    return np.minimum(counts, np.ceil(expected - 1e-6).astype(np.int64))


def _own(plan: Plan, pages: Pages, degree: Ints, room: Ints, rng: np.random.Generator) -> Ints:
    """Links of pages of the other topics to their own topic."""
    share = np.array(OWN_SHARE)[pages.genre] * (0.35 + pages.grade)
    share[(pages.klass < 2) | (pages.klass == plan.general)] = 0
    share[np.isin(pages.content, plan.formed)] *= FORMED_PULL
    return _systematic(
        np.minimum(np.minimum(degree * np.minimum(share, 0.85), room), _plenty(pages)[pages.klass]), rng
    )


def _plenty(pages: Pages) -> Floats:
    """As many links as a page may have to each class without linking to nearly all of it."""
    return 0.5 * np.bincount(pages.klass).astype(np.float64)


def _mentioned(pages: Pages, degree: Ints, room: Ints, rng: np.random.Generator) -> Ints:
    share = np.where((pages.mention >= 2) & (pages.mention != pages.klass), 0.3 * pages.mention_grade, 0)
    return _systematic(np.minimum(np.minimum(degree * share, room), _plenty(pages)[pages.mention]), rng)


def _strangers(words: Vocabulary, plan: Plan, sources: Ints, rng: np.random.Generator) -> Ints:
    """Classes of the links left: kindred topics more often than strangers, and no published topic."""
    table = np.tile(plan.shares, (len(plan.shares), 1))
    table[:, plan.general] *= 0.5
    for klass, topic in enumerate(plan.content[:-1]):
        alike = np.isin(plan.content, words.subjects[topic].overlaps)
        siblings = (plan.content == topic) & (np.arange(len(plan.content)) != klass)
        table[klass] *= 1 + 2.5 * alike + 25.0 * siblings
    table[:, :2] = 0
    at_home = np.arange(2, plan.general)
    table[at_home, at_home] = 0
    ends = np.cumsum(table / table.sum(axis=1, keepdims=True), axis=1)
    ends[:, -1] = 1.0
    rows = (ends + np.arange(len(ends))[:, None]).ravel()
    picks = np.searchsorted(rows, sources + rng.random(len(sources)), side="right")
    return np.minimum(picks - sources * len(ends), plan.general)
