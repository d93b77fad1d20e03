"""A judge where nobody knows the truth: three classifiers of different kinds, and what most of them say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from focuslab.classifiers.relevance import RELEVANT
from focuslab.classifiers.vote import Majority, train_majority
from focuslab.types import Page, Response, Task, Web

__all__ = ["MAJORITY", "MajorityJudge"]

MAJORITY = "majority"


class MajorityJudge:
    """Calls a page relevant when two of three say so: naive Bayes, a linear SVM and a neural network.

    Parameters
    ----------
    majority
        The three, trained on pages that the guide was not trained on.
    fetch, parse
        How a page that was fetched is read again.

    References
    ----------
    Guan, Z., Wang, C., Chen, C., Bu, J. and Wang, J. "Guide focused crawler efficiently and effectively
    using on-line topical importance estimation." SIGIR 2008, section 4.
    """

    name = "a majority of three classifiers that the guide never saw"

    def __init__(
        self, majority: Majority, fetch: Callable[[str], Response], parse: Callable[[Response], Page]
    ) -> None:
        self.majority, self._fetch, self._parse = majority, fetch, parse
        self._votes: dict[str, tuple[bool, ...]] = {}

    @classmethod
    def of(
        cls,
        web: Web,
        task: Task,
        seed: int,
        fetch: Callable[[str], Response],
        parse: Callable[[Response], Page],
    ) -> Self:
        """Trained on the web's examples for a task, without those that its guide saw."""
        seen = {example.page.url for example in task.examples}
        fresh = [
            example
            for example in web.examples(task.topic.name, seed=seed ^ 1)
            if example.page.url not in seen
        ]
        if len({example.relevant for example in fresh}) < 2:
            raise ValueError(
                f"the guide saw all examples of {task.topic.name!r}; add example pages, relevant and not"
            )
        return cls(train_majority(fresh, task.topic, seed), fetch, parse)

    def __call__(self, url: str) -> bool:
        votes = self._voted(url)
        return 2 * sum(votes) > len(votes)

    @property
    def agreement(self) -> float:
        """Share of the judged pages on which all three say the same."""
        judged = list(self._votes.values())
        return sum(len(set(votes)) == 1 for votes in judged) / max(1, len(judged))

    def _voted(self, url: str) -> tuple[bool, ...]:
        if url not in self._votes:
            page = self._parse(self._fetch(url))
            self._votes[url] = tuple(voter.score(page) > RELEVANT for voter in self.majority.voters)
        return self._votes[url]
