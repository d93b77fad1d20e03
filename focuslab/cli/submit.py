"""``focuslab submit``: one strategy on a fresh web, and its row of the leaderboard."""

from __future__ import annotations

import argparse
from pathlib import Path

from focuslab.cli import Subparsers, arena, say


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("submit", help="run your strategy on a fresh web, in a sandbox")
    command.add_argument("file", type=Path, help="Python file with one strategy")
    arena.options(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Exit code 1 if the strategy failed; its row says why."""
    found = arena.fight([options.file], options)
    say(found.text())
    return 1 if found.table["failed"].any() else 0
