"""``focuslab status``: how a crawl goes that runs in another terminal."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from focuslab.cli import Subparsers, say

SILENT = 60.0
"""Seconds without a sign of life after which a crawl may have died."""


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("status", help="say how a crawl goes, from another terminal")
    command.add_argument("crawl", type=Path, help="folder of the crawl")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Pages, harvest, hosts, errors by reason, and the time that is left."""
    from focuslab.crawling.live.folder import Folder
    from focuslab.fetchers.failures import Reason

    try:
        told = json.loads(Folder(options.crawl).status.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"no crawl in {options.crawl}; name the folder that was given as --out") from None
    age = time.time() - told["time"]
    pages = f"{told['pages']:,} of {told['budget']:,} pages, {told['relevant']:,} relevant"
    say(f"{pages}, {told['hosts']:,} hosts")
    say(f"{told['waiting']:,} links of {told['hosts_waiting']:,} sites wait")
    for reason, times in sorted(told["failures"].items(), key=lambda item: -item[1]):
        say(f"  {times:,} {reason}: {Reason.meaning_of(reason)}")
    if told["stopped"]:
        say(f"it stopped because {told['stopped']}")
    else:
        left = told["seconds_left"]
        say(f"{told['pages_per_second']:.2f} pages/s" + (f", about {left:,.0f} s left" if left else ""))
        if age > SILENT:
            say(
                f"nothing was heard of it for {age:,.0f} s: it waits, or was killed; "
                f"focuslab crawl --resume {options.crawl} goes on if it was"
            )
    return 0
