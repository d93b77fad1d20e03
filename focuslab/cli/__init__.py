"""The command line, ``focuslab <command>``: one command, one file.

Each file has ``add``, which declares its options, and ``run``, which does the work and returns the exit code;
what is slow to import is imported in ``run``, so that ``focuslab --help`` answers at once. It may import
every other room, and none imports it. A mistake of the user's ends in one sentence and exit code 2, never in
a traceback.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeAlias

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def say(line: str) -> None:
    """Print a line now, even into a pipe."""
    print(line, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    if "CI" in os.environ or not sys.stderr.isatty():
        os.environ.setdefault("TQDM_DISABLE", "1")  # bars are for people; tqdm reads it when it is imported
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except (ValueError, OSError) as mistake:
        print(f"focuslab {options.command}: {mistake}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"focuslab {options.command}: stopped", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="focuslab", description="A lab for focused crawling.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="command")
    for module in iter_modules(__path__):
        if module.name != "__main__":
            import_module(f"{__name__}.{module.name}").add(subparsers)
    return parser
