"""``focuslab train``: classifiers from a list of labelled addresses."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focuslab.cli import Subparsers, say

if TYPE_CHECKING:
    from focuslab.types import Fetcher

WEBS = ("synthetic", "webkb", "wikischools")


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("train", help="train classifiers on a CSV of url,label")
    add_argument = command.add_argument
    add_argument("pages", type=Path, help="CSV with the columns url,label and, if you like, genre")
    add_argument("--out", type=Path, default=Path("model.npz"), help="file to write (model.npz)")
    add_argument("--relevant", default="", help="the label that is the topic; the others are not")
    source = command.add_mutually_exclusive_group()
    source.add_argument("--web", choices=WEBS, help="take the pages from this web, not from the network")
    source.add_argument("--archive", type=Path, help="take the pages from WARC files")
    source.add_argument("--folder", type=Path, help="take the pages from a mirrored site; see --base")
    add_argument("--base", default="", help="address of --folder; if not given, its folders are hosts")
    add_argument("--folds", type=int, default=10, help="of the cross-validation (10)")
    add_argument("--by-host", action="store_true", help="keep the pages of a host in one fold")
    add_argument("--seed", type=int, default=0, help="of all chance (0)")
    add_argument("--contact", default="", help="e-mail or page about you, told to every server")
    add_argument("--delay", type=float, default=1.0, help="seconds between requests to one host (1)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Fetch, train, tell what cross-validation found, and write the classifiers."""
    from focuslab.classifiers.training.from_labels import teach
    from focuslab.classifiers.training.labels import read_labels
    from focuslab.classifiers.training.model_file import save_model

    if not options.out.parent.is_dir():
        raise ValueError(f"no folder {options.out.parent} to write {options.out.name} into; make it first")
    rows = read_labels(options.pages)
    how = (options.relevant, options.folds, options.by_host, options.seed)
    lesson = teach(rows, source_of(options), *how)
    save_model(lesson.model, options.out)
    say(str(lesson))
    say(f"\nwrote {options.out}; crawl by it with focuslab crawl TOPIC --model {options.out}")
    return 0


def source_of(options: argparse.Namespace) -> Fetcher:
    """Where the pages come from: a web, an archive, a folder, or else the network, politely."""
    from focuslab import webs
    from focuslab.fetchers.http import Http
    from focuslab.fetchers.polite import Polite
    from focuslab.webs.archive import archive
    from focuslab.webs.folder import folder

    if options.web:
        return getattr(webs, options.web)()
    if options.archive:
        return archive(options.archive)
    if options.folder:
        return folder(options.folder, options.base)
    return Polite(Http(contact=options.contact, max_redirects=0), delay=options.delay)
