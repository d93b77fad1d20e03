"""``focuslab report``: execute the notebooks and write the report."""

from __future__ import annotations

import argparse
from pathlib import Path

from focuslab.cli import Subparsers, say


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("report", help="execute the notebooks and write report/index.html")
    command.add_argument("--notebooks", type=Path, default=Path("notebooks"), help="folder of notebooks")
    command.add_argument("--out", type=Path, default=Path("report"), help="folder to write")
    command.add_argument("--jobs", type=int, default=2, help="notebooks at a time (2)")
    command.add_argument("--only", nargs="+", default=(), metavar="NN", help="only these, such as 00 04")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Exit code 1 when a notebook failed; the report says which."""
    from focuslab.experiments.report import build
    from focuslab.explore.opening import opening

    how = {"jobs": options.jobs, "only": options.only, "opening": None if options.only else opening}
    chapters = build(options.notebooks, options.out, say=say, **how)
    say(f"open {options.out / 'index.html'}")
    return 1 if any(chapter.error for chapter in chapters) else 0
