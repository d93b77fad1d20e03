"""Adaptive: learn while crawling what makes a link worth following."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from focuslab.classifiers.online_regression import OnlineRegression
from focuslab.features.link_records import SIGNALS, LinkRecords
from focuslab.features.link_words import LONGEST, SPACE, link_words
from focuslab.features.passages import evidence, reading
from focuslab.features.pig import PigTable
from focuslab.features.url_terms import url_phrases
from focuslab.types import GENRES, Assessor, Link, Proposal, Strategy, Task, Topic, Visit

TERMS: Mapping[str, tuple[str, ...]] = {
    "base": ("base",),
    "page": ("page_mean", "page_best"),
    "context": ("context_mean", "context_best"),
    "anchor": ("anchor_mean", "anchor_best"),
    "url": ("url",),
    "inlinks": ("times", "cash"),
    "siblings": ("siblings",),
    "host": ("host",),
    "depth": ("depth",),
    "pig": ("pig",),
    "words": (),
    "explore": (),
}
"""The terms of a score, and the signals in each; words and exploration have none."""
PRIOR = {
    "page_mean": 0.1,
    "page_best": 0.1,
    "context_mean": 0.25,
    "context_best": 0.25,
    "anchor_mean": 0.1,
    "anchor_best": 0.1,
    "url": 0.1,
}
"""Weights before anything was learned: much like link-context prediction with its β of 1/4."""
VARIANCE, BASE_VARIANCE, WORD_VARIANCE = 0.25, 100.0, 0.02
NOISE, HINDSIGHT_NOISE = 0.1, 1.0


class Adaptive(Strategy):
    """Score a link with the outcome expected of it by a model that every fetched page teaches.

    The outcome of a link is how the page behind it reads: the mean log-odds of its first passages under
    the relevance classifier. It is predicted by Bayesian linear regression (`online_regression`) from what
    the pages read so far say of the link: how they read themselves, context, anchor and URL (mean and
    best over all of them), their number and the topical cash they send, how the other links of those
    pages and of the host turned out, P_IG of those pages as Beta posteriors, depth, and the words in
    anchor, context and URL. The score adds ``explore`` standard deviations of the expectation, an upper
    confidence bound; they shrink as the model learns. There is no pre-analysis.

    When a page is fetched, its links to pages fetched before teach too, for their outcome is known.

    Parameters
    ----------
    assessor : Assessor
        Reads pages and the words around links.
    explore : float
        Standard deviations added to an expectation.
    review : int
        Waiting links that are scored anew after each page, in turn, as the model has moved on.
    hindsight : int
        At most so many links to pages fetched before teach for each page.
    without : sequence of str
        Names of `TERMS` to leave out, to see what they are worth.

    Attributes
    ----------
    model_ : OnlineRegression
        Weights of signals and words, and how sure they are.
    records_ : LinkRecords
        What is known of links, pages and hosts.

    Notes
    -----
    Ours, not a paper's. The variances, ``explore``, ``review`` and ``hindsight`` were chosen among some
    thirty settings by crawls of seven subjects of Wikipedia for Schools and three classes of WebKB
    (``benchmarks/quality/adaptive.py`` names them and measures on others), and are the same for every web.
    Time and memory are constant for each link seen; each page costs at most ``review`` and ``hindsight``
    links more.

    References
    ----------
    P_IG: Qian, J., Suebchua, T. and Yamana, H. "Enhancing focused crawler through genre detection."
    Cash: Guan, Z. et al., SIGIR 2008 (see `Otie`). Learning to rank links while crawling: Chakrabarti,
    S., Punera, K. and Subramanyam, M. "Accelerated focused crawling through online relevance feedback."
    WWW 2002, 148-159. doi:10.1145/511446.511466
    Confidence bounds: Li, L., Chu, W., Langford, J. and Schapire, R. E. "A contextual-bandit approach to
    personalized news article recommendation." WWW 2010, 661-670. doi:10.1145/1772690.1772758
    """

    name: ClassVar[str] = "adaptive"
    frontier: ClassVar[Mapping[str, Any]] = {"rediscovery": "last"}

    def __init__(
        self,
        assessor: Assessor,
        explore: float = 0.5,
        review: int = 100,
        hindsight: int = 10,
        without: Sequence[str] = (),
    ) -> None:
        self.assessor = assessor
        self.explore, self.review, self.hindsight = explore, review, hindsight
        self.without = without

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        """Let the task's classifiers read pages and links."""
        return cls(**({"assessor": task.assessor} | parameters))

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        if unknown := [term for term in self.without if term not in TERMS]:
            raise ValueError(f"no term named {unknown[0]!r}; try {', '.join(TERMS)}")
        if self.explore < 0 or self.review < 0 or self.hindsight < 0:
            raise ValueError("explore, review and hindsight cannot be negative; 0 turns each off")
        prior = np.array([PRIOR.get(name, 0.0) for name in SIGNALS])
        self.records_ = LinkRecords()
        self.model_ = OnlineRegression(prior, VARIANCE, SPACE, WORD_VARIANCE, NOISE)
        self.model_.covariance[0, 0] = BASE_VARIANCE
        self.terms_: dict[int, dict[str, float]] = {}
        self.next_ = 0

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        outcome = reading(self.assessor, visit.page)
        self._learn(visit, outcome)
        judged = visit.assessment
        page = self.records_.read(visit.page.url, outcome, judged.relevant, judged.genre)
        known = [link for link in visit.page.out if self.records_.fetched(link.url)]
        self._learn_again(known[: self.hindsight], visit, page, outcome)
        links = [link for link in visit.page.out if not self.records_.fetched(link.url)]
        rows = self._find(links, visit, page, outcome)
        scores = self._scores(rows)
        return [
            Proposal(link, score, self.terms_[row])
            for link, row, score in zip(links, rows.tolist(), scores, strict=True)
        ]

    def revise(self, visit: Visit) -> Iterable[tuple[str, float]]:
        links = self.records_.links
        turn = np.arange(self.next_, self.next_ + min(self.review, len(links))) % len(links)
        self.next_ = int(self.next_ + len(turn)) % len(links)
        rows = turn[~links.table["fetched"][turn]]
        return [(links.names[row], score) for row, score in zip(rows, self._scores(rows), strict=True)]

    def pig(self) -> PigTable:
        """P_IG as far as it is known: hits and links counted so far, by class and genre of the source."""
        counts = (self.records_.pig - 1)[:, : len(GENRES)].astype(int)
        return PigTable.from_counts(counts[..., 1], counts.sum(axis=2), source="learned while crawling")

    def _learn(self, visit: Visit, outcome: float) -> None:
        """Let the outcome of the link just followed teach; a seed was no choice."""
        records = self.records_
        for url in dict.fromkeys((visit.page.url, visit.link.url)):
            records.close(url, outcome)
        row = records.links.row(visit.link.url)
        self.terms_.pop(row, None)
        if records.links.table["times"][row]:
            rows = np.array([row])
            words = records.links.table["words"][row]
            found = float(records.outcomes(rows)[0])
            surprise = self.model_.learn(self._signals(rows)[0], words, found)
            records.credit(row, visit.assessment.relevant, surprise)

    def _learn_again(self, links: Sequence[Link], visit: Visit, page: int, outcome: float) -> None:
        """Links to pages fetched before say something too: how their words go with what is there."""
        rows = self._find(links, visit, page, outcome)
        found, signals = self.records_.outcomes(rows), self._signals(rows)
        for place, link in enumerate(links):
            words = self._words(link, visit.page.language)
            self.model_.learn(signals[place], words, float(found[place]), HINDSIGHT_NOISE)

    def _find(self, links: Sequence[Link], visit: Visit, page: int, outcome: float) -> NDArray[np.int64]:
        """Write the links of a page into the records; their rows."""
        read, language = self.assessor, visit.page.language
        said = [
            (outcome, evidence(read, link.context, language), evidence(read, link.anchor, language))
            for link in links
        ]
        evidences = np.array(said).reshape(-1, 3)
        rows, new = self.records_.find([link.url for link in links], page, evidences, visit.depth + 1)
        table = self.records_.links.table
        for place in np.flatnonzero(new).tolist():
            row, link = rows[place], links[place]
            table["url"][row] = evidence(read, " ".join(url_phrases(link.url)), language)
            table["words"][row] = self._words(link, language)
        return rows

    def _words(self, link: Link, language: str) -> NDArray[np.int32]:
        if "words" in self.without:
            return np.zeros(LONGEST, np.int32)
        return np.array(link_words(link, language), np.int32)

    def _signals(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        off = [SIGNALS.index(name) for term in self.without for name in TERMS[term]]
        signals = self.records_.signals(rows)
        signals[:, off] = 0.0
        return signals

    def _scores(self, rows: NDArray[np.int64]) -> list[float]:
        """Scores of waiting links; their terms are kept, so that they explain the score of the moment."""
        signals, words = self._signals(rows), self.records_.links.table["words"][rows]
        weighed = signals * self.model_.mean
        parts = [weighed[:, [SIGNALS.index(name) for name in names]].sum(axis=1) for names in TERMS.values()]
        explore = 0.0 if "explore" in self.without else self.explore
        parts[-2:] = [self.model_.said(words), explore * self.model_.spread(signals, words)]
        terms = np.column_stack(parts)
        for row, values in zip(rows.tolist(), terms.tolist(), strict=True):
            self.terms_.setdefault(row, {}).update(zip(TERMS, values, strict=True))
        return terms.sum(axis=1).tolist()
