"""A guarded web is shut while a strategy thinks, and open to everybody else."""

from __future__ import annotations

import numpy as np
import pytest
from tiny import TinyWeb, topic, url

from focuslab.strategies.breadth_first import BreadthFirst
from focuslab.types import Task, Topic, Visit
from focuslab.webs.guard import GuardedWeb, PeekError


class Peeking(BreadthFirst):
    """Reads the web in whichever of its methods it is told."""

    name = "peeking"

    def __init__(self, web: GuardedWeb, where: str) -> None:
        self.web, self.where = web, where

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        self.peek("start")

    def seed_score(self, url: str) -> float:
        self.peek("seed_score")
        return 7.0

    def propose(self, visit: Visit):
        yield self.peek("propose")

    def revise(self, visit: Visit):
        yield self.peek("revise")

    def peek(self, where: str) -> None:
        if where == self.where:
            self.web.fetch(url("a"))


CALLS = {
    "start": (topic("a"), np.random.default_rng(0)),
    "seed_score": (url("a"),),
    "propose": (None,),
    "revise": (None,),
}


@pytest.mark.parametrize("where", CALLS)
def test_no_method_of_a_strategy_can_read(where: str) -> None:
    """Also where it answers with a generator, which thinks only when it is read."""
    guarded = GuardedWeb(TinyWeb({"a": ""}))  # type: ignore[arg-type]
    watched = guarded.watch(Peeking(guarded, where))
    with pytest.raises(PeekError, match="'peeking' read the web by itself"):
        getattr(watched, where)(*CALLS[where])
    assert guarded.fetch(url("a")).ok  # the door is open again


def test_it_is_the_same_strategy() -> None:
    guarded = GuardedWeb(TinyWeb({"a": ""}))  # type: ignore[arg-type]
    watched = guarded.watch(Peeking(guarded, "nowhere"))
    assert watched.seed_score(url("a")) == 7.0
    assert watched.frontier == BreadthFirst.frontier
    with pytest.raises(TypeError, match=r"made with GuardedWeb\.watch"):
        type(watched).from_task(Task(topic("a"), None))  # type: ignore[arg-type]
