"""The bar moves by crawls, also those of other processes, and is silent where it is told to be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from focuslab import webs
from focuslab.experiments import compare, progress


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_crawl_leaves_its_mark(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real = progress.tick_up_to

    def look(ticks: Path, count: int) -> None:
        seen.append(ticks.stat().st_size)
        real(ticks, count)

    monkeypatch.setattr(compare, "tick_up_to", look)
    topics = ["baseball", "gaming"]
    compare.compare(["breadth_first"], webs.synthetic(pages=300), topics, range(2), 20, jobs=jobs, bounds=())
    assert seen[-1] == 2 * 2 * 2  # two strategies, two seeds, two topics
    assert seen[0] in range(4, 9)  # the first topic is whole; the other process may be on its way


def test_what_other_machines_did_is_counted_when_it_arrives(tmp_path: Path) -> None:
    ticks = tmp_path / "ticks"
    ticks.touch()
    progress.tick(ticks)
    progress.tick_up_to(ticks, 5)
    progress.tick_up_to(ticks, 3)
    assert ticks.stat().st_size == 5
    progress.tick(tmp_path / "elsewhere" / "ticks")  # no such folder: another machine


SCRIPT = """
import time
from focuslab.experiments.progress import LOOK, counted, tick
with counted(3, "crawl") as ticks:
    tick(ticks)
    time.sleep(4 * LOOK)
"""


@pytest.mark.parametrize("silent", [True, False])
def test_the_bar_is_drawn_while_the_work_goes_on(silent: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TQDM_DISABLE", "1" if silent else "")
    told = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True).stderr
    assert ("1/3" in told) is not silent
    assert silent is not bool(told)
