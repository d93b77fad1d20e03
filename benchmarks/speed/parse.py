"""Pages per second of `focuslab.pages.parse` beside BeautifulSoup and lxml.html; prints one JSON line.

Every parser starts from the same bytes and gives the same features: title, visible text, links with anchor
and 20-word context, images, multimedia, language; each finds the charset in its own way. The walks over the
trees of the others are in ``tests/soup.py``. Time is that of the processor, so that a busy machine treats all
alike, and the best of ``ROUNDS`` rounds counts. Python's garbage collector runs as it does for everyone; it
costs much where a tree is made of Python objects, so ``--no-gc`` tells what is left without it.

Run ``FOCUSLAB_DATA=<folder> python benchmarks/speed/parse.py [--pages N]``: as many pages from each of the
three sets of real pages; without the folder, pages of the built-in web stand in.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

from focuslab.pages.parse import parse
from focuslab.pages.soup import lxml_page, soup_page
from focuslab.types import Page, Response
from focuslab.webs import real_pages
from focuslab.webs.synthetic import synthetic

PAGES, ROUNDS = 600, 3
READERS: dict[str, Callable[[Response], Page]] = {
    "focuslab": parse,
    "beautifulsoup_html.parser": soup_page,
    "beautifulsoup_lxml": partial(soup_page, parser="lxml"),
    "lxml.html": lxml_page,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--no-gc", action="store_true")
    options = parser.parse_args()
    if options.no_gc:
        gc.disable()
    folder = os.environ.get("FOCUSLAB_DATA")
    found = real_pages.sets(Path(folder)) if folder else {"built_in": built_in()}
    sets = {
        name: list(real_pages.sample(pages, options.pages // len(found))) for name, pages in found.items()
    }
    measured = {name: measure(pages) for name, pages in sets.items()}
    result = {
        "benchmark": "parse",
        "gc": gc.isenabled(),
        "pages": sum(map(len, sets.values())),
        **rates(measured, sets),
    }
    print(json.dumps(result | {"by_set": {name: rates({name: measured[name]}, sets) for name in sets}}))


def built_in() -> list[Response]:
    web = synthetic(pages=PAGES)
    return [web.fetch(url) for url in web.urls]


def measure(pages: list[Response]) -> dict[str, float]:
    """Seconds of the processor that each reader needs for all pages, at best."""
    best = dict.fromkeys(READERS, float("inf"))
    for _ in range(ROUNDS):
        for name, read in READERS.items():
            gc.collect()  # what one reader left behind is not to be another's time
            start = process_time()
            for page in pages:
                read(page)
            best[name] = min(best[name], process_time() - start)
    return best


def rates(measured: dict[str, dict[str, float]], sets: dict[str, list[Response]]) -> dict[str, object]:
    pages = [page for name in measured for page in sets[name]]
    seconds = {reader: sum(times[reader] for times in measured.values()) for reader in READERS}
    return {
        "pages_per_second": {reader: round(len(pages) / spent, 1) for reader, spent in seconds.items()},
        "focuslab_times_faster": {
            reader: round(spent / seconds["focuslab"], 1)
            for reader, spent in seconds.items()
            if reader != "focuslab"
        },
        "kilobytes_per_page": round(sum(len(page.body) for page in pages) / len(pages) / 1_000, 1),
    }


if __name__ == "__main__":
    main()
