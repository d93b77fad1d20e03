"""The target of every link: inside the host or abroad, near or popular, never the same twice."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from focuslab.webs.builtin.plan import INSIDE_SHARE, Plan
from focuslab.webs.builtin.structure import Pages

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

CHUNK = 4_000_000
"""Links made at once, so that memory does not grow with them."""
TONGUES = 3
"""English, Japanese, and the rest."""
# Language of the target, by language of the source; for pages about something and about nothing.
ABROAD = np.array(
    [
        [[0.94, 0.06, 0.0], [0.07, 0.93, 0.0], [0.75, 0.25, 0.0]],
        [[0.88, 0.05, 0.07], [0.06, 0.88, 0.06], [0.2, 0.05, 0.75]],
    ]
)


@dataclass(frozen=True)
class Shelf:
    """Pages in rows: each row holds pages alike, open ones first, then hidden ones."""

    pages: NDArray[np.int32]
    place: Ints
    """Where each page stands."""
    start: Ints
    opened: Ints
    """How many of a row are open."""
    size: Ints
    weight: NDArray[np.float64]
    """Popularity, cumulated along the shelf."""


def shelve(row: Ints, rows: int, pages: Pages) -> Shelf:
    """Put pages on a shelf by row."""
    order = np.lexsort((np.arange(len(row)), pages.hidden, row))
    place = np.empty(len(row), np.int64)
    place[order] = np.arange(len(row))
    size = np.bincount(row, minlength=rows)
    opened = np.bincount(row[~pages.hidden], minlength=rows)
    weight = np.concatenate([[0.0], np.cumsum(pages.popularity[order])])
    return Shelf(order.astype(np.int32), place, np.cumsum(size) - size, opened, size, weight)


class Targets:
    """Draws targets for links whose source and class of target are known."""

    def __init__(self, plan: Plan, pages: Pages, rng: np.random.Generator) -> None:
        self.plan, self.pages, self.rng = plan, pages, rng
        self.classes = plan.general + 1
        self.tongue = np.minimum(pages.language, TONGUES - 1).astype(np.int64)
        klass, host = pages.klass.astype(np.int64), pages.host.astype(np.int64)
        self.at_home = shelve(host * self.classes + klass, len(pages.hosts) * self.classes, pages)
        self.at_large = shelve(klass * TONGUES + self.tongue, self.classes * TONGUES, pages)
        self.inside = np.array(INSIDE_SHARE)[pages.genre] * pages.hosts.inside[host]
        # A host links to the same corner of every other topic, time and again.
        self.corner = rng.random(len(pages.hosts))

    def draw(self, source: Ints, klass: Ints, patience: int) -> Ints:
        """One target for each link; after some rounds the choice is widened."""
        home = self._home_rows(source, klass) if patience < 3 else None
        inside = np.zeros(len(source), bool)
        if home is not None:
            wish = self.rng.random(len(source)) < self.inside[source]
            inside = wish & (self.at_home.opened[home] > (self.pages.klass[source] == klass))
        target = np.empty(len(source), np.int64)
        if home is not None:
            target[inside] = self._pick_at_home(source[inside], klass[inside], home[inside])
        target[~inside] = self._pick_at_large(source[~inside], klass[~inside], patience)
        return target

    def _home_rows(self, source: Ints, klass: Ints) -> Ints:
        return self.pages.host[source].astype(np.int64) * self.classes + klass

    def _pick_at_home(self, source: Ints, klass: Ints, row: Ints) -> Ints:
        """On the own host: its first pages, which are its sections, or those next to the source, or any."""
        shelf, rng, count = self.at_home, self.rng, len(source)
        size, luck, way = shelf.opened[row], rng.random(count), rng.random(count)
        same = self.pages.klass[source] == klass
        own = np.where(same, shelf.place[source] - shelf.start[row], (luck * 997 % 1 * size).astype(np.int64))
        near = (own + _step(np.minimum(size, 60), rng)) % size
        first = (size * luck**2.6).astype(np.int64)
        spot = np.where(way < 0.42, first, np.where(way < 0.82, near, (size * luck).astype(np.int64)))
        return shelf.pages[self._or_hidden(shelf, row, spot, same)].astype(np.int64)

    def _pick_at_large(self, source: Ints, klass: Ints, patience: int) -> Ints:
        """Anywhere: a popular page, or one in the neighbourhood, few far away."""
        shelf, rng, count = self.at_large, self.rng, len(source)
        row = self._row_at_large(source, klass, patience)
        size, luck, way = shelf.opened[row], rng.random(count), rng.random(count)
        same = row == self.pages.klass[source].astype(np.int64) * TONGUES + self.tongue[source]
        corner = (self.corner[self.pages.host[source]] * size).astype(np.int64)
        own = np.where(same, shelf.place[source] - shelf.start[row], corner)
        near = (own + _step(size, rng)) % size
        low, high = shelf.weight[shelf.start[row]], shelf.weight[shelf.start[row] + size]
        popular = (
            np.searchsorted(shelf.weight, low + luck * (high - low), side="right") - 1 - shelf.start[row]
        )
        spot = np.where(way < 0.45, np.clip(popular, 0, size - 1), near)
        if patience >= 3:
            spot = (luck * size).astype(np.int64)
        same_class = self.pages.klass[source] == klass
        return shelf.pages[self._or_hidden(shelf, row, spot, same_class)].astype(np.int64)

    def _row_at_large(self, source: Ints, klass: Ints, patience: int) -> Ints:
        ends = np.cumsum(ABROAD, axis=2)
        chances = ends[(klass == self.plan.general).astype(int), self.tongue[source]]
        if patience >= 6:
            chances = np.array([[0.45, 0.9, 1.0]])
        tongue = np.minimum((self.rng.random(len(source))[:, None] >= chances).sum(axis=1), TONGUES - 1)
        for _ in range(TONGUES):
            empty = self.at_large.opened[klass * TONGUES + tongue] < 2
            tongue = np.where(empty, (tongue + 1) % TONGUES, tongue)
        return klass * TONGUES + tongue

    def _or_hidden(self, shelf: Shelf, row: Ints, spot: Ints, same: Flags) -> Ints:
        """Now and then a hidden page instead, where the source is about something else."""
        hidden = shelf.size[row] - shelf.opened[row]
        chosen = ~same & (hidden > 0) & (self.rng.random(len(row)) < 0.15)
        shy = shelf.opened[row] + (self.rng.random(len(row)) * hidden).astype(np.int64)
        return shelf.start[row] + np.where(chosen, shy, spot)


def _step(size: Ints, rng: np.random.Generator) -> Ints:
    """Steps to either side whose length is log-uniform up to half the row: a small world."""
    length = np.exp(rng.random(len(size)) * np.log(np.maximum(size / 2, 2.0))).astype(np.int64)
    return np.where(rng.random(len(size)) < 0.5, length, -length)


def draw_links(
    plan: Plan, pages: Pages, source: NDArray[np.int32], klass: NDArray[np.int8], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The links as CSR: ``indptr`` and ``indices``, targets distinct and in order of number."""
    targets = Targets(plan, pages, rng)
    starts = np.searchsorted(source, np.arange(len(pages) + 1))
    cuts = np.unique(np.searchsorted(starts, np.arange(0, len(source) + CHUNK, CHUNK)).clip(0, len(pages)))
    parts = []
    counts = np.zeros(len(pages), np.int64)
    for low, high in pairwise(cuts):
        part = slice(starts[low], starts[high])
        keys = _distinct(targets, source[part].astype(np.int64), klass[part].astype(np.int64), len(pages))
        counts += np.bincount(keys // len(pages), minlength=len(pages))
        parts.append((keys % len(pages)).astype(np.int32))
    return np.concatenate([[0], np.cumsum(counts)]), np.concatenate(parts)


def _distinct(targets: Targets, source: Ints, klass: Ints, pages: int) -> Ints:
    """Keys (source * pages + target); drawn again until no page links to itself or twice to another."""
    target = targets.draw(source, klass, 0)
    doubtful = np.arange(len(source))
    for patience in range(1, 60):
        keys = source[doubtful] * pages + target[doubtful]
        order = np.argsort(keys, kind="stable")
        bad = np.zeros(len(keys), bool)
        bad[order[1:]] = keys[order[1:]] == keys[order[:-1]]
        bad |= source[doubtful] == target[doubtful]
        again = doubtful[bad]
        if not len(again):
            break
        target[again] = targets.draw(source[again], klass[again], patience)
        # Only pages with a link just drawn again can clash.
        touched = np.zeros(pages, bool)
        touched[source[again]] = True
        doubtful = doubtful[touched[source[doubtful]]]
    keys = np.unique(source * pages + target)
    return keys[keys // pages != keys % pages]
