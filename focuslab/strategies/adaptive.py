"""Adaptive: learn while crawling what makes a link worth following."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from focuslab.classifiers.online_regression import OnlineRegression
from focuslab.features.link_records import SIGNALS, LinkRecords
from focuslab.features.link_words import LONGEST, SPACE, words_of_links
from focuslab.features.passages import evidences, reading
from focuslab.features.pig import PigTable
from focuslab.features.url_terms import url_phrases
from focuslab.types import GENRES, Assessor, Link, Page, Proposal, Strategy, Task, Topic, Visit

if TYPE_CHECKING:
    from focuslab.strategies._learning import Mind

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
PLACES = {name: place for place, name in enumerate(TERMS)}


@cache
def arithmetic() -> Any:
    """`focuslab.strategies._learning`, when a crawl needs it: its compiler takes a while to load."""
    return import_module("focuslab.strategies._learning")


class LinkTerms(Mapping[str, float]):
    """The terms of a link's score as they are now, or were when it was fetched."""

    __slots__ = ("_row", "_strategy")

    def __init__(self, strategy: Adaptive, row: int) -> None:
        self._strategy, self._row = strategy, row

    def __getitem__(self, name: str) -> float:
        return float(self._strategy.terms_[self._row, PLACES[name]])

    def __iter__(self) -> Iterator[str]:
        return iter(TERMS)

    def __len__(self) -> int:
        return len(TERMS)


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
        self.terms_ = np.zeros((len(self.records_.links.table), len(TERMS)))
        self.next_ = 0

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        page, outcome = visit.page, reading(self.assessor, visit.page)
        self._learn(visit, outcome)
        judged, out = visit.assessment, page.out
        number = self.records_.read(page.url, outcome, judged.relevant, judged.genre)
        known = self.records_.fetched([link.url for link in out])
        old = [link for link, was_fetched in zip(out, known, strict=True) if was_fetched]
        self._learn_again(old[: self.hindsight], visit, number, outcome)
        links = [link for link, was_fetched in zip(out, known, strict=True) if not was_fetched]
        rows = self._find(links, visit, number, outcome)
        return [
            Proposal(link, score, LinkTerms(self, row))
            for link, row, score in zip(links, rows.tolist(), self._scores(rows), strict=True)
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
        if records.links.table["times"][row]:
            words = records.links.table["words"][row]
            surprise = arithmetic().teach(self._mind, row, words, NOISE)
            records.credit(row, visit.assessment.relevant, surprise)

    def _learn_again(self, links: Sequence[Link], visit: Visit, page: int, outcome: float) -> None:
        """Links to pages fetched before say something too: how their words go with what is there."""
        if links:
            rows, words = self._find(links, visit, page, outcome), self._words(links)
            arithmetic().teach_again(self._mind, rows, words, HINDSIGHT_NOISE)

    def _find(self, links: Sequence[Link], visit: Visit, page: int, outcome: float) -> NDArray[np.int64]:
        """Write the links of a page into the records; their rows."""
        said = self._evidence(links, visit.page, outcome)
        rows, new = self.records_.find([link.url for link in links], page, said, visit.depth + 1)
        fresh, table = [links[place] for place in np.flatnonzero(new).tolist()], self.records_.links.table
        table["words"][rows[new]] = self._words(fresh)
        phrases = [" ".join(url_phrases(link.url)) for link in fresh]
        table["url"][rows[new]] = evidences(self.assessor, phrases, visit.page.language)
        return rows

    def _evidence(self, links: Sequence[Link], page: Page, outcome: float) -> NDArray[np.float64]:
        """What the page, the context and the anchor of each link say."""
        texts = [link.context for link in links] + [link.anchor for link in links]
        said = np.array(evidences(self.assessor, texts, page.language)).reshape(2, -1)
        return np.column_stack([np.full(len(links), outcome), said[0], said[1]])

    def _words(self, links: Sequence[Link]) -> NDArray[np.int32]:
        if "words" in self.without:
            return np.zeros((len(links), LONGEST), np.int32)
        return np.array(words_of_links(links), np.int32).reshape(-1, LONGEST)

    @property
    def _mind(self) -> Mind:
        """All that was learned so far, as the arithmetic takes it."""
        return mind(self, self.records_.tables, self.model_.belief)

    def _scores(self, rows: NDArray[np.int64]) -> list[float]:
        """Scores of waiting links; their terms are kept, so that they explain the score of the moment."""
        missing = len(self.records_.links.table) - len(self.terms_)
        if missing:
            self.terms_ = np.concatenate([self.terms_, np.zeros((missing, len(TERMS)))])
        parts, scores = np.empty((len(rows), len(TERMS))), np.empty(len(rows))
        arithmetic().scores(self._mind, rows, parts, scores)
        self.terms_[rows] = parts
        return scores.tolist()


def mind(strategy: Adaptive, records: Any, belief: Any) -> Mind:
    """Records and belief, with what a strategy leaves out of its scores."""
    of_signal = {name: PLACES[term] for term, names in TERMS.items() for name in names}
    left_out = {name for term in strategy.without for name in TERMS[term]}
    terms = np.array([-1 if name in left_out else of_signal[name] for name in SIGNALS])
    explore = 0.0 if "explore" in strategy.without else float(strategy.explore)
    return arithmetic().Mind(records, belief, terms, len(TERMS), explore)
