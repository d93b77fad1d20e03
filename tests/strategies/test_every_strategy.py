"""The contract of a strategy, checked for every file in strategies/, written or yet to be written."""

from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from focuslab import webs
from focuslab.classifiers.assessor import train_classifiers
from focuslab.crawling.loop import crawl
from focuslab.strategies import all_strategies, make
from focuslab.types import Strategy, Task
from focuslab.webs.guard import GuardedWeb, PeekError

NAMES = tuple(all_strategies())
PAGES = 120


def setup() -> tuple[webs.SyntheticWeb, Task]:
    web = webs.synthetic(pages=600, seed=3)
    examples = web.examples("baseball", 150)
    topic = web.topic("baseball", seed=1)
    return web, Task(topic, train_classifiers(examples, topic), examples, {"truth": web.truth("baseball")})


@pytest.fixture(scope="module")
def ground() -> tuple[webs.SyntheticWeb, Task]:
    return setup()


def run(web: object, strategy: Strategy, task: Task) -> list[tuple[str, float]]:
    visits = crawl(task.topic, web, strategy, task.assessor, seed=5)  # type: ignore[arg-type]
    return [(visit.page.url, visit.score) for visit in islice(visits, PAGES)]


def digests() -> str:
    """One line that changes when any strategy's order or scores do."""
    web, task = setup()
    runs = {name: repr(run(web, make(name, task), task)) for name in NAMES}
    return json.dumps({name: hashlib.sha256(text.encode()).hexdigest() for name, text in runs.items()})


@pytest.mark.parametrize("name", NAMES)
def test_it_crawls(name: str, ground: tuple) -> None:
    web, task = ground
    visited = run(web, make(name, task), task)
    assert len(visited) == PAGES
    assert len({url for url, _ in visited}) == PAGES
    assert all(not math.isnan(score) for _, score in visited)


@pytest.mark.parametrize("name", NAMES)
def test_it_can_be_used_twice(name: str, ground: tuple) -> None:
    web, task = ground
    strategy = make(name, task)
    assert run(web, strategy, task) == run(web, strategy, task)


@pytest.mark.parametrize("name", NAMES)
def test_it_sees_fetched_pages_only(name: str, ground: tuple) -> None:
    web, task = ground
    guarded = GuardedWeb(web)
    assert run(guarded, guarded.watch(make(name, task)), task) == run(web, make(name, task), task)


@pytest.mark.parametrize("name", NAMES)
def test_it_learns_nothing_before_it_starts(name: str, ground: tuple) -> None:
    _, task = ground
    assert not [field for field in vars(make(name, task)) if field.endswith("_")]


@pytest.mark.parametrize("name", NAMES)
def test_it_names_its_paper(name: str) -> None:
    words = all_strategies()[name].__doc__ or ""
    assert "References\n    ----------" in words


def test_same_seed_same_log_under_two_hash_seeds() -> None:
    code = "import test_every_strategy as t; print(t.digests())"
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    first, second = (json.loads(line) for line in printed)
    assert set(first) == set(NAMES)
    assert first == second


def test_the_guard_really_raises(ground: tuple) -> None:
    web, task = ground
    guarded = GuardedWeb(web)

    class Cheat(all_strategies()["breadth_first"]):  # type: ignore[misc]
        def propose(self, visit):  # type: ignore[no-untyped-def]
            guarded.fetch(visit.page.out[0].url)
            return ()

    with pytest.raises(PeekError, match="read the web by itself"):
        run(guarded, guarded.watch(Cheat()), task)


def test_an_unknown_name_lists_the_known(ground: tuple) -> None:
    with pytest.raises(ValueError, match=r"no strategy named 'worst_first'; try .*best_first"):
        make("worst_first", ground[1])


def test_the_folder_and_the_names_agree() -> None:
    assert {"random", "breadth_first", "best_first", "oracle"} <= set(NAMES)
