"""``focuslab survey``: count P_IG in a crawl, for ``focuslab crawl --strategy genre_enhanced --pig``."""

from __future__ import annotations

import argparse
from pathlib import Path

from focuslab.cli import Subparsers, say


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser(
        "survey", help="count in a crawl which kinds of pages link to relevant ones"
    )
    command.add_argument("crawl", type=Path, help="folder of a crawl that was judged with genres")
    command.add_argument("--out", type=Path, default=Path("pig.csv"), help="file to write (pig.csv)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the table as CSV and show it."""
    from focuslab.crawling.live.folder import Folder
    from focuslab.crawling.live.survey import survey

    table = survey(Folder(options.crawl)).to_frame()
    if options.out.exists():
        raise ValueError(f"{options.out} exists already; choose another name with --out, or remove it")
    table.to_csv(options.out, index=False)
    say(table.round(3).to_string(index=False))
    say(f"wrote {options.out}; use it with focuslab crawl --strategy genre_enhanced --pig {options.out}")
    return 0
