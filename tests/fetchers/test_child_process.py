"""A crew in a process of its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab.crawling.loop import crawl
from focuslab.fetchers.child_process import Apart
from focuslab.fetchers.recorder import FullError, Recorder
from focuslab.strategies.breadth_first import BreadthFirst

WEB = {"s": "a/1 a/2 a/3 b/1 b/2 c/1", **dict.fromkeys(["a/1", "a/2", "a/3", "b/1", "b/2", "c/1"], "")}


def recorder(path: Path) -> Recorder:
    """Built in the child, from this very module."""
    return Recorder(TinyWeb(WEB), path)


def limited(path: Path) -> Recorder:
    return Recorder(TinyWeb(WEB), path, max_bytes=1_500)


def impossible(path: Path) -> Recorder:
    raise ValueError("it cannot be")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "crawl.warc.gz"


def test_a_crew_apart_fetches_records_and_remembers(file):
    crew = Apart(partial(recorder, file), file, 3)
    visits = crawl(topic("s"), crew, BreadthFirst(), TinyAssessor({}), width=3)
    assert sorted(name(visit.page.url) for visit in visits) == sorted(WEB)
    crew.close()
    again = Apart(partial(recorder, file), file, 3)
    assert again.recorded == len(WEB)
    assert next(asked for asked, _ in again.past()) == url("s")
    assert again.fetch(url("a/1")).ok
    again.close()


def test_what_fails_apart_is_told_here(file):
    crew = Apart(partial(impossible, file), file, 2)
    with pytest.raises(ValueError, match="it cannot be"):
        _ = crew.recorded
    crew.close()
    crew = Apart(partial(limited, file), file, 2)
    visits = crawl(topic("s"), crew, BreadthFirst(), TinyAssessor({}), width=2)
    with pytest.raises(FullError, match="reached its limit"):
        list(visits)
    crew.close()


def test_a_child_that_is_killed_is_missed_and_its_record_is_whole(file):
    crew = Apart(partial(recorder, file), file, 2)
    assert crew.fetch(url("s")).ok
    crew._child.kill()
    with pytest.raises(OSError, match="has ended; what it brought is recorded, so resume"):
        crew.fetch(url("a/1"))
    crew.close()
    with Recorder(TinyWeb({}), file) as record:
        assert url("s") in record
