"""A graph of 10 M pages and 600 M links: built in pieces on disk, opened by memory map, crawled best-first.

The graph is drawn by lot: pages link to neighbours of their host and to well-known pages anywhere. Prints one
JSON line: seconds, processor seconds and the peak of memory of each step, each in a process of its own.

    python benchmarks/speed/ten_million.py --folder /large/disk
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from focuslab.graphs.graph import WebGraph
from focuslab.graphs.graph_writer import GraphWriter
from focuslab.graphs.room import check_disk
from focuslab.graphs.simulate import simulate

PAGES, LINKS, PIECE, HOST = 10_000_000, 60, 100_000, 100
STEPS = ("build", "open", "crawl")


def main() -> None:
    """Each step in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--fetches", type=int, help="of the crawl; all pages if not given")
    parser.add_argument("--folder", type=Path, help="where to build; a temporary folder if not given")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        print(json.dumps(measured(options)))
        return
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        check_disk(Path(folder), options.pages * (5.0 * LINKS + 90))
        print(json.dumps({"pages": options.pages} | {step: _apart(step, folder, options) for step in STEPS}))


def _apart(step: str, folder: str, options: argparse.Namespace) -> dict[str, Any]:
    asked = ["--step", step, "--folder", folder, "--pages", str(options.pages)]
    asked += ["--fetches", str(options.fetches)] if options.fetches else []
    said = subprocess.run([sys.executable, __file__, *asked], check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(said.stdout.splitlines()[-1])
    return found


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """One step, with its time and memory; a graph that is opened counts what was read of its files."""
    begin, before = time.perf_counter(), time.process_time()
    found = {"build": build, "open": opened, "crawl": crawl}[options.step](options)
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    times = {"seconds": time.perf_counter() - begin, "user_s": time.process_time() - before}
    return found | {name: round(value, 2) for name, value in (times | {"peak_gb": size}).items()}


def build(options: argparse.Namespace) -> dict[str, Any]:
    """Draw and write the graph."""
    rng, pages = np.random.default_rng(7), options.pages
    hosts = -(-pages // HOST)
    writer = GraphWriter(options.folder, pages)
    for start in range(0, pages, PIECE):
        numbers = np.arange(start, min(start + PIECE, pages))
        sizes = rng.poisson(LINKS, len(numbers))
        urls = [f"http://host-{number // HOST}.example/{number % HOST}" for number in numbers.tolist()]
        places = numbers // HOST
        relevance = rng.beta(1, 8, len(numbers))
        writer.add(urls, relevance, _links(rng, numbers, sizes, pages), sizes, host=places)
    writer.close(seeds=rng.integers(0, pages, 82).tolist(), hosts=(f"host-{n}.example" for n in range(hosts)))
    size = sum(path.stat().st_size for path in options.folder.iterdir())
    return {"gb_on_disk": round(size / 1e9, 2)}


def _links(rng: np.random.Generator, numbers: Any, sizes: Any, pages: int) -> Any:
    """A third to the same host, the rest anywhere, a few pages getting most."""
    source = np.repeat(numbers, sizes)
    near = source // HOST * HOST + rng.integers(0, HOST, len(source))
    far = (pages * rng.random(len(source)) ** 3).astype(np.int64)
    mixed = far * 2_654_435_761 % pages  # so that the well-known are on many hosts
    return np.minimum(np.where(rng.random(len(source)) < 1 / 3, near, mixed), pages - 1)


def opened(options: argparse.Namespace) -> dict[str, Any]:
    """Open it by memory map."""
    graph = WebGraph.load(options.folder)
    return {"links": graph.links}


def crawl(options: argparse.Namespace) -> dict[str, Any]:
    """One best-first crawl; the first one compiles, on a graph of two pages."""
    tiny = WebGraph.from_edges([0], [1], [0.5, 0.5])
    simulate(tiny, tiny.relevance)
    graph = WebGraph.load(options.folder)
    begin = time.perf_counter()
    order = simulate(graph, graph.relevance, budget=options.fetches)
    return {"fetched": len(order), "crawl_seconds": round(time.perf_counter() - begin, 2)}


if __name__ == "__main__":
    main()
