"""Hosts and pages: what each page is about, its genre, its language, how much it is about it.

Pages are numbered host by host, the home page first, then its sections, then the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focuslab.types import GENRES
from focuslab.webs.builtin.hosts import FORM_KINDS, Hosts, draw_hosts
from focuslab.webs.builtin.plan import HIDDEN_SHARE, Plan
from focuslab.webs.builtin.vocabulary import Vocabulary

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

HOME, SECTION, LEAF = 0, 1, 2
OTHER = GENRES.index("Other")
FORM_CHANCE = {"syllabus": 0.35, "job": 0.15, "sale": 0.7}
"""How often an ordinary page of the fitting kind of host has the form."""


@dataclass(frozen=True)
class Pages:
    """One entry per page in every array."""

    hosts: Hosts
    host: NDArray[np.int32]
    klass: NDArray[np.int8]
    content: NDArray[np.int8]
    """The topic it is about; -1: none."""
    grade: NDArray[np.float32]
    """How much it is about it, in (0, 1]; 0 for pages about nothing in particular."""
    mention: NDArray[np.int8]
    """Another topic it mentions; -1: none."""
    mention_grade: NDArray[np.float32]
    form: NDArray[np.int8]
    """Its form (syllabus, job, sale); -1: none."""
    genre: NDArray[np.int8]
    language: NDArray[np.int8]
    role: NDArray[np.int8]
    hidden: Flags
    """Relevant, but linked from irrelevant pages only."""
    popularity: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.host)


def draw_pages(words: Vocabulary, plan: Plan, rng: np.random.Generator) -> Pages:
    """Hosts first, then the pages on them, with the shares of the plan met exactly."""
    counts = _counts(plan)
    hosts = draw_hosts(words, plan, counts, rng)
    host = np.repeat(np.arange(len(hosts)), hosts.size)
    role = _roles(hosts, host)
    klass = _classes(words, plan, hosts, host, counts, rng)
    content = plan.content[klass]
    relevant = klass < len(words.subjects)
    genre = np.where(rng.random(len(host)) < 0.87, hosts.genre[host], rng.choice(5, len(host), p=plan.mix))
    form, genre = _forms(words, hosts, host, klass, genre, rng)
    strays = content != hosts.subject[host]
    mention, mention_grade = _mentions(words, plan, hosts, host, content, rng)
    return Pages(
        hosts,
        host.astype(np.int32),
        klass.astype(np.int8),
        content.astype(np.int8),
        _grades(hosts, host, content, strays, rng),
        mention,
        mention_grade,
        form,
        genre.astype(np.int8),
        hosts.language[host].astype(np.int8),
        role,
        _hidden(plan, klass, relevant, strays, role, rng),
        (np.minimum(rng.pareto(1.4, len(host)), 100.0) + 0.2) * np.array([6.0, 3.0, 1.0])[role],
    )


def _counts(plan: Plan) -> Ints:
    """Pages of each class; at least three, so that the smallest web has something of everything."""
    counts = np.maximum(3, np.round(plan.shares * plan.pages).astype(np.int64))
    counts[-1] += plan.pages - counts.sum()
    return counts


def _roles(hosts: Hosts, host: Ints) -> NDArray[np.int8]:
    place = np.arange(len(host)) - hosts.start[host]
    sections = (0.6 * np.sqrt(hosts.size) * (hosts.size >= 5)).astype(np.int64)
    return np.where(place == 0, HOME, np.where(place <= sections[host], SECTION, LEAF)).astype(np.int8)


def _classes(
    words: Vocabulary, plan: Plan, hosts: Hosts, host: Ints, counts: Ints, rng: np.random.Generator
) -> Ints:
    """Most pages are about what their host is about; the others fill up the shares where there is room."""
    home = np.diff(host, prepend=-1) > 0
    foreign = hosts.language[host] > 1
    main = home | foreign | (rng.random(len(host)) < hosts.devotion[host])
    klass = np.where(main, _main_classes(words, plan, hosts, host, rng), -1)
    _release_excess(klass, counts, home, foreign, rng)
    left = counts - np.bincount(klass[klass >= 0], minlength=len(counts))
    for number, subject in enumerate(words.subjects):
        if subject.form:
            fits = hosts.kind[host] == words.kind(FORM_KINDS[subject.form])
            room = rng.permutation(np.flatnonzero((klass < 0) & fits))[: left[number]]
            klass[room] = number
            left[number] -= len(room)
    klass[klass < 0] = rng.permutation(np.repeat(np.arange(len(left)), left))
    return klass


def _main_classes(words: Vocabulary, plan: Plan, hosts: Hosts, host: Ints, rng: np.random.Generator) -> Ints:
    """The class of a page about its host's subject: without the form where the host is of another kind."""
    unformed = np.full(len(words.subjects) + 1, -1)
    unformed[plan.content[len(words.subjects) : -1]] = np.arange(len(words.subjects), plan.general)
    fitting = np.array(
        [words.kind(FORM_KINDS[subject.form]) if subject.form else -1 for subject in words.subjects]
    )
    subject = hosts.subject[host]
    bare = (fitting[subject] != hosts.kind[host]) | (rng.random(len(host)) < 0.2)
    bare &= unformed[subject] >= 0
    return np.where(subject < 0, plan.general, np.where(bare, unformed[subject], subject))


def _release_excess(klass: Ints, counts: Ints, home: Flags, foreign: Flags, rng: np.random.Generator) -> None:
    """Take back pages of classes that got more than their share, home pages last, foreign pages never."""
    key = rng.random(len(klass)) + home + 2 * foreign
    order = np.lexsort((-key, klass))
    ranks = np.arange(len(klass)) - np.searchsorted(klass[order], klass[order])
    excess = order[(klass[order] >= 0) & (ranks >= counts[klass[order]])]
    klass[excess] = -1


def _forms(
    words: Vocabulary, hosts: Hosts, host: Ints, klass: Ints, genre: Ints, rng: np.random.Generator
) -> tuple[NDArray[np.int8], Ints]:
    """Pages relevant to a topic with a form have it, and so do others on the hosts where it is at home."""
    names = list(words.forms)
    asked = np.array([names.index(subject.form) if subject.form else -1 for subject in words.subjects])
    relevant = klass < len(asked)
    form = np.where(relevant, asked[np.where(relevant, klass, 0)], -1)
    genre = np.where(form >= 0, OTHER, genre)
    unasked = (
        np.where(relevant, form < 0, klass == klass.max()) & (genre == OTHER) & (hosts.language[host] < 2)
    )
    luck = rng.random(len(host))
    for number, name in enumerate(names):
        fits = hosts.kind[host] == words.kind(FORM_KINDS[name])
        form[unasked & fits & (luck < FORM_CHANCE[name])] = number
    return form.astype(np.int8), genre


def _grades(
    hosts: Hosts, host: Ints, content: Ints, strays: Flags, rng: np.random.Generator
) -> NDArray[np.float32]:
    """How much a page is about its topic: hosts differ, and pages off their host's subject are lighter."""
    drawn = rng.beta(np.where(strays, 1.8, 2.6), np.where(strays, 2.0, 1.5))
    lean = hosts.lean[host]
    grade = 0.06 + 0.94 * drawn**lean
    return np.where(content >= 0, grade, 0.0).astype(np.float32)


def _mentions(
    words: Vocabulary, plan: Plan, hosts: Hosts, host: Ints, content: Ints, rng: np.random.Generator
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """One page in four mentions another topic: a kindred one, its host's own, or any."""
    topics = len(words.subjects)
    size, shares = len(host), plan.shares[:topics]
    mention = rng.choice(topics, size, p=shares / shares.sum())
    kin = np.array([[s.overlaps[i % len(s.overlaps)] for i in range(12)] for s in words.subjects])
    kindred = (content >= 0) & (rng.random(size) < 0.65)
    mention = np.where(kindred, kin[content, rng.integers(0, 12, size)], mention)
    own = hosts.subject[host]
    mention = np.where((own >= 0) & (own != content) & (rng.random(size) < 0.6), own, mention)
    none = (rng.random(size) > 0.28) | (hosts.language[host] > 1) | (mention == content)
    strength = 0.1 + 0.5 * rng.random(size)
    return np.where(none, -1, mention).astype(np.int8), np.where(none, 0, strength).astype(np.float32)


def _hidden(
    plan: Plan, klass: Ints, relevant: Flags, strays: Flags, role: NDArray[np.int8], rng: np.random.Generator
) -> Flags:
    """A few relevant pages of each topic, best on hosts about something else, are linked by others only."""
    key = rng.random(len(klass)) + 2.0 * ~strays + 4.0 * (role < LEAF)
    order = np.lexsort((key, klass))
    ranks = np.empty(len(klass), np.int64)
    ranks[order] = np.arange(len(klass)) - np.searchsorted(klass[order], klass[order])
    allowed = (HIDDEN_SHARE * np.bincount(klass, minlength=plan.general + 1)).astype(np.int64)
    return relevant & (ranks < allowed[klass]) & (role == LEAF)
