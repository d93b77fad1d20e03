"""The crawl loop, the only one: simulation, archive replay and live HTTP differ in what they plug in."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from focuslab.crawling.flight import Flight, Step
from focuslab.crawling.frontier import Chosen, Frontier
from focuslab.fetchers.failures import Reason
from focuslab.pages.parse import parse as parse_html
from focuslab.types import Assessor, Fetcher, Link, Page, Response, Strategy, Topic, Visit

READABLE = ("text/html", "application/xhtml+xml", "text/plain")


class Failure(NamedTuple):
    """A link that was tried and brought no page, and why."""

    link: Link
    status: int
    reason: str


class Crawl(Iterator[Visit]):
    """A crawl under way: iterate to go on, stop whenever you like.

    Attributes
    ----------
    topic, strategy, assessor
        What it was made with.
    frontier : Frontier
        The links that wait.
    failures : list of Failure
        Links that were tried and brought no page; they cost no budget.
    settings : dict
        What a report must name: topic, strategy, seed, width, tie, rediscovery, and so on.
    """

    def __init__(
        self,
        topic: Topic,
        fetcher: Fetcher,
        strategy: Strategy,
        assessor: Assessor,
        *,
        width: int = 1,
        seed: int = 0,
        frontier: Mapping[str, Any] | None = None,
        parse: Callable[[Response], Page] = parse_html,
        strict: bool = True,
        past_first: bool = False,
        on_failure: Callable[[Failure], None] = lambda failure: None,
        on_wait: Callable[[], None] = lambda: None,
        repeats: Callable[[Page], str] | None = None,
    ) -> None:
        if not topic.seeds:
            raise ValueError(f"topic {topic.name!r} has no seeds; give at least one URL to start from")
        strategy_rng, frontier_rng = np.random.default_rng(seed).spawn(2)
        asked = {**strategy.frontier, **(frontier or {})}
        self.frontier = Frontier(rng=frontier_rng, **asked)
        self.failures: list[Failure] = []
        self.settings = self._describe(topic, strategy, seed, width)
        self.topic, self.strategy, self.assessor = topic, strategy, assessor
        self._parse, self._strict, self._on_failure, self._repeats = parse, strict, on_failure, repeats
        self._steps = 0
        strategy.start(topic, strategy_rng)
        for url in topic.seeds:
            self.frontier.push(Link(url), strategy.seed_score(url))
        self._visits = self._run(
            Flight(fetcher, self.frontier, width, on_wait)
            if width > 1
            else Step(fetcher, self.frontier, past_first)
        )

    def __next__(self) -> Visit:
        return next(self._visits)

    def close(self) -> None:
        """Let go of what is in flight."""
        self._visits.close()

    def _describe(self, topic: Topic, strategy: Strategy, seed: int, width: int) -> dict[str, Any]:
        rules = self.frontier
        return {
            "topic": topic.name,
            "strategy": strategy.name,
            "seeds": len(topic.seeds),
            "seed": seed,
            "width": width,
            "tie": rules.tie,
            "rediscovery": rules.rediscovery,
            "hosts_apart": rules.hosts_apart,
            "host_cap": rules.host_cap,
            "domain_cap": rules.domain_cap,
            "max_depth": rules.max_depth,
        }

    def _run(self, flight: Step | Flight) -> Generator[Visit, None, None]:
        try:
            while (landed := flight.next()) is not None:
                visit = self._visit(*landed)
                if visit is not None:
                    yield visit
        finally:
            flight.close()

    def _visit(self, chosen: Chosen, response: Response) -> Visit | None:
        """Read a page and take its links in; None if there is none to read."""
        reason = unreadable(response) or self._duplicate(chosen, response)
        if not reason:
            try:
                page = self._parse(response)
                reason = self._repeats(page) if self._repeats else ""
                if not reason:
                    visit = self._judged(chosen, response, page)
                    self._take_in(visit)
                    self._steps = visit.step
                    return visit
            except Exception as problem:
                if self._strict:
                    raise
                reason = Reason.mistaken(problem)
        self.frontier.refund(chosen.link.url)
        self.failures.append(Failure(chosen.link, response.status, reason))
        self._on_failure(self.failures[-1])
        return None

    def _judged(self, chosen: Chosen, response: Response, page: Page) -> Visit:
        link, score, depth, terms, rank, ties, waiting = chosen
        assessment = self.assessor.assess(page)
        step = self._steps + 1
        return Visit(step, link, score, depth, response, page, assessment, terms, rank, ties, waiting)

    def _duplicate(self, chosen: Chosen, response: Response) -> str:
        """A redirect may end where the crawl has been, or is on its way to."""
        if response.url == chosen.link.url:
            return ""
        if self.frontier.seen(response.url) and response.url not in self.frontier:
            return Reason.DUPLICATE.because(f"leads to {response.url}, fetched before")
        self.frontier.close(response.url)
        return ""

    def _take_in(self, visit: Visit) -> None:
        for link, score, terms in self.strategy.propose(visit):
            self.frontier.push(link, score, visit.depth + 1, terms)
        for url, score in self.strategy.revise(visit):
            self.frontier.rescore(url, score)


def crawl(
    topic: Topic,
    fetcher: Fetcher,
    strategy: Strategy,
    assessor: Assessor,
    *,
    width: int = 1,
    seed: int = 0,
    frontier: Mapping[str, Any] | None = None,
    parse: Callable[[Response], Page] = parse_html,
    strict: bool = True,
) -> Crawl:
    """Crawl for a topic; the caller owns the budget: ``islice(crawl(...), 500)``.

    Parameters
    ----------
    topic : Topic
        What is wanted, and the seeds, which are fetched before everything else.
    fetcher : Fetcher
        Where responses come from: a web in memory, an archive, HTTP.
    strategy : Strategy
        Scores the links of each page fetched.
    assessor : Assessor
        The trained classifiers that guide the crawl.
    width : int
        Fetches in flight. With 1 the crawl is a function of its inputs; with more, results are used
        as they complete, so the order is the network's as well, and while a polite fetcher makes a
        host wait, the best links of other hosts go first.
    seed : int
        Of all chance in the crawl.
    frontier : mapping, optional
        Settings that override the strategy's own: tie, rediscovery, hosts_apart, host_cap, site.
    parse : callable
        Response to Page; a comparison passes one that remembers.
    strict : bool
        Whether an exception in reading or scoring a page is raised, as whoever writes a strategy wants it, or
        becomes that page's failure, as a long crawl of the web needs it.

    Returns
    -------
    Crawl
        An iterator of `Visit`. Fetches that fail are kept in its ``failures`` and cost no budget.
    """
    return Crawl(
        topic,
        fetcher,
        strategy,
        assessor,
        width=width,
        seed=seed,
        frontier=frontier,
        parse=parse,
        strict=strict,
    )


def unreadable(response: Response) -> str:
    """Why a response is no page to read; empty if it is one."""
    if response.error:
        return response.error
    if not response.ok:
        return f"{Reason.STATUS} {response.status}"
    kind = response.content_type.partition(";")[0].strip().lower()
    return Reason.NOT_HTML.because(kind) if kind and kind not in READABLE else ""
