"""One command, one file: ``add`` declares its options, ``run`` does the work and returns the exit code.

What is slow to import is imported in ``run``, so that ``focuslab --help`` answers at once.
"""

from __future__ import annotations

import argparse
from typing import TypeAlias

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def say(line: str) -> None:
    """Print a line now, even into a pipe."""
    print(line, flush=True)
