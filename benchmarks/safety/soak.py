"""Does a long crawl of a hostile web grow? Rounds through it in one process, and kills between them.

``python benchmarks/safety/soak.py [fetches] [width] [kills]`` crawls `hostile.py`'s web again and again,
every round into a folder of its own, and prints a JSON line after each: fetches so far, megabytes (now, and
the most on the way, with those of the fetching process), open files, threads, processes. Between rounds
another crawl of the same web, in a process of its own, is killed at random moments and resumed, until all
kills are spent; what it loses of its record and leaves running is counted. The server is a process of its
own, and not measured. ``python benchmarks/safety/soak.py --draw LINES`` draws benchmarks/figures/soak.svg.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import random
import shutil
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
MOMENTS = (0.0, 7.0)
"""Seconds after which a crawl that has begun is killed, while it replays or fetches."""
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


class Victim:
    """Another crawl of the same web, in processes of its own, killed and resumed again and again."""

    def __init__(self, home: Path, url: str, width: int) -> None:
        self.home, self.url, self.width = home, url, width
        self.rng = random.Random(0)
        self.done = {"kills": 0, "left_running": 0, "records_lost": 0, "killed_crawls_ended": 0}

    @property
    def folder(self) -> Path:
        return self.home / str(self.done["killed_crawls_ended"])

    def records(self) -> int:
        record = Folder(self.folder).record
        return sum(1 for entry in warc.read(record) if entry.asked) if record.exists() else 0

    def _working(self) -> int:
        """The process that told last how the crawl goes."""
        with suppress(OSError, ValueError):
            return int(json.loads(Folder(self.folder).status.read_text())["process"])
        return 0

    def kill(self, times: int) -> None:
        """So many more kills, at random moments; where a crawl comes to its end before, the next begins."""
        command = [sys.executable, __file__, "--crawl", self.url]
        while times:
            before = self.records()
            crawl = subprocess.Popen(
                [*command, str(self.folder), str(self.width)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            while crawl.poll() is None and self._working() != crawl.pid:
                time.sleep(0.1)
            with suppress(subprocess.TimeoutExpired):
                if crawl.wait(self.rng.uniform(*MOMENTS)):
                    raise SystemExit(f"a crawl failed after {self.done['kills']} kills")
                self.done["killed_crawls_ended"] += 1
                continue
            below = children(crawl.pid)
            crawl.kill()
            crawl.wait()
            times -= 1
            self.done["kills"] += 1
            self.done["left_running"] += still_there(below)
            self.done["records_lost"] += max(0, before - self.records())


def soak(wanted: int, width: int, kills: int) -> None:
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    assert server.pid is not None
    web, start = SimpleNamespace(url=ours.recv()), time.monotonic()
    fetches, rounds = 0, 0
    with tempfile.TemporaryDirectory() as home:
        victim = Victim(Path(home) / "killed", web.url, width)
        while fetches < wanted:
            with watched(server.pid) as most:
                log = hostile.explore(web, Path(home) / str(rounds), StringIO(), width, HOST_CAP)
            shutil.rmtree(Path(home) / str(rounds))
            fetches, rounds = fetches + len(log) + len(log.failures), rounds + 1
            del log
            now = {"MB_most": most.most, **held(server.pid)}
            victim.kill(round(kills * min(1.0, fetches / wanted)) - victim.done["kills"])
            told = {"benchmark": "soak", "width": width, "round": rounds, "fetches": fetches, **now}
            seconds = round(time.monotonic() - start)
            print(
                json.dumps(told | victim.done | {"in_it": victim.records(), "seconds": seconds}), flush=True
            )
    ours.send("enough")
    server.join(10)


def draw(lines: Path) -> None:
    """Memory, open files and threads over fetches."""
    import pandas as pd
    from matplotlib import pyplot as plt

    rounds = pd.read_json(lines, lines=True)
    plt.rcParams["svg.fonttype"], plt.rcParams["svg.hashsalt"] = "none", "soak"  # small, and the same again
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
