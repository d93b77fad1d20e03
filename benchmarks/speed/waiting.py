"""Bytes of memory for each URL that waits in the frontier, at a million of them: one JSON line."""

from __future__ import annotations

import argparse
import json
import resource
import time
from concurrent.futures import ProcessPoolExecutor

from focuslab.crawling.frontier import Frontier
from focuslab.types import Link

CONTEXT = "twenty words stand around a link and are kept with it because some crawlers score by them, so: {}"


def fill(frontier: Frontier, urls: int, words: bool) -> None:
    """Links of pages with 50 links each, on 10,000 hosts; all links of a page share score and terms."""
    for page in range(urls // 50):
        source, score = (
            f"http://www.host-{page % 10_000}.example/articles/{page}.html",
            (page * 37 % 1009) / 1009,
        )
        terms = {"R": score}
        for n in range(50):
            number = 50 * page + n
            url = f"http://www.host-{(page * 7 + n) % 10_000}.example/articles/{number}/index.html"
            anchor, context = (f"article {number}", CONTEXT.format(number)) if words else ("", "")
            frontier.push(Link(url, anchor, context, source), score, 1, terms)


def measured(urls: int, words: bool) -> dict[str, int]:
    """Memory as the system sees it, before and after; then all are popped again."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    frontier = Frontier()
    start = time.perf_counter()
    fill(frontier, urls, words)
    filled = time.perf_counter()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    count = len(frontier)
    while frontier.pop() is not None:
        pass
    popped = time.perf_counter()
    return {
        "bytes_per_url": round(grown * 1024 / count),
        "pushes_per_second": round(count / (filled - start)),
        "pops_per_second": round(count / (popped - filled)),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--urls", type=int, default=1_000_000)
    options = parser.parse_args()
    result: dict[str, object] = {"benchmark": "waiting", "urls": options.urls}
    for kind, words in {"bare": False, "with_anchor_and_context": True}.items():
        with ProcessPoolExecutor(1) as fresh:  # a process of its own, for memory is not given back
            result[kind] = fresh.submit(measured, options.urls, words).result()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
