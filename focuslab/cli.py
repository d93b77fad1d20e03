"""The command line: ``focuslab <command>``; each file in `focuslab.commands` is one command.

A mistake of the user's ends in one sentence and exit code 2, never in a traceback.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules

from focuslab import commands


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
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
    for module in iter_modules(commands.__path__):
        import_module(f"{commands.__name__}.{module.name}").add(subparsers)
    return parser


if __name__ == "__main__":
    sys.exit(main())
