"""``focuslab export``: the relevant pages of a crawl as a table, as texts, or as WARC."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focuslab.cli import Subparsers, say

if TYPE_CHECKING:
    import pandas as pd

    from focuslab.crawling.live.folder import Folder

KINDS = (".jsonl", ".csv", ".parquet", ".md", ".warc.gz", ".wacz")


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser(
        "export", help="write the relevant pages of a crawl to a file, also while it runs"
    )
    command.add_argument("crawl", type=Path, help="folder of the crawl")
    command.add_argument("file", type=Path, help=f"what to write: a name that ends in {', '.join(KINDS)}")
    command.add_argument("--all", action="store_true", help="every page, not only the relevant ones")
    command.add_argument("--no-text", action="store_true", help="leave the texts of the pages out")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Pages that ask not to be listed (noindex) stay out, unless every page is asked for."""
    from focuslab.crawling.live.folder import Folder

    kind = next((kind for kind in KINDS if options.file.name.endswith(kind)), "")
    if not kind:
        raise ValueError(f"cannot tell the format of {options.file}; let its name end in {', '.join(KINDS)}")
    if not options.file.absolute().parent.is_dir():
        raise ValueError(f"no folder {options.file.parent} to write {options.file.name} into; make it first")
    folder = Folder(options.crawl)
    if not folder.log.exists():
        raise ValueError(_nothing_yet(folder))
    chosen, left_out = choose(folder, options.all)
    if not len(chosen):
        raise ValueError(
            f"no page of the crawl in {options.crawl} is relevant{left_out}; --all writes every page, and "
            "focuslab label helps to teach the crawl what is"
        )
    write(chosen, folder, options.file, kind, not options.no_text)
    say(f"{len(chosen):,} pages written to {options.file}{left_out}")
    return 0


def _nothing_yet(folder: Folder) -> str:
    if not folder.plan.exists():
        return f"no crawl in {folder.path}; name the folder that was given as --out"
    return (
        f"the crawl in {folder.path} has no log yet: one that runs writes it every half minute, one that was "
        f"killed when it is taken up: focuslab crawl --resume {folder.path}"
    )


def choose(folder: Folder, everything: bool) -> tuple[pd.DataFrame, str]:
    """The rows to write, and in words what is left out."""
    from focuslab.crawling.log import CrawlLog

    log = CrawlLog.from_parquet(folder.log)
    pages = log.frame.assign(path=[" > ".join(log.path(url)) for url in log.frame.url])
    if everything or not len(pages):
        return pages, ""
    hidden = pages.relevant & pages.noindex
    left_out = f"; {hidden.sum():,} that ask not to be listed (noindex) are left out" if hidden.any() else ""
    return pages[pages.relevant & ~pages.noindex], left_out


def write(pages: pd.DataFrame, folder: Folder, file: Path, kind: str, texts: bool) -> None:
    """Write pages in one of the kinds, whole or not at all."""
    part = file.with_name(f"{file.name}.part")
    if kind == ".warc.gz":
        from focuslab.fetchers.warc import select

        with part.open("wb") as out:
            out.writelines(select(folder.record, frozenset(pages.asked)))
    elif kind == ".wacz":
        _write_wacz(pages, folder, part)
    else:
        from focuslab.crawling.live.articles import with_articles

        _write_table(with_articles(pages, folder) if texts else pages, part, kind)
    os.replace(part, file)  # noqa: PTH105 - the point is that this is atomic


def _write_wacz(pages: pd.DataFrame, folder: Folder, file: Path) -> None:
    """All that was recorded; the pages chosen are those a reader is shown first."""
    from focuslab.crawling.live.history import History
    from focuslab.fetchers.wacz import PageEntry, write_wacz

    with History(folder.path) as history:
        moments = [history.last(asked) for asked in pages.asked]
    times = [moment.isoformat().replace("+00:00", "Z") if moment else "" for moment in moments]
    write_wacz(file, folder.record, map(PageEntry, pages.url, times, pages.title))


def _write_table(pages: pd.DataFrame, file: Path, kind: str) -> None:
    if kind == ".parquet":
        pages.to_parquet(file, index=False)
    elif kind == ".jsonl":
        pages.to_json(file, orient="records", lines=True, force_ascii=False, date_format="iso")
    elif kind == ".md":
        file.write_text("\n\n".join(map(_markdown, pages.to_dict("records"))) + "\n", encoding="utf-8")
    else:
        names = pages.select_dtypes(exclude=["number", "bool"])
        safe = pages.assign(**{str(name): names[name].map(_harmless) for name in names})
        # with a byte order mark, spreadsheets take it for the UTF-8 that it is
        safe.to_csv(file, index=False, errors="replace", encoding="utf-8-sig")


def _markdown(row: Mapping[Any, Any]) -> str:
    told = [f"{name}: {row[name]}" for name in ("author", "date", "language", "genre") if row.get(name)]
    about = " · ".join([f"<{row['url']}>", *told, f"relevance {row['relevance']:.2f}"])
    return f"# {row['title'] or row['url']}\n\n{about}\n\n{row.get('text', '')}"


def _harmless(value: object) -> object:
    """A title that begins like a formula must not be one when a spreadsheet opens the file."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")) else value
