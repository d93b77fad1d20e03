"""All else is in pyproject.toml; the lessons and the results they read are listed here, folder by folder."""

from pathlib import Path

from setuptools import setup

COURSE = sorted(
    [*Path("notebooks").glob("*.ipynb"), *Path("results").rglob("*.csv"), *Path("results").rglob("*.json")]
)
FOLDERS = sorted({path.parent for path in COURSE})

setup(
    data_files=[
        (f"share/focuslab/{folder.as_posix()}", [path.as_posix() for path in COURSE if path.parent == folder])
        for folder in FOLDERS
    ]
)
