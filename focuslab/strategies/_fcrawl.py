"""FCrawl: a page that fits raises the links that stand beside it, whoever judges the page.

The queue of de Assis et al., which their own crawler and the one guided by an SVM share.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from focuslab.types import Link, Page, Proposal, Strategy, Topic, Visit

__all__ = ["POLICIES", "FCrawl", "Policy"]


class Policy(NamedTuple):
    """Whose scores a page changes, and whether only a page above the change threshold does."""

    children: bool
    siblings: bool
    threshold: bool


POLICIES = {
    "plain": Policy(children=False, siblings=False, threshold=False),
    "PS": Policy(children=True, siblings=False, threshold=False),
    "FS-1": Policy(children=False, siblings=True, threshold=False),
    "FS-2": Policy(children=False, siblings=True, threshold=True),
    "PFS-1": Policy(children=True, siblings=True, threshold=False),
    "PFS-2": Policy(children=True, siblings=True, threshold=True),
}
"""The queue policies of the paper, and "plain", which changes no score: what ties alone achieve."""
SIBLINGS = ("first_parent", "all_parents")
CHANGES = ("overwrite", "max")


class FCrawl(Strategy):
    """Links enter with score 0, and a fetched page gives its similarity f to links that wait.

    The links it goes to are those on the page's parent (FS), those on the page itself (PS), or both (PFS);
    in FS-2 and PFS-2 only if f > ``change_threshold``. A strategy of this kind says what f is, in
    `similarity`. A page costs no more than its own links and its parent's; the frontier is never searched.
    """

    frontier: ClassVar[Mapping[str, Any]] = {"tie": "random"}

    def __init__(
        self,
        policy: str = "FS-2",
        change_threshold: float = 0.2,
        depth: int = 7,
        width: int = 200,
        siblings: str = "first_parent",
        change: str = "overwrite",
    ) -> None:
        self.policy, self.change_threshold = policy, change_threshold
        self.depth, self.width = depth, width
        self.siblings, self.change = siblings, change

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        _require("policy", self.policy, POLICIES)
        _require("siblings rule", self.siblings, SIBLINGS)
        _require("change rule", self.change, CHANGES)
        self.closed_ = set(topic.seeds)  # fetched, or a seed: their scores never change
        self.scores_: dict[str, float] = {}
        self.parents_: dict[str, list[str]] = {}
        self.waiting_on_: dict[str, dict[str, None]] = {}
        self.changes_: dict[str, float] = {}

    @abstractmethod
    def similarity(self, page: Page) -> dict[str, float]:
        """``f`` of a page, and what it is made of."""

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        similarity = self.similarity(visit.page)
        f, rule = similarity["f"], POLICIES[self.policy]
        fires = f > self.change_threshold or not rule.threshold
        siblings = self._fetched(visit)
        links = self._followed(visit)
        raised = siblings if fires and rule.siblings else {}
        if fires and rule.children:
            raised = {**raised, **dict.fromkeys(link.url for link in links if link.url in self.scores_)}
        self.changes_ = self._changed(raised, f)
        score = f if fires and rule.children else 0.0
        self._found(visit.link.url, links, score)
        terms = {**similarity, "inherited f": score}
        return [Proposal(link, score, terms) for link in links]

    def revise(self, visit: Visit) -> Iterable[tuple[str, float]]:
        return self.changes_.items()

    def _fetched(self, visit: Visit) -> dict[str, None]:
        """Take a page off the lists of its parents; what is left on them are its siblings."""
        parents = self._close(visit.link.url)
        if visit.page.url != visit.link.url:
            self._close(visit.page.url)
        if self.siblings == "first_parent":
            return self.waiting_on_.get(parents[0], {}) if parents else {}
        return {url: None for parent in parents for url in self.waiting_on_.get(parent, ())}

    def _close(self, url: str) -> list[str]:
        self.closed_.add(url)
        self.scores_.pop(url, None)
        parents = self.parents_.pop(url, [])
        for parent in parents:
            waiting = self.waiting_on_[parent]
            del waiting[url]
            if not waiting:
                del self.waiting_on_[parent]
        return parents

    def _followed(self, visit: Visit) -> list[Link]:
        if visit.depth >= self.depth:
            return []
        return [link for link in visit.page.out[: self.width] if link.url not in self.closed_]

    def _changed(self, urls: Iterable[str], f: float) -> dict[str, float]:
        keep_larger = self.change == "max"
        changes = {url: f for url in urls if not (keep_larger and self.scores_[url] >= f)}
        self.scores_.update(changes)
        return changes

    def _found(self, parent: str, links: list[Link], score: float) -> None:
        """Note which links wait on this page; a link that waits already keeps its score."""
        if not links:
            return
        self.waiting_on_[parent] = dict.fromkeys(link.url for link in links)
        for link in links:
            self.scores_.setdefault(link.url, score)
            self.parents_.setdefault(link.url, []).append(parent)


def _require(kind: str, value: str, allowed: Iterable[str]) -> None:
    if value not in allowed:
        raise ValueError(f"no {kind} named {value!r}; try {', '.join(allowed)}")
