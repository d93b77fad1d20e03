"""Naive best-first: a link is worth as much as its source page resembles the topic."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

import numpy as np

from focuslab.features.vectors import Vector, cosine, page_terms, required, task_vector
from focuslab.types import Proposal, Strategy, Task, Topic, Visit


class CosineBestFirst(Strategy):
    """Score every link with the cosine between its source page (term frequencies) and the topic vector.

    Parameters
    ----------
    query : mapping, optional
        The topic vector. Default: the topic's keywords at weight 1; from a task, its example pages too.

    References
    ----------
    Menczer, F., Pant, G. and Srinivasan, P. "Topical web crawlers: evaluating adaptive algorithms."
    ACM Transactions on Internet Technology 4(4), 378-419, 2004. doi:10.1145/1031114.1031117
    """

    name: ClassVar[str] = "cosine_best_first"

    def __init__(self, query: Vector | None = None) -> None:
        self.query = query

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        """Build the topic vector from the task's keywords and examples, unless one is given."""
        return cls(**({"query": task_vector(task)} | parameters))

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        self.query_ = required(self.query, topic)

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        score = cosine(page_terms(visit.page), self.query_)
        terms = {"cosine": score}
        return (Proposal(link, score, terms) for link in visit.page.out)
