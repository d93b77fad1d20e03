"""What if the strategy had other parameters: the queue it would have made of the same pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from inspect import signature
from typing import Any

from focuslab.crawling.loop import Crawl
from focuslab.explore.recording import Queue, Recording, look
from focuslab.types import Assessment, Assessor, LiveFetcher, Page, Response, Strategy, Visit

__all__ = ["parameters", "what_if"]

WIDER = 4
"""A number that is no share may be made so many times as large (our choice)."""


def parameters(strategy: Strategy) -> list[dict[str, Any]]:
    """The numbers and switches of a strategy, with the range in which to move them."""
    found = []
    for name in signature(type(strategy).__init__).parameters:
        value = getattr(strategy, name, None)
        if isinstance(value, bool):
            found.append({"name": name, "value": value, "kind": "switch"})
        elif isinstance(value, (int, float)):
            whole = isinstance(value, int)
            most = max(1, WIDER * value) if whole or value > 1 else 1
            step = 1 if whole else most / 100
            found.append({"name": name, "value": value, "kind": "number", "most": most, "step": step})
    return found


def what_if(recording: Recording, step: int, changes: Mapping[str, Any]) -> Queue:
    """The queue after the first ``step`` visits, had the strategy been another all the time.

    Parameters
    ----------
    recording : Recording
        A crawl with its visits and its strategy.
    step : int
        Visits that are taken as they were.
    changes : mapping
        Parameters of the strategy by name, and ``tie`` and ``rediscovery`` of the frontier.
    """
    strategy, topic, assessor = recording.strategy, recording.topic, recording.assessor
    if strategy is None or topic is None or assessor is None:
        raise ValueError("only a log is left of this crawl; explore the crawl itself to ask what if")
    if not 0 <= step <= len(recording.visits):
        raise ValueError(f"step {step} is not in this crawl; it has steps 0 to {len(recording.visits)}")
    rules = {name: changes[name] for name in ("tie", "rediscovery") if name in changes}
    known = {entry["name"] for entry in parameters(strategy)}
    if unknown := set(changes) - known - set(rules):
        allowed = ", ".join((*known, "tie", "rediscovery"))
        raise ValueError(f"{strategy.name} has no parameter {min(unknown)!r}; try {allowed}")
    other = copy(strategy)  # a strategy only stores its parameters; start forgets the rest
    for name in known & set(changes):
        setattr(other, name, changes[name])
    memory = _Memory(recording.visits[:step], assessor)
    again = Crawl(
        topic,
        memory,
        other,
        memory,
        width=2,  # a flight lands what is on record first, in its order
        seed=int(recording.log.settings.get("seed", 0)),
        frontier=recording.rules | rules,
        parse=memory.parse,
    )
    for _ in range(step):
        next(again)
    for failure in recording.log.failures:
        again.frontier.close(failure.link.url)
    queue = look(again.frontier)
    again.close()
    return queue


class _Memory(LiveFetcher):
    """The recorded visits in their order, as fetcher, parser and assessor of another crawl."""

    def __init__(self, visits: tuple[Visit, ...], assessor: Assessor) -> None:
        self._visits, self._assessor = visits, assessor
        self._by_url = {visit.response.url: visit for visit in visits}
        self._by_url |= {visit.page.url: visit for visit in visits}

    def past(self) -> Iterator[tuple[str, Response]]:
        return ((visit.link.url, visit.response) for visit in self._visits)

    def fetch(self, url: str) -> Response:
        raise AssertionError(f"{url} is asked for, though nothing is fetched in a memory")

    def parse(self, response: Response) -> Page:
        return self._by_url[response.url].page

    def assess(self, page: Page) -> Assessment:
        return self._by_url[page.url].assessment

    def score_text(self, text: str, language: str = "") -> float:
        return self._assessor.score_text(text, language)
