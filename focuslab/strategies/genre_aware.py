"""Genre-aware crawling: a page that fits raises its siblings, for good pages stand in lists together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from focuslab.classifiers.term_sets import PUBLISHED, TermAssessor, Weights, single_set
from focuslab.strategies._fcrawl import POLICIES, FCrawl
from focuslab.types import Page, Topic

__all__ = ["POLICIES", "GenreAware"]


class GenreAware(FCrawl):
    """FCrawl: links enter with score 0, and a fetched page gives its similarity f to links that wait.

    f is the weighted mean of the page's cosines with the topic's genre, content and URL terms
    (`focuslab.classifiers.term_sets.TermAssessor`). The links it goes to are those on the page's parent (FS),
    those on the page itself (PS), or both (PFS); in FS-2 and PFS-2 only if f > ``change_threshold``.

    Parameters
    ----------
    policy : {"FS-2", "FS-1", "PS", "PFS-1", "PFS-2", "plain"}
        Whose scores change; "plain" changes none.
    change_threshold : float
        f must be larger than this in FS-2 and PFS-2.
    depth : int
        Pages so many links away from a seed are not followed further.
    width : int
        Only so many links of a page count, the first ones.
    siblings : {"first_parent", "all_parents"}
        The links of the page that found this one, or of every page fetched that links to it.
    change : {"overwrite", "max"}
        The new score replaces the old one even if it is lower (as the paper has it), or only if larger.
    weights : Weights
        Of genre, content, page and URL terms.
    idf : mapping, optional
        IDF of every term. Default: 1.
    separate : bool
        False: genre and content terms are one set, the paper's ablation (Table 4).

    Notes
    -----
    The paper does not say which of many links with score 0 goes first, and that decides everything: with
    the earliest first and one parent, siblings stand side by side already, so FS-1 and FS-2 fetch in exactly
    breadth-first order. Ties are therefore broken by lot (our choice); ``frontier={"tie": "fifo"}`` shows
    the degenerate case. Report "plain" with the same ties beside any other policy.

    Other choices of ours: a topic without genre and content terms is searched by its keywords; seeds have
    depth 0; a parent's links count as siblings whichever page found them first.

    References
    ----------
    de Assis, G. T., Laender, A. H. F., Gonçalves, M. A. and da Silva, A. S. "A genre-aware approach to
    focused crawling." World Wide Web, 2009. doi:10.1007/s11280-009-0063-7
    """

    name: ClassVar[str] = "genre_aware"

    def __init__(
        self,
        policy: str = "FS-2",
        change_threshold: float = 0.2,
        depth: int = 7,
        width: int = 200,
        siblings: str = "first_parent",
        change: str = "overwrite",
        weights: Weights = PUBLISHED,
        idf: Mapping[str, float] | None = None,
        separate: bool = True,
    ) -> None:
        super().__init__(policy, change_threshold, depth, width, siblings, change)
        self.weights, self.idf, self.separate = weights, idf, separate

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        super().start(topic, rng)
        judged = topic if self.separate else single_set(topic)
        self.assessor_ = TermAssessor(judged, weights=self.weights, idf=self.idf)

    def similarity(self, page: Page) -> dict[str, float]:
        """f of a page, and what it is made of."""
        return self.assessor_.similarity(page)
