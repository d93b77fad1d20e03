"""Published experiments: parts run apart, what comes out is stored, and drift is seen."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from focuslab import cli
from focuslab.experiments import results
from focuslab.experiments.reproduce.experiment import (
    Experiment,
    Finding,
    Part,
    Scale,
    none,
    reproduce,
    stored_name,
)

LESSON = Scale("lesson")


def _parts(scale: Scale) -> list[Part]:
    return [{"topic": topic} for topic in ("baseball", "gaming")]


def _run(scale: Scale, topic: str) -> pd.DataFrame:
    return pd.DataFrame({"seed": [0, 1], "harvest": [len(topic) / scale.pick(7, 11), 0.5]})


def _finding(rows: pd.DataFrame) -> Finding:
    return Finding("0.7", f"{rows['harvest'].mean():.2f}", "reproduces", "a test")


MADE_UP = Experiment("none/table_1", "nothing", "truth", "none", "00_welcome", _parts, _run, _finding)


def test_rows_name_their_part_and_are_stored(tmp_path: Path) -> None:
    ((experiment, rows, _),) = reproduce([MADE_UP], LESSON, where=tmp_path, jobs=1, command="a test")
    assert experiment is MADE_UP
    assert rows["topic"].tolist() == ["baseball", "baseball", "gaming", "gaming"]
    stored = results.read(stored_name(MADE_UP, LESSON), tmp_path)
    pd.testing.assert_frame_equal(stored, rows, rtol=results.TOLERANCE)
    assert (stored.attrs["judge"], stored.attrs["scale"], stored.attrs["command"]) == (
        "truth",
        "lesson",
        "a test",
    )


def test_one_part_alone_gives_its_own_rows(tmp_path: Path) -> None:
    ((_, rows, _),) = reproduce([MADE_UP], LESSON, where=tmp_path, jobs=1)
    alone = MADE_UP.rows(LESSON, {"topic": "gaming"})
    pd.testing.assert_frame_equal(alone, rows[rows["topic"] == "gaming"].reset_index(drop=True))


def test_only_the_papers_scale_goes_by_the_experiments_name() -> None:
    assert stored_name(MADE_UP, Scale("paper")) == "none/table_1"
    assert stored_name(MADE_UP, LESSON) == "lesson/none/table_1"


def test_an_unknown_scale_is_told_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'huge'; try lesson, paper"):
        Scale("huge")  # type: ignore[arg-type]


ELSEWHERE = Experiment("none/table_2", "nothing", "truth", "none", "00_welcome", none, _run, _finding)


def test_the_command_says_what_came_out_and_what_was_not_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("focuslab.experiments.reproduce.experiments", lambda paper: (MADE_UP, ELSEWHERE))
    assert cli.main(["reproduce", "qian", "--out", str(tmp_path), "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "none/table_1  reproduces" in said
    assert "none/table_2  not run: its data are not on this machine" in said
    assert results.names(tmp_path) == ["lesson/none/table_1"]
    assert (
        results.read("lesson/none/table_1", tmp_path).attrs["command"].startswith("focuslab reproduce qian")
    )


def test_an_unknown_experiment_is_told_the_known_ones(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("focuslab.experiments.reproduce.experiments", lambda paper: (MADE_UP,))
    assert cli.main(["reproduce", "qian/table_9"]) == 2
    assert "no experiment named 'qian/table_9'; try none/table_1" in capsys.readouterr().err
