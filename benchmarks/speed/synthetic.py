"""The built-in web by size: seconds and peak memory to build it, pages written a second; one JSON line.

Each size is built in a process of its own, so that its memory is its own. ``--pages 1000000`` asks for other
sizes. Seconds of the processor stand beside those of the clock: on a busy machine only the first say much.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy as np

from focuslab import webs

SIZES = (5_000, 42_447, 200_000)
WRITTEN = 1_000


def measure(pages: int) -> dict[str, float]:
    """Build one web and write some of its pages."""
    idle = _peak_mb()
    wall, cpu = time.perf_counter(), time.process_time()
    web = webs.synthetic(pages)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    web.fetch(web.url(0))  # the renderer and the table of addresses are made on the first fetch
    chosen = np.random.default_rng(0).permutation(pages)[:WRITTEN].tolist()
    writing = time.process_time()
    size = sum(len(web.fetch(web.url(page)).body) for page in chosen)
    writing = time.process_time() - writing
    return {
        "pages": pages,
        "links": len(web.indices),
        "seconds": round(wall, 2),
        "cpu_seconds": round(cpu, 2),
        "peak_mb": round(_peak_mb()),
        "peak_mb_before": round(idle),
        "written_per_cpu_second": round(len(chosen) / writing),
        "bytes_per_page": round(size / len(chosen)),
    }


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> None:
    """Measure all sizes, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, nargs="+", default=SIZES, help="sizes of webs to build")
    parser.add_argument("--alone", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        print(json.dumps(measure(options.alone)))
        return
    call = [sys.executable, __file__, "--alone"]
    rows = [
        subprocess.run([*call, str(pages)], check=True, capture_output=True).stdout for pages in options.pages
    ]
    print(json.dumps({"benchmark": "synthetic", "webs": [json.loads(row) for row in rows]}))


if __name__ == "__main__":
    main()
