"""The page of all tables and figures: each once, with a verdict that is one of four."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from focuslab.experiments import results
from focuslab.experiments.reproduce import PAPERS, experiments, overview
from focuslab.experiments.reproduce.experiment import VERDICTS, Experiment, Finding, Scale, none, stored_name


def test_every_experiment_and_all_else_the_papers_show_is_listed(tmp_path: Path) -> None:
    lines = overview.overview(tmp_path)
    assert {line.name for line in lines} >= {each.name for paper in PAPERS for each in experiments(paper)}
    for line in lines:
        assert line.shows
        assert line.why
        assert line.verdict == ("not run" if line.name else "cannot be tested")


def test_what_is_stored_has_a_verdict() -> None:
    for line in overview.overview():
        assert line.verdict in (*VERDICTS, "not run")
        if line.verdict in VERDICTS and line.name:
            assert all(line), line


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Experiment:
    def finding(rows: pd.DataFrame) -> Finding:
        return Finding("0.7", f"{rows['harvest'].mean():.1f}", "reproduces", "a test")

    one = Experiment("qian/one", "Table 0", "truth", "no rules", "00", none, pd.DataFrame, finding)
    monkeypatch.setattr(overview, "experiments", lambda paper: (one,) if paper == "qian" else ())
    return one


def test_the_papers_scale_goes_before_the_lessons(made_up: Experiment, tmp_path: Path) -> None:
    for scale, harvest in (("lesson", 0.2), ("paper", 0.4)):
        how = {"command": "", "judge": "truth", "rules": "none", "scale": scale, "date": "", "seconds": 1}
        name = stored_name(made_up, Scale(scale))  # type: ignore[arg-type]
        results.write(name, pd.DataFrame({"harvest": [harvest]}), how, tmp_path)
        (line,) = (line for line in overview.overview(tmp_path) if line.name == "qian/one")
        assert (line.ours, line.verdict) == (str(harvest), "reproduces")
        assert f"{scale} scale" in line.how
