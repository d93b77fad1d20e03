"""The numbers the built-in web aims at. What the papers do not say is our choice, and marked so.

Pages fall into classes by what they are about: class t < 30 holds the relevant pages of topic t, one more
class for each topic that asks for a form holds the pages with its content but without that form, and the last
class holds the pages about nothing in particular.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focuslab.features.pig import PUBLISHED
from focuslab.webs.builtin.vocabulary import LANGUAGES, Vocabulary

PAPER_PAGES = 42_447
PAPER_LINKS_PER_PAGE = 63.0

# Qian et al.: relevant pages of all pages.
BASEBALL_SHARE = 7_124 / 42_447
GAMING_SHARE = 6_901 / 48_794

# Our choice from here on.
PLAIN_SHARES = (0.020, 0.0125)
"""Shares of the other topics, from the first to the last."""
FORMED_SHARE = 0.0125
UNFORMED_SHARE = 0.0075
"""Pages with the content of a topic that asks for a form, with the form and without it."""
LANGUAGE_SHARES = (0.55, 0.35, 0.045, 0.03, 0.025)
MEAN_HOST = 25.0
HOST_SPREAD = 1.25
LISTING_HOSTS = 60
"""Hosts of a web with lists: few and large, as universities, employers and shops are."""

GENRE_MIX = {"baseball": (0.30, 0.34, 0.08, 0.11, 0.17), "gaming": (0.11, 0.30, 0.08, 0.08, 0.43)}
"""Near the mix that the pooled row of the published tables implies."""
OTHER_MIX = (0.27, 0.16, 0.11, 0.11, 0.35)
LISTING_MIX = (0.10, 0.10, 0.05, 0.05, 0.70)
OTHER_KINDS = {"shop": 0.25, "official": 0.25, "forum": 0.2, "university": 0.12, "reference": 0.18}
LISTING_KINDS = {"shop": 0.25, "official": 0.2, "forum": 0.1, "university": 0.35, "reference": 0.1}
"""Kinds of host among those of the genre Other; with lists, those that keep some are most of the web."""
OWN_SHARE = (0.30, 0.39, 0.22, 0.31, 0.26)
"""Links of a page of another topic that stay on it, by genre."""
INSIDE_SHARE = (0.85, 0.60, 0.85, 0.75, 0.75)
"""Links tried inside the host first, by genre."""
DEGREE_FACTOR = (1.25, 1.0, 0.8, 1.05, 0.85)
HIDDEN_SHARE = 0.06
"""Relevant pages that no relevant page links to."""


@dataclass(frozen=True)
class Plan:
    """Sizes and shares of one web."""

    pages: int
    links_per_page: float
    shares: NDArray[np.float64]
    """Share of each class."""
    content: NDArray[np.int64]
    """The topic each class is about; -1: none."""
    pig: NDArray[np.float64]
    """Chance that a link leads to topic 0, 1: ``pig[topic, relevant, genre]``."""

    formed: NDArray[np.int64]
    """The topics that ask for a form."""
    lists: bool = False
    """Whether pages of a form stand in lists."""
    languages: tuple[float, ...] = LANGUAGE_SHARES

    @property
    def mean_host(self) -> float:
        """Pages of a host."""
        if self.lists:
            return max(8.0, self.pages / LISTING_HOSTS)
        return MEAN_HOST * min(1.0, (self.pages / 5_000) ** 0.4)

    @property
    def mix(self) -> tuple[float, ...]:
        """Shares of the genres on pages that no topic asks to be of another mix."""
        return LISTING_MIX if self.lists else OTHER_MIX

    @property
    def kinds(self) -> Mapping[str, float]:
        """Shares of the kinds of host with the genre Other."""
        return LISTING_KINDS if self.lists else OTHER_KINDS

    @property
    def general(self) -> int:
        return len(self.shares) - 1


def plan(
    words: Vocabulary,
    pages: int,
    links_per_page: float = 0.0,
    shares: Mapping[str, float] | None = None,
    lists: bool = False,
    language: str = "",
) -> Plan:
    """The plan of a web."""
    names = words.topics
    formed = np.array([bool(subject.form) for subject in words.subjects])
    content = np.concatenate([np.arange(len(names)), np.flatnonzero(formed), [-1]])
    drawn = _shares(formed, names)
    tables = [PUBLISHED[name].shares for name in names[:2]]
    return Plan(
        pages,
        links_per_page or default_links(pages),
        _asked(drawn, names, shares) if shares else drawn,
        content,
        np.array(tables),
        np.flatnonzero(formed),
        lists,
        _speakers(language),
    )


def _speakers(language: str) -> tuple[float, ...]:
    """Shares of the languages; one that is asked for has those of both that topics are written about in."""
    spoken = LANGUAGES[:2]
    if not language:
        return LANGUAGE_SHARES
    if language not in spoken:
        raise ValueError(f"no topic is written about in {language!r}; try {', '.join(spoken)}")
    both = sum(LANGUAGE_SHARES[:2])
    return (*(both * (one == language) for one in spoken), *LANGUAGE_SHARES[2:])


def default_links(pages: int) -> float:
    """Links per page: the paper's 63 at its size, fewer on a smaller web, else it would be a clique."""
    return float(np.clip(PAPER_LINKS_PER_PAGE * (pages / PAPER_PAGES) ** 0.35, 6.0, PAPER_LINKS_PER_PAGE))


def _shares(formed: NDArray[np.bool_], names: tuple[str, ...]) -> NDArray[np.float64]:
    topics = np.full(len(names), FORMED_SHARE)
    plain = np.flatnonzero(~formed)[2:]
    topics[plain] = np.linspace(*PLAIN_SHARES, len(plain))
    topics[names.index("baseball")], topics[names.index("gaming")] = BASEBALL_SHARE, GAMING_SHARE
    about = np.concatenate([topics, np.full(formed.sum(), UNFORMED_SHARE)])
    return np.append(about, 1 - about.sum())


def _asked(
    shares: NDArray[np.float64], names: tuple[str, ...], asked: Mapping[str, float]
) -> NDArray[np.float64]:
    """The shares asked for; the other topics grow or shrink alike, so that as much is about nothing."""
    if unknown := [name for name in asked if name not in names]:
        raise ValueError(f"no topic named {unknown[0]!r}; try {', '.join(names)}")
    places = [names.index(name) for name in asked]
    wanted, found = np.array([*asked.values()]), shares.copy()
    others = np.ones(len(shares), np.bool_)
    others[[*places, -1]] = False
    left = 1 - shares[-1] - wanted.sum()
    if left < 0:
        raise ValueError(
            f"shares add up to {wanted.sum():.2f}; all topics have {1 - shares[-1]:.2f} of a web"
        )
    found[places] = wanted
    found[others] *= left / shares[others].sum()
    return found
