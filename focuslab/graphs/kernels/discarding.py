"""Kernel of the naive Bayes crawler: links by the posterior of their context, none of irrelevant pages."""

from __future__ import annotations

from typing import Any

import numpy as np

from focuslab.graphs.kernels.fixed_scores import by_link, sources
from focuslab.graphs.kernels.heap import Ints
from focuslab.graphs.kernels.kernel import Ground, Kernel
from focuslab.types import Link, Page


def _naive_bayes(strategy: Any, ground: Ground) -> Ints:
    graph, guided = ground.graph, strategy.guide is not None
    posterior = ground.pages["posterior"] if guided else graph.relevance
    follows = np.array(ground.pages["accepted"] > 0 if guided else graph.relevant)
    follows[ground.seeds] |= strategy.expand_seeds
    by_context = guided and strategy.context == "link"
    return by_link(
        ground, ground.links["guide_context"] if by_context else posterior[sources(graph)], follows
    )


def _posterior(strategy: Any, page: Page) -> float:
    return strategy.guide.assess(page).relevance if strategy.guide else 0.0


def _accepted(strategy: Any, page: Page) -> float:
    return float(strategy.guide.assess(page).relevant) if strategy.guide else 0.0


def _guide_context(strategy: Any, page: Page, link: Link) -> float:
    if strategy.guide is None or strategy.context == "page":
        return 0.0
    return float(strategy.guide.score_text(link.context, page.language))


KERNELS = {
    "naive_bayes": Kernel(
        _naive_bayes,
        pages={"posterior": _posterior, "accepted": _accepted},
        links={"guide_context": _guide_context},
    )
}
