"""Results of long runs: a small table, and beside it how it was made.

``results/<name>.csv`` is the table, ``results/<name>.json`` says by which command, versions, seeds, judge and
rules, on which day and in how many seconds. Lessons read them, so that no number of a long run is typed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import pandas as pd

__all__ = ["folder", "names", "read", "write"]

DIGITS = 6
"""Significant digits that are kept: enough to see drift, few enough for a file that people can read."""
TOLERANCE = 1e-5
"""The relative difference that rounding to ``DIGITS`` allows."""
PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "selectolax")


def folder(start: Path | None = None) -> Path:
    """The nearest ``results`` folder at or above ``start`` (the working folder), else the project's own."""
    here = (start or Path()).resolve()
    for place in (here, *here.parents):
        if any((place / "results").glob("**/*.json")):
            return place / "results"
    return Path(__file__).resolve().parents[2] / "results"


def names(where: Path | None = None) -> list[str]:
    """What has been stored, such as ``qian/table_5``."""
    root = where or folder()
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.glob("**/*.json"))


def read(name: str, where: Path | None = None) -> pd.DataFrame:
    """A stored table; how it was made is in its ``attrs``.

    Parameters
    ----------
    name : str
        Such as ``qian/table_5``.
    where : Path, optional
        The folder of results; `folder` by default.
    """
    root = where or folder()
    path = root / f"{name}.csv"
    if not path.exists():
        stored = ", ".join(names(root)) or "none"
        raise ValueError(f"no results named {name!r} in {root.name}/; run make results, or try: {stored}")
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    frame.attrs = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return frame


def write(name: str, frame: pd.DataFrame, how: Mapping[str, Any], where: Path | None = None) -> Path:
    """Store a table, its numbers to six digits, and how it was made; returns the path of the table.

    Parameters
    ----------
    how : mapping
        ``command``, ``seeds``, ``judge``, ``rules``, ``date``, ``seconds`` and what else a reader must know;
        the versions of the packages that results hang on are added.
    """
    missing = {"command", "judge", "rules"} - set(how)
    if missing:
        raise ValueError(f"results {name!r} don't say their {', '.join(sorted(missing))}; give them in how")
    path = (where or folder()) / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False, float_format=f"%.{DIGITS}g", lineterminator="\n")
    told = {**how, "versions": {"python": python_version()} | {one: version(one) for one in PACKAGES}}
    path.with_suffix(".json").write_text(
        json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return path
