"""The sandbox: what an honest entry gets, and what ends the others, each with its sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tiny import TinyAssessor, TinyWeb, name, topic

from focuslab.crawling.loop import crawl
from focuslab.experiments.sandbox import Entry, Limits
from focuslab.strategies.best_first import BestFirst
from focuslab.types import Task

WEB = {"s": "a b", "a": "a/1 a/2", "b": "b/1", "a/1": "", "a/2": "", "b/1": ""}
GUIDE = TinyAssessor({"s": 0.5, "a": 0.2, "b": 0.9})
HEAD = """
import gc, os, socket, subprocess, time
from focuslab import Proposal, Strategy

class Mine(Strategy):
    name = "mine"
    def propose(self, visit):
"""


def crawled(folder: Path, body: str, limits: Limits = Limits()) -> tuple[list[str], str]:  # noqa: B008
    """The pages that an entry with this ``propose`` fetches, and why it failed."""
    file = folder / "mine.py"
    file.write_text(HEAD + "".join(f"        {line}\n" for line in body.splitlines()))
    return run(file, limits)


def run(file: Path, limits: Limits = Limits()) -> tuple[list[str], str]:  # noqa: B008
    entry = Entry(file, limits)
    strategy = entry(Task(topic("s"), GUIDE))
    try:
        return [
            name(visit.page.url) for visit in crawl(topic("s"), TinyWeb(WEB), strategy, GUIDE)
        ], entry.failed
    finally:
        entry.close()


GOOD = "return [Proposal(link, visit.assessment.relevance, {'R': 1.0}) for link in visit.page.out]"


def test_it_crawls_as_it_would_outside(tmp_path: Path) -> None:
    inside = crawled(tmp_path, GOOD)
    assert inside == ([name(v.page.url) for v in crawl(topic("s"), TinyWeb(WEB), BestFirst(), GUIDE)], "")


def test_the_frontier_it_asks_for_and_what_it_revises(tmp_path: Path) -> None:
    file = tmp_path / "last.py"
    file.write_text(
        "from focuslab import Proposal, Strategy\n"
        "class Last(Strategy):\n"
        "    name, frontier = 'last', {'tie': 'lifo'}\n"
        "    def propose(self, visit): return [Proposal(link, 1.0) for link in visit.page.out]\n"
        "    def revise(self, visit): return [('http://a.example/2', 2.0)]\n"
    )
    assert run(file) == (["s", "b", "b/1", "a", "a/2", "a/1"], "")
    file.write_text(file.read_text().replace("lifo", "no such rule"))
    assert run(file)[1].startswith("crashed: it asks of the frontier")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("return 1 / (visit.step - 1)", "crashed: ZeroDivisionError: division by zero (line 8)"),
        ("return [Proposal(link, float('nan')) for link in visit.page.out]", "crashed: ValueError: a score"),
        ("os._exit(9)", "crashed: its process ended, exit code 9"),
        (
            "return [Proposal(visit.link, 1.0, {'x' * 9_000_000: 1.0})]",
            "crashed: an answer of more than 8 MB",
        ),
        ("open(f'/proc/{os.getppid()}/mem', 'rb')", "peeked: it opened /proc/"),
        ("open('/tmp/left', 'w')", "peeked: it opened /tmp/left"),
        ("import focuslab.webs", "peeked: it opened"),
        ("import focuslab; focuslab.webs.synthetic(400)", "peeked: it opened"),
        ("socket.create_connection(('127.0.0.1', 9))", "peeked: it reached out of its process (socket."),
        ("subprocess.run(['ls'])", "peeked: it reached out of its process (subprocess.Popen"),
        ("os.kill(os.getppid(), 9)", "peeked: it reached out of its process (os.kill"),
        (
            "raise ValueError(sum(type(o).__name__ in ('Truth', 'TinyWeb') for o in gc.get_objects()))",
            "ValueError: 0",
        ),
    ],
)
def test_what_ends_an_entry_is_said(body: str, sentence: str, tmp_path: Path) -> None:
    """Nothing it catches keeps it: the exit is not an exception."""
    quiet = f"try:\n    {body}\nexcept OSError:\n    pass\nreturn []"
    pages, failed = crawled(tmp_path, quiet if sentence.startswith("peeked") else body)
    assert pages == ["s"]
    assert sentence in failed


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not count seconds for a process")
def test_an_endless_loop_costs_its_seconds(tmp_path: Path) -> None:
    pages, failed = crawled(tmp_path, "while True: pass", Limits(seconds=2))
    assert (pages, failed) == (["s"], "too slow: it used more than 2 s of the processor in one crawl")


def test_who_sleeps_costs_patience(tmp_path: Path) -> None:
    pages, failed = crawled(tmp_path, "time.sleep(600)", Limits(patience=2))
    assert (pages, failed) == (["s"], "too slow: it kept everybody waiting for more than 2 s in one crawl")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to a limit of address space")
def test_memory_is_bounded(tmp_path: Path) -> None:
    pages, failed = crawled(tmp_path, "return bytearray(9_000_000_000)")
    assert (pages, failed) == (["s"], "crashed: it needed more than 4,000 MB of memory")


def test_a_file_without_one_strategy_is_no_entry(tmp_path: Path) -> None:
    file = tmp_path / "empty.py"
    file.write_text("x = 1\n")
    assert "0 classes with a method propose" in run(file)[1]


def test_a_failed_entry_is_not_asked_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HEAD + "        raise KeyError(visit.step)\n")
    entry = Entry(file)
    for _ in range(2):
        assert len(list(crawl(topic("s"), TinyWeb(WEB), entry(Task(topic("s"), GUIDE)), GUIDE))) == 1
    entry.close()
    assert entry.failed == "crashed: KeyError: 1 (line 8)"
