"""``focuslab label``: say of some pages of a crawl whether they are what you want, to train a model on."""

from __future__ import annotations

import argparse
import csv
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from focuslab.cli import Subparsers, say

if TYPE_CHECKING:
    import pandas as pd

    from focuslab.crawling.live.folder import Folder

ANSWERS = {"y": "yes", "yes": "yes", "n": "no", "no": "no"}
SHOWN = 600
"""Characters of a page that are shown."""


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("label", help="label pages of a crawl by hand, to train a model on them")
    command.add_argument("crawl", type=Path, help="folder of the crawl")
    command.add_argument("--out", type=Path, default=Path("labels.csv"), help="file to add to (labels.csv)")
    command.add_argument("--count", type=int, default=30, help="pages to ask about (30)")
    command.add_argument("--seed", type=int, default=0, help="of the draw (0)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Ask about half uncertain pages and half drawn ones; every answer is written at once."""
    import pandas as pd

    from focuslab.crawling.live.folder import Folder

    folder = Folder(options.crawl)
    if not folder.log.exists():
        raise ValueError(f"no crawl with a log in {options.crawl}; name the folder that was given as --out")
    known = set(pd.read_csv(options.out).url) if options.out.exists() else set()
    log = pd.read_parquet(folder.log)
    chosen = draw(log[~log.url.isin(known)], options.count, options.seed)
    told = _ask(chosen, folder, options.out)
    say(f"{told} labels written to {options.out}, which has {len(known) + told} now")
    say(f"next: focuslab train {options.out} --archive {folder.record}")
    say(f"then: focuslab crawl --resume {options.crawl} --model model.npz")
    return 0


def draw(pages: pd.DataFrame, count: int, seed: int) -> pd.DataFrame:
    """Those whose relevance is next to one half, and as many by lot."""
    order = (pages.relevance - 0.5).abs().sort_values(kind="stable").index
    unsure = pages.loc[order[: (count + 1) // 2]]
    rest = pages.drop(unsure.index)
    drawn = rest.sample(min(count - len(unsure), len(rest)), random_state=seed)
    return type(pages)(unsure.to_dict("records") + drawn.to_dict("records"), columns=pages.columns)


def _ask(pages: pd.DataFrame, folder: Folder, out: Path) -> int:
    texts = _texts(folder, frozenset(pages.asked))
    new, told = not out.exists(), 0
    with out.open("a", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        if new:
            rows.writerow(["url", "label"])
        for number, row in enumerate(pages.to_dict("records"), 1):
            say(f"\n{number} of {len(pages)}: {row['title']}\n{row['url']}\n{texts.get(row['asked'], '')}")
            answer = _answer()
            if answer == "q":
                break
            if answer in ANSWERS:
                rows.writerow([row["url"], ANSWERS[answer]])
                file.flush()
                told += 1
    return told


def _answer() -> str:
    """What the person says; the end of the input ends it."""
    while True:
        try:
            answer = input("is it what you want? y, n, s (skip) or q (quit): ").strip().lower()
        except EOFError:
            return "q"
        if answer in ANSWERS or answer in ("s", "q"):
            return answer


def _texts(folder: Folder, asked: frozenset[str]) -> dict[str, str]:
    from focuslab.fetchers import warc
    from focuslab.fetchers.pdf import as_page
    from focuslab.pages.main_text import main_text
    from focuslab.pages.parse import parse

    found = {}
    for entry in warc.read(folder.record):
        if entry.asked in asked and entry.response.ok:
            response = as_page(entry.response)
            text = main_text(response, parse(response)).text[:SHOWN]
            found[entry.asked] = textwrap.fill("".join(c if c.isprintable() else " " for c in text), 100)
    return found
