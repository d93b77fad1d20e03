"""Live crawls over real sockets: everything put together, stopped in every way, and taken up again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from typing import ClassVar

import pandas as pd
import pytest
from tiny import TinyWeb, url

from focuslab import live, parse, webs
from focuslab.classifiers.training.model_file import load_model
from focuslab.classifiers.training.topic_file import Examples, TopicFile
from focuslab.cli import main
from focuslab.cli.crawl import size
from focuslab.crawling.live.folder import Folder
from focuslab.crawling.live.history import History
from focuslab.crawling.live.settings import Settings
from focuslab.crawling.live.watch import Watch
from focuslab.fetchers import warc
from focuslab.types import Response, Topic
from focuslab.webs.server import serve

LINKS = {
    "s": "a b c d",
    "a": "a/1 a/2 gone",
    "b": "b/1 s pdf",
    "c": "c/1 c/2 c/3",
    "d": "",
    **dict.fromkeys(["a/1", "a/2", "b/1", "c/1", "c/2", "c/3"], "s"),
}
ODD = {
    "pdf": Response(url("pdf"), 200, b"%PDF", "application/pdf"),
    "evil": Response(
        url("evil"), 200, b"<title><script>alert(1)</script>\x1b[2J ballgame</title><p>ballgame", "text/html"
    ),
}
TOPIC = "name: ball games\ncontent: [to, ballgame]\n"


class Site(TinyWeb):
    """Pages that mention ballgames; robots.txt is missing everywhere."""

    slow = 0.0

    def fetch(self, address: str) -> Response:
        time.sleep(self.slow)
        return super().fetch(address)


@pytest.fixture
def site() -> Site:
    return Site(LINKS, ODD)


@pytest.fixture
def lab(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a topic and seeds, on a machine whose whole web is the site."""
    monkeypatch.chdir(tmp_path)
    Path("topic.yaml").write_text(TOPIC)
    Path("seeds.txt").write_text(f"# where to start\n\n{url('s')}\n")
    with serve(site) as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield tmp_path


def crawl(**settings: object):
    settings = {"delay": 0, "width": 1, "contact": "lab@crawl.example", "watch": Watch(StringIO())} | settings
    return live.crawl("topic.yaml", [url("s")], "out", **settings)


def resume(**changes: object):
    return live.resume("out", watch=Watch(StringIO()), **changes)


def pages(log) -> list[str]:
    return log.frame.url.tolist()


# ---------------------------------------------------------------- a crawl


def test_a_crawl_leaves_a_folder_that_tells_all(lab):
    log = crawl()
    assert len(log) == len(LINKS)
    assert log.settings["stopped"] == "no link was left to follow"
    folder = Folder("out")
    assert sorted(asked for asked, *_ in warc.read(folder.record) if asked) == sorted(
        [*map(url, LINKS), url("gone"), url("pdf")]
    )
    skipped = pd.read_csv(folder.skipped)
    assert dict(zip(skipped.url, skipped.reason, strict=True)) == {
        url("gone"): "status 404",
        url("pdf"): "not-html",
    }
    with History("out") as history:
        assert len(history) == len(LINKS) + 2
        assert history.path(url("a/1")) == [url("s"), url("a"), url("a/1")]
    assert "ball games" in folder.report.read_text()


def test_from_the_command_line(lab, capsys):
    assert (
        main(
            [
                "crawl",
                "topic.yaml",
                "--seeds",
                "seeds.txt",
                "--out",
                "out",
                "--delay",
                "0",
                "--budget",
                "3",
                "--contact",
                "x@y.example",
            ]
        )
        == 0
    )
    said = capsys.readouterr().out
    assert "3 pages, " in said
    assert "its budget of 3 pages was used up" in said
    assert "focuslab crawl --resume out" in said
    assert main(["crawl", "--resume", "out", "--budget", "5"]) == 0
    assert "5 pages, " in capsys.readouterr().out
    for file in ("p.csv", "p.parquet", "p.warc.gz"):
        assert main(["export", "out", file]) == 0
    relevant = pd.read_parquet("out/log.parquet").query("relevant").url.tolist()
    assert pd.read_csv("p.csv").url.tolist() == pd.read_parquet("p.parquet").url.tolist() == relevant
    assert [asked for asked, *_ in warc.read(Path("p.warc.gz")) if asked] == relevant


def test_a_title_is_no_formula_in_a_spreadsheet(lab, site):
    body = b"<title>=HYPERLINK(1)</title>ballgame"
    site.odd[url("d")] = Response(url("d"), 200, body, "text/html")
    crawl()
    main(["export", "out", "all.csv", "--all"])
    main(["export", "out", "all.parquet", "--all"])
    assert pd.read_csv("all.csv").set_index("url").title[url("d")] == "'=HYPERLINK(1)"
    assert pd.read_parquet("all.parquet").set_index("url").title[url("d")] == "=HYPERLINK(1)"


def test_wide_crawls_are_polite_to_each_host(lab, site):
    log = crawl(width=4)
    assert sorted(pages(log)) == sorted(map(url, LINKS))
    assert len(site.fetched) == len(set(site.fetched))


def test_caps_count_pages_of_hosts_domains_and_depth(lab):
    assert len(crawl(host_cap=1)) == 5
    assert len(live.crawl("topic.yaml", [url("s")], "deep", delay=0, max_depth=1, contact="x@y.example")) == 5


def test_robots_are_heeded_in_every_form(lab, site):
    site.odd[url("a/robots.txt")] = Response(
        url("a/robots.txt"), 200, b"User-agent: *\nDisallow: /1", "text/plain"
    )
    body = b'<meta name="ROBOTS" content="NoIndex,follow">ballgame'
    site.odd[url("d")] = Response(url("d"), 200, body, "text/html")
    body = f'<a href="{url("c/1")}">x</a>'.encode()
    site.odd[url("c")] = Response(url("c"), 200, body, "text/html", headers={"X-Robots-Tag": "nofollow"})
    log = crawl()
    assert url("a/1") not in pages(log)
    assert url("c") in pages(log)
    assert url("c/1") not in pages(log)
    assert log.frame.set_index("url").noindex[url("d")]
    assert log.frame.noindex.sum() == 1
    assert url("d") not in Folder("out").report.read_text().partition("Hosts")[0]
    main(["export", "out", "listed.csv"])
    assert url("d") not in pd.read_csv("listed.csv").url.tolist()


def test_a_page_can_show_but_not_act_in_the_report_and_the_line(lab, site):
    site.links[url("d")] = [url("evil")]
    said = StringIO()
    log = crawl(watch=Watch(said))
    report = Folder("out").report.read_text()
    assert url("evil") in pages(log)
    assert "<script>" not in report
    assert "&lt;script&gt;alert(1)" in report
    assert "\x1b" not in said.getvalue()


def test_the_line_says_where_the_crawl_stands(lab):
    said = StringIO()
    crawl(watch=Watch(said))
    assert said.getvalue().startswith("11/1,000 pages  harvest ")
    assert "5 hosts  2 errors  0 waiting" in said.getvalue()


def test_a_recrawl_asks_only_for_what_changed(lab, tmp_path):
    sent: list[tuple[str, int]] = []

    class Dated(BaseHTTPRequestHandler):
        """Two pages with tags; the second one changes."""

        text: ClassVar = {"/": '<a href="/2">to</a> ballgame', "/2": "to"}

        def do_GET(self) -> None:
            body = self.text.get(self.path, "").encode()
            tag = f'"{zlib.crc32(body)}"'
            fresh = self.headers.get("If-None-Match") == tag
            status = 404 if not body else 304 if fresh else 200
            sent.append((self.path, status))
            self.send_response(status)
            self.send_header("Content-Type", "text/html")
            self.send_header("ETag", tag)
            self.send_header("Content-Length", "0" if fresh else str(len(body)))
            self.end_headers()
            self.wfile.write(b"" if fresh else body)

        def log_message(self, *_: object) -> None:
            """Be quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Dated) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        seed = f"http://127.0.0.1:{server.server_address[1]}/"
        settings = {"proxy": "", "allow_private": True, "robots": False, "delay": 0, "width": 1}
        first = live.crawl("topic.yaml", [seed], "first", **settings)
        Dated.text["/2"] = "to and fro"
        second = live.crawl("topic.yaml", [seed], "second", since="first", **settings)
        server.shutdown()
    assert sent == [("/", 200), ("/2", 200), ("/", 304), ("/2", 200)]
    assert (first.frame.bytes.tolist(), second.frame.bytes.tolist()) == ([28, 2], [28, 10])
    with pytest.raises(ValueError, match="no crawl to compare with"):
        live.crawl("topic.yaml", [seed], "third", since="nowhere", **settings)
    assert not Path("third").exists()


# ---------------------------------------------------------------- what guides it


def test_example_pages_train_the_classifier_and_are_kept_for_a_resumed_crawl(lab, site):
    for file, text in {"yes.html": "to to to a b", "no.html": "stock market money"}.items():
        Path(file).write_text(text)
    Path("topic.yaml").write_text(
        "examples: {relevant: [yes.html], irrelevant: [no.html, 'http://d.example/']}"
    )
    first = crawl(budget=5)
    for file in ("yes.html", "no.html"):
        Path(file).unlink()
    again = resume(budget=8)
    pd.testing.assert_frame_equal(again.frame[:5], first.frame)


def test_genres_come_from_folders(lab):
    for genre, text in {"News": "news news", "Blog": "blog diary"}.items():
        Path("genres", genre).mkdir(parents=True)
        for number in range(3):
            Path("genres", genre, f"{number}.html").write_text(f"<p>{text * (number + 1)}")
    Path("topic.yaml").write_text(
        "examples: {relevant: [genres/News/0.html], irrelevant: [genres/Blog/0.html]}"
    )
    command = (
        "crawl topic.yaml --seeds seeds.txt --out out --delay 0 --strategy genre_enhanced --genres genres"
    )
    assert main(command.split()) == 0
    assert set(pd.read_parquet("out/log.parquet").genre) <= {"News", "Blog"}


# ---------------------------------------------------------------- stopped and resumed


@pytest.mark.parametrize("budget", [1, 2, 5, 9])
def test_a_crawl_in_two_parts_is_one_crawl(lab, site, budget):
    whole = live.crawl("topic.yaml", [url("s")], "whole", delay=0, width=1, contact="x@y.example")
    site.fetched.clear()
    crawl(budget=budget)
    log = resume(budget=1_000)
    columns = [column for column in whole.frame if column != "seconds"]
    pd.testing.assert_frame_equal(log.frame[columns], whole.frame[columns])
    fetched = [page for page in site.fetched if not page.endswith("robots.txt")]
    assert len(fetched) == len(set(fetched))
    with History("out") as history:
        assert len(history) == len(LINKS) + 2


def test_a_full_record_ends_the_crawl_and_more_room_lets_it_go_on(lab):
    log = crawl(max_bytes=2_000)
    assert "reached its limit" in log.settings["stopped"]
    assert 0 < len(log) < len(LINKS)
    assert Folder("out").record.stat().st_size <= 2_000
    assert len(resume(max_bytes=1_000_000)) == len(LINKS)


def started(width: int) -> subprocess.Popen[str]:
    """A crawl as a user would start it, once it has recorded three fetches."""
    command = f"crawl topic.yaml --seeds seeds.txt --out out --delay 0 --width {width} --contact x@y.example"
    child = subprocess.Popen(
        [sys.executable, "-m", "focuslab.cli", *command.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=Path.cwd(),
    )
    record = Folder("out").record
    while not record.exists() or sum(1 for entry in warc.read(record) if entry.asked) < 3:
        assert child.poll() is None
        time.sleep(0.02)
    return child


@pytest.mark.skipif(os.name != "posix", reason="these signals are POSIX")
@pytest.mark.parametrize("width", [1, 3])
def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(lab, site, width):
    site.slow = 0.15
    child = started(width)
    child.send_signal(signal.SIGINT)
    said, _ = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "it stopped because Ctrl-C was pressed" in said
    assert "to go on: focuslab crawl --resume out" in said
    assert Folder("out").report.exists()
    site.slow = 0.0
    assert len(resume()) == len(LINKS)


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX")
@pytest.mark.parametrize("width", [1, 3])
def test_kill_9_loses_nothing_but_what_is_in_flight(lab, site, width):
    whole = live.crawl("topic.yaml", [url("s")], "whole", delay=0, width=1, contact="x@y.example")
    site.slow = 0.15
    child = started(width)
    child.kill()
    child.communicate()
    site.slow = 0.0
    had = [asked for asked, *_ in warc.read(Folder("out").record) if asked]
    site.fetched.clear()
    log = resume()
    assert sorted(pages(log)) == sorted(pages(whole))
    assert not {url(page) for page in site.fetched} & set(had)
    assert [asked for asked, *_ in warc.read(Folder("out").record) if asked][: len(had)] == had
    if width == 1:
        assert pages(log) == pages(whole)


def test_a_crawl_with_a_page_is_never_discarded(lab):
    crawl(budget=2)
    Folder("out").discard()
    assert len(resume(budget=3)) == 3


# ---------------------------------------------------------------- mistakes


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["crawl", *arguments]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return said


def test_mistakes_end_in_one_sentence_with_a_remedy(lab, capsys):
    seeds = ("--seeds", "seeds.txt")
    assert "give --seeds FILE" in refused(capsys, "topic.yaml")
    assert "try " in refused(capsys, "nothing.yaml", *seeds)
    assert "no strategy named 'magic'; try " in refused(capsys, "topic.yaml", *seeds, "--strategy", "magic")
    assert "budget is 0; it must be 1 or more" in refused(capsys, "topic.yaml", *seeds, "--budget", "0")
    assert "give a topic" in refused(capsys)
    assert "no crawl to resume in nowhere" in refused(capsys, "--resume", "nowhere")
    Path("bad.txt").write_text("not a web address\n")
    assert "'not a web address' is no web address" in refused(capsys, "topic.yaml", "--seeds", "bad.txt")
    Path("empty.txt").write_text("# nothing\n")
    assert "empty.txt holds no seeds" in refused(capsys, "topic.yaml", "--seeds", "empty.txt")
    Path("bad.yaml").write_text("genre: [unclosed")
    assert "bad.yaml, line 1: not YAML" in refused(capsys, "bad.yaml", *seeds)
    assert not Path("crawl").exists()


def test_seeds_that_all_fail_are_told_and_the_folder_stays_free(lab, site, capsys):
    site.odd[url("s")] = Response(url("s"), 404)
    said = refused(capsys, "topic.yaml", "--seeds", "seeds.txt", "--out", "out", "--delay", "0")
    assert "none of the seeds brought a page, the first http://s.example/ (status 404)" in said
    assert not Path("out").exists()
    del site.odd[url("s")]
    assert len(crawl()) == len(LINKS)


def test_examples_of_what_is_not_wanted_say_nothing_of_what_is(lab, capsys):
    Path("no.html").write_text("no")
    Path("topic.yaml").write_text("examples: {irrelevant: [no.html]}")
    told = refused(capsys, "topic.yaml", "--seeds", "seeds.txt", "--out", "out")
    assert "says only what is not wanted" in told
    assert "give keywords: [one, another]" in told
    assert not Path("out").exists()


def test_one_example_that_cannot_be_read_is_counted_and_left_out(lab, capsys):
    Path("yes.html").write_text("<p>to ballgame")
    Path("topic.yaml").write_text("examples: {relevant: [yes.html, gone.html]}")
    with pytest.warns(UserWarning, match=r"1 of 2 example pages cannot be read and are left"):
        log = live.crawl("topic.yaml", [url("s")], "out", width=1, delay=0, contact="x@y.example")
    assert len(log) == len(LINKS)


def test_another_crawl_is_never_written_over(lab, capsys):
    crawl(budget=2)
    before = Folder("out").record.read_bytes()
    assert "out holds a crawl already" in refused(
        capsys, "topic.yaml", "--seeds", "seeds.txt", "--out", "out"
    )
    Path("mine").mkdir()
    Path("mine/diary.txt").write_text("dear")
    assert "mine is not empty" in refused(capsys, "topic.yaml", "--seeds", "seeds.txt", "--out", "mine")
    assert Folder("out").record.read_bytes() == before


def test_what_would_change_the_past_cannot_be_changed(lab, capsys):
    crawl(budget=2)
    assert "strategy cannot change" in refused(capsys, "--resume", "out", "--strategy", "random")
    Folder("out").plan.write_text("{")
    assert "crawl.json is damaged" in refused(capsys, "--resume", "out")


def test_settings_survive_the_folder(tmp_path):
    topic = TopicFile(
        Topic("t", ("http://a.example/",), ("k",), language="en"), Examples(relevant=("x.html",))
    )
    settings = Settings(width=3, genres=("a/News/1.html",), proxy="")
    Folder(tmp_path / "new").create(topic, settings)
    assert Folder(tmp_path / "new").load() == (topic, settings)
    assert json.loads((tmp_path / "new" / "crawl.json").read_text())["version"] == 1


def test_sizes_are_written_as_people_do():
    assert [size(text) for text in ("500", "10k", "2.5M", "1 GB")] == [500, 10_000, 2_500_000, 1_000_000_000]


def test_the_doctor_names_what_is_missing(capsys):
    assert main(["doctor"]) == 0
    assert "warcio" in capsys.readouterr().out


# ---------------------------------------------------------------- a model of one's own


def test_a_trained_model_judges_a_crawl_and_its_replay(lab, tmp_path, capsys):
    rows = [f"{url(name)},{'yes' if name in 'abs' else 'no'}" for name in ("s", "a", "b", "c", "d", "a/1")]
    Path("pages.csv").write_text("\n".join(["url,label", *rows]))
    assert main(["train", "pages.csv", "--delay", "0", "--contact", "x@y.example"]) == 0
    arguments = ["--seeds", "seeds.txt", "--delay", "0", "--contact", "x@y.example", "--budget", "4"]
    assert main(["crawl", "--model", "model.npz", *arguments]) == 0, capsys.readouterr()
    Path("model.npz").unlink()  # the folder has its own
    first = pd.read_parquet("crawl/log.parquet")
    assert main(["crawl", "--resume", "crawl", "--budget", "6"]) == 0
    again = pd.read_parquet("crawl/log.parquet")
    assert again.relevance[:4].tolist() == first.relevance.tolist()
    judge = load_model("crawl/model.npz")
    web = webs.archive("crawl/crawl.warc.gz")
    assert [judge.assess(parse(web.fetch(page))).relevance for page in again.url] == again.relevance.tolist()


def test_a_model_that_is_none_leaves_no_folder(lab, capsys):
    Path("model.npz").write_text("not a model")
    assert main(["crawl", "--model", "model.npz", "--seeds", "seeds.txt", "--contact", "x@y.example"]) == 2
    assert "model.npz is no model of focuslab" in capsys.readouterr().err
    assert not Path("crawl").exists()
