"""Stored results: what is read is what was written, with how it was made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from focuslab.experiments import results

HOW = {"command": "focuslab reproduce qian", "judge": "truth", "rules": "fifo, first", "seeds": [0, 1]}
TABLE = pd.DataFrame({"topic": ["baseball", "野球"], "harvest": [0.123456789, np.nan], "pages": [10_000, 20]})


def test_what_is_read_is_what_was_written_to_six_digits(tmp_path: Path) -> None:
    path = results.write("qian/table_5", TABLE, HOW, tmp_path)
    found = results.read("qian/table_5", tmp_path)
    pd.testing.assert_frame_equal(found, TABLE.assign(harvest=[0.123457, np.nan]))
    assert {name: found.attrs[name] for name in HOW} == HOW
    assert "numpy" in found.attrs["versions"]
    assert path.read_bytes() == results.write("qian/table_5", TABLE, HOW, tmp_path).read_bytes()


def test_results_must_say_how_they_were_made(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="judge, rules"):
        results.write("x", TABLE, {"command": "none"}, tmp_path)


def test_a_wrong_name_is_told_the_right_ones(tmp_path: Path) -> None:
    results.write("qian/table_5", TABLE, HOW, tmp_path)
    with pytest.raises(ValueError, match=r"'qian/table_6'.*qian/table_5"):
        results.read("qian/table_6", tmp_path)


def test_the_nearest_folder_is_found_from_below(tmp_path: Path) -> None:
    results.write("one", TABLE, HOW, tmp_path / "results")
    (tmp_path / "notebooks").mkdir()
    assert results.folder(tmp_path / "notebooks") == tmp_path / "results"
    assert results.names(tmp_path / "results") == ["one"]
