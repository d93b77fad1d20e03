"""The vocabulary of the lab: plain, frozen values, and protocols for whatever can be swapped.

This module imports nothing else of focuslab, so every other module may import it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np

__all__ = [
    "GENRES",
    "Arrival",
    "Assessment",
    "Assessor",
    "Crew",
    "Example",
    "Fetcher",
    "Link",
    "LiveFetcher",
    "Page",
    "Proposal",
    "Response",
    "Strategy",
    "Task",
    "Topic",
    "Truth",
    "Visit",
    "Web",
]

GENRES = ("News", "Blog", "Image", "Video", "Other")
"""The genres of Qian et al., in the order of their tables."""
NO_TERMS: Mapping[str, float] = {}
NO_HEADERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Link:
    """A link as its source page shows it: where it points, what it says, what stands around it."""

    url: str
    anchor: str = ""
    context: str = ""
    source: str = ""
    nofollow: bool = False
    """Whether the page asks robots not to follow it (``rel="nofollow"``)."""
    embedded: bool = False
    """A frame or a refresh, on which nobody clicks."""


@dataclass(frozen=True, slots=True)
class Response:
    """What a fetch brought back; a failure is a Response too (status 0 and an error if nothing came)."""

    url: str
    """The address after redirects."""
    status: int = 0
    body: bytes = b""
    content_type: str = ""
    seconds: float = 0.0
    error: str = ""
    headers: Mapping[str, str] = field(default_factory=lambda: NO_HEADERS)

    @property
    def ok(self) -> bool:
        """True when there is a body worth reading."""
        return not self.error and 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page: what a reader sees, and every link in order of appearance (repeats included)."""

    url: str
    title: str = ""
    text: str = ""
    links: tuple[Link, ...] = ()
    images: int = 0
    multimedia: int = 0
    language: str = ""
    directives: frozenset[str] = frozenset()
    """What its markup asks of robots, in lower case: ``noindex``, ``nofollow`` and the like."""

    @property
    def out(self) -> tuple[Link, ...]:
        """Distinct links to other pages, each at its first appearance."""
        first: dict[str, Link] = {}
        for link in self.links:
            if link.url != self.url:
                first.setdefault(link.url, link)
        return tuple(first.values())


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the classifiers say of one page: R, I, G and C of Qian et al."""

    relevance: float
    relevant: bool
    genre: str = ""
    confidence: float = 0.0


class Proposal(NamedTuple):
    """A link a strategy wants fetched, how much, and the named terms that made the score."""

    link: Link
    score: float
    terms: Mapping[str, float] = NO_TERMS


@dataclass(frozen=True, slots=True)
class Visit:
    """One fetched, parsed and assessed page, and how it came to be chosen."""

    step: int
    link: Link
    score: float
    depth: int
    response: Response
    page: Page
    assessment: Assessment
    terms: Mapping[str, float] = field(default_factory=lambda: NO_TERMS)
    rank: int = 1
    """Place in the frontier when it was popped: 1, unless better ones had to wait (host rules)."""
    ties: int = 0
    """How many other waiting links had the same score."""
    waiting: int = 0
    """How many links were left in the frontier."""


@dataclass(frozen=True, slots=True)
class Topic:
    """The task, as a person would state it. It never holds the truth."""

    name: str
    seeds: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    genre_terms: tuple[str, ...] = ()
    content_terms: tuple[str, ...] = ()
    url_terms: tuple[str, ...] = ()
    language: str = ""
    """Keep pages of this language only; empty: any."""


@dataclass(frozen=True, slots=True)
class Example:
    """A page somebody labelled, for training."""

    page: Page
    relevant: bool
    genre: str = ""


@dataclass(frozen=True, slots=True)
class Truth:
    """The answer key of one topic: who reads it judges, and so must not guide."""

    targets: frozenset[str]
    name: str = "truth"

    def __call__(self, url: str) -> bool:
        return url in self.targets

    def __len__(self) -> int:
        return len(self.targets)


@runtime_checkable
class Fetcher(Protocol):
    """Turns a URL into a Response; never raises for what the web does."""

    def fetch(self, url: str) -> Response: ...


@runtime_checkable
class LiveFetcher(Fetcher, Protocol):
    """What crawls of the live web ask of a fetcher besides. Inherit from it for the defaults."""

    @property
    def polite(self) -> bool:
        """Whether a host is to be asked one page at a time, with the rests it wants."""
        return False

    @property
    def recorded(self) -> int:
        """How many fetches were on record when it was opened."""
        return 0

    def ready_in(self, url: str) -> float:
        """Seconds until the host of a page may be asked, so that a crawl can take another one first."""
        return 0.0

    def rules(self, url: str) -> Response:
        """A robots.txt file, or what it moved to: of any type, and long enough."""
        return self.fetch(url)

    def past(self) -> Iterator[tuple[str, Response]]:
        """What was on record when it was opened, in the order it came."""
        return iter(())

    def close(self) -> None:
        """Let go of files and connections."""
        return


Arrival: TypeAlias = tuple[str, Response | BaseException, float]
"""A URL, what it brought, and how many seconds its host now wants to be left alone."""


@runtime_checkable
class Crew(LiveFetcher, Protocol):
    """Fetches several URLs at a time."""

    def ask(self, url: str) -> None:
        """Have a URL fetched; what it brings is among what will `come`."""
        ...

    def come(self, timeout: float) -> Arrival | None:
        """What arrived next; None if nothing did in time."""
        ...


@runtime_checkable
class Assessor(Protocol):
    """The trained classifiers, as the crawl sees them."""

    def assess(self, page: Page) -> Assessment: ...

    def score_text(self, text: str, language: str = "") -> float:
        """Relevance in [0, 1] of a piece of text, such as the words around a link."""
        ...


@dataclass(frozen=True, slots=True)
class Task:
    """All that a strategy may be built from before a crawl."""

    topic: Topic
    assessor: Assessor
    examples: Sequence[Example] = ()
    extras: Mapping[str, Any] = field(default_factory=dict)
    """What a pre-analysis found, by name, such as ``pig`` (a P_IG table)."""


class Strategy(Protocol):
    """Decides which link is worth fetching next. Inherit from it for the defaults.

    ``__init__`` only stores parameters; ``start`` resets everything learned (names that end in ``_``).
    """

    name: ClassVar[str]
    frontier: ClassVar[Mapping[str, Any]] = {}
    """Settings of the Frontier this strategy asks for: tie, rediscovery, hosts_apart."""

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        """Build the strategy for a task; most need no more than their parameters."""
        return cls(**parameters)

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        """Forget everything learned; ``rng`` is the only source of chance."""
        return

    def seed_score(self, url: str) -> float:
        """What a seed is worth before anything is known; by default all seeds go before all else."""
        return math.inf

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        """Score the links of a page just fetched. Links that are not proposed are not followed."""
        ...

    def revise(self, visit: Visit) -> Iterable[tuple[str, float]]:
        """New scores for links that wait already, after ``propose`` of the same visit was taken in."""
        return ()


class Web(Fetcher, Protocol):
    """Where pages come from, with topics, labelled examples, and the truth where it is known."""

    def topics(self) -> tuple[str, ...]:
        """Names of the topics this web has."""
        ...

    def topic(self, name: str, seed: int = 0) -> Topic:
        """The task, with seeds drawn by ``seed``."""
        ...

    def examples(self, topic: str, count: int = 400, seed: int = 0) -> Sequence[Example]:
        """Labelled pages to train on."""
        ...

    def truth(self, topic: str) -> Truth: ...

    def __len__(self) -> int:
        """How many pages there are."""
        ...
