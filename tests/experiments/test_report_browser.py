"""The report in a real browser: headless Chromium opens the files, without a network."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from focuslab.experiments.report import build

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; install chromium to run these")

PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 2]);"
TABLE = """import pandas as pd
rows = {"area": ["0.90 [0.8, 1.0] *", "0.10 [0.0, 0.2]", "0.50 [0.4, 0.6]"], "pages": [9, 1000, None]}
table = pd.DataFrame(rows, index=pd.Index(["beta", "Gamma", "alpha"], name="strategy"))
table.assign(pages=table.pages.map("{:,.0f}".format))"""

# What a reader would see and click, told as JSON in the page's own text.
LOOK = """
const told = {clicks: []};
told.links = [...document.links].map(link => link.getAttribute("href"));
told.images = [...document.images].map(image => [image.naturalWidth, image.naturalHeight, image.alt]);
told.wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
const headings = [...document.querySelectorAll("#leaderboard thead th")];
told.headings = headings.map(heading => heading.textContent);
for (const column of CLICKS) {
  headings[column].querySelector("button").click();
  told.clicks.push([
    [...document.querySelectorAll("#leaderboard tbody th")].map(cell => cell.textContent),
    headings.map(heading => heading.getAttribute("aria-sort")),
  ]);
}
document.body.innerHTML = "<pre id=told></pre>";
document.getElementById("told").textContent = JSON.stringify(told);
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    for name in ("00_first", "10_last"):
        title = new_markdown_cell(f"# Learn {name}\nYou will\n- call `parse` & look\n\n## A part\n\nWords.")
        table = new_code_cell(TABLE, metadata={"tags": ["headline"], "caption": f"Table of {name}."})
        figure = new_code_cell(PLOT, metadata={"tags": ["figure"], "caption": f'A "line" of {name}.'})
        nbformat.write(
            new_notebook(cells=[title, table, figure, new_code_cell(PLOT)]), folder / f"{name}.ipynb"
        )
    chapters = build(folder, folder / "out", say=lambda _: None)
    assert not any(chapter.error for chapter in chapters)
    return folder / "out"


def browse(page: Path, profile: Path, size: str = "1366,768") -> tuple[str, list[str]]:
    """The page as the browser has it at the end, and what was said on its console."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    options += [f"--user-data-dir={profile}", f"--window-size={size}", "--virtual-time-budget=2000"]
    run = subprocess.run(
        [str(CHROMIUM), *options, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout, [line for line in run.stderr.splitlines() if "CONSOLE" in line]


def look(page: Path, profile: Path, clicks: list[int] | None = None, size: str = "1366,768") -> Any:
    """Open a copy of the page, beside it, that tells what it shows and what clicks did."""
    script = f"addEventListener('load', () => {{ {LOOK.replace('CLICKS', json.dumps(clicks or []))} }});"
    html = page.read_text(encoding="utf-8")
    if "script-src" not in html:  # a notebook's page allows no script at all
        html = html.replace("style-src", "script-src 'unsafe-inline'; style-src")
    copy = page.with_name(f"copy_{page.name}")
    copy.write_text(html.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    try:
        shown, said = browse(copy, profile, size)
    finally:
        copy.unlink()
    assert said == []
    told = re.search(r'<pre id="told">(.*?)</pre>', shown, flags=re.S)
    assert told, shown[-2000:]
    return json.loads(unescape(told[1]))


@pytest.mark.parametrize("name", ["index.html", "00_first.html", "10_last.html"])
def test_links_lead_somewhere_and_figures_show(site: Path, tmp_path: Path, name: str) -> None:
    told = look(site / name, tmp_path)
    for link in told["links"]:
        path, _, anchor = link.partition("#")
        target = site / (path or name)
        assert target.is_file(), link
        assert not anchor or f'id="{anchor}"' in target.read_text(encoding="utf-8"), link
    assert {"index.html", "00_first.html", "10_last.html"} <= set(told["links"])
    assert len(told["images"]) == 2
    assert all(width > 0 and height > 0 for width, height, _ in told["images"])


def test_the_front_page_has_the_first_figures_and_the_last_table(site: Path, tmp_path: Path) -> None:
    told = look(site / "index.html", tmp_path)
    assert [alt for *_, alt in told["images"]] == ['A "line" of 00_first.', 'A "line" of 10_last.']
    front = (site / "index.html").read_text(encoding="utf-8")
    assert "Table of 10_last." in front
    assert "Table of 00_first." not in front
    assert "call <code>parse</code> &amp; look" in front


def test_a_click_sorts_and_another_turns_round(site: Path, tmp_path: Path) -> None:
    told = look(site / "index.html", tmp_path, clicks=[1, 1, 0, 0, 2, 2])
    assert told["headings"] == ["strategy", "area", "pages"]
    assert told["clicks"] == [
        [["beta", "alpha", "Gamma"], [None, "descending", None]],
        [["Gamma", "alpha", "beta"], [None, "ascending", None]],
        [["alpha", "beta", "Gamma"], ["ascending", None, None]],
        [["Gamma", "beta", "alpha"], ["descending", None, None]],
        [["Gamma", "beta", "alpha"], [None, None, "descending"]],
        [["beta", "Gamma", "alpha"], [None, None, "ascending"]],  # what is missing stays last
    ]


@pytest.mark.parametrize("size", ["1366,768", "1920,1080"])
@pytest.mark.parametrize("name", ["index.html", "00_first.html"])
def test_nothing_sticks_out_on_a_laptop_or_a_projector(
    site: Path, tmp_path: Path, name: str, size: str
) -> None:
    assert look(site / name, tmp_path, size=size)["wider"] <= 0


def test_the_pages_as_written_say_nothing_on_the_console(site: Path, tmp_path: Path) -> None:
    for page in sorted(site.glob("*.html")):
        assert browse(page, tmp_path)[1] == []


def test_an_error_or_a_request_would_be_noticed(site: Path, tmp_path: Path) -> None:
    front = (site / "index.html").read_text(encoding="utf-8")
    for fault in ("<script>nowhere()</script>", "<img src='https://pages.example/x.png'>"):
        page = tmp_path / "fault.html"
        page.write_text(front.replace("</body>", f"{fault}</body>"), encoding="utf-8")
        assert browse(page, tmp_path / "profile")[1]
