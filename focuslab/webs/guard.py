"""A web that is shut while a strategy thinks: reading what was not fetched raises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from focuslab.types import Example, Proposal, Response, Strategy, Task, Topic, Truth, Visit, Web


class PeekError(RuntimeError):
    """A strategy read the web by itself."""


class GuardedWeb:
    """Wrap a web, and each strategy with `watch`; then only the crawl loop can fetch.

    While a watched strategy runs, every attribute of the web raises `PeekError`, so a comparison can
    promise that no strategy saw an unfetched page, or the truth.

    Examples
    --------
    >>> guarded = GuardedWeb(web)                                            # doctest: +SKIP
    >>> visits = crawl(topic, guarded, guarded.watch(strategy), assessor)    # doctest: +SKIP
    """

    def __init__(self, web: Web) -> None:
        self._web = web
        self.thinking = ""

    def watch(self, strategy: Strategy) -> Strategy:
        """The same strategy, behind a shut door."""
        return _Watched(strategy, self)

    def _open(self) -> Web:
        if self.thinking:
            raise PeekError(
                f"strategy {self.thinking!r} read the web by itself; it may see fetched pages only"
            )
        return self._web

    def fetch(self, url: str) -> Response:
        return self._open().fetch(url)

    def topics(self) -> tuple[str, ...]:
        return self._open().topics()

    def topic(self, name: str, seed: int = 0) -> Topic:
        return self._open().topic(name, seed)

    def examples(self, topic: str, count: int = 400, seed: int = 0) -> Iterable[Example]:
        return self._open().examples(topic, count, seed)

    def truth(self, topic: str) -> Truth:
        return self._open().truth(topic)

    def __len__(self) -> int:
        return len(self._open())


class _Watched(Strategy):
    name: ClassVar[str] = "watched"

    def __init__(self, strategy: Strategy, door: GuardedWeb) -> None:
        self.strategy, self.door = strategy, door
        self.frontier: Mapping[str, Any] = strategy.frontier  # type: ignore[misc]

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Self:
        raise TypeError("a watched strategy is made with GuardedWeb.watch")

    def _shut(self, call: Any, *arguments: Any) -> Any:
        self.door.thinking = self.strategy.name
        try:
            answer = call(*arguments)
            return answer if answer is None else list(answer)
        finally:
            self.door.thinking = ""

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        self._shut(self.strategy.start, topic, rng)

    def seed_score(self, url: str) -> float:
        self.door.thinking = self.strategy.name
        try:
            return self.strategy.seed_score(url)
        finally:
            self.door.thinking = ""

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        return self._shut(self.strategy.propose, visit)

    def revise(self, visit: Visit) -> Iterable[tuple[str, float]]:
        return self._shut(self.strategy.revise, visit)
