"""Over all real pages: where our parser and BeautifulSoup (html.parser) differ, and why; one JSON line.

Compared are title, links (resolved, in order, repeats included), number of images, and the set of words of
the visible text. Causes are found as `tests/soup_differences.py` says; html5lib, which builds the tree that
the standard prescribes, is asked last if it is installed.

Run ``FOCUSLAB_DATA=<folder> python benchmarks/quality/parse_differences.py [--pages N]``
(N: a sample of each set).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from focuslab.pages.soup_differences import HAS_HTML5LIB, UNEXPLAINED, differences
from focuslab.webs import real_pages

CHUNK, EXAMPLES = 64, 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=None, help="pages of each set; all if not given")
    folder, options = os.environ.get("FOCUSLAB_DATA"), parser.parse_args()
    if not folder:
        sys.exit("set FOCUSLAB_DATA to the folder that holds webkb.tar.xz and the others")
    sizes = {name: len(pages) for name, pages in real_pages.sets(Path(folder)).items()}
    with ProcessPoolExecutor(initializer=open_sets, initargs=(folder,)) as pool:
        found = {name: summary(pool, name, size, options.pages) for name, size in sizes.items()}
    print(json.dumps({"benchmark": "parse_differences", "html5lib": HAS_HTML5LIB, "sets": found}))


def open_sets(folder: str) -> None:
    global SETS
    warnings.simplefilter("ignore")  # BeautifulSoup's, of pages that look like something else
    SETS = real_pages.sets(Path(folder))


def compare(name: str, numbers: list[int]) -> list[tuple[str, dict[str, str]]]:
    return [(page.url, differences(page)) for page in (SETS[name][number] for number in numbers)]


def summary(pool: ProcessPoolExecutor, name: str, size: int, sample: int | None) -> dict[str, Any]:
    numbers = np.random.default_rng(7).permutation(size)[:sample].tolist()
    chunks = [numbers[start : start + CHUNK] for start in range(0, len(numbers), CHUNK)]
    rows = [row for rows in pool.map(compare, [name] * len(chunks), chunks) for row in rows]
    causes: dict[str, Counter[str]] = defaultdict(Counter)
    for _, found in rows:
        for feature, cause in found.items():
            causes[feature][cause] += 1
    return {
        "pages": len(rows),
        "pages_that_differ": sum(bool(found) for _, found in rows),
        "features": {
            feature: {"differ": sum(causes[feature].values()), "causes": dict(causes[feature].most_common())}
            for feature in ("title", "links", "images", "words")
        },
        "unexplained": [url for url, found in rows if UNEXPLAINED in found.values()][:EXAMPLES],
    }


if __name__ == "__main__":
    main()
