"""A WARC of all WebKB pages: time to write, index, open and fetch, and memory; prints one JSON line.

Run ``FOCUSLAB_DATA=<folder> python benchmarks/speed/archive.py``. The pages are recorded three times over
under other host names, so that memory can be compared between a small archive and a larger one.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from focuslab.fetchers import warc
from focuslab.types import Response
from focuslab.webs.archive import archive
from focuslab.webs.webkb import webkb

FETCHES = 2_000


def write(file: Path, copies: int) -> dict[str, float]:
    web = webkb()
    start, pages = time.perf_counter(), 0
    with file.open("wb") as stream:
        stream.write(warc.information({"software": "focuslab"}))
        for copy in range(copies):
            for url in web.urls:
                answer = web.fetch(url)
                name = url.replace("http://", f"http://copy{copy}.", 1) if copy else url
                stream.write(warc.record(name, Response(name, 200, answer.body, answer.content_type)))
                pages += 1
    seconds = time.perf_counter() - start
    return {
        "records": pages,
        "megabytes": round(file.stat().st_size / 1e6, 1),
        "write_seconds": round(seconds, 1),
    }


def megabytes() -> int:
    """The most this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def measure(file: Path) -> dict[str, float]:
    """In a process of its own, so that the memory is the archive's."""
    before, start = megabytes(), time.perf_counter()
    archive(file)
    indexed = time.perf_counter()
    web = archive(file)
    opened = time.perf_counter()
    held = megabytes() - before
    urls = list(web.urls)
    chosen = np.random.default_rng(0).choice(urls, FETCHES)
    begun = time.process_time()
    found = sum(web.fetch(str(url)).ok for url in chosen)
    fetched = time.process_time() - begun
    assert found == FETCHES
    return {
        "pages": len(web),
        "skipped": web.skipped,
        "index_seconds": round(indexed - start, 2),
        "open_seconds": round(opened - indexed, 4),
        "fetch_cpu_microseconds": round(1e6 * fetched / FETCHES, 1),
        "memory_mb": held,
    }


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(measure(Path(sys.argv[1]))))
        return
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for copies in (1, 3):
            file = Path(folder) / f"webkb{copies}.warc.gz"
            written = write(file, copies)
            here = {**os.environ, "XDG_CACHE_HOME": folder}
            command = [sys.executable, __file__, str(file)]
            run = subprocess.run(command, env=here, check=True, capture_output=True, text=True)
            found[f"{copies}x"] = written | json.loads(run.stdout)
    print(json.dumps({"benchmark": "archive", **found}))


if __name__ == "__main__":
    main()
