"""A focused crawl of a small Common Crawl on loopback: pages per second, requests and bytes per page.

``python benchmarks/speed/common_crawl.py [--pages 4000] [--budget 500] [--kills 5]`` prints one JSON line:
the first run, a second one on what was kept, twelve strategies that share it, and a crawl that is killed
again and again. Loopback has no latency and this web is small, so requests and bytes are what carries over.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuslab import webs
from focuslab.classifiers.assessor import train_classifiers
from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import crawl
from focuslab.fetchers import warc
from focuslab.fetchers.archives.common_crawl import CommonCrawl
from focuslab.strategies import all_strategies, make
from focuslab.types import Task
from focuslab.webs.file_server import Fault, FileServer, serve_files
from focuslab.webs.small_crawl import CRAWL, linked, small_crawl

TOPIC = "baseball"
WITHOUT_TRUTH = [name for name in all_strategies() if name != "oracle"]


def measured(run: Callable[[CommonCrawl], CrawlLog], archive: CommonCrawl) -> tuple[CrawlLog, dict[str, Any]]:
    """A run, and what it cost."""
    before = archive.service.requests, archive.service.bytes
    wall, cpu = time.perf_counter(), time.process_time()
    log = run(archive)
    spent = time.process_time() - cpu
    asked, came = archive.service.requests - before[0], archive.service.bytes - before[1]
    return log, {
        "pages": len(log),
        "tried": len(log) + len(log.failures),
        "captured": round(log.captured, 3),
        "pages_per_second": round(len(log) / (time.perf_counter() - wall), 1),
        "cpu_ms_per_page": round(1e3 * spent / max(1, len(log)), 2),
        "requests_per_page": round(asked / max(1, len(log)), 3),
        "bytes_per_page": round(came / max(1, len(log))),
    }


def split(server: FileServer, since: int = 0) -> dict[str, int]:
    """Requests by what they were for."""
    index = sum("/indexes/" in path for path, _ in server.asked[since:])
    return {"index_requests": index, "record_requests": len(server.asked) - since - index}


def killed(server: FileServer, web: webs.SyntheticWeb, home: Path, budget: int, kills: int) -> dict[str, Any]:
    """The command, killed at random moments and resumed, against the same without."""
    topic = web.topic(TOPIC)
    (home / "topic.yaml").write_text(json.dumps({"keywords": topic.keywords, "seeds": topic.seeds}))

    def command(name: str) -> list[str]:
        archive = f"common-crawl:{CRAWL}?data={server.url}&server={server.url}&cache={home / f'{name} kept'}"
        how = ["--web", archive, "--width", "1", "--budget", str(budget), "--out", str(home / name)]
        return [sys.executable, "-m", "focuslab.cli", "crawl", str(home / "topic.yaml"), *how]

    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(command("whole"), check=True, **quiet)
    since, rng, record = len(server.asked), np.random.default_rng(7), home / "cut" / "crawl.warc.gz"
    line = command("cut")
    for number in range(kills):
        aim = budget * (number + rng.uniform(0.2, 1)) / (kills + 1)
        child = subprocess.Popen(line, **quiet)
        while child.poll() is None and not (record.exists() and sum(1 for _ in warc.read(record)) > aim):
            time.sleep(0.05)
        child.kill()
        child.wait()
        if (home / "cut" / "crawl.json").exists():
            line = [sys.executable, "-m", "focuslab.cli", "crawl", "--resume", str(home / "cut")]
    subprocess.run(line, check=True, **quiet)
    logs = [pd.read_parquet(home / name / "log.parquet") for name in ("whole", "cut")]
    asked = server.asked[since:]
    return {
        "kills": kills,
        "log_identical": bool(logs[0].equals(logs[1])),
        "asked_twice": len(asked) - len(set(asked)),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=4_000)
    parser.add_argument("--budget", type=int, default=500)
    parser.add_argument("--kills", type=int, default=5)
    options = parser.parse_args()
    web = webs.synthetic(pages=options.pages, seed=7)
    topic, examples = web.topic(TOPIC), web.examples(TOPIC)
    task = Task(topic, train_classifiers(examples, topic), examples)

    def run(strategy: str) -> Callable[[CommonCrawl], CrawlLog]:
        def crawled(archive: CommonCrawl) -> CrawlLog:
            return CrawlLog.record(crawl(topic, archive, make(strategy, task), task.assessor), options.budget)

        return crawled

    found: dict[str, Any] = {"benchmark": "common_crawl", "web": options.pages}
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        start = time.perf_counter()
        stored = small_crawl(web, linked(web, web.urls, 0.9), home / "data")
        found["build_seconds"] = round(time.perf_counter() - start, 1)
        with serve_files(stored) as server:
            where = {"data": server.url, "server": server.url, "cache": home / "kept"}
            archive = CommonCrawl(CRAWL, **where)
            first, found["first"] = measured(run("best_first"), archive)
            found["first"] |= split(server)
            second, found["second"] = measured(run("best_first"), CommonCrawl(CRAWL, **where))
            found["second"]["log_identical"] = bool(first.frame.equals(second.frame))
            alone = len(server.asked)
            for strategy in WITHOUT_TRUTH:
                run(strategy)(archive)
            found["all_strategies"] = {
                "crawls": len(WITHOUT_TRUTH),
                "pages": options.budget * len(WITHOUT_TRUTH),
                "requests_of_one_crawl": alone,
                "requests_of_all": len(server.asked),
            }
        with serve_files(stored, lambda path, number: Fault(seconds=0.002)) as server:
            found["killed"] = killed(server, web, home, min(options.budget, 200), options.kills)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
