"""What is kept of a crawl is what the crawl did, and keeping it changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuslab import strategies
from focuslab.crawling.frontier import REDISCOVERIES, TIES, Frontier
from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import crawl
from focuslab.experiments.compare import default_setup
from focuslab.explore.recording import record
from focuslab.types import Link, Task

NAMES = ("adaptive", "best_first", "genre_enhanced", "naive_bayes", "opic", "otie")


@pytest.fixture(scope="module")
def task(web: Any) -> Task:
    return default_setup(web, "baseball", 0)


@pytest.mark.parametrize("name", NAMES)
def test_the_log_is_that_of_the_crawl(name: str, web: Any, task: Task) -> None:
    def run() -> Any:
        return crawl(task.topic, web, strategies.make(name, task), task.assessor, seed=1)

    kept, plain = record(run(), 40), CrawlLog.record(run(), 40)
    pd.testing.assert_frame_equal(kept.log.frame, plain.frame)
    assert kept.log.settings == plain.settings


@pytest.mark.parametrize("name", NAMES)
def test_each_queue_tells_what_was_taken_from_it(name: str, web: Any, task: Task) -> None:
    kept = record(crawl(task.topic, web, strategies.make(name, task), task.assessor), 40)
    assert len(kept.queues) == len(kept.visits) + 1
    for visit, queue in zip(kept.visits, kept.queues, strict=False):
        assert queue.waiting == visit.waiting + 1
        if visit.rank == 1:
            best = queue.best[0]
            assert (best.url, best.score, dict(best.terms)) == (
                visit.link.url,
                visit.score,
                dict(visit.terms) if name != "adaptive" else dict(best.terms),
            )
            assert queue.sharing == visit.ties + 1


MOVES = st.lists(
    st.tuples(st.sampled_from(["push", "rescore", "pop", "close"]), st.integers(0, 9), st.integers(0, 4)),
    max_size=60,
)


@given(moves=MOVES, tie=st.sampled_from(TIES), again=st.sampled_from(REDISCOVERIES), apart=st.integers(1, 3))
def test_the_best_links_are_those_that_would_be_popped(
    moves: list[tuple[str, int, int]], tie: str, again: str, apart: int
) -> None:
    rng = np.random.default_rng(0)
    frontier = Frontier(tie, again, hosts_apart=apart, rng=rng)
    for move, number, score in moves:
        url = f"http://{number % 4}.example/{number}"
        {
            "push": lambda url=url, score=score: frontier.push(Link(url), score),
            "rescore": lambda url=url, score=score: frontier.rescore(url, score),
            "pop": lambda: frontier.pop(),
            "close": lambda url=url: frontier.close(url),
        }[move]()
    size = len(frontier)
    best = frontier.best(20)
    assert len(best) == size
    assert [(-each.score, each.tie) for each in best] == sorted((-each.score, each.tie) for each in best)
    assert all(frontier.sharing(each.score) == sum(o.score == each.score for o in best) for each in best)
    assert frontier.best(3) == best[:3]
    assert len(frontier) == size
    if apart == 1:
        assert [frontier.pop().link.url for _ in best] == [each.link.url for each in best]
