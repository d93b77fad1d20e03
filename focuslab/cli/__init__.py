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
from importlib import import_module, metadata
from io import TextIOWrapper
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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a title that a console cannot show must end nothing
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except BrokenPipeError:  # whoever read what we said has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (ValueError, OSError) as mistake:
        print(f"focuslab {options.command}: {_sentence(mistake)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"focuslab {options.command}: stopped", file=sys.stderr)
        return 130


class Version(argparse.Action):
    """The version is looked up when somebody asks: pyproject.toml is the only place that says it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        say(f"focuslab {metadata.version('focuslab')}")
        parser.exit()


def _sentence(mistake: Exception) -> str:
    """What the system says of a file, without its number and with a remedy."""
    if not isinstance(mistake, OSError) or not mistake.filename or not mistake.strerror:
        return str(mistake)
    remedy = {
        FileNotFoundError: "correct the name, or make it first",
        FileExistsError: "choose another name, or remove it",
        PermissionError: "choose another place, or change who may use it",
        IsADirectoryError: "give the name of a file",
        NotADirectoryError: "give the name of a folder",
    }.get(type(mistake), "see that it can be used")
    return f"cannot use {mistake.filename}: {mistake.strerror.lower()}; {remedy}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="focuslab", description="A lab for focused crawling.")
    parser.add_argument("--version", action=Version, nargs=0, help="say which focuslab this is")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="command")
    for module in iter_modules(__path__):
        if module.name != "__main__":
            import_module(f"{__name__}.{module.name}").add(subparsers)
    return parser
