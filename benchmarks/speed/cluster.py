"""A crawl of a small Common Crawl by Dask workers: pages per second, and where the brain is full.

``nice python benchmarks/speed/cluster.py [--pages 4000] [--budget 600] [--latency 0.05]`` prints one JSON
line. The archive is served by a process of its own, ``latency`` seconds late, as an archive far away is. The
brain is this process: its processor time for each page, unpacking what comes included, says how many pages a
second it could take from any number of workers. Workers and brain share this machine's cores, so pages per
second stop growing with the cores; processor times do not depend on that.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster

from focuslab import webs
from focuslab.classifiers.assessor import train_classifiers
from focuslab.classifiers.training.topic_file import Examples, TopicFile
from focuslab.crawling import live
from focuslab.crawling.live.hands import Brought, let_go
from focuslab.crawling.live.watch import Watch
from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import crawl
from focuslab.pages.parse import parse
from focuslab.strategies import make
from focuslab.types import Assessment, Assessor, Page, Response, Task
from focuslab.webs.file_server import Fault, serve_files
from focuslab.webs.small_crawl import CRAWL, linked, small_crawl

TOPIC = "baseball"


class Clock(Watch):
    """Seconds and processor seconds from the first fetch to the last, without the report behind."""

    def start(self, *about: Any, **more: Any) -> None:
        super().start(*about, **more)
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def stop(self, why: str = "") -> None:
        self.wall, self.cpu = time.perf_counter() - self.wall, time.process_time() - self.cpu
        super().stop(why)


class Crawls:
    """The same crawl with and without workers."""

    def __init__(self, web: webs.SyntheticWeb, url: str, home: Path, budget: int) -> None:
        self.url, self.home, self.budget = url, home, budget
        self.topic = TopicFile(web.topic(TOPIC), Examples())
        self.judge = train_classifiers(web.examples(TOPIC), web.topic(TOPIC))
        self.count = 0

    def run(self, strategy: str, width: int, cluster: Any = None) -> tuple[CrawlLog, dict[str, Any]]:
        """One crawl into a folder and a cache of its own; one page at a time, it is shorter."""
        self.count += 1
        kept = self.home / f"kept{self.count}"
        settings = {
            "web": f"common-crawl:{CRAWL}?data={self.url}&server={self.url}&cache={kept}&connections={width}",
            "cluster": cluster.scheduler_address if cluster else "",
            "budget": self.budget if width > 1 else self.budget // 5,
            "width": width,
            "strategy": strategy,
            "host_cap": 0,
        }
        out, clock = self.home / f"out{self.count}", Clock()
        log = live.crawl(self.topic, out=out, assessor=self.judge, watch=clock, **settings)
        told = {
            "workers": len(cluster.workers) if cluster else 0,
            "width": width,
            "pages": len(log),
            "pages_per_second": round(len(log) / clock.wall, 1),
            "brain_cpu_ms_per_page": round(1e3 * clock.cpu / len(log), 2),
        }
        return log, told


class Replayed:
    """What workers brought, packed as it came, so that the brain's own work can be measured by itself."""

    def __init__(self, web: webs.SyntheticWeb, judge: Assessor) -> None:
        self.web, self.judge = web, judge
        self.packed: dict[str, bytes] = {}
        self.now: Any = None

    def fetch(self, url: str) -> Response:
        if url not in self.packed:
            response = self.web.fetch(url)
            page = parse(response) if response.ok else None
            said = self.judge.assess(page) if page else None
            self.packed[url] = pickle.dumps(Brought("part", response, page, said, {}, 0))
        self.now = pickle.loads(self.packed[url])
        return self.now.response

    def parse(self, response: Response) -> Page:
        return self.now.page

    def assess(self, page: Page) -> Assessment:
        return self.now.assessment

    def score_text(self, text: str, language: str = "") -> float:
        return self.judge.score_text(text, language)


def brain(web: webs.SyntheticWeb, strategy: str, budget: int) -> dict[str, Any]:
    """Processor time of frontier, strategy and unpacking for a page that a worker has read."""
    topic, examples = web.topic(TOPIC), web.examples(TOPIC)
    hands = Replayed(web, train_classifiers(examples, topic))
    task = Task(topic, hands, examples)
    spent = 0.0
    for _ in range(2):  # the first time is the workers' work
        cpu = time.process_time()
        log = CrawlLog.record(crawl(topic, hands, make(strategy, task), hands, parse=hands.parse), budget)
        spent = time.process_time() - cpu
    ms = 1e3 * spent / len(log)
    size = sum(map(len, hands.packed.values())) / len(hands.packed)
    return {"ms_per_page": round(ms, 2), "pages_per_second": round(1e3 / ms), "bytes_moved": round(size)}


def killed(crawls: Crawls, cluster: Any, expected: CrawlLog) -> dict[str, Any]:
    """A crawl at width 1 whose worker is killed on the way."""
    parts = crawls.home / f"out{crawls.count + 1}" / "parts"

    def kill() -> None:
        while len(list(parts.glob("*.warc.gz"))) < len(cluster.workers):
            time.sleep(0.05)
        with Client(cluster.scheduler_address, set_as_default=False) as client:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    log, told = crawls.run("best_first", 1, cluster)
    killer.join()
    with Client(cluster.scheduler_address, set_as_default=False) as client:
        client.wait_for_workers(len(cluster.workers))  # a cluster that is closed before hangs
    return told | {"log_identical": bool(log.frame.equals(expected.frame))}


def main() -> None:
    if len(sys.argv) > 2 and sys.argv[1] == "serve":
        late = Fault(seconds=float(sys.argv[3]))
        with serve_files(Path(sys.argv[2]), lambda path, number: late) as served:
            print(served.url, flush=True)
            threading.Event().wait()
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=4_000)
    parser.add_argument("--budget", type=int, default=600)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--threads", type=int, default=8, help="fetches at a time of each worker")
    parser.add_argument("--only-brain", action="store_true", help="no workers, no sockets")
    options = parser.parse_args()
    os.environ["TQDM_DISABLE"] = "1"
    web = webs.synthetic(pages=options.pages, seed=7)
    found: dict[str, Any] = {"benchmark": "cluster", "cores": os.cpu_count(), "latency": options.latency}
    for strategy in ("best_first", "adaptive"):
        found[f"brain_{strategy}"] = brain(web, strategy, options.budget)
    if options.only_brain:
        print(json.dumps(found))
        return
    with tempfile.TemporaryDirectory() as name:
        stored = small_crawl(web, linked(web, web.urls, 0.9), Path(name) / "data")
        serve = [sys.executable, __file__, "serve", str(stored), str(options.latency)]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            crawls = Crawls(web, server.stdout.readline().strip(), Path(name), options.budget)
            try:
                measure(crawls, found, options.threads)
            finally:
                server.kill()
    print(json.dumps(found))


def measure(crawls: Crawls, found: dict[str, Any], threads: int) -> None:
    alone, found["alone_width_1"] = crawls.run("best_first", 1)
    for strategy in ("best_first", "adaptive"):
        _, found[f"{strategy}_alone"] = crawls.run(strategy, threads)
    for workers in (2, 4):
        shape = {"n_workers": workers, "threads_per_worker": threads, "dashboard_address": None}
        with LocalCluster(**shape) as cluster:
            with Client(cluster.scheduler_address, set_as_default=False) as client:
                client.run(let_go, "nobody")  # the workers import what they need
            for strategy in ("best_first", "adaptive"):
                _, found[f"{strategy}_{workers}"] = crawls.run(strategy, threads * workers, cluster)
            if workers == 2:
                log, found["width_1"] = crawls.run("best_first", 1, cluster)
                found["width_1"]["log_identical"] = bool(log.frame.equals(alone.frame))
                found["killed"] = killed(crawls, cluster, alone)


if __name__ == "__main__":
    main()
