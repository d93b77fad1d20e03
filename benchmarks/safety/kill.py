"""Kill a crawl with faults at random moments, resume it each time, and count what was lost.

``python benchmarks/safety/kill.py [--kills 50] [--pages 2000] [--width 1]`` prints one JSON line. The
crawl is the command line's, killed with SIGKILL; the web is the built-in one on loopback, with one page in
twenty failing in one of several ways, always the same way for a page.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

from focuslab import webs
from focuslab.crawling.live.folder import Folder
from focuslab.fetchers import warc
from focuslab.types import Fetcher, Response

COLUMNS_OF_CHANCE = ["seconds"]
"""What no two crawls have in common, however alike."""


class Faulty:
    """A web with failing pages, that counts how often each page is asked for."""

    def __init__(self, web: Fetcher) -> None:
        self.web = web
        self.asked: Counter[str] = Counter()

    def fetch(self, url: str) -> Response:
        if url.endswith("/robots.txt"):
            return Response(url, 404)
        self.asked[url] += 1
        fault = zlib.crc32(url.encode()) % 100
        if fault == 0:
            return Response(url, error="reset: as chance will have it")
        if fault in (1, 2):
            return Response(url, (404, 500)[fault - 1])
        if fault == 3:
            return Response(url, 200, b"%PDF", "application/pdf")
        if fault == 4:
            return Response(url, 200, b"<p>cut off, then binary \xff\xfe" * 50, "text/html")
        return self.web.fetch(url)


def command(*arguments: object) -> subprocess.Popen[bytes]:
    line = [sys.executable, "-m", "focuslab.cli", "crawl", *map(str, arguments)]
    return subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def recorded(folder: Path) -> list[str]:
    record = Folder(folder).record
    return [entry.asked for entry in warc.read(record) if entry.asked] if record.exists() else []


def finish(child: subprocess.Popen[bytes]) -> None:
    _, said = child.communicate()
    if child.returncode:
        raise SystemExit(f"a crawl failed: {said.decode(errors='replace').splitlines()[-1]}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--width", type=int, default=1)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    web = webs.synthetic(pages=max(4_000, 2 * options.pages))
    topic = web.topic("baseball")
    faulty = Faulty(web)
    with tempfile.TemporaryDirectory() as name, webs.serve(faulty) as served:
        home = Path(name)
        (home / "topic.yaml").write_text(json.dumps({"content": list(topic.content_terms or topic.keywords)}))
        (home / "seeds.txt").write_text("\n".join(topic.seeds))
        begin = (
            *(home / "topic.yaml", "--seeds", home / "seeds.txt", "--proxy", served.url, "--delay", 0),
            *("--budget", options.pages, "--width", options.width, "--contact", "lab@crawl.example"),
        )
        finish(command(*begin, "--out", home / "whole"))
        whole = pd.read_parquet(home / "whole" / "log.parquet").drop(columns=COLUMNS_OF_CHANCE)
        usual = Counter(faulty.asked)  # a page that resets the connection is asked for twice, killed or not
        faulty.asked.clear()
        out, kills, lost, before = home / "out", 0, 0, []
        child = command(*begin, "--out", out)
        while kills < options.kills:
            # Somewhere in the next part of what is left: while starting, replaying, fetching or ending.
            share = max(1, options.pages - len(before)) / (options.kills - kills)
            aim = len(before) + rng.uniform(0, 2 * share)
            deadline = time.monotonic() + 60
            while child.poll() is None and len(recorded(out)) < aim and time.monotonic() < deadline:
                time.sleep(rng.uniform(0, 0.2))
            child.kill()
            child.communicate()
            kills += 1
            after = recorded(out)
            lost += sum(one != other for one, other in zip(before, after, strict=False))
            lost += max(0, len(before) - len(after))
            before = after
            child = command("--resume", out) if Folder(out).plan.exists() else command(*begin, "--out", out)
        finish(child)
        log = pd.read_parquet(out / "log.parquet").drop(columns=COLUMNS_OF_CHANCE)
        again = faulty.asked - usual
        print(
            json.dumps(
                {
                    "benchmark": "kill",
                    "kills": kills,
                    "width": options.width,
                    "pages": len(log),
                    "failures": len(pd.read_csv(out / "skipped.csv")),
                    "pages_lost": lost,
                    "log_identical": bool(log.equals(whole)),
                    "same_pages": len(set(log.url) & set(whole.url)),
                    "fetched_again": again.total(),
                    "asked_twice_without_kills": usual.total() - len(usual),
                    "fetched_again_at_most": kills * options.width,
                    "torn_ends": len(list(out.glob("*.torn-*"))),
                }
            )
        )


if __name__ == "__main__":
    main()
