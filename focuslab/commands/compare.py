"""``focuslab compare``: run the comparison that a YAML file describes."""

from __future__ import annotations

import argparse
from pathlib import Path

from focuslab.commands import Subparsers, say


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("compare", help="compare strategies as a YAML file describes it")
    command.add_argument("experiment", type=Path, help="YAML file; focuslab/experiment.py shows one")
    command.add_argument("--out", type=Path, default=Path("comparison"), help="folder to write (comparison)")
    command.add_argument("--jobs", type=int, help="processes (all cores)")
    command.add_argument("--cluster", help="address of a Dask scheduler, such as tcp://10.0.0.1:8786")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write runs, curves and summary as Parquet, the settings as JSON, and two figures."""
    import json

    from focuslab import plots
    from focuslab.compare import compare
    from focuslab.experiment import COMPARISON, read_experiment, save_figure, seeds_of, strategies_of, web_of

    told = read_experiment(options.experiment, COMPARISON)
    entrants, web = strategies_of(told.pop("strategies", None)), web_of(told.pop("web", None))
    told["seeds"] = seeds_of(told.get("seeds", 1))
    found = compare(entrants, web, **told, jobs=options.jobs, cluster=options.cluster)
    options.out.mkdir(parents=True, exist_ok=True)
    for name in ("runs", "curves", "summary"):
        getattr(found, name).to_parquet(options.out / f"{name}.parquet")
    (options.out / "settings.json").write_text(json.dumps(found.settings, indent=1))
    save_figure(plots.harvest_curve(found), options.out / "harvest.png")
    save_figure(plots.bars(found, found.summary["metric"].iloc[0]), options.out / "bars.png")
    shown = found.summary[["metric", "strategy", "mean", "low", "high", "p_holm"]]
    say(shown.round(3).to_string(index=False))
    say(f"{found.settings['crawls']} crawls; tables and figures are in {options.out}")
    return 0
