"""``focuslab doctor``: what is installed, what is missing, and what that would give."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from importlib import metadata, util

from packaging.requirements import Requirement

from focuslab.cli import Subparsers, say

EXTRAS = (
    ("fugashi", "Japanese words by dictionary, not by pairs of letters", "pip install 'focuslab[ja]'"),
    ("unidic_lite", "the dictionary for fugashi", "pip install 'focuslab[ja]'"),
    ("rjieba", "Chinese words by dictionary, not by pairs of letters", "pip install 'focuslab[zh]'"),
    ("playwright", "pages that only scripts build (--browser)", "pip install 'focuslab[browser]'"),
    ("pypdfium2", "documents in PDF are read too", "pip install 'focuslab[pdf]'"),
    ("trafilatura", "texts without menus in focuslab export", "pip install 'focuslab[text]'"),
    ("trustme", "https pages of a served web", "pip install 'focuslab[https]'"),
    ("distributed", "comparisons on a cluster of machines", "pip install 'focuslab[cluster]'"),
    (
        "cdxj_indexer",
        "archives with an index (WACZ), pages of Common Crawl",
        "pip install 'focuslab[common-crawl,wacz]'",
    ),
    ("sphinx", "the site (make docs)", "pip install 'focuslab[docs]'"),
    ("build", "a release", "pip install 'focuslab[release]'"),
    ("certifi", "newer certificate authorities than the system's", "pip install certifi"),
)


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("doctor", help="say what is installed and what is missing")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Exit code 1 if something that is needed is missing."""
    say(f"focuslab {_version('focuslab')}, Python {platform.python_version()} on {platform.platform()}")
    say(f"{os.cpu_count()} processors; run as {sys.executable}")
    missing = [name for name in _needed() if not _version(name)]
    for name in _needed():
        say(f"  {'MISSING' if name in missing else 'ok     '}  {name} {_version(name)}")
    say("extras:")
    for name, gives, remedy in EXTRAS:
        say(f"  {'ok     ' if _importable(name) else 'absent '}  {name}: {gives}{_how(name, remedy)}")
    say(_data())
    if missing:
        say(f"missing: {', '.join(missing)}; run: pip install focuslab")
    return 1 if missing else 0


def _needed() -> list[str]:
    """The names of what the package says it depends on."""
    try:
        lines = metadata.requires("focuslab") or []
    except metadata.PackageNotFoundError:
        return []
    named = (Requirement(line) for line in lines)
    return sorted(one.name for one in named if one.marker is None or one.marker.evaluate({"extra": ""}))


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _importable(name: str) -> bool:
    try:
        return util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _how(name: str, remedy: str) -> str:
    return "" if _importable(name) else f" ({remedy})"


def _data() -> str:
    folder = os.environ.get("FOCUSLAB_DATA", "")
    if folder:
        return f"real pages: FOCUSLAB_DATA is {folder}"
    return (
        "real pages: FOCUSLAB_DATA is not set; webs.webkb() and webs.wikischools() need it, nothing else does"
    )
