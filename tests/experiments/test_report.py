"""The report, from small notebooks that are really executed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from markupsafe import escape
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from focuslab import cli
from focuslab.experiments.report import build
from focuslab.experiments.reproduce.overview import overview

PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 2]);"
PUBLISHED = "from focuslab.experiments import results\n'qian/table_5' in results.names()"
TABLE = "import pandas as pd\npd.DataFrame({'who': ['<b>x</b>'], 'found': [3]})"


def write(folder: Path, name: str, *cells: object) -> None:
    title = new_markdown_cell(f"# Learn {name}\nYou will\n- see <i>one</i> thing\n\nYou need nothing.")
    nbformat.write(new_notebook(cells=[title, *cells]), folder / f"{name}.ipynb")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    table = new_code_cell(TABLE, metadata={"tags": ["headline"], "caption": "Judged by the truth."})
    figure = new_code_cell(PLOT, metadata={"tags": ["figure"], "caption": "A line & more."})
    write(folder, "00_first", table, figure, new_code_cell(PUBLISHED, id="read"))
    write(folder, "01_broken", new_code_cell("1 / 0"), new_code_cell("print('never')"))
    said: list[str] = []
    chapters = build(folder, folder / "out", say=said.append)
    assert [bool(chapter.error) for chapter in chapters] == [False, True]
    assert len(said) == 2
    return folder / "out"


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.images = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for key, value in attrs if key in ("href", "src")]
        self.images += tag == "img"


def read(path: Path) -> Links:
    links = Links()
    links.feed(path.read_text(encoding="utf-8"))
    return links


def test_every_link_works_as_a_plain_file_and_nothing_is_fetched(site: Path) -> None:
    for page in site.glob("*.html"):
        for link in read(page).found:
            file, _, part = link.partition("#")
            assert link.startswith(("data:", "#")) or (site / file).is_file(), (page.name, link[:80])
            assert not (file and part) or f'id="{part}"' in (site / file).read_text(encoding="utf-8")


def test_the_front_page_shows_what_was_tagged(site: Path) -> None:
    front = (site / "index.html").read_text(encoding="utf-8")
    assert "Judged by the truth." in front
    assert "A line &amp; more." in front
    assert read(site / "index.html").images == 1
    assert "<table" in front
    assert "&lt;b&gt;x&lt;/b&gt;" in front


def test_what_reproduces_is_one_click_away_and_leads_to_the_cell(site: Path) -> None:
    assert "reproduces.html" in read(site / "index.html").found
    page = (site / "reproduces.html").read_text(encoding="utf-8")
    assert '<tr id="qian/table_5">' in page
    assert "00_first.html#cell-id=read" in read(site / "reproduces.html").found
    for line in overview():
        assert str(escape(line.shows)) in page
        assert str(escape(line.verdict)) in page


def test_a_broken_notebook_is_named_and_does_not_stop_the_others(site: Path) -> None:
    front = (site / "index.html").read_text(encoding="utf-8")
    assert re.search(r"Stopped with an error: ZeroDivisionError", front)
    assert "ZeroDivisionError" in (site / "01_broken.html").read_text(encoding="utf-8")


def test_a_folder_without_notebooks_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["report", "--notebooks", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "no notebooks in" in said
    assert "--notebooks" in said
    assert len(said.strip().splitlines()) == 1


def test_a_notebook_that_is_not_there_lists_those_that_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "00_first")
    assert cli.main(["report", "--notebooks", str(tmp_path), "--only", "77"]) == 2
    assert "there are 00_first" in capsys.readouterr().err
