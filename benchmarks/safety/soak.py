"""Does a long crawl of a hostile web grow? Rounds through it in one process, and kills between them.

``python benchmarks/safety/soak.py [fetches] [width] [kills]`` crawls `hostile.py`'s web again and again,
every round into a folder of its own, and prints a JSON line after each: fetches so far, megabytes (now, and
the most on the way, with those of the fetching process), open files, threads, processes. Between rounds other
crawls of the same web, in processes of their own, are killed at random moments and resumed, until all kills
are spent; what they leave running is counted. The server is a process of its own, and not measured.
``python benchmarks/safety/soak.py --draw LINES`` draws the lines as benchmarks/figures/soak.svg.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace

import hostile

from focuslab import live
from focuslab.crawling.live.folder import Folder
from focuslab.crawling.live.watch import Watch
from focuslab.fetchers import warc

HOST_CAP = 1_500
"""Pages of a host: more than `hostile.py` asks for, so that a round has some thousands of fetches."""
FIGURE = Path(__file__).parents[1] / "figures" / "soak.svg"


def megabytes(process: int | str = "self") -> int:
    """What a process holds in memory; 0 if it has ended."""
    with suppress(OSError, IndexError):
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") >> 20
    return 0


def children(process: int) -> list[int]:
    """The processes below one, to any depth."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *children(child)]
    return found


class Most(threading.Thread):
    """The most that this process and those below it held together, the server apart."""

    def __init__(self, server: int) -> None:
        super().__init__(daemon=True)
        self.server, self.most, self.ended = server, 0, threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.25):
            ours = [child for child in children(os.getpid()) if child != self.server]
            self.most = max(self.most, sum(map(megabytes, ours)) + megabytes())


@contextmanager
def watched(server: int) -> Iterator[Most]:
    most = Most(server)
    most.start()
    yield most
    most.ended.set()
    most.join()


def held(server: int) -> dict[str, int]:
    """What this process holds now."""
    gc.collect()
    return {
        "MB": megabytes(),
        "files": sum(1 for _ in Path("/proc/self/fd").iterdir()),
        "threads": threading.active_count(),
        "processes": len([child for child in children(os.getpid()) if child != server]),
    }


def serve(told: Connection) -> None:
    with hostile.served() as web:
        told.send(web.url)
        told.recv()


def one_crawl(url: str, folder: Path, width: int) -> None:
    """Begin a crawl, or go on with it."""
    if Folder(folder).plan.exists():
        live.resume(folder, watch=Watch(StringIO()))
    else:
        hostile.explore(SimpleNamespace(url=url), folder, StringIO(), width)


def still_there(processes: list[int], seconds: float = 5.0) -> int:
    """How many have not ended after some time."""
    end = time.monotonic() + seconds
    while (alive := sum(megabytes(process) > 0 for process in processes)) and time.monotonic() < end:
        time.sleep(0.1)
    return alive


def killed(url: str, width: int, rng: random.Random, times: int) -> dict[str, int]:
    """A crawl that is killed so often, and then left to end: what was lost, and what went on running."""
    left, lost, before = 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "crawl"
        command = [sys.executable, __file__, "--crawl", url, str(folder), str(width)]
        for _ in range(times):
            crawl = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with suppress(subprocess.TimeoutExpired):
                if crawl.wait(rng.uniform(1, 12)):
                    raise SystemExit(f"a crawl in {folder} failed; resume it to see why")
            below = children(crawl.pid)
            crawl.kill()
            crawl.wait()
            left += still_there(below)
            after = sum(1 for _ in warc.read(Folder(folder).record)) if Folder(folder).record.exists() else 0
            lost += max(0, before - after)
            before = after
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        fetched = sum(1 for entry in warc.read(Folder(folder).record) if entry.asked)
    return {"kills": times, "left_running": left, "records_lost": lost, "fetches": fetched}


def soak(wanted: int, width: int, kills: int) -> None:
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    assert server.pid is not None
    web, start, rng = SimpleNamespace(url=ours.recv()), time.monotonic(), random.Random(0)
    told = {"benchmark": "soak", "round": 0, "width": width, "fetches": 0}
    died = {"kills": 0, "left_running": 0, "records_lost": 0}
    while told["fetches"] < wanted:
        with tempfile.TemporaryDirectory() as folder, watched(server.pid) as most:
            log = hostile.explore(web, Path(folder) / "crawl", StringIO(), width, HOST_CAP)
        told["fetches"] += len(log) + len(log.failures)
        told["round"] += 1
        share = min(1.0, told["fetches"] / wanted)
        if due := round(kills * share) - died["kills"]:
            for name, count in killed(web.url, width, rng, due).items():
                (died if name in died else told)[name] += count
        now = {"MB_most": most.most, **held(server.pid), "seconds": round(time.monotonic() - start)}
        print(json.dumps(told | now | died), flush=True)
    ours.send("enough")
    server.join(10)


def draw(lines: Path) -> None:
    """Memory, open files and threads over fetches."""
    import pandas as pd
    from matplotlib import pyplot as plt

    rounds = pd.read_json(lines, lines=True)
    figure, (memory, counts) = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
    rounds.plot("fetches", ["MB_most", "MB"], ax=memory, ylim=(0, None), xlabel="fetches", ylabel="MB")
    rounds.plot("fetches", ["files", "threads", "processes"], ax=counts, ylim=(0, None), xlabel="fetches")
    memory.legend(["most, with the fetching process", "after a round"], frameon=False)
    counts.legend(["open files", "threads", "processes below"], frameon=False)
    FIGURE.parent.mkdir(exist_ok=True)
    figure.savefig(FIGURE, metadata={"Date": None})


def main() -> None:
    if sys.argv[1:2] == ["--crawl"]:
        one_crawl(sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
    elif sys.argv[1:2] == ["--draw"]:
        draw(Path(sys.argv[2]))
    else:
        given = [int(value) for value in sys.argv[1:4]]
        soak(*given, *(100_000, 32, 100)[len(given) :])


if __name__ == "__main__":
    main()
