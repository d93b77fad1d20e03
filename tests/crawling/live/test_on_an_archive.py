"""``focuslab crawl --web common-crawl:…``: recorded, resumed and exported like a crawl of the live web."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from focuslab import webs
from focuslab.cli import main
from focuslab.crawling.live.folder import Folder
from focuslab.fetchers import warc
from focuslab.webs.file_server import Fault, FileServer, serve_files
from focuslab.webs.small_crawl import CRAWL, linked, small_crawl

BUDGET = 60


@pytest.fixture(scope="module")
def web() -> webs.SyntheticWeb:
    return webs.synthetic(pages=600, seed=7)


@pytest.fixture(scope="module")
def stored(web: webs.SyntheticWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_crawl(web, linked(web, web.urls, 0.9), tmp_path_factory.mktemp("data"))


@pytest.fixture
def server(stored: Path) -> Iterator[FileServer]:
    with serve_files(stored) as served:
        yield served


def command(web: webs.SyntheticWeb, server: FileServer, home: Path, out: str = "out") -> list[str]:
    topic, truth = web.topic("baseball"), web.truth("baseball")
    urls = {wanted: [url for url in web.urls if truth(url) is wanted][:20] for wanted in (True, False)}
    missing = "http://never-captured.example/"
    told = {
        "name": "baseball",
        "seeds": topic.seeds,
        "examples": {"relevant": [*urls[True], missing], "irrelevant": urls[False]},
    }
    (home / "topic.yaml").write_text(json.dumps(told))
    name = f"common-crawl:latest?data={server.url}&server={server.url}&cache={home / 'kept'}"
    how = ["--web", name, "--budget", str(BUDGET), "--width", "1", "--out", str(home / out)]
    return ["crawl", str(home / "topic.yaml"), *how]


def frame(folder: Path) -> pd.DataFrame:
    return pd.read_parquet(folder / "log.parquet")


def test_a_second_crawl_asks_nothing_and_has_the_same_log(
    web: webs.SyntheticWeb, server: FileServer, tmp_path: Path
) -> None:
    assert main(command(web, server, tmp_path)) == 0
    asked = len(server.asked)
    assert main(command(web, server, tmp_path, "again")) == 0
    assert len(server.asked) == asked
    assert frame(tmp_path / "out").equals(frame(tmp_path / "again"))
    assert (tmp_path / "out" / "skipped.csv").read_text() == (tmp_path / "again" / "skipped.csv").read_text()
    plan = json.loads((tmp_path / "out" / "crawl.json").read_text())
    assert plan["settings"]["web"].startswith(f"common-crawl:{CRAWL}?")  # "latest" means another one soon


def test_the_report_says_how_much_the_archive_has_and_the_pages_can_be_handed_on(
    web: webs.SyntheticWeb, server: FileServer, tmp_path: Path
) -> None:
    assert main(command(web, server, tmp_path)) == 0
    skipped = pd.read_csv(tmp_path / "out" / "skipped.csv")
    missed = int((skipped.reason == "not-captured").sum())
    assert missed > 0
    share = 1 - missed / (BUDGET + len(skipped))
    assert (
        f"which has {share:.1%} of the addresses that were tried"
        in (tmp_path / "out/report.html").read_text()
    )
    assert main(["export", str(tmp_path / "out"), str(tmp_path / "pages.warc.gz"), "--all"]) == 0
    handed_on = webs.archive(tmp_path / "pages.warc.gz")
    assert {handed_on.fetch(url).status for url in frame(tmp_path / "out").url} == {200}


def test_a_crawl_that_is_killed_goes_on_where_it_was(
    web: webs.SyntheticWeb, stored: Path, tmp_path: Path
) -> None:
    with serve_files(stored, lambda path, number: Fault(seconds=0.03)) as slow:
        assert main(command(web, slow, tmp_path, "whole")) == 0
    with serve_files(stored, lambda path, number: Fault(seconds=0.03)) as slow:
        home = tmp_path / "second"
        home.mkdir()
        child = subprocess.Popen([sys.executable, "-m", "focuslab.cli", *command(web, slow, home)])
        record = home / "out" / "crawl.warc.gz"
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not (record.exists() and len(list(warc.read(record))) > 20):
            time.sleep(0.05)
        child.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        child.wait()
        before = len(slow.asked)
        assert main(["crawl", "--resume", str(home / "out")]) == 0
        assert before < len(slow.asked) <= len(set(slow.asked)) + 1  # what was in flight is asked again
    assert frame(home / "out").equals(frame(tmp_path / "whole"))


def test_an_archive_that_goes_away_ends_the_crawl_with_a_report(
    web: webs.SyntheticWeb, stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = False
    with serve_files(stored, lambda path, number: Fault(503) if gone and number > 60 else None) as served:
        gone = True
        told = command(web, served, tmp_path)
        told[3] = f"{told[3]}&attempts=1"
        assert main(told) == 0
        assert "could not be asked (status 503" in capsys.readouterr().out
        gone = False
        assert main(["crawl", "--resume", str(tmp_path / "out")]) == 0
    assert len(frame(tmp_path / "out")) == BUDGET


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("internet", "no web named 'internet'; try common-crawl:latest or wayback:2015-06"),
        ("wayback:yesterday", "'yesterday' is no time"),
        ("common-crawl:X?colour=red", "common-crawl cannot be opened with 'colour=red'"),
    ],
)
def test_a_web_that_there_is_not_is_refused_in_one_sentence(
    name: str,
    why: str,
    web: webs.SyntheticWeb,
    server: FileServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = command(web, server, tmp_path)
    told[3] = name
    assert main(told) == 2
    assert why in capsys.readouterr().err
    assert not Folder(tmp_path / "out").plan.exists()
