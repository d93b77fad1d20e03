"""``focuslab reproduce``: run the published experiments again."""

from __future__ import annotations

import argparse
from pathlib import Path

from focuslab.cli import Subparsers, say


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("reproduce", help="run the published experiments again")
    command.add_argument("papers", nargs="*", metavar="paper", help="qian, wang, … (all), or qian/table_5")
    command.add_argument("--scale", default="lesson", metavar="lesson|paper", help="how large (lesson)")
    command.add_argument("--out", type=Path, help="folder to write (results)")
    command.add_argument("--jobs", type=int, help="processes (all cores)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Say of each experiment what was published and what came out."""
    from focuslab.experiments.reproduce import PAPERS, experiments
    from focuslab.experiments.reproduce.experiment import Scale, reproduce

    scale, chosen = Scale(options.scale), []
    for name in options.papers or PAPERS:
        paper, _, one = name.partition("/")
        found = [each for each in experiments(paper) if not one or each.name == name]
        if not found:
            known = ", ".join(each.name for each in experiments(paper))
            raise ValueError(f"no experiment named {name!r}; try {known}")
        chosen += found
    command = " ".join(["focuslab reproduce", *options.papers, "--scale", scale.name])
    left = {each.name for each in chosen}
    for experiment, rows, seconds in reproduce(
        chosen, scale, where=options.out, jobs=options.jobs, command=command
    ):
        finding = experiment.finding(rows)
        left.remove(experiment.name)
        say(f"{experiment.name}  {finding.verdict}  {seconds:.0f} s")
        say(f"  published: {finding.published}\n  ours: {finding.ours}\n  {finding.why}")
    for name in sorted(left):
        say(f"{name}  not run: its data are not on this machine; focuslab doctor says where they belong")
    return 0
