"""Common Crawl as a fetcher, against its own formats on loopback; its index server is pywb, as in reality."""

from __future__ import annotations

import os
import pickle
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import joblib
import pytest
import requests

from focuslab import webs
from focuslab.fetchers.archives.common_crawl import CommonCrawl
from focuslab.fetchers.archives.service import UnreachableError
from focuslab.types import Response
from focuslab.webs.file_server import Fault, FileServer, serve_files
from focuslab.webs.small_crawl import CRAWL, CUT, small_crawl
from focuslab.webs.synthetic import SyntheticWeb

TOOL = "pywb==2.10.0"
NO_SLEEP: dict[str, Any] = {"sleep": lambda seconds: None}


@pytest.fixture
def server(stored: Path) -> Iterator[FileServer]:
    with serve_files(stored) as served:
        yield served


def opened(server: FileServer, cache: Path, crawl: str = CRAWL, **options: Any) -> CommonCrawl:
    return CommonCrawl(crawl, data=server.url, server=server.url, cache=cache, **{**NO_SLEEP, **options})


def answers(crawl: CommonCrawl, urls: list[str]) -> list[Response]:
    return [crawl.fetch(url) for url in urls]


# What it answers


def test_pages_are_as_they_were_captured(
    web: SyntheticWeb, urls: list[str], server: FileServer, tmp_path: Path
) -> None:
    crawl = opened(server, tmp_path / "kept")
    captured = [url for url in urls if web.fetch(url).ok and web.fetch(url).url == url]
    unlike = [url for url in captured if crawl.fetch(url).body != web.fetch(url).body]
    assert len(captured) > 300
    assert 0 < len(unlike) < len(captured) / CUT * 4  # stored cut off, or as unchanged since the crawl before
    assert crawl.counts["truncated"] + crawl.counts["revisit"] == len(unlike)
    assert {crawl.fetch(url).error.partition(":")[0] for url in unlike} == {"", "revisit"}


def test_redirects_failures_and_gaps_are_what_they_are(
    web: SyntheticWeb, urls: list[str], server: FileServer, tmp_path: Path
) -> None:
    crawl = opened(server, tmp_path / "kept")
    ends = {url: web.fetch(url).url for url in urls}
    moved = next(url for url, end in ends.items() if end != url and end in urls and web.fetch(url).ok)
    dead = next(url for url in urls if web.fetch(url).status == 404)
    assert crawl.fetch(moved).url == ends[moved]
    assert (crawl.fetch(dead).status, crawl.fetch(dead).error) == (404, "")
    gap = crawl.fetch("http://nowhere.example/")
    assert gap.error == f"not-captured: not in {CRAWL}"
    assert not crawl.captured("http://nowhere.example/")
    assert crawl.counts["redirect"] == 1
    assert crawl.counts["failure"] == 2
    assert crawl.counts["not-captured"] == 1


@pytest.mark.parametrize("url", ["", "ftp://x/", "http://", "http://[/", "\x00", "é" * 3000])
def test_what_is_no_address_is_not_captured(url: str, server: FileServer, tmp_path: Path) -> None:
    assert opened(server, tmp_path).fetch(url).error.startswith("not-captured")


def test_captures_of_one_key_that_fill_several_blocks_are_all_seen(tmp_path: Path) -> None:
    class Letters:
        def fetch(self, url: str) -> Response:
            return Response(url, 200, url.encode(), "text/html")

    urls = [
        f"{scheme}://{www}same.example/{name}"
        for name in "abc"
        for scheme in ("http", "https")
        for www in ("", "www.")
    ]
    small_crawl(Letters(), urls, tmp_path / "data", lines=1)
    with serve_files(tmp_path / "data") as served:
        crawl = opened(served, tmp_path / "kept")
        assert [crawl.fetch(url).body.decode() for url in urls] == urls
        other = crawl.fetch("http://www2.same.example/a")  # the same key, of which nothing else is known
        assert other.url in urls


# What it costs


def test_a_record_and_a_block_are_asked_for_once(
    urls: list[str], server: FileServer, stored: Path, tmp_path: Path
) -> None:
    crawl = opened(server, tmp_path)
    answers(crawl, urls)
    answers(crawl, urls)
    assert len(server.asked) == len(set(server.asked))
    blocks = (stored / f"cc-index/collections/{CRAWL}/indexes/cluster.idx").read_text().count("\n")
    index = [path for path, _ in server.asked if "/indexes/" in path]
    assert len(index) <= 1 + blocks < len(urls) / 10
    assert len(server.asked) - len(index) == len(crawl.cabinet)


def test_a_second_run_asks_nothing_and_says_the_same(
    urls: list[str], stored: Path, server: FileServer, tmp_path: Path
) -> None:
    first = answers(opened(server, tmp_path), urls)
    asked = len(server.asked)
    again = opened(server, tmp_path)
    assert answers(again, urls) == first
    assert len(server.asked) == asked
    assert again.service.requests == 0


def test_what_was_fetched_is_an_archive_for_the_next_researcher(
    urls: list[str], server: FileServer, tmp_path: Path
) -> None:
    crawl = opened(server, tmp_path)
    pages = [response for response in answers(crawl, urls[:100]) if response.ok]
    handed_on = webs.archive(tmp_path)
    assert handed_on.skipped == 0
    assert all(handed_on.fetch(page.url).body == page.body for page in pages)


# Manners, and a hostile network


def test_an_archive_that_says_slow_down_is_left_alone_and_asked_again(
    urls: list[str], stored: Path, tmp_path: Path
) -> None:
    def busy(path: str, number: int) -> Fault | None:
        return (
            Fault((403, 429, 503, 500)[number % 4], headers=(("Retry-After", "7"),)) if number % 3 else None
        )

    with serve_files(stored) as calm:
        expected = answers(opened(calm, tmp_path / "calm"), urls[:60])
    slept: list[float] = []
    with serve_files(stored, busy) as served:
        crawl = opened(served, tmp_path / "busy", sleep=slept.append, contact="lab@crawl.example")
        assert answers(crawl, urls[:60]) == expected
        assert served.agents == {"focuslab (+lab@crawl.example)"}
    assert crawl.service.pauses > 60
    assert max(slept) > 6


def test_answers_that_break_off_or_come_late_are_asked_for_again(
    urls: list[str], stored: Path, tmp_path: Path
) -> None:
    def broken(path: str, number: int) -> Fault | None:
        return {1: Fault(share=0.5), 3: Fault(seconds=1.0), 5: Fault(share=0.0)}.get(number % 7)

    with serve_files(stored, broken) as served:
        crawl = opened(served, tmp_path, read=0.3)
        assert not [
            response for response in answers(crawl, urls[:20]) if response.error.startswith("damaged")
        ]


def test_when_the_archive_is_gone_the_run_ends_and_nothing_is_lost(
    urls: list[str], stored: Path, tmp_path: Path
) -> None:
    gone = False
    with serve_files(stored, lambda path, number: Fault(503) if gone else None) as served:
        crawl = opened(served, tmp_path, attempts=3)
        before = answers(crawl, urls[:20])
        gone = True
        with pytest.raises(UnreachableError, match=r"could not be asked \(status 503, 3 times\); what was"):
            answers(crawl, urls[20:])
        assert answers(crawl, urls[:20]) == before
        gone = False
        assert len(answers(crawl, urls)) == len(urls)


def test_without_a_network_one_sentence_says_so(tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}/"
        with pytest.raises(OSError, match=r"127\.0\.0\.1:\d+ could not be asked .*what was fetched is kept"):
            CommonCrawl(CRAWL, data=url, server=url, cache=tmp_path, attempts=2, **NO_SLEEP)


# What the archive itself may have wrong


def test_an_unknown_crawl_is_refused_with_the_nearest_known(server: FileServer, tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match="no crawl named 'CC-MAIN-2026-34' in Common Crawl; try CC-MAIN-2026-43"
    ):
        opened(server, tmp_path, "CC-MAIN-2026-34")
    assert opened(server, tmp_path, "latest").name == CRAWL
    with pytest.raises(ValueError, match="no index named 'columnar'; try zipped, server"):
        opened(server, tmp_path, index="columnar")


def spoilt(stored: Path, tmp_path: Path, name: str) -> Path:
    """A copy of the crawl with one byte changed in the middle of a file."""
    copy = shutil.copytree(stored, tmp_path / "data")
    file = next(copy.rglob(name))
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    file.write_bytes(content)
    return copy


def test_a_corrupt_block_costs_its_own_pages_only(urls: list[str], stored: Path, tmp_path: Path) -> None:
    with serve_files(spoilt(stored, tmp_path, "cdx-00001.gz")) as served:
        crawl = opened(served, tmp_path / "kept")
        first = answers(crawl, urls)
        lost = [
            response for response in first if response.error.startswith("damaged: the block of cdx-00001.gz")
        ]
        assert 0 < len(lost) < len(urls) / 2
        assert crawl.counts["damaged"] == len(lost)
        asked = len(served.asked)
        assert answers(crawl, urls) == first
        assert len(served.asked) == asked


def test_a_record_that_does_not_match_its_digest_is_a_failure(
    urls: list[str], stored: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(stored, tmp_path / "data")
    for file in copy.rglob("cdx-*.gz"):  # the index says another digest for one page
        import gzip

        text = gzip.decompress(file.read_bytes()).decode()
        place = text.find('"digest": "', len(text) // 2) + len('"digest": "')
        changed = text[:place] + ("B" if text[place] == "A" else "A") + text[place + 1 :]
        file.write_bytes(gzip.compress(changed.encode()))
        index = file.parent / "cluster.idx"
        first = " ".join(changed.split(" ", 2)[:2])
        rows = [row for row in index.read_text().splitlines() if f"\t{file.name}\t" not in row]
        rows.append(f"{first}\t{file.name}\t0\t{file.stat().st_size}\t1")
        index.write_text("".join(f"{row}\n" for row in sorted(rows)))
    with serve_files(copy) as served:
        crawl = opened(served, tmp_path / "kept")
        lost = [one for one in answers(crawl, urls) if "does not match its digest" in one.error]
        assert 1 <= len(lost) <= 2


def test_a_damaged_record_is_a_failure(urls: list[str], stored: Path, tmp_path: Path) -> None:
    with serve_files(spoilt(stored, tmp_path, f"{CRAWL}-00000.warc.gz")) as served:
        crawl = opened(served, tmp_path / "kept")
        assert (
            crawl.counts["damaged"]
            == sum(one.error.startswith("damaged") for one in answers(crawl, urls))
            <= 1
        )


# Many at a time


def fetch_some(crawl: CommonCrawl, urls: list[str]) -> list[Response]:
    return answers(crawl, urls)


def test_processes_share_one_folder(urls: list[str], server: FileServer, tmp_path: Path) -> None:
    crawl = CommonCrawl(CRAWL, data=server.url, server=server.url, cache=tmp_path)
    assert pickle.loads(pickle.dumps(crawl)).folder == tmp_path
    parts = (urls[:80], urls[40:120])
    one, two = joblib.Parallel(2)(joblib.delayed(fetch_some)(crawl, part) for part in parts)
    assert [*one, *two[40:]] == answers(crawl, urls[:120])
    assert crawl.service.requests == 1  # for the list of blocks


def fetch_first(url: str, cache: Path, page: str) -> bool:
    return CommonCrawl(CRAWL, data=url, server=url, cache=cache).fetch(page).ok


def test_processes_that_begin_together_bring_the_list_of_blocks_once(
    web: SyntheticWeb, urls: list[str], stored: Path, tmp_path: Path
) -> None:
    def late(path: str, number: int) -> Fault:
        return Fault(seconds=0.3 if "cluster.idx" in path else 0.0)

    page = next(url for url in urls if web.fetch(url).ok and web.fetch(url).url == url)
    with serve_files(stored, late) as served:
        run = joblib.delayed(fetch_first)
        assert joblib.Parallel(3)(run(served.url, tmp_path / "kept", page) for _ in range(3)) == [True] * 3
        assert sum("cluster.idx" in path for path, _ in served.asked) == 1


def test_an_old_list_of_crawls_will_do_where_there_is_no_network(server: FileServer, tmp_path: Path) -> None:
    opened(server, tmp_path, "latest")
    os.utime(tmp_path / "collinfo.json", (0, 0))
    nobody = "http://127.0.0.1:9/"
    kept = CommonCrawl("latest", data=nobody, server=nobody, cache=tmp_path, attempts=1, **NO_SLEEP)
    assert kept.name == CRAWL


# The index server


@pytest.fixture(scope="session")
def pywb(request: pytest.FixtureRequest) -> Path:
    """pywb in an environment of its own, for it brings another brotli and an old redis; made once."""
    home = Path(str(request.config.cache.mkdir("pywb"))) / TOOL.replace("==", "-")  # type: ignore[union-attr]
    program = home / ("Scripts" if os.name == "nt" else "bin") / "wayback"
    if not program.exists():
        made = subprocess.run([sys.executable, "-m", "venv", home], check=False)
        pip = [program.with_name("python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", TOOL]
        if made.returncode or subprocess.run(pip, capture_output=True, check=False).returncode:
            shutil.rmtree(home, ignore_errors=True)
            pytest.skip(f"{TOOL} cannot be installed here, so there is no index server to ask")
    return program


@pytest.fixture
def index_server(pywb: Path, stored: Path, tmp_path: Path) -> Iterator[str]:
    """A pywb that serves the zipped index, as index.commoncrawl.org does."""
    folder = stored / f"cc-index/collections/{CRAWL}/indexes"
    places = tmp_path / "cluster.loc"
    places.write_text("".join(f"{file.name}\t{file}\n" for file in folder.glob("cdx-*.gz")))
    shutil.copy(folder / "cluster.idx", tmp_path / "cluster.idx")
    (tmp_path / "config.yaml").write_text(
        f"enable_auto_colls: false\ncollections:\n  {CRAWL}:\n    index: {tmp_path / 'cluster.idx'}\n"
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    child = subprocess.Popen(
        [pywb, "-p", str(port), "-b", "127.0.0.1"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}/{CRAWL}/cdx"
    try:
        for _ in range(600):
            try:
                requests.get(f"{url}?url=http://nowhere.example/", timeout=5)
                break
            except requests.ConnectionError:
                time.sleep(0.1)
        yield url
    finally:
        child.terminate()
        child.wait()


def test_the_index_server_and_the_zipped_index_agree(
    index_server: str, urls: list[str], stored: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(stored, tmp_path / "data")
    (copy / "collinfo.json").write_text(f'[{{"id": "{CRAWL}", "cdx-api": "{index_server}"}}]')
    with serve_files(copy) as served:
        asking = opened(served, tmp_path / "one", index="server")
        reading = opened(served, tmp_path / "two")
        some = [*urls, "http://nowhere.example/"]
        assert answers(asking, some) == answers(reading, some)
        hosts = len({url.split("/")[2] for url in some})
        records = len(asking.cabinet)
        assert (
            asking.service.requests <= 1 + hosts * 2 + records
        )  # one for each host, also those redirected to


def test_a_host_with_more_captures_than_an_answer_holds_is_asked_url_by_url(
    index_server: str, urls: list[str], stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focuslab.fetchers.archives.index_server.LINES", 3)
    copy = shutil.copytree(stored, tmp_path / "data")
    (copy / "collinfo.json").write_text(f'[{{"id": "{CRAWL}", "cdx-api": "{index_server}"}}]')
    with serve_files(copy) as served:
        found = answers(opened(served, tmp_path / "one", index="server"), urls[:60])
        assert found == answers(opened(served, tmp_path / "two"), urls[:60])


def test_an_index_server_that_answers_nonsense_is_a_counted_failure(stored: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(stored, tmp_path / "data")
    with serve_files(copy) as served:
        (copy / "nonsense").write_text("<h1>Welcome")
        (copy / "collinfo.json").write_text(f'[{{"id": "{CRAWL}", "cdx-api": "{served.url}nonsense"}}]')
        crawl = opened(served, tmp_path / "kept", index="server")
        assert "no list of captures" in crawl.fetch("http://a.example/").error
        (copy / "collinfo.json").write_text("<h1>Welcome")
        with pytest.raises(ValueError, match="is no list of crawls"):
            opened(served, tmp_path / "other", index="server")


def test_responses_carry_no_clock(urls: list[str], server: FileServer, tmp_path: Path) -> None:
    for response in answers(opened(server, tmp_path), urls[:20]):
        assert response == replace(response, seconds=0.0)
