"""``focuslab export``: the relevant pages of a crawl as CSV, Parquet or WARC."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focuslab.cli import Subparsers, say

if TYPE_CHECKING:
    import pandas as pd

    from focuslab.crawling.live.folder import Folder

KINDS = (".csv", ".parquet", ".warc.gz")


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("export", help="write the relevant pages of a crawl to a file")
    command.add_argument("crawl", type=Path, help="folder of the crawl")
    command.add_argument(
        "file", type=Path, help="what to write: a name that ends in .csv, .parquet, .warc.gz"
    )
    command.add_argument("--all", action="store_true", help="every page, not only the relevant ones")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Pages that ask not to be listed (noindex) stay out, unless every page is asked for."""
    from focuslab.crawling.live.folder import Folder
    from focuslab.crawling.log import CrawlLog

    kind = next((kind for kind in KINDS if options.file.name.endswith(kind)), "")
    if not kind:
        raise ValueError(f"cannot tell the format of {options.file}; let its name end in {', '.join(KINDS)}")
    folder = Folder(options.crawl)
    if not folder.log.exists():
        raise ValueError(
            f"no finished crawl in {options.crawl}; focuslab crawl --resume {options.crawl} ends one"
        )
    pages = CrawlLog.from_parquet(folder.log).frame
    if not options.all and len(pages):
        pages = pages[pages.relevant & ~pages.noindex]
    write(pages, folder, options.file, kind)
    say(f"{len(pages):,} pages written to {options.file}")
    return 0


def write(pages: pd.DataFrame, folder: Folder, file: Path, kind: str) -> None:
    """Write pages in one of the kinds."""
    if kind == ".csv":
        texts = pages.select_dtypes(exclude=["number", "bool"])
        pages.assign(**{str(name): texts[name].map(_harmless) for name in texts}).to_csv(
            file, index=False, errors="replace"
        )
    elif kind == ".parquet":
        pages.to_parquet(file, index=False)
    else:
        from focuslab.fetchers.warc import select

        with file.open("wb") as out:
            out.writelines(select(folder.record, frozenset(pages.asked)))


def _harmless(value: object) -> object:
    """A title that begins like a formula must not be one when a spreadsheet opens the file."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")) else value
