"""Bytes of memory for each URL that waits in the frontier, at a million of them: one JSON line."""

from __future__ import annotations

import argparse
import json
import resource
import time
import tracemalloc

from focuslab.frontier import Frontier
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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--urls", type=int, default=1_000_000)
    options = parser.parse_args()
    result: dict[str, object] = {"benchmark": "waiting", "urls": options.urls}
    for words in (False, True):
        tracemalloc.start()
        frontier = Frontier()
        fill(frontier, options.urls, words)
        used, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        kind = "with_words" if words else "bare"
        result[f"bytes_per_url_{kind}"] = round(used / len(frontier))
        start = time.perf_counter()
        while frontier.pop() is not None:
            pass
        result[f"pops_per_second_{kind}"] = round(options.urls / (time.perf_counter() - start))
    result["peak_rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps(result))


if __name__ == "__main__":
    main()
