"""The arena: a good, a slow, a crashing and a peeking entry on a fresh web, by the command."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from focuslab.cli import main
from focuslab.experiments.arena import RIVALS, Ground

SMALL = ["--pages", "1000", "--topics", "2", "--budget", "30", "--seconds", "4", "--seed", "5"]
HEAD = "import time\nfrom focuslab import Proposal, Strategy\nclass Mine(Strategy):\n    name = 'mine'\n"
BODIES = {
    "good": "return [Proposal(link, visit.assessment.relevance) for link in visit.page.out]",
    "endless": "while True: pass",
    "crash": "return [Proposal(link, 1 / (visit.step - 3)) for link in visit.page.out]",
    "peek": "from focuslab import webs; return []",
}
REASONS = {"endless": "too slow: ", "crash": "crashed: ZeroDivisionError", "peek": "peeked: "}


@pytest.fixture(scope="module")
def a_class(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    for name, body in BODIES.items():
        (folder / f"{name}.py").write_text(f"{HEAD}    def propose(self, visit): {body}\n")
    (folder / "endless.py").write_text(f"{HEAD}    def propose(self, visit):\n        while True: pass\n")
    return folder


def test_a_class_is_ranked(a_class: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", str(a_class), "--out", str(tmp_path / "out"), *SMALL]) == 0
    table = pd.read_csv(tmp_path / "out" / "arena.csv").set_index("name")
    assert set(table.index) == {*RIVALS, *BODIES, "random", "oracle"}
    assert {name: table.failed[name].startswith(why) for name, why in REASONS.items()} == dict.fromkeys(
        REASONS, True
    )
    assert table["rank"].dropna().tolist() == list(range(1, len(RIVALS) + 2))
    # the same rule in the sandbox and out of it gives the same crawls
    assert table.area["good"] == table.area["best_first"] <= table.area["oracle"]
    assert table.low["good"] <= table.area["good"] <= table.high["good"]
    page, said = (tmp_path / "out" / "index.html").read_text(encoding="utf-8"), capsys.readouterr().out
    assert all(name in page and name in said for name in BODIES)
    assert "://" not in page
    assert "--seed 5" in page


def test_a_submission_gets_its_row(a_class: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["submit", str(a_class / "crash.py"), *SMALL]) == 1
    assert "crashed: ZeroDivisionError: division by zero (line 5)" in capsys.readouterr().out


def test_nobody_can_guess_the_web() -> None:
    assert Ground.fresh() != Ground.fresh()
    assert Ground.fresh(3).drawn(list("abcdefgh")) == Ground.fresh(3).drawn(list("abcdefgh"))


def test_two_entries_of_one_name_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "adaptive.py").write_text("")
    assert main(["arena", str(tmp_path)]) == 2
    assert "rename the file" in capsys.readouterr().err
    assert main(["arena", str(tmp_path / "none")]) == 2
