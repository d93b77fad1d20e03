"""Results don't drift: one part of each stored experiment is computed anew and compared, row by row."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from focuslab.experiments import results
from focuslab.experiments.reproduce import PAPERS, _qian_live, experiments
from focuslab.experiments.reproduce.experiment import Experiment, Part, Scale, stored_name

LESSON = Scale("lesson")
ALL = [each for paper in PAPERS for each in experiments(paper)]
STORED = set(results.names())


def drift(experiment: Experiment, scale: Scale, part: Part, folder: Path) -> list[str]:
    """Columns of a part that a fresh run fills otherwise than the stored one."""
    kept = results.read(stored_name(experiment, scale))
    kept = kept[(kept[list(part)] == pd.Series(part)).all(axis=1)] if part else kept
    results.write("fresh", experiment.rows(scale, part), {"command": "", "judge": "", "rules": ""}, folder)
    fresh = results.read("fresh", folder)
    if list(fresh) != list(kept) or len(fresh) != len(kept):
        return ["all of it"]
    return [name for name in fresh if _differ(kept[name].reset_index(drop=True), fresh[name])]


def _differ(kept: pd.Series, fresh: pd.Series) -> bool:
    try:
        pd.testing.assert_series_equal(kept, fresh, check_dtype=False, rtol=results.TOLERANCE)
    except AssertionError:
        return True
    return False


def stored(scale: Scale) -> list[Experiment]:
    return [each for each in ALL if stored_name(each, scale) in STORED]


@pytest.mark.parametrize("scale", [LESSON, Scale("paper")], ids=lambda scale: scale.name)
def test_what_is_stored_says_how_it_is_judged_today(scale: Scale) -> None:
    for experiment in stored(scale):
        about = results.read(stored_name(experiment, scale)).attrs
        assert (about["judge"], about["rules"]) == (experiment.judge, experiment.rules), experiment.name


@pytest.mark.parametrize("experiment", stored(LESSON), ids=lambda each: each.name)
def test_a_part_computed_anew_is_what_is_stored(experiment: Experiment, tmp_path: Path) -> None:
    if not (parts := experiment.parts(LESSON)):
        pytest.skip("the pages it needs are not on this machine")
    assert drift(experiment, LESSON, parts[0], tmp_path) == []


@pytest.mark.parametrize("table_5", [each for each in stored(LESSON) if each.name == "qian/table_5"])
def test_a_changed_constant_is_seen(
    table_5: Experiment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(_qian_live.WEIGHTS, "baseball", 0.5)  # of 0.95
    assert "truth" in drift(table_5, LESSON, table_5.parts(LESSON)[0], tmp_path)
