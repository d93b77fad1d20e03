"""What is documented runs: the Python and the commands of the documents, the API reference."""

from __future__ import annotations

import ast
import json
import re
import runpy
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import pytest
from living_lab import free_port
from nbformat.v4 import new_markdown_cell, new_notebook
from tiny import TinyWeb, url

from focuslab import live, strategies, webs
from focuslab.cli import main
from focuslab.types import Response
from focuslab.webs.file_server import serve_files
from focuslab.webs.server import serve
from focuslab.webs.small_crawl import small_crawl

ROOT = Path(__file__).parent.parent
TOLD = ("README.md", *(f"docs/how/{path.name}" for path in sorted((ROOT / "docs" / "how").glob("*.md"))))
"""The README, and the pages that say how to do a thing."""
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SMALLER = {
    "pages=5_000": "pages=600",
    "budget=500": "budget=40",
    "range(5)": "range(2)",
    "seeds=range(10)": "['baseball'], [0], 40",
}
"""Shorter runs of what the documents say."""


def blocks(document: str, language: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return [block for kind, block in FENCED.findall(text) if kind == language]


def run(block: str, names: dict[str, Any]) -> None:
    for said, smaller in SMALLER.items():
        block = block.replace(said, smaller)
    exec(compile(block, "document", "exec"), names)


# ---------------------------------------------------------------- Python


def test_the_python_of_the_pages_on_webs_and_comparisons(capsys: pytest.CaptureFixture[str]) -> None:
    for document in ("docs/how/pages.md", "docs/how/compare.md"):
        (block,) = blocks(document, "python")
        run(block, {})
    said = capsys.readouterr().out
    assert re.match(r"0\.\d+\n", said)
    assert "adaptive" in said


def test_the_python_of_the_page_on_strategies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The strategy is put where the page says, in the folder of the strategies: nothing is registered."""
    strategy, comparison = blocks("docs/how/strategy.md", "python")
    (tmp_path / "deep_first.py").write_text(strategy)
    monkeypatch.setattr(strategies, "__path__", [*strategies.__path__, str(tmp_path)])
    strategies.all_strategies.cache_clear()
    try:
        run(comparison, {})
    finally:
        strategies.all_strategies.cache_clear()
    assert "deep_first" in capsys.readouterr().out


def test_the_python_of_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="needs focuslab[cluster]")
    monkeypatch.chdir(tmp_path)
    _crawl_a_little(tmp_path / "warcs", monkeypatch)
    names: dict[str, Any] = {}
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        for block in blocks("CLUSTER.md", "python"):
            run(block.replace("tcp://10.0.0.1:8786", cluster.scheduler_address), names)
    assert len(names["graph"]) == 3


@pytest.fixture
def dask_here(tmp_path: Path) -> Iterator[Callable[[list[str]], None]]:
    """Starts what a line with ``dask`` starts; all of it ends with the test."""
    started: list[subprocess.Popen[bytes]] = []

    def start(words: list[str]) -> None:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
        started.append(subprocess.Popen([sys.executable, "-m", "dask", *words, "--no-dashboard"], **quiet))

    yield start
    for process in reversed(started):
        process.terminate()
        process.wait(60)


def test_the_commands_of_cluster(
    dask_here: Callable[[list[str]], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A scheduler and workers as the document starts them, at a port of our own, and each command on them."""
    pytest.importorskip("distributed", reason="needs focuslab[cluster]")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "CLUSTER.md").read_text(encoding="utf-8")
    lines = re.findall(r"^ *((?:dask|focuslab) .*?)(?: +#.*)?$", text, re.MULTILINE)
    assert [" ".join(line.split()[:2]) for line in lines] == [
        "dask scheduler",
        "dask worker",
        "focuslab compare",
        "dask worker",
        "focuslab crawl",
        "focuslab crawl",
    ]
    web = webs.synthetic(pages=400)
    Path("experiment.yaml").write_text(json.dumps(EXPERIMENT | {"strategies": ["breadth_first"]}))
    Path("topic.yaml").write_text("name: ball games\ncontent: [baseball]\n")
    Path("seeds.txt").write_text("\n".join(web.topic("baseball").seeds))
    stored, port = small_crawl(web, web.urls, "data"), free_port()
    with serve_files(stored) as files, serve(web) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, "127.0.0.1" if name.lower() == "no_proxy" else value)
        archive = f"CC-MAIN-2026-43?data={files.url}&server={files.url}&cache={tmp_path / 'kept'}"
        for number, line in enumerate(lines):
            line = line.replace("10.0.0.1:8786", f"127.0.0.1:{port}").replace("CC-MAIN-2026-43", archive)
            line = line.replace("astronomy", "topic.yaml")  # whose examples a web of ours does not have
            tool, *words = shlex.split(line.replace("/shared/", f"{tmp_path}/{number}"))
            if tool == "dask":
                dask_here([*words, *(["--host", "127.0.0.1", "--port", str(port)] if number == 0 else [])])
                _listens(port)
            else:
                more = ["--seeds", "seeds.txt", "--budget", "5", "--delay", "0"] if "crawl" in words else []
                assert main([*words, *more]) == 0
    assert capsys.readouterr().out.count("\n5 pages, ") == 2


def _listens(port: int) -> None:
    """Wait until somebody does."""
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("no scheduler came up")


def test_no_other_document_has_python_that_nobody_runs() -> None:
    every = [path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))]
    having = {name for name in every if "_made" not in name and blocks(name, "python")}
    assert having == {"CLUSTER.md", "docs/how/pages.md", "docs/how/compare.md", "docs/how/strategy.md"}


# ---------------------------------------------------------------- commands

SHORTER = {
    "crawl topic.yaml --seeds seeds.txt --out crawl/ --budget 1000 --contact you@example.org": (
        "--budget 2 --delay 0"
    ),
    "crawl --resume crawl/": "--budget 3",
    "topic new astronomy --words planet star comet": "",
    "status crawl/": "",
    "export crawl/ relevant.csv": "",
    "report": "--notebooks lessons",
    "serve": "--pages 300",
    "suggest-terms": "--genre page.html --relevant page.html",
    "train": "labels.csv --folder pages --base http://a.example/ --folds 2 --relevant good",
    "doctor": "",
    "lessons my-folder": "",
    "submit my_strategy.py": "--pages 300 --topics 1 --budget 20 --seed 1",
    "arena folder/": "--pages 300 --topics 1 --budget 20 --seed 1",
    "compare experiment.yaml": "--jobs 1",
    "simulate": "simulation.yaml",
}
"""Every command line that is told, and what shortens or completes it; ``compare --all`` has its own test."""

EXPERIMENT = {"web": {"name": "synthetic", "pages": 400}, "topics": ["baseball"], "budget": 30}
SIMULATION = {"web": EXPERIMENT["web"], "topic": "baseball", "weights": [1, 0.5], "sets": 2, "size": 2}


def documented() -> set[str]:
    """The lines of shell blocks, and what stands in the text as `focuslab …`."""
    lines = [line for name in TOLD for block in blocks(name, "sh") for line in block.splitlines()]
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in TOLD]
    in_text = [line for text in texts for line in re.findall(r"`(focuslab [^`]+)`", FENCED.sub("", text))]
    found = [line.partition("#")[0].strip() for line in lines + in_text if line.startswith("focuslab ")]
    return {line.removeprefix("focuslab ") for line in found}


def test_every_command_line_is_run_below() -> None:
    assert documented() == set(SHORTER)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the files that are spoken of, where the next command finds what the last one made."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "topic.yaml").write_text("name: ball games\ncontent: [ballgame]\n")
    (folder / "seeds.txt").write_text(url("s"))
    (folder / "page.html").write_text("<p>" + "the pitcher throws the ball to the catcher " * 9)
    (folder / "experiment.yaml").write_text(json.dumps(EXPERIMENT | {"strategies": ["breadth_first"]}))
    (folder / "simulation.yaml").write_text(json.dumps(SIMULATION))
    (folder / "folder").mkdir()
    for name in ("my_strategy.py", "folder/ann.py"):
        (folder / name).write_text(blocks("docs/how/strategy.md", "python")[0])
    (folder / "lessons").mkdir()
    nbformat.write(new_notebook(cells=[new_markdown_cell("# A lesson")]), folder / "lessons/00_a.ipynb")
    (folder / "pages").mkdir()
    rows = ["url,label"]
    for number in range(12):
        word = "ballgame pitcher" if number % 2 else "market stocks"
        (folder / f"pages/{number}.html").write_text(f"<title>{number}</title><p>{word * 20} {number}")
        rows.append(f"http://a.example/{number}.html,{'good' if number % 2 else 'bad'}")
    (folder / "labels.csv").write_text("\n".join(rows))
    return folder


@pytest.mark.parametrize("line", SHORTER)
def test_a_command(line: str, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk)
    monkeypatch.setattr("focuslab.cli.serve.time.sleep", _ctrl_c)
    good = Response(url("s"), 200, f"<p>{'ballgame ' * 20}<a href={url('a')}>a</a>".encode(), "text/html")
    with serve(TinyWeb({"a": "b c", "b": "", "c": ""}, {"s": good})) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        assert main(shlex.split(f"{line} {SHORTER[line]}")) == (130 if line == "serve" else 0)


def test_what_they_left_can_be_replayed(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ``webs.archive(...)`` of the page on WARC, on the record that the commands above made."""
    if not (desk / "crawl").exists():
        pytest.skip("runs after the commands")
    monkeypatch.chdir(desk)
    page = (ROOT / "docs" / "how" / "warc.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"`(webs\.archive\([^`]+\))`", page)
    assert eval(said, {"webs": webs}).fetch(url("s")).ok
    assert pd.read_csv("relevant.csv").url.tolist() == [url("s")]
    assert Path("crawl/report.html").exists()


def _ctrl_c(seconds: float) -> None:
    raise KeyboardInterrupt


def _crawl_a_little(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pages in the WARC file of a crawl."""
    Path("topic.yaml").write_text("name: ball games\ncontent: [to, ballgame]\n")
    with serve(TinyWeb({"s": "a b", "a": "", "b": ""})) as server, monkeypatch.context() as settings:
        for name, value in server.environment().items():
            settings.setenv(name, value)
        live.crawl("topic.yaml", [url("s")], folder, delay=0, contact="you@example.org")


def test_each_workflow_is_walked_by_a_test() -> None:
    said = (ROOT / "docs" / "workflows.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| `(test_\w+)`(?: \(`([\w/]+\.py)`\))? \|$", said, re.MULTILINE)
    usual = "tests/cli/test_workflows.py"
    for name, file in rows:
        assert f"def {name}(" in (ROOT / (file or usual)).read_text(encoding="utf-8"), name
    ways = (ROOT / usual).read_text(encoding="utf-8").partition("-- messages")[0]
    assert {name for name, file in rows if not file} == set(
        re.findall(r"^def (test_\w+)", ways, re.MULTILINE)
    )
    assert said.count("\n| ") == len(rows) + 1


# ---------------------------------------------------------------- what is made from the lessons and the code


def test_the_readme_shows_what_the_lessons_show() -> None:
    """The first five of the leaderboard, and every lesson."""
    made = runpy.run_path(str(ROOT / "docs" / "readme.py"))
    shown = (ROOT / "README.md").read_text(encoding="utf-8")
    assert made["page"]() == shown, "README.md is behind; run: python docs/readme.py"
    assert len(re.findall(r"^\| `\w+` \|", shown, flags=re.M)) == made["FIRST"]


def test_the_reference_names_all_that_is_public() -> None:
    reference = runpy.run_path(str(ROOT / "docs" / "api.py"))
    written = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^(?:## `([\w.]+)`|- \*\*(\w+)\*\*)", written, re.MULTILINE)
    module, found = "", set()
    for heading, name in listed:
        module = heading or module
        found |= {f"{module}.{name}"} if name else set()
    public = {f"{module}.{name}" for module, names in reference["public"]().items() for name in names}
    assert found == public, "docs/api.md is behind; run: python docs/api.py"


# ---------------------------------------------------------------- benchmarks

BENCHMARKS = sorted((ROOT / "benchmarks").glob("*/*.py"))


def test_every_benchmark_has_its_question() -> None:
    said = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([\w/]+\.py)` \|", said, re.MULTILINE)
    assert listed == [path.relative_to(ROOT / "benchmarks").as_posix() for path in BENCHMARKS]


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_what_a_benchmark_imports_of_ours_exists(path: Path) -> None:
    """Running it takes minutes; a name that was moved is found here."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("focuslab", "tiny"):
            assert node.module != "tiny", "a benchmark imports no test"
            for alias in node.names:
                module = import_module(node.module or "")
                assert hasattr(module, alias.name) or find_spec(f"{node.module}.{alias.name}"), alias.name
