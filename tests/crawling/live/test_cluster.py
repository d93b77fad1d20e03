"""A crawl with the hands of a Dask cluster: the same crawl, whoever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.figure import Figure
from tiny import TinyWeb, url
from warcio.archiveiterator import ArchiveIterator

from focuslab import live, webs
from focuslab.cli import main
from focuslab.crawling.live.cluster import owner
from focuslab.crawling.live.parts import join
from focuslab.fetchers import warc
from focuslab.fetchers.browser import chromium
from focuslab.fetchers.pdf import can_read
from focuslab.pages.urls import host
from focuslab.types import Response
from focuslab.webs.file_server import Fault, FileServer, serve_files
from focuslab.webs.small_crawl import CRAWL, linked, small_crawl

distributed = pytest.importorskip("distributed")
BUDGET = 60


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    kwargs = {"threads_per_worker": 2, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(n_workers=2, **kwargs) as local:
        yield local


@pytest.fixture(scope="module")
def web() -> webs.SyntheticWeb:
    return webs.synthetic(pages=600, seed=7)


@pytest.fixture(scope="module")
def server(web: webs.SyntheticWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FileServer]:
    stored = small_crawl(web, linked(web, web.urls, 0.9), tmp_path_factory.mktemp("data"))
    with serve_files(stored, lambda path, number: Fault(seconds=0.01)) as served:
        yield served


def command(web: webs.SyntheticWeb, server: FileServer, home: Path, *more: str) -> list[str]:
    topic = web.topic("baseball")
    told = {"name": "baseball", "seeds": topic.seeds, "keywords": topic.keywords}
    (home / "topic.yaml").write_text(json.dumps(told))
    name = f"common-crawl:{CRAWL}?data={server.url}&server={server.url}&cache={home / 'kept'}"
    how = ["--web", name, "--budget", str(BUDGET), "--out", str(home / "out")]
    return ["crawl", str(home / "topic.yaml"), *how, *more]


def frame(folder: Path) -> pd.DataFrame:
    return pd.read_parquet(folder / "log.parquet")


@pytest.fixture(scope="module")
def alone(
    web: webs.SyntheticWeb, server: FileServer, tmp_path_factory: pytest.TempPathFactory
) -> pd.DataFrame:
    """The log of the same crawl in one process."""
    home = tmp_path_factory.mktemp("alone")
    assert main(command(web, server, home, "--width", "1")) == 0
    return frame(home / "out")


def test_at_width_one_the_crawl_is_the_one_without_a_cluster(
    web: webs.SyntheticWeb, server: FileServer, cluster: Any, alone: pd.DataFrame, tmp_path: Path
) -> None:
    how = ("--width", "1", "--cluster", cluster.scheduler_address)
    assert main(command(web, server, tmp_path, *how)) == 0
    assert frame(tmp_path / "out").equals(alone)
    assert not (tmp_path / "out" / "parts").exists()
    record = [entry.asked for entry in warc.read(tmp_path / "out" / "crawl.warc.gz") if entry.asked]
    failed = pd.read_csv(tmp_path / "out" / "skipped.csv").url
    assert [url for url in record if url not in set(failed)] == list(alone.asked)
    asked = len(server.asked)
    assert main(["crawl", "--resume", str(tmp_path / "out"), "--budget", str(BUDGET - 10)]) == 0
    assert len(server.asked) == asked  # all was on record
    assert frame(tmp_path / "out").equals(alone)  # a smaller budget takes nothing away


def test_many_hands_bring_as_many_pages_and_each_once(
    web: webs.SyntheticWeb, server: FileServer, cluster: Any, tmp_path: Path
) -> None:
    how = ("--width", "8", "--cluster", cluster.scheduler_address)
    assert main(command(web, server, tmp_path, *how)) == 0
    found = frame(tmp_path / "out")
    assert len(found) == BUDGET == found.url.nunique()
    record = [entry.asked for entry in warc.read(tmp_path / "out" / "crawl.warc.gz") if entry.asked]
    assert len(record) == len(set(record)) >= BUDGET


def test_a_worker_that_dies_costs_only_time(
    web: webs.SyntheticWeb, server: FileServer, cluster: Any, alone: pd.DataFrame, tmp_path: Path
) -> None:
    def kill() -> None:
        parts = tmp_path / "out" / "parts"
        while len(list(parts.glob("*.warc.gz"))) < 2:  # both workers have pages
            time.sleep(0.02)
        with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
            pids = client.run(os.getpid)
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        killed.append(True)

    killed: list[bool] = []
    killer = threading.Thread(target=kill)
    killer.start()
    how = ("--width", "1", "--cluster", cluster.scheduler_address)
    assert main(command(web, server, tmp_path, *how)) == 0
    killer.join()
    assert killed
    assert frame(tmp_path / "out").equals(alone)


def test_a_brain_that_dies_finds_everything_again(
    web: webs.SyntheticWeb, server: FileServer, cluster: Any, alone: pd.DataFrame, tmp_path: Path
) -> None:
    how = ("--width", "1", "--cluster", cluster.scheduler_address)
    line = [sys.executable, "-m", "focuslab.cli", *command(web, server, tmp_path, *how)]
    child = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    order = tmp_path / "out" / "parts" / "order.tsv"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (order.exists() and order.read_text().count("\n") > 15):
        time.sleep(0.02)
    child.kill()
    child.wait()
    assert main(["crawl", "--resume", str(tmp_path / "out")]) == 0
    assert frame(tmp_path / "out").equals(alone)


class Clocked:
    """Pages of four hosts, and when each was asked for."""

    def __init__(self) -> None:
        self.web = TinyWeb(
            {"s": "a b c", **{name: " ".join(f"{name}/{n}" for n in range(3)) for name in "abc"}}
        )
        self.times: dict[str, list[float]] = defaultdict(list)

    def fetch(self, url: str) -> Response:
        if url.endswith("/robots.txt"):
            return Response(url, 404)
        self.times[host(url)].append(time.monotonic())
        links = self.web.fetch(url)
        return links if links.status != 404 else Response(url, 200, b"<p>leaf", "text/html")

    @property
    def shortest(self) -> float:
        """The shortest pause that a host was given."""
        return min(b - a for times in self.times.values() for a, b in pairwise(times))


@pytest.mark.parametrize("width", [1, 6])
def test_hosts_keep_their_pauses_when_their_worker_dies(width: int, cluster: Any, tmp_path: Path) -> None:
    (tmp_path / "topic.yaml").write_text("name: leaves\nkeywords: [leaf]\n")
    site, delay, dead = Clocked(), 2.5, threading.Event()  # longer than a death goes unnoticed

    def kill() -> None:
        while sum(map(len, site.times.values())) < 4:
            time.sleep(0.02)
        with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
            pids = client.run(os.getpid)
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        dead.set()

    with webs.serve(site) as served:
        killer = threading.Thread(target=kill)
        killer.start()
        log = live.crawl(
            tmp_path / "topic.yaml",
            [url("s")],
            tmp_path / "out",
            delay=delay,
            proxy=served.url,
            width=width,
            budget=25,
            cluster=cluster.scheduler_address,
        )
        killer.join()
    assert dead.is_set()
    assert len(log) == 13
    assert site.shortest > delay / 2


def pdf() -> bytes:
    figure, out = Figure(), BytesIO()
    figure.text(0.1, 0.5, "to the ballgame", url=url("b"))
    figure.savefig(out, format="pdf")
    return out.getvalue()


SCRIPT = "document.body.innerHTML = '<a href=http://c.example/>to c</a>'"
GROWN = f"<title>grown</title><body><script>{SCRIPT}</script>".encode()
ODD = {
    "old": Response(url("old"), 301, headers={"location": "http://www.old.example/"}),
    "paper": Response(url("paper"), 200, pdf(), "application/pdf"),
    "grown": Response(url("grown"), 200, GROWN, "text/html"),
}


def told(record: Path) -> list[tuple[str, str | None, str | None]]:
    """Kind, address and fetch of every record in a file."""
    with record.open("rb") as stream:
        return [
            (each.rec_type, *map(each.rec_headers.get_header, ("WARC-Target-URI", warc.WAY)))
            for each in ArchiveIterator(stream)
        ]


def test_hands_read_and_record_what_one_process_does(cluster: Any, tmp_path: Path) -> None:
    """Redirects on the way, robots.txt, documents, and pages that only scripts build."""
    (tmp_path / "topic.yaml").write_text("name: ball games\ncontent: [to, ballgame]\n")
    site = TinyWeb({"s": "a old paper grown", "a": "", "b": "", "c": "", "http://www.old.example/": "s"}, ODD)
    settings = {"delay": 0, "width": 1, "browser": "auto" if chromium() else ""}
    with webs.serve(site) as served:
        logs = [
            live.crawl(
                tmp_path / "topic.yaml", [url("s")], tmp_path / name, proxy=served.url, **more, **settings
            )
            for name, more in (("one", {}), ("many", {"cluster": cluster.scheduler_address}))
        ]
    one, many = (log.frame[["url", "score", "relevance", "title"]] for log in logs)
    assert many.equals(one)
    found = {url("s"), url("a"), "http://www.old.example/"}
    found |= {url("paper"), url("b")} if can_read() else set()
    assert set(many.url) >= found | ({url("c")} if chromium() else set())
    records = [told(tmp_path / name / "crawl.warc.gz") for name in ("one", "many")]
    assert records[0] == records[1]
    assert any(way == url("old") for _, _, way in records[1])


def test_a_host_that_a_redirect_led_to_has_its_pause_too(cluster: Any, tmp_path: Path) -> None:
    """The workers share no clock, so the brain tells the host's own worker to wait."""
    (tmp_path / "topic.yaml").write_text("name: leaves\nkeywords: [leaf]\n")
    site, delay, workers = Clocked(), 1.5, sorted(cluster.scheduler_info["workers"])
    names = (f"old{number}" for number in range(99))
    old = next(name for name in names if owner(host(url(name)), workers) != owner(host(url("a")), workers))
    site.web.odd[url(old)] = Response(url(old), 301, headers={"location": url("a/0")})
    with webs.serve(site) as served:
        how = {"delay": delay, "proxy": served.url, "width": 1, "cluster": cluster.scheduler_address}
        log = live.crawl(tmp_path / "topic.yaml", [url(old), url("a/1")], tmp_path / "out", **how)
    assert list(log.frame.url) == [url("a/0"), url("a/1")]
    assert site.shortest > delay / 2


def test_no_scheduler_and_no_dask_address_are_one_sentence(
    web: webs.SyntheticWeb, server: FileServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(web, server, tmp_path, "--cluster", "tcp://127.0.0.1:9")) == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in capsys.readouterr().err


def test_hosts_of_a_worker_that_leaves_go_evenly_to_the_others() -> None:
    hosts = [f"host{number}.example" for number in range(3_000)]
    before = {name: owner(name, ["a", "b", "c"]) for name in hosts}
    after = {name: owner(name, ["a", "c"]) for name in hosts}
    moved = [name for name in hosts if before[name] != after[name]]
    assert {before[name] for name in moved} == {"b"}
    assert all(900 < list(before.values()).count(worker) < 1_100 for worker in "abc")
    assert 0.4 < sum(after[name] == "a" for name in moved) / len(moved) < 0.6


def test_joining_can_be_interrupted_and_done_again(tmp_path: Path) -> None:
    parts, record = tmp_path / "parts", tmp_path / "crawl.warc.gz"
    urls = [f"http://a.example/{number}" for number in range(6)]
    packed = {url: warc.record(url, Response(url, 200, url.encode(), "text/html")) for url in urls}
    for again in (False, True):
        parts.mkdir()
        (parts / "one.warc.gz").write_bytes(packed[urls[2]] + packed[urls[0]] + packed[urls[5]])
        (parts / "two.warc.gz").write_bytes(packed[urls[1]] + packed[urls[3]] + packed[urls[4]][:-9])
        order = [("one", 0), ("two", 1), ("one", 2), ("two", 3)]
        (parts / "order.tsv").write_text("".join(f"{part}.warc.gz\t{urls[n]}\n" for part, n in order))
        if again:  # as if it had been killed in the middle of writing
            record.write_bytes(record.read_bytes()[:-20])
        join(parts, record)
        assert not parts.exists()
        assert [entry.asked for entry in warc.read(record) if entry.asked] == [*urls[:4], urls[5]]
