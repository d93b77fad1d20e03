"""Progress bars: for people who wait, never for machines that read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TypeVar

from tqdm import tqdm

Item = TypeVar("Item")


def progress(items: Iterable[Item], total: int | None = None, unit: str = "page") -> Iterable[Item]:
    """The same items, with a bar at a terminal or in a notebook.

    There is none in continuous integration (``CI`` is set), in notebooks that are executed to be compared
    (``TQDM_DISABLE`` is set), and where nobody looks.
    """
    person = (sys.stderr is not None and sys.stderr.isatty()) or "ipykernel" in sys.modules
    quiet = "CI" in os.environ or "TQDM_DISABLE" in os.environ or not person
    return tqdm(items, total=total, unit=unit, disable=quiet, leave=False)
