"""focuslab beside Scrapy on the same site on loopback, in one run: one JSON line.

``python benchmarks/speed/live_vs_scrapy.py [--pages 5000] [--scrapy PYTHON]``

The site is the built-in web, served by a process of its own. Scrapy is a plain CrawlSpider that follows all
links and yields address and title: robots and delays off, 32 requests at once. focuslab is its own command
line with 32 fetches at once, robots and delays off, and everything else on: parsing, relevance and genre
classifiers, canonical URLs, genre-enhanced scoring, WARC, history, log and report. Both run until they have
fetched the same number of pages, in turn, three times. Seconds are those of the crawl, as each tool itself
reports them; those of the whole process (imports, training, report) are given too.

Scrapy is no dependency of the lab: ``pip install scrapy`` into any environment and give its Python.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

from focuslab import webs
from focuslab.types import GENRES, Response
from focuslab.webs.synthetic import SyntheticWeb

TOPIC = "baseball"
EXAMPLES = 100
SPIDER = """
import json, resource, sys, time
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

class Site(CrawlSpider):
    name = "site"
    start_urls = sys.argv[3:]
    rules = (Rule(LinkExtractor(), callback="page", follow=True),)

    def page(self, response):
        yield {"url": response.url, "title": response.css("title::text").get()}

process = CrawlerProcess({
    "ROBOTSTXT_OBEY": False, "DOWNLOAD_DELAY": 0, "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 32, "CLOSESPIDER_PAGECOUNT": int(sys.argv[2]), "LOG_LEVEL": "ERROR",
    "FEEDS": {sys.argv[1]: {"format": "jsonlines"}},
})
crawler = process.create_crawler(Site)
start = time.perf_counter()
process.crawl(crawler)
process.start()
seconds = time.perf_counter() - start
pages = crawler.stats.get_value("downloader/response_status_count/200")
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "version": scrapy.__version__, "pages": pages, "seconds": seconds, "peak_mb": used.ru_maxrss // 1024,
    "cpu": used.ru_utime + used.ru_stime,
}))
"""
SERVE = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from live_vs_scrapy import Ready, site
from focuslab import webs
with webs.serve(Ready(site(int(sys.argv[2])))) as served:
    print(served.url, flush=True)
    sys.stdin.read()
"""


class Ready:
    """A web whose pages are all written before the first is asked for, so that the server is quick."""

    def __init__(self, web: SyntheticWeb) -> None:
        self.pages = {url: web.fetch(url) for url in web.urls}

    def fetch(self, url: str) -> Response:
        return self.pages.get(url) or Response(url, 404)


def site(pages: int) -> SyntheticWeb:
    return webs.synthetic(pages=pages, seed=7)


def write_task(home: Path, seeds: tuple[str, ...]) -> None:
    """A topic as a user has one: example pages in files, and pages by genre; all from another web."""
    other = webs.synthetic(pages=2_000, seed=8)
    truth = other.truth(TOPIC)
    found: Counter[str] = Counter()
    for number, url in enumerate(other.urls):
        for kind in ("relevant" if truth(url) else "irrelevant", f"genres/{GENRES[other.genre[number]]}"):
            if found[kind] < EXAMPLES:
                (home / kind).mkdir(parents=True, exist_ok=True)
                (home / kind / f"{number}.html").write_bytes(other.fetch(url).body)
                found[kind] += 1
    examples = {
        kind: [f"{kind}/{file.name}" for file in sorted((home / kind).iterdir())]
        for kind in ("relevant", "irrelevant")
    }
    (home / "topic.yaml").write_text(json.dumps({"name": TOPIC, "seeds": list(seeds), "examples": examples}))


def focuslab(home: Path, place: Path, proxy: str, pages: int, width: int) -> dict[str, float]:
    out = place / "crawl"
    command = (
        f"crawl topic.yaml --out {out} --genres genres --strategy genre_enhanced --width {width} --delay 0 "
        f"--no-robots --host-cap 0 --budget {pages} --proxy {proxy} --contact lab@crawl.example"
    )
    code = (
        "import resource, sys; from focuslab.cli import main; main(sys.argv[1:]); "
        "both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]; "
        "print(sum(use.ru_maxrss for use in both) // 1024, sum(use.ru_utime + use.ru_stime for use in both))"
    )
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *command.split()], cwd=home, capture_output=True, text=True, check=True
    )
    whole = time.perf_counter() - start
    last = done.stderr.strip().splitlines()[-1]
    fetched, rate = re.search(r"([\d,]+)/[\d,]+ pages .*? ([\d.]+)/s", last).groups()  # type: ignore[union-attr]
    pages_fetched = int(fetched.replace(",", ""))
    return {
        "pages": pages_fetched,
        "pages_per_second": float(rate),
        "whole_process_seconds": round(whole, 1),
        "whole_process_cpu_seconds": round(float(done.stdout.split()[-1]), 1),
        "peak_mb": int(done.stdout.split()[-2]),
    }


def scrapy(python: str, home: Path, proxy: str, pages: int, seeds: tuple[str, ...]) -> dict[str, float]:
    environment = os.environ | {"http_proxy": proxy, "HTTP_PROXY": proxy, "no_proxy": "", "NO_PROXY": ""}
    items = home / "items.jl"
    start = time.perf_counter()
    done = subprocess.run(
        [python, "-c", SPIDER, str(items), str(pages), *seeds],
        cwd=home,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    whole = time.perf_counter() - start
    told = json.loads(done.stdout.splitlines()[-1])
    return {
        "version": told["version"],
        "pages": told["pages"],
        "pages_per_second": round(told["pages"] / told["seconds"], 1),
        "whole_process_seconds": round(whole, 1),
        "whole_process_cpu_seconds": round(told["cpu"], 1),
        "peak_mb": told["peak_mb"],
    }


def scrapy_python(given: str) -> str:
    if given or importlib.util.find_spec("scrapy"):
        return given or sys.executable
    raise SystemExit("scrapy is absent: pip install scrapy into an environment, then --scrapy its/bin/python")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--scrapy", default="", help="a Python that has scrapy")
    parser.add_argument(
        "--rounds", type=int, default=3, help="one after the other, so often (the median counts)"
    )
    parser.add_argument("--only", choices=("scrapy", "focuslab"), help="leave the other out")
    options = parser.parse_args()
    python = scrapy_python(options.scrapy) if options.only != "focuslab" else ""
    seeds = site(options.pages).topic(TOPIC).seeds
    result: dict[str, object] = {"benchmark": "live_vs_scrapy", "site_pages": options.pages}
    server = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(Path(__file__).parent), str(options.pages)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with tempfile.TemporaryDirectory() as name, server:
        assert server.stdin is not None
        assert server.stdout is not None
        home, proxy = Path(name), server.stdout.readline().strip()
        write_task(home, seeds)
        budget = options.pages * 9 // 10  # a few pages are not linked to
        rounds: list[dict[str, dict[str, float]]] = []
        for number in range(options.rounds):
            place = home / str(number)
            place.mkdir()
            rounds.append({})
            if options.only != "scrapy":
                rounds[-1]["focuslab"] = focuslab(home, place, proxy, budget, options.width)
            if python:
                rounds[-1]["scrapy"] = scrapy(python, place, proxy, budget, seeds)
        rounds.sort(key=lambda each: each.get("focuslab", each.get("scrapy", {}))["pages_per_second"])
        result |= rounds[len(rounds) // 2]
        if python and options.only != "scrapy":
            times = [
                each["focuslab"]["pages_per_second"] / each["scrapy"]["pages_per_second"] for each in rounds
            ]
            result |= {
                "times_scrapy": round(median(times), 2),
                "each_round": [round(each, 2) for each in times],
            }
        server.stdin.close()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
