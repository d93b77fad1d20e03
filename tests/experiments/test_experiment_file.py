"""Experiments described in YAML, run from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from focuslab.cli import main
from focuslab.experiments.compare import compare
from focuslab.experiments.experiment_file import Made
from focuslab.graphs.graph import WebGraph
from focuslab.webs import synthetic

COMPARISON = """
web: {name: synthetic, pages: 500, seed: 3}
topics: [baseball]
strategies:
  breadth_first:
  half: {name: genre_enhanced, w_r: 0.5}
seeds: 2
budget: 50
"""
SIMULATION = """
web: {name: synthetic, pages: 500, seed: 3}
topic: baseball
weights: [1, 0.9, 0.5]
sets: 3
size: 2
"""


def write(folder: Path, text: str) -> str:
    path = folder / "experiment.yaml"
    path.write_text(text)
    return str(path)


def test_compare_writes_what_compare_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["compare", write(tmp_path, COMPARISON), "--out", str(out), "--jobs", "1"]) == 0
    entrants = {"breadth_first": "breadth_first", "half": Made("genre_enhanced", {"w_r": 0.5})}
    expected = compare(entrants, synthetic(pages=500, seed=3), ["baseball"], (0, 1), 50, jobs=1)
    pd.testing.assert_frame_equal(pd.read_parquet(out / "runs.parquet"), expected.runs)
    pd.testing.assert_frame_equal(pd.read_parquet(out / "curves.parquet"), expected.curves)
    assert json.loads((out / "settings.json").read_text())["budget"] == 50
    assert (out / "harvest.png").stat().st_size > 5_000
    assert (out / "bars.png").stat().st_size > 5_000
    assert "half" in capsys.readouterr().out


def test_simulate_sweeps_and_its_graph_can_be_swept_again(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert main(["simulate", write(tmp_path, SIMULATION), "--out", str(first), "--keep"]) == 0
    areas = pd.read_parquet(first / "areas.parquet")
    assert sorted(areas.weight.unique()) == [0.5, 0.9, 1.0]
    assert len(areas) == 9
    assert (first / "sweep.png").stat().st_size > 5_000
    assert len(WebGraph.load(first / "graph")) > 300
    again = f"graph: {first / 'graph'}\nweights: [1, 0.9, 0.5]\nsets: 3\nsize: 2\n"
    assert main(["simulate", write(tmp_path, again), "--out", str(second)]) == 0
    pd.testing.assert_frame_equal(pd.read_parquet(second / "areas.parquet"), areas)


@pytest.mark.parametrize(
    ("command", "text", "message"),
    [
        ("compare", "web: synthetic", "strategies are missing; give a list"),
        ("compare", "strategies: [best_first]\nbugdet: 5", "no field named 'bugdet'"),
        (
            "compare",
            "strategies: [best_first]\nweb: wiki",
            "no web named 'wiki'; try synthetic, webkb, wikischools",
        ),
        (
            "compare",
            "strategies: [best_first]\nweb: {name: synthetic, size: 3}",
            "cannot be made of {'size': 3}",
        ),
        ("compare", "strategies: {x: 5}", "strategy 'x' has 5; give parameters"),
        ("compare", "strategies: {x: {name: worst_first}}", "no strategy named 'worst_first'; try"),
        ("compare", "- a\n- b", "holds no fields"),
        ("compare", "a: [", "is not YAML"),
        ("simulate", "sets: 3", "give graph:, a folder with a saved graph, or web: and topic:"),
        ("simulate", "graph: nowhere", "no web graph in nowhere"),
    ],
)
def test_mistakes_end_in_one_sentence(
    command: str, text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, write(tmp_path, text)]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said
