"""``focuslab crawl``: crawl the web for a topic, or go on with a crawl."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focuslab.cli import Subparsers, say

if TYPE_CHECKING:
    from focuslab.crawling.log import CrawlLog

ENDED = {"Ctrl-C was pressed": 130, "the system asked it to end (SIGTERM)": 143}
UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000, "t": 1_000_000_000_000}

SCOPE = {
    "include": ("PATTERN", "follow only addresses where one of these regular expressions is found"),
    "exclude": ("PATTERN", "follow no address where one of these is found"),
    "domains": ("DOMAIN", "follow only links to these domains and their hosts"),
    "not_domains": ("DOMAIN", "follow no link to these"),
    "languages": ("CODE", "pages known to be in another language (en, ja, …) are not relevant"),
}


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("crawl", help="crawl the web for a topic; --resume goes on with a crawl")
    add_argument = command.add_argument
    add_argument(
        "topic", nargs="?", help="YAML file that says what is wanted, or the name of a built-in topic"
    )
    add_argument(
        "--seeds",
        nargs="+",
        metavar="SOURCE",
        help="where to start: text or CSV files of addresses, sitemaps, feeds, robots.txt, another crawl",
    )
    add_argument("--out", type=Path, help="folder to make for the crawl (crawl)")
    add_argument("--model", type=Path, help="judge pages by this model, which focuslab train wrote")
    add_argument("--resume", type=Path, metavar="FOLDER", help="go on with the crawl in this folder")
    add_argument("--budget", type=int, help="pages to fetch (1000)")
    add_argument("--max-seconds", type=float, help="most seconds of this run (no limit)")
    add_argument("--max-requests", type=int, help="most fetches, those that bring no page too (no limit)")
    add_argument("--max-failures", type=int, help="most fetches that bring no page (no limit)")
    add_argument("--strategy", help="how links are chosen (adaptive)")
    for name, what in SCOPE.items():
        add_argument(f"--{name.replace('_', '-')}", nargs="+", metavar=what[0], help=what[1])
    add_argument(
        "--no-example-seeds",
        dest="example_seeds",
        action="store_false",
        default=None,
        help="relevant examples are no seeds",
    )
    add_argument(
        "--browser",
        nargs="?",
        const="auto",
        metavar="PATTERN",
        help="render pages that only scripts build, or those whose addresses match",
    )
    add_argument("--no-pdf", dest="pdf", action="store_false", default=None, help="read no documents in PDF")
    add_argument("--pig", metavar="CSV", help="P_IG for genre_enhanced, from focuslab survey")
    add_argument("--w-r", type=float, help="weight of relevance for genre_enhanced (0.95)")
    add_argument("--width", type=int, help="fetches at a time (8); with 1 the order can be repeated exactly")
    add_argument("--delay", type=float, help="seconds between requests to one host (1)")
    add_argument("--contact", help="e-mail or page about your crawl, told to every server")
    add_argument("--max-bytes", type=size, help="most bytes of the record on disk, such as 500M (10G)")
    add_argument("--warc-size", type=size, help="bytes after which another file of the record begins (1G)")
    add_argument("--page-bytes", type=size, help="most bytes of one page (2M)")
    add_argument("--host-cap", type=int, help="most pages of one host; 0: no cap (300)")
    add_argument("--domain-cap", type=int, help="most pages of one registered domain; 0: no cap (0)")
    add_argument("--max-depth", type=int, help="most links between a seed and a page (50)")
    add_argument("--patience", type=float, help="most seconds to wait for a host that is busy (20)")
    add_argument("--seed", type=int, help="of all chance (0)")
    add_argument("--genres", type=Path, help="folder of pages in folders by genre, to train on")
    add_argument("--since", metavar="FOLDER", help="an earlier crawl: what did not change is not sent again")
    add_argument("--web", help="an archive to crawl instead: common-crawl:CC-MAIN-2026-43, wayback:2015-06")
    add_argument("--cluster", help="address of a Dask scheduler whose workers fetch, parse and judge")
    add_argument("--proxy", help="address of a proxy; default: as http_proxy says")
    add_argument(
        "--allow-private", action="store_true", default=None, help="also ask private addresses (labs)"
    )
    add_argument(
        "--no-robots", dest="robots", action="store_false", default=None, help="heed no robots.txt (labs)"
    )
    add_argument(
        "--follow-nofollow",
        dest="nofollow",
        action="store_false",
        default=None,
        help='follow links that say rel="nofollow", too',
    )
    add_argument(
        "--no-near-duplicates",
        dest="near_duplicates",
        action="store_false",
        default=None,
        help="pages that say nearly the same as one before do not count, and are left without their links",
    )
    command.set_defaults(run=run)


def size(text: str) -> int:
    """Bytes, from ``500``, ``10k``, ``2.5M`` or ``1GB``."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)b?", text.strip().lower())
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write 500k, 10M or 2G")
    return int(float(found[1]) * UNITS[found[2]])


def run(options: argparse.Namespace) -> int:
    """Exit code 130 when somebody pressed Ctrl-C, 143 after SIGTERM."""
    import warnings

    from focuslab.crawling import live
    from focuslab.crawling.live.seeds import read_seeds
    from focuslab.crawling.live.watch import Watch

    warnings.filterwarnings("always", category=UserWarning, module="focuslab")
    warnings.showwarning = lambda message, *_: say(f"note: {message}")
    settings = {**_settings(options), "watch": Watch(sys.stderr), "assessor": options.model}
    if options.resume:
        _refuse_with_resume(options)
        log = live.resume(options.resume, **settings)
    elif options.topic or options.model:
        given = live.Settings(**_settings(options))
        seeds = read_seeds(options.seeds or (), given)
        log = live.crawl(options.topic or options.model.stem, seeds, options.out or Path("crawl"), **settings)
    else:
        raise ValueError("give a topic (a YAML file), or --resume FOLDER to go on with a crawl")
    _tell(log)
    return ENDED.get(log.settings["stopped"], 0)


def _tell(log: CrawlLog) -> None:
    from focuslab.fetchers.pdf import PDF, can_read

    unread = 0 if can_read() else sum(PDF in failure.reason for failure in log.failures)
    if unread:
        unread_ones = f"note: {unread:,} documents in PDF were not read"
        say(f"{unread_ones}; pip install 'focuslab[pdf]' changes that")
    if changes := log.settings.get("changes"):
        told = ", ".join(f"{count:,} {kind}" for kind, count in changes.items())
        say(f"since the earlier crawl: {told}; changes.csv has a row for each")
    folder, found = log.settings["folder"], int(log.frame.relevant.sum())
    say(f"{len(log):,} pages, {found:,} relevant; it stopped because {log.settings['stopped']}")
    stopped = log.settings["stopped"]
    more = " --max-bytes N" if "bytes; allow more" in stopped else " --budget N"
    if options := re.findall(r"--[a-z-]+", stopped):
        more = f" {options[0]} N" if options[0] not in ("--include",) else " --include PATTERN"
    say(f"see {folder}/report.html; to go on: focuslab crawl --resume {folder}{more}")


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    other = {"topic", "seeds", "out", "resume", "run", "command", "genres", "model"}
    told = vars(options).items()
    given = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in told
        if name not in other and value is not None
    }
    if options.genres:
        from focuslab.classifiers.training.from_topic import genre_files

        given["genres"] = genre_files(options.genres)
    return given


def _refuse_with_resume(options: argparse.Namespace) -> None:
    for name in ("topic", "seeds", "out"):
        if getattr(options, name):
            raise ValueError(f"--resume goes on as the crawl was begun, so leave out {name}")
