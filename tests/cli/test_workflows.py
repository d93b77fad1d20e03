"""A practitioner's ways from a topic to pages on the disk, each by the command line on a served site."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure
from sky import COOKING, HOST, KITCHEN, STARS, Site, page
from warcio.archiveiterator import ArchiveIterator

from focuslab import webs
from focuslab.cli import main
from focuslab.fetchers import warc
from focuslab.fetchers.pdf import can_read
from focuslab.types import GENRES, Response
from focuslab.webs.server import serve

WORKFLOWS = Path(__file__).parents[2] / "docs" / "workflows.md"


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def desk(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, on a machine whose whole web is the site."""
    monkeypatch.chdir(tmp_path)
    Path("topic.yaml").write_text(f"name: stars\nkeywords: [{', '.join(STARS.split())}]\n")
    Path("seeds.txt").write_text(f"{HOST}/0\n{KITCHEN}/0\n")
    with serve(site) as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield tmp_path


def run(line: str, code: int = 0) -> None:
    quick = " --delay 0 --contact x@y.example" if line.startswith("crawl") else ""
    assert main((line + quick).split()) == code


def log(folder: str = "crawl") -> pd.DataFrame:
    return pd.read_parquet(f"{folder}/log.parquet")


def sky_pages(frame: pd.DataFrame) -> pd.Series:
    return frame.url.str.startswith(HOST)


# ---------------------------------------------------------------- cold start


def test_from_keywords(desk: Path) -> None:
    run("crawl topic.yaml --seeds seeds.txt --width 1")
    found = log()
    assert len(found) == 48
    assert (found.relevant == sky_pages(found)).mean() > 0.95
    assert found.relevance[found.relevant].nunique() > 10, "scores that rank"
    assert "What the judge learned on the way" in Path("crawl/report.html").read_text(encoding="utf-8")


def test_from_examples_of_what_is_wanted(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples = ", ".join(f"{HOST}/{n}" for n in (3, 4, 5, 6, 99))
    Path("topic.yaml").write_text(f"name: stars\nexamples:\n  relevant: [{examples}]\n")
    run("crawl topic.yaml --width 1")
    assert "note: 1 of 5 example pages cannot be read" in capsys.readouterr().out
    found = log()
    assert set(found.url[:4]) == {f"{HOST}/{n}" for n in (3, 4, 5, 6)}, "examples are seeds too"
    assert (found.relevant == sky_pages(found)).mean() > 0.9


def test_a_new_topic_from_addresses_and_words(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sky = " ".join(f"{HOST}/{n}" for n in (3, 4, 99))
    kitchen = " ".join(f"{KITCHEN}/{n}" for n in (3, 4))
    quick = "--delay 0 --contact x@y.example"
    run(f"topic new stars --words supernova --examples {sky} --others {kitchen} {quick}")
    said = capsys.readouterr().out
    assert "note: http://sky.example/99 cannot be read (status 404), left out" in said
    assert "keywords: supernova, " in said
    assert "relevant (wanted): " in said
    assert "not relevant (not wanted): " in said
    run("crawl stars.yaml --width 1 --budget 20")
    found = log()
    assert (found.relevant == sky_pages(found)).mean() > 0.9


def test_terms_of_addresses_are_those_that_tell_them_apart(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sky = " ".join(f"{HOST}/{n}" for n in (3, 4))
    kitchen = " ".join(f"{KITCHEN}/{n}" for n in (3, 4))
    run(f"suggest-terms --relevant {sky} --others {kitchen} --contact x@y.example --pages 300")
    said = capsys.readouterr().out
    assert "- galaxy" in said
    assert "elsewhere" not in said, "both have that word"


def test_a_new_topic_from_a_page_that_lists_examples(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(f"topic new stars --category {HOST}/0 --out t.yaml --delay 0 --contact x@y.example")
    assert f"- {HOST}/1" in Path("t.yaml").read_text()
    run(f"topic new stars --category {HOST}/0 --out t.yaml", code=2)
    run("topic new empty", code=2)
    assert "give --words, --examples or --category" in capsys.readouterr().err


def test_from_labels_to_a_model_to_a_crawl_judged_anew(desk: Path) -> None:
    run("crawl topic.yaml --seeds seeds.txt --width 1 --budget 12")
    before = log()
    rows = [f"{address},{'yes' if KITCHEN in address else 'no'}" for address in before.url]
    Path("labels.csv").write_text("\n".join(["url,label", *rows]))
    run("train labels.csv --delay 0 --contact x@y.example")
    run("crawl --resume crawl --model model.npz --budget 20")
    after = log()
    assert len(after) == 20
    assert set(before.url) < set(after.url), "what was there stays"
    assert (after.relevant == ~sky_pages(after)).all(), "and is judged by the new model"


def test_genres_a_survey_and_the_genre_enhanced_crawler(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for genre, words in {"News": STARS, "Blog": COOKING}.items():
        Path("genres", genre).mkdir(parents=True)
        for number in range(3):
            Path("genres", genre, f"{number}.html").write_bytes(page(number, words))
    known = "topic.yaml --seeds seeds.txt --genres genres --width 1"
    run(f"crawl {known} --out first --strategy breadth_first")
    run("survey first")
    table = pd.read_csv("pig.csv")
    assert table.links.sum() > 0
    assert (table.hits <= table.links).all()
    run(f"crawl {known} --out second --strategy genre_enhanced --pig pig.csv --w-r 0.9")
    assert (log("second").term_P_IG.dropna() <= 1).all()
    Path("pig.csv").write_text("genre\n")
    run(f"crawl {known} --out third --strategy genre_enhanced --pig pig.csv", code=2)
    assert "is no table of P_IG" in capsys.readouterr().err


def test_genre_enhanced_without_genres_falls_back_on_made_up_ones_and_says_so(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("crawl topic.yaml --seeds seeds.txt --width 1 --budget 9 --strategy genre_enhanced")
    assert (
        "genres are told by a model of made-up pages, right on 61 of 100 real ones; better give --genres"
        in capsys.readouterr().err
    )
    found = log()
    assert set(found.genre) <= set(GENRES)
    assert found["term_w_G·C·P_IG"].max() > 0
    Path("topic.yaml").write_text("name: stars\ngenre: [planet]\n")
    run("crawl topic.yaml --seeds seeds.txt --out other --strategy genre_enhanced", code=2)
    assert "take --strategy genre_aware" in capsys.readouterr().err


def test_labels_by_hand_a_model_and_a_crawl_judged_anew(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("crawl topic.yaml --seeds seeds.txt --width 1 --budget 12")

    def person(question: str) -> str:
        asked = [line for line in capsys.readouterr().out.splitlines() if line.startswith("http")]
        return "y" if asked[-1].startswith(KITCHEN) else "n"

    monkeypatch.setattr("builtins.input", person)
    run("label crawl --count 8")
    run("label crawl --count 2")
    assert len(pd.read_csv("labels.csv").url.unique()) == 10
    run("train labels.csv --archive crawl/crawl.warc.gz")
    run("crawl --resume crawl --model model.npz --budget 16")
    found = log()
    assert (found.relevant == ~sky_pages(found)).all()


# ---------------------------------------------------------------- scope and stops


def test_scope(desk: Path) -> None:
    run("crawl topic.yaml --seeds seeds.txt --out one --domains sky.example --exclude /1[0-9]$")
    found = log("one")
    assert sky_pages(found).all()
    assert not found.url.str.contains("/1[0-9]$").any()


def test_the_reason_it_ended_names_the_remedy_and_the_remedy_works(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("crawl topic.yaml --seeds seeds.txt --host-cap 3")
    said = capsys.readouterr().out
    assert "sites that had given their share of pages (--host-cap N allows more" in said
    assert "to go on: focuslab crawl --resume crawl --host-cap N" in said
    run("crawl --resume crawl --host-cap 9")
    assert len(log()) == 18


@pytest.mark.parametrize(
    ("limit", "said"),
    [("--max-requests 7", "its 7 requests were used up"), ("--budget 5", "its budget of 5 pages")],
)
def test_limits(desk: Path, capsys: pytest.CaptureFixture[str], limit: str, said: str) -> None:
    run(f"crawl topic.yaml --seeds seeds.txt {limit}")
    assert said in capsys.readouterr().out


def test_a_smaller_budget_takes_nothing_away(desk: Path) -> None:
    run("crawl topic.yaml --seeds seeds.txt --budget 9")
    run("crawl --resume crawl --budget 4")
    assert len(log()) == 9


def test_failures_can_end_a_crawl(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("seeds.txt").write_text(f"{HOST}/0\n" + "".join(f"{HOST}/gone{n}\n" for n in range(9)))
    run("crawl topic.yaml --seeds seeds.txt --max-failures 3 --width 1")
    assert "3 fetches had brought no page (--max-failures)" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM on Windows")
def test_sigterm_ends_it_like_ctrl_c_and_status_tells_from_outside(
    desk: Path, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.slow = 0.3
    line = "crawl topic.yaml --seeds seeds.txt --width 1 --delay 0 --contact x@y.example"
    command = [sys.executable, "-m", "focuslab.cli", *line.split()]
    with subprocess.Popen(command, env=dict(os.environ), stdout=subprocess.PIPE, text=True) as crawl:
        status = Path("crawl/status.json")
        while not status.exists() or not Path("crawl/crawl.warc.gz").exists():
            assert crawl.poll() is None
            time.sleep(0.05)
        assert main(["status", "crawl"]) == 0
        assert "links of" in capsys.readouterr().out
        while Path("crawl/crawl.warc.gz").stat().st_size < 4_000:
            assert crawl.poll() is None
            time.sleep(0.05)
        crawl.send_signal(signal.SIGTERM)
        assert crawl.wait(30) == 143
    assert 0 < len(log()) < 48
    assert main(["status", "crawl"]) == 0
    assert "the system asked it to end" in capsys.readouterr().out


def test_export_and_report_while_it_runs(desk: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuslab.crawling.live.run.FRESH", 0.1)
    site.slow, early = 0.03, []
    fetch = site.fetch

    def at_some_moment(url: str) -> Response:
        if not early and Path("crawl/log.parquet").exists() and Path("crawl/report.html").exists():
            early.append(main(["export", "crawl", "early.csv", "--all"]))
            assert "<html" in Path("crawl/report.html").read_text(encoding="utf-8")
        return fetch(url)

    monkeypatch.setattr(site, "fetch", at_some_moment)
    run("crawl topic.yaml --seeds seeds.txt --width 1")
    assert early == [0]
    assert 0 < len(pd.read_csv("early.csv")) < len(log()) == 48


# ---------------------------------------------------------------- seeds


@pytest.mark.parametrize("source", ["robots.txt", "map.xml.gz", "feed.xml"])
def test_seeds_that_a_site_publishes(desk: Path, source: str) -> None:
    run(f"crawl topic.yaml --seeds {HOST}/{source} --max-depth 0")
    assert len(log()) == (2 if source == "feed.xml" else 3)


def test_seeds_of_a_table_and_of_another_crawl(desk: Path) -> None:
    Path("seeds.csv").write_text(f"note,url\nx,{HOST}/0\ny,{KITCHEN}/0\n")
    run("crawl topic.yaml --seeds seeds.csv --out one --max-depth 0 --width 1")
    run("crawl topic.yaml --seeds one --out two --max-depth 0")
    assert log("two").url.tolist() == [f"{HOST}/0"], "its relevant pages"


# ---------------------------------------------------------------- what comes out


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "csv", "md"])
def test_exports(desk: Path, kind: str) -> None:
    run("crawl topic.yaml --seeds seeds.txt --budget 10 --width 1")
    run(f"export crawl out.{kind}")
    if kind == "md":
        assert Path("out.md").read_text(encoding="utf-8").startswith("# ")
        return
    readers = {
        "jsonl": lambda file: pd.read_json(file, lines=True),
        "parquet": pd.read_parquet,
        "csv": pd.read_csv,
    }
    found = readers[kind](f"out.{kind}")
    assert len(found) == log().relevant.sum()
    assert found.text.str.contains("galaxy").all()
    assert {"title", "author", "date", "language", "fetched", "relevance", "genre", "path"} <= set(found)
    ends = [path.split(" > ")[-1] for path in found.path]
    assert ends == found.url.tolist()


def test_the_archive_has_requests_redirects_and_robots(desk: Path, site: Site) -> None:
    """What an archivist looks for, read by the library of the field."""
    site.moved = {f"{HOST}/old": f"{HOST}/1"}
    Path("seeds.txt").write_text(f"{HOST}/old\n{HOST}/0\n{HOST}/picture\n")
    run("crawl topic.yaml --seeds seeds.txt --max-depth 0 --width 1 --page-bytes 300")
    found = []
    with Path("crawl/crawl.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file):
            address = record.rec_headers.get_header("WARC-Target-URI") or ""
            status = record.http_headers.get_statuscode() if record.http_headers else ""
            found.append((record.rec_type, address.removeprefix(HOST), status))
            if record.rec_type == "request":
                assert record.http_headers.get_header("User-Agent").startswith("focuslab")
            if address.endswith("/0") and record.rec_type == "response":
                assert record.rec_headers.get_header("WARC-Truncated") == "length"
                assert len(record.content_stream().read()) == 300
    assert ("response", "/robots.txt", "200") in found
    assert ("response", "/old", "301") in found
    assert ("response", "/1", "200") in found
    assert ("metadata", "/picture", "") in found, "no body was taken, so there is no response record"
    assert [kind for kind, *_ in found].count("request") == 3
    run("export crawl part.warc.gz --all")
    assert len(webs.archive("part.warc.gz")) == len(webs.archive("crawl/crawl.warc.gz")) == 2


def test_every_strategy_on_the_archive_of_a_crawl(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("crawl topic.yaml --seeds seeds.txt --width 1 --warc-size 4k")
    assert Path("crawl/crawl-00002.warc.gz").exists()
    run("compare --web crawl/crawl.warc.gz --jobs 1")
    said = capsys.readouterr().out
    assert "note: relevant is what the crawl called so" in said
    assert "adaptive" in said
    runs = pd.read_parquet("comparison/no_cap/runs.parquet")
    assert set(runs.topic) == {"stars"}
    kinds = ((KITCHEN, "food"), (HOST, "other"))
    Path("labels.csv").write_text(
        "\n".join(["url,label", *(f"{home}/{n},{label}" for n in range(24) for home, label in kinds)])
    )
    run("compare --web crawl/crawl.warc.gz --labels labels.csv --out food --jobs 1")
    assert set(pd.read_parquet("food/no_cap/runs.parquet").topic) == {"food"}
    Path("crawl/log.parquet").unlink()
    run("compare --web crawl/crawl.warc.gz --out third", code=2)
    assert (
        "nobody said which pages of crawl/crawl.warc.gz are relevant; give --labels"
        in capsys.readouterr().err
    )


def test_wacz_is_a_web_archive_in_one_file(desk: Path) -> None:
    pytest.importorskip("cdxj_indexer", reason="needs focuslab[wacz]")
    run("crawl topic.yaml --seeds seeds.txt --budget 6 --width 1")
    run("export crawl crawl.wacz")
    with zipfile.ZipFile("crawl.wacz") as wacz:
        pages = [json.loads(line) for line in wacz.read("pages/pages.jsonl").splitlines()][1:]
        index = wacz.read("indexes/index.cdx").decode().splitlines()
        for resource in json.loads(wacz.read("datapackage.json"))["resources"]:
            assert (
                hashlib.sha256(wacz.read(resource["path"])).hexdigest() == resource["hash"].partition(":")[2]
            )
    assert [one["url"] for one in pages] == log().url[log().relevant].tolist()
    assert all("crawl.warc.gz" in line for line in index)
    assert len(index) >= 6
    assert len(webs.archive("crawl.wacz")) == 6


def test_a_recrawl_says_what_changed(desk: Path, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    Path("seeds.txt").write_text("".join(f"{HOST}/{n}\n" for n in range(4)))
    known = "crawl topic.yaml --seeds seeds.txt --max-depth 0 --width 1"
    run(f"{known} --out first")
    site.files[f"{HOST}/1"] = (page(1, STARS).replace(b"</p>", b" a quasar appeared</p>"), "text/html")
    site.gone = {f"{HOST}/2"}
    with Path("seeds.txt").open("a") as seeds:
        seeds.write(f"{HOST}/9\n")
    run(f"{known} --out second --since first")
    assert "1 new, 1 changed, 2 unchanged, 1 gone" in Path("second/report.html").read_text(encoding="utf-8")
    assert "since the earlier crawl: 1 new, 1 changed, 2 unchanged, 1 gone" in capsys.readouterr().out
    rows = pd.read_csv("second/changes.csv").set_index("url")
    assert rows.change[f"{HOST}/2"] == "gone"
    assert rows.loc[f"{HOST}/1", ["words_new", "words_gone"]].tolist() == [3, 0]


@pytest.mark.skipif(not can_read(), reason="needs focuslab[pdf]")
def test_documents_in_pdf_are_read_and_kept_whole(desk: Path, site: Site) -> None:
    figure, paper = Figure(), BytesIO()
    for line in range(9):
        figure.text(0.1, 0.1 * line, STARS)
    figure.savefig(paper, format="pdf", metadata={"Title": "The sky"})
    site.files[f"{HOST}/paper.pdf"] = (paper.getvalue(), "application/pdf")
    run(f"crawl topic.yaml --seeds {HOST}/paper.pdf --max-depth 0")
    run("export crawl out.jsonl")
    found = pd.read_json("out.jsonl", lines=True)
    assert found.title.tolist() == ["The sky"]
    assert "telescope" in found.text[0]
    (kept,) = [entry.response for entry in warc.read(Path("crawl/crawl.warc.gz")) if entry.asked]
    assert kept.body == paper.getvalue()


@pytest.mark.skipif(sys.platform == "win32", reason="cron is not of Windows")
def test_the_line_for_cron(desk: Path) -> None:
    """The one of docs/workflows.md, as it stands there, but for the folder, the day and the pauses."""
    (line,) = re.findall(r"^0 4 \* \* 1 +(.*)$", WORKFLOWS.read_text(encoding="utf-8"), re.MULTILINE)
    line = line.replace("/srv/stars", str(desk)).replace(r"$(date +\%F)", "monday")
    line = line.replace("--contact", "--delay 0 --max-depth 0 --contact")
    run("crawl topic.yaml --seeds seeds.txt --max-depth 0 --out first")
    Path("latest").symlink_to("first")
    known = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    subprocess.run(["sh", "-c", line], env=known, check=True, capture_output=True)
    assert Path("latest").readlink() == Path("monday")
    assert set(pd.read_csv("latest/changes.csv").change) == {"unchanged"}


def test_an_export_of_nothing_says_so(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(f"crawl topic.yaml --seeds {KITCHEN}/0 --max-depth 0")
    run("export crawl out.csv", code=2)
    assert "no page of the crawl in crawl is relevant; --all writes every page" in capsys.readouterr().err
    run("export crawl out.csv --all")


def test_settings_are_written_down(desk: Path) -> None:
    run("crawl topic.yaml --seeds seeds.txt --budget 3")
    run("crawl --resume crawl --budget 5")
    assert json.loads(Path("crawl/crawl.json").read_text())["settings"]["budget"] == 5


# ---------------------------------------------------------------- messages


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("crawl topic.yaml --seeds seeds.txt --strategy oracle", "so it cannot crawl the web; take adaptive"),
        (
            "crawl topic.yaml --seeds seeds.txt --strategy adaptiv",
            "named 'adaptiv'; try adaptive",
        ),
        ("crawl topic.yaml --seeds seeds.txt --proxy nowhere", "write http://127.0.0.1:8080"),
        ("crawl topic.yaml --seeds seeds.txt --include [", "is no regular expression"),
        ("crawl topic.yaml --seeds seeds.txt --domains http://a.example/", "is no domain; write example.org"),
        ("crawl topic.yaml --seeds seeds.txt --domains b.example", "all 2 seeds are out of scope"),
        ("crawl topic.yaml --seeds gone.txt", "no such file"),
        ("crawl genre.yaml --seeds seeds.txt", "what the genre sounds like; give keywords"),
        ("export gone out.csv", "no crawl in gone; name the folder"),
        ("status gone", "no crawl in gone; name the folder"),
        ("survey gone", "no crawl with a log in gone"),
        ("serve --port 99999", "--port 99999 is none; give 1 to 65535"),
        ("simulate topic.yaml --threads -3", "--threads -3: give 1 or more"),
        ("compare topic.yaml --out .", "is not empty; choose another --out"),
        ("compare gone.yaml", "gone.yaml"),
        ("train gone.csv", "cannot use gone.csv: no such file or directory; correct the name"),
    ],
)
def test_a_mistake_is_a_sentence_with_a_remedy(
    desk: Path, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    Path("genre.html").write_text("<p>some page")
    Path("genre.yaml").write_text("examples: {genre: [genre.html]}")
    run(line, code=2)
    told = capsys.readouterr().err
    assert said in told
    assert "Errno" not in told
    assert "Traceback" not in told


def test_loopback_without_leave_names_the_leave(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    topic = tmp_path / "topic.yaml"
    topic.write_text("keywords: [star]\n")
    run(f"crawl {topic} --seeds http://127.0.0.1:9/ --out {tmp_path / 'out'}", code=2)
    assert "add --allow-private" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break another way on Windows")
def test_a_reader_who_goes_away_and_a_console_that_knows_few_letters(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "focuslab.cli", "suggest-terms", "--relevant", "page.html"]
    (tmp_path / "page.html").write_text("<meta charset=utf-8><p>野球 野球 ニュース", encoding="utf-8")
    few = os.environ | {"PYTHONIOENCODING": "cp1252"}
    told = subprocess.run(command, cwd=tmp_path, env=few, capture_output=True, check=True)
    assert b"Traceback" not in told.stderr
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as gone:
        assert gone.stdout is not None
        gone.stdout.close()
        assert gone.stderr is not None
        assert b"Traceback" not in gone.stderr.read()
