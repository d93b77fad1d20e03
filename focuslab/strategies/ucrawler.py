"""UCrawler: parent content, anchor and URL words say what a link is worth; bonuses lead to new hosts.

The paper's equations, thresholds and bonus values are lost. What is marked "Reconstruction" was chosen to
satisfy every sentence that survives; it is not the authors' formula, and stands in one function each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from focuslab.features.url_terms import UrlKnowledge
from focuslab.features.vectors import (
    Vector,
    cosine,
    cosines,
    page_terms,
    required,
    task_vector,
    terms,
    topic_vector,
)
from focuslab.pages.urls import host
from focuslab.types import Link, Page, Proposal, Strategy, Task, Topic, Visit

Number = TypeVar("Number", float, NDArray[np.float64])
Weights = tuple[float, float, float]
Parts = tuple[float, float, float]

EQUAL: Weights = (1 / 3, 1 / 3, 1 / 3)
STEP = 0.05
FEEDBACKS = ("own", "predicted")
LABELS = (True, False)


class LabelledLink(NamedTuple):
    """A link somebody labelled, and the page it stands on."""

    page: Page
    link: Link
    relevant: bool


class Thresholds(NamedTuple):
    """From ``high`` on a URL is learned as relevant, down from ``low`` as irrelevant."""

    high: float
    low: float

    @property
    def middle(self) -> float:
        """Reconstruction: from here on a URL is judged relevant."""
        return (self.high + self.low) / 2


UNTRAINED = Thresholds(0.3, 0.1)
"""Without labelled pages (our choice)."""


def relevance(weights: Weights, content: Number, anchor: Number, url: Number) -> Number:
    """Reconstruction: Rel = α·content + β·anchor + ω·url, for one link or for arrays of links.

    >>> round(relevance((0.5, 0.3, 0.2), 0.8, 0.5, 0.6), 6)
    0.67
    """
    alpha, beta, omega = weights
    return alpha * content + beta * anchor + omega * url


def thresholds(relevant: Sequence[float], irrelevant: Sequence[float]) -> Thresholds:
    """Reconstruction: the mean relevance of each of the two labelled groups."""
    return Thresholds(float(np.mean(relevant)), float(np.mean(irrelevant)))


def fit_weights(
    parts: Sequence[Parts], labels: Sequence[bool], theta: float, start: Weights = EQUAL
) -> Weights:
    """Reconstruction: move 0.05 from one weight to another while that misjudges fewer labelled URLs.

    The best of the six moves is taken, the first among equals; it may stop at a local optimum.
    """
    columns, truths = np.asarray(parts, float).T, np.asarray(labels, bool)

    def errors(weights: Weights) -> int:
        return int(((relevance(weights, *columns) >= theta) != truths).sum())

    best, fewest = start, errors(start)
    while True:
        moves = [
            _moved(best, giver, taker) for giver, taker in permutations(range(3), 2) if best[giver] >= STEP
        ]
        candidate = min(moves, key=errors)
        if errors(candidate) >= fewest:
            return best
        best, fewest = candidate, errors(candidate)


def _moved(weights: Weights, giver: int, taker: int) -> Weights:
    moved = list(weights)
    moved[giver] -= STEP
    moved[taker] += STEP
    return moved[0], moved[1], moved[2]


def bonuses(
    related: bool, hub_links: int, new_host: bool, other_host: bool, values: Weights, hub_threshold: int
) -> dict[str, float]:
    """Reconstruction of the numbers (the steps are the paper's): what is added to a link's relevance.

    Parameters
    ----------
    related : bool
        Whether the link itself is judged relevant.
    hub_links : int
        How many links of its page are.
    new_host, other_host : bool
        Whether its host was never visited; whether it is not the page's own.
    values : tuple of float
        The bonuses for hubs, for new hosts, and for topic-related links across hosts.
    hub_threshold : int
        A page with more related links is a hub.
    """
    return {
        "hub": values[0] * (hub_links > hub_threshold),
        "new_host": values[1] * new_host,
        "cross_host": values[2] * (related and other_host),
    }


class UCrawler(Strategy):
    """Score a link with Rel = α·sim(parent, Vc) + β·sim(anchor, Vn) + ω·R_url, plus three bonuses.

    The URL knowledge base behind R_url goes on learning during the crawl, from every page fetched. This is
    a reconstruction: the equations and constants of the paper are lost, and all but the 1/3 of the
    initial weights are our choices.

    Parameters
    ----------
    content_vector, anchor_vector : mapping, optional
        Vc and Vn. Default: the topic's keywords at weight 1. They stay as they are during the crawl.
    knowledge : UrlKnowledge, optional
        What is known of URL phrases at the start; a crawl learns on a copy, ``knowledge_``. Default: the
        words of Vc.
    weights : tuple of float
        α, β, ω.
    limits : Thresholds
        θ_hi and θ_lo; their middle judges.
    hub_threshold : int
        A page with more topic-related links than this is a hub.
    bonus : tuple of float
        For links of hubs, for new hosts, for topic-related links to another host than the page's.
    update_every : int
        Pages between two clean-ups of the knowledge base.
    feedback : {"own", "predicted"}
        Learn from the relevance of a URL with its own content in the place of its parent's, or from the
        relevance that was predicted (seeds, for which nothing was, then teach nothing).

    Notes
    -----
    The host of the page counts as visited when its links are scored. A link keeps the greatest score it
    got. Labelled links, in ``task.extras["labelled_links"]``, fit α, β, ω and the thresholds. Without them a
    page's own content stands for its parent's and its title for the anchor, since examples come without the
    links that lead to them: the weights are then the best ones for another question.

    References
    ----------
    Wang and Yu. UCrawler. Journal of Computational Methods in Sciences and Engineering, 2021.
    doi:10.3233/jcm-204658
    """

    name: ClassVar[str] = "ucrawler"
    frontier: ClassVar[Mapping[str, Any]] = {"rediscovery": "max"}

    def __init__(
        self,
        content_vector: Vector | None = None,
        anchor_vector: Vector | None = None,
        knowledge: UrlKnowledge | None = None,
        weights: Weights = EQUAL,
        limits: Thresholds = UNTRAINED,
        hub_threshold: int = 5,
        bonus: Weights = (0.1, 0.1, 0.1),
        update_every: int = 1_000,
        feedback: str = "own",
    ) -> None:
        self.content_vector, self.anchor_vector, self.knowledge = content_vector, anchor_vector, knowledge
        self.weights, self.limits, self.bonus, self.hub_threshold = weights, limits, bonus, hub_threshold
        self.update_every, self.feedback = update_every, feedback

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        """Train on the task's labelled pages and links; without pages of both kinds, use keywords only."""
        both = {example.relevant for example in task.examples} == {True, False}
        return cls(**((_trained(task) if both else {}) | parameters))

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        if self.feedback not in FEEDBACKS:
            raise ValueError(f"no feedback named {self.feedback!r}; try {', '.join(FEEDBACKS)}")
        if self.update_every < 1:
            raise ValueError(f"update_every is {self.update_every}; it counts pages, so give 1 or more")
        self.content_ = required(self.content_vector, topic)
        self.anchor_ = self.anchor_vector or topic_vector(topic.keywords) or self.content_
        self.knowledge_ = self.knowledge.copy() if self.knowledge else UrlKnowledge(self.content_)
        self.hosts_: set[str] = set()
        self.pages_ = 0

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        self.hosts_.add(host(visit.page.url))
        content = cosine(page_terms(visit.page), self.content_)
        proposals = self._proposals(visit.page, content)
        self._learn(visit, content)
        return proposals

    def _proposals(self, page: Page, content: float) -> list[Proposal]:
        """A page's links are scored first, then counted, then given their bonuses."""
        links = page.out
        anchors = cosines([link.anchor for link in links], page.language, self.anchor_)
        parts = [
            (content, anchor, self.knowledge_.relevance(link.url))
            for link, anchor in zip(links, anchors, strict=True)
        ]
        scores = [relevance(self.weights, *part) for part in parts]
        theta, here = self.limits.middle, host(page.url)
        hub_links = sum(score >= theta for score in scores)
        proposals = []
        for link, part, score in zip(links, parts, scores, strict=True):
            there = host(link.url)
            added = bonuses(
                score >= theta,
                hub_links,
                there not in self.hosts_,
                there != here,
                self.bonus,
                self.hub_threshold,
            )
            named = dict(zip(("content", "anchor", "url"), part, strict=True)) | {"Rel": score} | added
            proposals.append(Proposal(link, score + sum(added.values()), named))
        return proposals

    def _learn(self, visit: Visit, content: float) -> None:
        score = self._feedback(visit, content)
        if score is not None:
            self.knowledge_.learn(visit.link.url, score, self.limits.high, self.limits.low)
        self.pages_ += 1
        if self.pages_ % self.update_every == 0:
            self.knowledge_.update()

    def _feedback(self, visit: Visit, content: float) -> float | None:
        """Reconstruction: how relevant the URL just fetched turned out to be."""
        if self.feedback == "predicted":
            return visit.terms.get("Rel")
        anchor = visit.terms.get("anchor", 0.0)
        return relevance(self.weights, content, anchor, self.knowledge_.relevance(visit.link.url))


def _trained(task: Task) -> dict[str, Any]:
    """Vc, Vn, knowledge base from labelled pages, thresholds (by equal weights) and weights from links."""
    positive, negative = (
        [example.page for example in task.examples if example.relevant == kind] for kind in (True, False)
    )
    content = task_vector(task)
    anchors = topic_vector(task.topic.keywords, [*map(_anchors, positive)], [*map(_anchors, negative)])
    knowledge = UrlKnowledge.from_urls([page.url for page in positive], [page.url for page in negative])
    links: Sequence[LabelledLink] = task.extras.get("labelled_links", ())
    parts = [_link_parts(one, content, anchors, knowledge) for one in links]
    labels = [one.relevant for one in links]
    if not links:
        parts = [_parts(page, content, anchors, knowledge) for page in positive + negative]
        labels = [True] * len(positive) + [False] * len(negative)
    scores = [relevance(EQUAL, *part) for part in parts]
    by_label = (
        [score for score, mine in zip(scores, labels, strict=True) if mine == kind] for kind in LABELS
    )
    limits = thresholds(*by_label)
    return {
        "content_vector": content,
        "anchor_vector": anchors,
        "knowledge": knowledge,
        "limits": limits,
        "weights": fit_weights(parts, labels, limits.middle),
    }


def _anchors(page: Page) -> dict[str, float]:
    return terms(" ".join(link.anchor for link in page.links), page.language)


def _link_parts(one: LabelledLink, content: Vector, anchors: Vector, knowledge: UrlKnowledge) -> Parts:
    anchor = cosine(terms(one.link.anchor, one.page.language), anchors)
    return cosine(page_terms(one.page), content), anchor, knowledge.relevance(one.link.url)


def _parts(page: Page, content: Vector, anchors: Vector, knowledge: UrlKnowledge) -> Parts:
    title = cosine(terms(page.title, page.language), anchors)
    return cosine(page_terms(page), content), title, knowledge.relevance(page.url)
