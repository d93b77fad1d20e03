"""Where the pages of a web stand on a map: a disc for each host, which stays put while a crawl goes on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focuslab.pages.urls import host

__all__ = ["Map", "draw_map"]

GOLDEN = math.pi * (3 - math.sqrt(5))
"""Seeds of a sunflower, and pages of a host, turn by this angle: no two stand behind each other."""
APART = 1.2
"""Distance between two discs, in distances between two pages."""


@dataclass(frozen=True, slots=True, eq=False)
class Map:
    """Pages ordered by host, and a disc for each host; a page's place follows from the two.

    Attributes
    ----------
    urls : tuple of str
        The pages, those of a host side by side.
    hosts : tuple of (name, x, y, radius, pages)
        In the order of their pages. The unit is about the distance between two pages.
    """

    urls: tuple[str, ...]
    hosts: tuple[tuple[str, float, float, float, int], ...]

    @property
    def places(self) -> NDArray[np.float64]:
        """x and y of every page; the browser does the same sum."""
        parts = [np.empty((0, 2))]
        for _, x, y, _, pages in self.hosts:
            turn, far = np.arange(pages) * GOLDEN, 0.6 * np.sqrt(np.arange(pages) + 0.5)
            parts.append(np.column_stack([x + far * np.cos(turn), y + far * np.sin(turn)]))
        return np.concatenate(parts)


def draw_map(urls: Iterable[str]) -> Map:
    """Give every page a place: the largest hosts in the middle, the others around them where there is room.

    >>> [name for name, *_ in draw_map(["http://a.test/", "http://b.test/1", "http://b.test/2"]).hosts]
    ['b.test', 'a.test']
    """
    by_host: dict[str, list[str]] = {}
    for url in dict.fromkeys(urls):
        by_host.setdefault(host(url), []).append(url)
    names = sorted(by_host, key=lambda name: (-len(by_host[name]), name))
    radii = [0.6 * math.sqrt(len(by_host[name])) + 0.3 for name in names]
    hosts = tuple(
        (name, round(x, 2), round(y, 2), round(radius, 2), len(by_host[name]))
        for name, radius, (x, y) in zip(names, radii, _packed(radii), strict=True)
    )
    return Map(tuple(url for name in names for url in by_host[name]), hosts)


def _packed(radii: Sequence[float]) -> list[tuple[float, float]]:
    """Centres of discs, each as near to the middle as those before it allow."""
    if not radii:
        return []
    widened = np.array(radii) + APART / 2
    reach = 1.6 * math.sqrt(float((widened**2).sum())) + float(widened[0])
    count = int(4 * (reach / float(widened[-1])) ** 2) + 1
    step = np.arange(min(count, 60_000))
    far = reach * np.sqrt(step / len(step))  # the same room for every spot, the nearest spots first
    spots = np.column_stack([far * np.cos(step * GOLDEN), far * np.sin(step * GOLDEN)])
    room = np.full(len(spots), np.inf)
    centres = []
    for radius in widened.tolist():
        fits = np.flatnonzero(room >= radius)
        spot = spots[fits[0]] if len(fits) else spots[-1]
        centres.append((float(spot[0]), float(spot[1])))
        room = np.minimum(room, np.hypot(*(spots - spot).T) - radius)
    return centres
