"""Results don't drift: one part of each stored experiment is computed anew and compared, row by row."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from focuslab.experiments import results
from focuslab.experiments.reproduce import PAPERS, experiments, qian
from focuslab.experiments.reproduce.experiment import Experiment, Part, Scale, stored_name

LESSON = Scale("lesson")
ALL = [each for paper in PAPERS for each in experiments(paper)]
STORED = set(results.names())


def drift(experiment: Experiment, scale: Scale, part: Part, folder: Path) -> list[str]:
    """Columns of a part that a fresh run fills otherwise than the stored one."""
    stored = results.read(stored_name(experiment, scale))
    stored = stored[(stored[list(part)] == pd.Series(part)).all(axis=1)] if part else stored
    results.write("fresh", experiment.rows(scale, part), {"command": "", "judge": "", "rules": ""}, folder)
    fresh = results.read("fresh", folder)
    if list(fresh) != list(stored) or len(fresh) != len(stored):
        return ["all of it"]
    return [name for name in fresh if _differ(stored[name].reset_index(drop=True), fresh[name])]


def _differ(stored: pd.Series, fresh: pd.Series) -> bool:
    try:
        pd.testing.assert_series_equal(stored, fresh, check_dtype=False, rtol=results.TOLERANCE)
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.name)
def test_both_scales_are_stored(experiment: Experiment) -> None:
    for scale in (LESSON, Scale("paper")):
        assert stored_name(experiment, scale) in STORED
        about = results.read(stored_name(experiment, scale)).attrs
        assert (about["judge"], about["rules"]) == (experiment.judge, experiment.rules)


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.name)
def test_a_part_computed_anew_is_what_is_stored(experiment: Experiment, tmp_path: Path) -> None:
    if not (parts := experiment.parts(LESSON)):
        pytest.skip("the pages it needs are not on this machine")
    assert drift(experiment, LESSON, parts[0], tmp_path) == []


def test_a_changed_constant_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (table_5,) = (each for each in ALL if each.name == "qian/table_5")
    monkeypatch.setitem(qian.WEIGHTS, "baseball", 0.5)  # of 0.95
    assert "truth" in drift(table_5, LESSON, table_5.parts(LESSON)[0], tmp_path)
