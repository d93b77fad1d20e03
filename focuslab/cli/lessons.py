"""``focuslab lessons``: unpack the lessons, so that ``focuslab report`` and JupyterLab run there."""

from __future__ import annotations

import argparse
import shutil
from importlib import metadata
from pathlib import Path

import focuslab
from focuslab.cli import Subparsers, say

COURSE = ("share", "focuslab")
"""Where the wheel puts the notebooks, and the results that they read."""


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("lessons", help="unpack the lessons into a new folder")
    command.add_argument("folder", type=Path, help="folder to make")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """A folder with ``notebooks/`` and ``results/``."""
    folder = options.folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{folder} is not empty; name a new folder, so that no work of yours is overwritten")
    files = course()
    for name, source in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / name)
    count = sum(name.suffix == ".ipynb" for name in files)
    say(f"{count} lessons are in {folder / 'notebooks'}; go on with: cd {folder}, focuslab report")
    return 0


def course() -> dict[Path, Path]:
    """The files of the course by their names in the folder; of the repository where this is one."""
    root = Path(focuslab.__file__).resolve().parents[1]
    if (root / "pyproject.toml").is_file():
        found = [
            *root.glob("notebooks/*.ipynb"),
            *root.glob("results/**/*.csv"),
            *root.glob("results/**/*.json"),
        ]
        return {path.relative_to(root): path for path in sorted(found)}
    shipped = {}
    for file in metadata.files("focuslab") or ():
        if COURSE[1] in file.parts and file.parts[(at := file.parts.index(COURSE[1])) - 1] == COURSE[0]:
            shipped[Path(*file.parts[at + 1 :])] = Path(str(file.locate()))
    if not shipped:
        raise FileNotFoundError(
            "this installation has no lessons; run: pip install --force-reinstall focuslab"
        )
    return shipped
