"""The two real webs: time to load them (unpacking, and again), memory, pages, links that resolve.

Prints one JSON line. The pages are found as `focuslab.webs.tar_store` says; the cache is a folder of its own.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

from focuslab.pages.parse import parse
from focuslab.webs.labelled import LabelledWeb
from focuslab.webs.webkb import webkb
from focuslab.webs.wikischools import wikischools

MAKERS = {"webkb": webkb, "wikischools": wikischools}


def load(name: str) -> tuple[LabelledWeb, float]:
    start = time.perf_counter()
    web = MAKERS[name]()
    return web, round(time.perf_counter() - start, 3)


def megabytes() -> int:
    """The most this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def measure(name: str) -> dict[str, float]:
    """In a process of its own, so that the memory is this web's."""
    before = megabytes()
    _, cold = load(name)
    web, warm = load(name)
    loaded = megabytes() - before
    start = time.perf_counter()
    for url in web.urls:
        web.fetch(url)
    fetched = time.perf_counter() - start
    return {
        "pages": len(web),
        "topics": len(web.topics()),
        "cold_seconds": cold,
        "warm_seconds": warm,
        "memory_mb": loaded,
        "fetch_microseconds": round(1e6 * fetched / len(web), 1),
        **walk(web),
    }


def walk(web: LabelledWeb) -> dict[str, float]:
    start = time.perf_counter()
    pages = [parse(web.fetch(url)) for url in web.urls]
    seconds = time.perf_counter() - start
    ends = [{web.resolve(link.url) for link in page.out} - {"", page.url} for page in pages]
    return {
        "parse_seconds": round(seconds, 2),
        "pages_without_text": sum(not page.text.strip() for page in pages),
        "links": sum(len(page.out) for page in pages),
        "links_resolved": sum(map(len, ends)),
    }


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(measure(sys.argv[1])))
        return
    found = {}
    for name in MAKERS:
        with tempfile.TemporaryDirectory() as cache:
            here = {**os.environ, "XDG_CACHE_HOME": cache}
            run = subprocess.run(
                [sys.executable, __file__, name], env=here, check=True, capture_output=True, text=True
            )
            found[name] = json.loads(run.stdout)
    print(json.dumps({"benchmark": "real_webs", **found}))


if __name__ == "__main__":
    main()
