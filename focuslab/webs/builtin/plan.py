"""The numbers the built-in web aims at. What the papers do not say is our choice, and marked so.

Pages fall into classes by what they are about: class t < 30 holds the relevant pages of topic t, one more
class for each topic that asks for a form holds the pages with its content but without that form, and the last
class holds the pages about nothing in particular.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focuslab.features.pig import PUBLISHED
from focuslab.webs.builtin.vocabulary import Vocabulary

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

GENRE_MIX = {"baseball": (0.30, 0.34, 0.08, 0.11, 0.17), "gaming": (0.11, 0.30, 0.08, 0.08, 0.43)}
"""Near the mix that the pooled row of the published tables implies."""
OTHER_MIX = (0.27, 0.16, 0.11, 0.11, 0.35)
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

    @property
    def general(self) -> int:
        return len(self.shares) - 1


def plan(words: Vocabulary, pages: int, links_per_page: float = 0.0) -> Plan:
    """The plan of a web."""
    names = words.topics
    formed = np.array([bool(subject.form) for subject in words.subjects])
    content = np.concatenate([np.arange(len(names)), np.flatnonzero(formed), [-1]])
    shares = _shares(formed, names)
    tables = [PUBLISHED[name].shares for name in names[:2]]
    return Plan(
        pages,
        links_per_page or default_links(pages),
        shares,
        content,
        np.array(tables),
        np.flatnonzero(formed),
    )


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
