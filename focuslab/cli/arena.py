"""``focuslab arena``: rank a class's strategies on a fresh web, and write a page to project."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focuslab.cli import Subparsers, say

if TYPE_CHECKING:
    from focuslab.experiments.arena import Arena


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("arena", help="rank the strategies in a folder on a fresh web")
    command.add_argument("folder", type=Path, help="a file for each strategy, such as ann.py")
    command.add_argument("--out", type=Path, default=Path("arena"), help="folder to write (arena)")
    options(command)
    command.set_defaults(run=run)


def options(command: argparse.ArgumentParser) -> None:
    """What ``submit`` takes too."""
    command.add_argument(
        "--seed", type=int, help="of the web, its topics and seeds; by default nobody knows it"
    )
    command.add_argument("--pages", type=int, default=3_000, help="of the web (3000)")
    command.add_argument("--topics", type=int, default=6, help="hidden topics to crawl for (6)")
    command.add_argument("--budget", type=int, default=300, help="fetches of each crawl (300)")
    command.add_argument("--seconds", type=int, default=30, help="of the processor for an entry's crawl (30)")
    command.add_argument("--patience", type=float, default=120, help="seconds to wait in a crawl (120)")
    command.add_argument("--memory", type=int, default=4_000, help="address space of an entry in MB (4000)")


def run(options: argparse.Namespace) -> int:
    """Exit code 0 even if entries failed: their rows say why."""
    files = sorted(path for path in options.folder.glob("*.py") if not path.name.startswith("_"))
    if not files:
        raise ValueError(f"no strategies in {options.folder}; put a file for each there, such as ann.py")
    found = fight(files, options)
    say(found.text())
    say(f"open {found.write(options.out)}")
    return 0


def fight(files: list[Path], options: argparse.Namespace) -> Arena:
    """The arena that the options describe."""
    from focuslab.experiments.arena import Ground, arena
    from focuslab.experiments.sandbox import Limits

    sizes = {name: getattr(options, name) for name in ("pages", "topics", "budget")}
    ground = Ground.fresh(options.seed, **sizes)
    found = arena(files, ground, Limits(options.seconds, options.patience, options.memory))
    say(f"{ground.pages:,} pages, {ground.topics} topics, {ground.budget} fetches each; --seed {ground.seed}")
    return found
