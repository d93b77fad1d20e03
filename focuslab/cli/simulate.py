"""``focuslab simulate``: sweep the weights of the genre-enhanced crawler as a YAML file describes it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focuslab.cli import Subparsers, say

if TYPE_CHECKING:
    from focuslab.graphs.graph import WebGraph


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("simulate", help="sweep the weights of relevance and genre on a graph")
    command.add_argument("experiment", type=Path, help="YAML file; experiments/experiment_file.py shows one")
    command.add_argument("--out", type=Path, default=Path("simulation"), help="folder to write (simulation)")
    command.add_argument("--threads", type=int, default=2, help="crawls at a time (2)")
    command.add_argument("--keep", action="store_true", help="save the graph in the folder, for other sweeps")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the areas as Parquet and the sweep as a figure; say which weight is best."""
    from focuslab.experiments import plots
    from focuslab.experiments.experiment_file import SIMULATION, read_experiment, save_figure
    from focuslab.experiments.weight_sweep import draw_seeds, repeat
    from focuslab.graphs.estimate_pig import estimate

    if options.threads < 1:
        raise ValueError(f"--threads {options.threads}: give 1 or more; it counts crawls at a time")
    told = read_experiment(options.experiment, SIMULATION)
    graph = _graph(told)
    judge = told.get("judge", "guide" if graph.truth is None else "truth")
    sets = draw_seeds(graph, told.get("sets", 10), told.get("size", 7), told.get("seed", 0))
    found = repeat(graph, estimate(graph), sets, told.get("weights"), judge=judge, threads=options.threads)
    options.out.mkdir(parents=True, exist_ok=True)
    found.frame.to_parquet(options.out / "areas.parquet")
    save_figure(plots.weight_sweep(found), options.out / "sweep.png")
    if options.keep:
        graph.save(options.out / "graph")
    best = found.best()
    say(f"{graph!r}; judged by {judge}")
    say(f"best w_R {best.value:.2f} (95 % {best.low:.2f} to {best.high:.2f}); results are in {options.out}")
    return 0


def _graph(told: Mapping[str, Any]) -> WebGraph:
    """A saved graph, or a web read for a topic."""
    from focuslab.experiments.compare import default_setup
    from focuslab.experiments.experiment_file import web_of
    from focuslab.graphs.graph import WebGraph

    if ("graph" in told) == ("topic" in told):
        raise ValueError("give graph:, a folder with a saved graph, or web: and topic: to read one")
    if "graph" in told:
        return WebGraph.load(told["graph"])
    web = web_of(told.get("web"))
    task = default_setup(web, told["topic"], told.get("seed", 0))
    return WebGraph.crawl(web, task.topic.seeds, task.assessor, truth=web.truth(told["topic"]))
