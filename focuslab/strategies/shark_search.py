"""Shark-search: a link is worth what its ancestors hand down and what its own words promise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from focuslab.features.vectors import Vector, cosine, cosines, page_terms, required, task_vector
from focuslab.types import Link, Page, Proposal, Strategy, Task, Topic, Visit


def inherited_score(similarity: float, inherited: float, delta: float = 0.5) -> float:
    """What a page hands down: its own similarity, or, if it has none, what it inherited; faded by delta."""
    return delta * (similarity if similarity > 0 else inherited)


def neighbourhood_score(anchor: float, context: float, beta: float = 0.8) -> float:
    """What the words in and around a link promise; an anchor on the topic vouches for its context."""
    return beta * anchor + (1 - beta) * (1.0 if anchor > 0 else context)


class SharkSearch(Strategy):
    """Score a link with γ·inherited + (1-γ)·neighbourhood, and give up after ``depth`` unlike pages in a row.

    Parameters
    ----------
    query : mapping, optional
        The topic vector. Default: the topic's keywords at weight 1; from a task, its example pages too.
    delta : float
        How much of a score reaches the next generation.
    beta : float
        Weight of the anchor against its context.
    gamma : float
        Weight of inheritance against neighbourhood; 0.8 is also in use.
    depth : int
        How many pages without similarity may follow each other.

    Notes
    -----
    Seeds inherit 1; a link found again keeps its greater score, and its greater depth; the context is
    what the parser keeps around a link, some ten words on each side: our choices.

    References
    ----------
    Hersovici, M., Jacovi, M., Maarek, Y., Pelleg, D., Shtalhaim, M. and Ur, S. "The shark-search
    algorithm. An application: tailored web site mapping." Computer Networks and ISDN Systems 30,
    317-326, 1998. doi:10.1016/S0169-7552(98)00038-5
    """

    name: ClassVar[str] = "shark_search"
    frontier: ClassVar[Mapping[str, Any]] = {"rediscovery": "max"}

    def __init__(
        self,
        query: Vector | None = None,
        delta: float = 0.5,
        beta: float = 0.8,
        gamma: float = 0.5,
        depth: int = 3,
    ) -> None:
        self.query, self.delta, self.beta, self.gamma, self.depth = query, delta, beta, gamma, depth

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        """Build the topic vector from the task's keywords and examples, unless one is given."""
        return cls(**({"query": task_vector(task)} | parameters))

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        for name in ("delta", "beta", "gamma"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(
                    f"{name} is {getattr(self, name)}; it is a share, so give a number from 0 to 1"
                )
        self.query_ = required(self.query, topic)
        self.depth_: dict[str, int] = {}

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        depth = self.depth_.pop(visit.link.url, self.depth)
        if depth <= 0:
            return ()
        similarity = cosine(page_terms(visit.page), self.query_)
        below = self.depth if similarity > 0 else depth - 1
        # The frontier keeps the terms of the score that won, so a page knows what it inherited.
        inherited = inherited_score(similarity, visit.terms.get("inherited", 1.0), self.delta)
        for link in visit.page.out:
            self.depth_[link.url] = max(below, self.depth_.get(link.url, 0))
        return self._proposals(visit.page, inherited)

    def _proposals(self, page: Page, inherited: float) -> list[Proposal]:
        links, language = page.out, page.language
        anchors = cosines([link.anchor for link in links], language, self.query_)
        contexts = cosines([link.context for link in links], language, self.query_)
        return [
            self._proposal(link, inherited, anchor, context if anchor == 0 else 1.0)
            for link, anchor, context in zip(links, anchors, contexts, strict=True)
        ]

    def _proposal(self, link: Link, inherited: float, anchor: float, context: float) -> Proposal:
        near = neighbourhood_score(anchor, context, self.beta)
        score = self.gamma * inherited + (1 - self.gamma) * near
        parts = {"inherited": inherited, "anchor": anchor, "context": context, "neighbourhood": near}
        return Proposal(link, score, parts)
