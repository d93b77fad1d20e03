"""Does a long crawl of a hostile web grow? Rounds through it in one process, and what is held after each.

``python benchmarks/safety/soak.py [fetches] [width]`` crawls `hostile.py`'s web again and again, every round
into a folder of its own, and prints a JSON line after each: fetches so far, megabytes, open files, threads.
The server is a process of its own, so that only the crawl is measured.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace

import hostile


def held() -> dict[str, int]:
    """What this process holds now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "MB": pages * os.sysconf("SC_PAGE_SIZE") >> 20,
        "files": sum(1 for _ in Path("/proc/self/fd").iterdir()),
        "threads": threading.active_count(),
    }


def serve(told: Connection) -> None:
    with hostile.served() as web:
        told.send(web.url)
        told.recv()


def main() -> None:
    wanted, width = [int(value) for value in sys.argv[1:3]] + [100_000, 32][len(sys.argv) - 1 :]
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    web, fetches, start, number = SimpleNamespace(url=ours.recv()), 0, time.monotonic(), 0
    while fetches < wanted:
        number += 1
        with tempfile.TemporaryDirectory() as folder:
            log = hostile.explore(web, Path(folder) / "crawl", StringIO(), width)
        fetches += len(log) + len(log.failures)
        found = {"benchmark": "soak", "round": number, "fetches": fetches, "width": width, **held()}
        print(json.dumps(found | {"seconds": round(time.monotonic() - start)}), flush=True)
    ours.send("enough")
    server.join(10)


if __name__ == "__main__":
    main()
