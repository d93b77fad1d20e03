"""``focuslab export``: formats by name, and mistakes in one sentence."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from focuslab.cli import main
from focuslab.cli.export import KINDS, write
from focuslab.crawling.live.folder import Folder


@pytest.mark.parametrize(
    ("file", "remedy"), [("pages.xlsx", "let its name end in .jsonl"), ("a.csv", "name the folder")]
)
def test_mistakes(file: str, remedy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(tmp_path), file]) == 2
    told = capsys.readouterr().err
    assert remedy in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("title", ["=1+1", "+1", "-1", "@x", "\tx"])
def test_a_title_is_no_formula_in_csv_and_unchanged_in_parquet(title: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"title": [title, "plain"], "score": [-1.0, 2.0]})
    for kind in KINDS[1:3]:
        write(frame, Folder(tmp_path), tmp_path / f"out{kind}", kind, texts=False)
    assert pd.read_csv(tmp_path / "out.csv").title.tolist() == [f"'{title}", "plain"]
    assert pd.read_csv(tmp_path / "out.csv").score.tolist() == [-1.0, 2.0]
    assert pd.read_parquet(tmp_path / "out.parquet").title.tolist() == [title, "plain"]
