"""The report: every notebook executed, and one page that tells what came out of them.

A notebook tags its cells: ``headline`` for its table, ``figure`` for a figure; the sentence beside it is the
cell's metadata ``caption``. The front page shows the first figure of each notebook in ``STORY``, and below
them the table of the last of these.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup, escape
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbconvert import HTMLExporter

from focuslab.experiments import formulas
from focuslab.experiments.reproduce import PAPERS
from focuslab.experiments.reproduce.overview import Line, overview

OURS, SHARED = PackageLoader("focuslab.experiments"), PackageLoader("focuslab.crawling.live")
PAGES = Environment(
    loader=ChoiceLoader([OURS, SHARED]), autoescape=True, trim_blocks=True, lstrip_blocks=True
)
STORY = ("00", "03", "04", "05", "10")


@dataclass(frozen=True, slots=True)
class Piece:
    """Something the front page shows: a table or a figure, and where it comes from."""

    kind: str
    html: Markup
    caption: str
    page: str
    title: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """One executed notebook."""

    name: str
    title: str
    goals: tuple[Markup, ...]
    seconds: float
    error: str
    pieces: tuple[Piece, ...]
    body: Markup
    cells: Mapping[str, str]
    """The cell that reads a published experiment's results, by the name of the experiment."""

    @property
    def page(self) -> str:
        return f"{self.name}.html"

    @property
    def number(self) -> str:
        return self.name.partition("_")[0]


def build(
    notebooks: Path,
    out: Path,
    *,
    jobs: int = 2,
    only: Iterable[str] = (),
    say: Any = print,
    opening: Callable[[], Markup] | None = None,
) -> list[Chapter]:
    """Execute the notebooks, ``jobs`` at a time; write the pages, and each notebook as it ran, into ``out``.

    A notebook that fails does not stop the others: its page ends with the error, and the front page
    says so. ``opening`` makes what the front page shows first.
    """
    paths = chosen_notebooks(notebooks, tuple(only))
    out.mkdir(parents=True, exist_ok=True)
    done: dict[Path, Chapter] = {}
    with ThreadPoolExecutor(jobs) as pool:
        runs = {pool.submit(run, path, out): path for path in paths}
        for future in as_completed(runs):
            chapter = done[runs[future]] = future.result()
            verdict = f"FAILED: {chapter.error}" if chapter.error else "done"
            say(f"[{len(done)}/{len(paths)}] {chapter.name}  {verdict}  {chapter.seconds:.0f} s")
    chapters = [done[path] for path in paths]
    write(chapters, out, opening() if opening else None)
    return chapters


def chosen_notebooks(folder: Path, only: tuple[str, ...] = ()) -> list[Path]:
    """The notebooks in order; ``only`` keeps those whose names begin so."""
    paths = sorted(folder.glob("[0-9][0-9]*_*.ipynb"))
    if not paths:
        raise FileNotFoundError(
            f"no notebooks in {folder}; run this where focuslab was cloned, or give --notebooks"
        )
    kept = [path for path in paths if not only or path.name.startswith(only)]
    if not kept:
        raise ValueError(
            f"no notebook begins with {', '.join(only)}; there are {', '.join(p.stem for p in paths)}"
        )
    return kept


def run(path: Path, out: Path) -> Chapter:
    """Execute one notebook in a kernel of its own, and keep it as it is then."""
    notebook = nbformat.read(path, as_version=4)
    environment = dict(os.environ, TQDM_DISABLE="1", PYDEVD_DISABLE_FILE_VALIDATION="1")
    client = NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": path.parent}}
    )
    start, error = time.perf_counter(), ""
    try:
        client.execute(env=environment)
    except CellExecutionError as failure:
        error = f"{failure.ename}: {failure.evalue}"
    except (CellTimeoutError, DeadKernelError) as failure:
        error = str(failure).strip().splitlines()[0]
    nbformat.write(notebook, out / path.name)
    return chapter_of(path.stem, notebook, time.perf_counter() - start, error)


def chapter_of(name: str, notebook: Any, seconds: float, error: str = "") -> Chapter:
    """What the report needs of an executed notebook."""
    first = notebook.cells[0].source if notebook.cells else name
    lines = [line.strip() for line in first.splitlines()]
    title = next((line.lstrip("# ") for line in lines if line.startswith("#")), name)
    goals = tuple(_words(line.strip("-*,;. ")) for line in lines if line.startswith(("- ", "* ")))
    for cell in notebook.cells:
        _describe(cell)
        if cell.cell_type == "markdown":
            cell.source = formulas.drawn(cell.source)
    pieces = tuple(piece for cell in notebook.cells for piece in _pieces(cell, f"{name}.html", title))
    body, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    return Chapter(name, title, goals, seconds, error, pieces, Markup(body), _cells(notebook))


def write(chapters: list[Chapter], out: Path, opening: Markup | None = None) -> None:
    """Write the pages; they work as plain files, with no network."""
    shared = {name: Markup(PAGES.get_template(name).render()) for name in ("style.css", "sort.js")}
    common = {"chapters": chapters, "style": shared["style.css"]}
    for number, chapter in enumerate(chapters):
        before = chapters[number - 1] if number else None
        after = chapters[number + 1] if number + 1 < len(chapters) else None
        page = PAGES.get_template("notebook.html").render(
            chapter=chapter, before=before, after=after, **common
        )
        (out / chapter.page).write_text(page, encoding="utf-8")
    index = PAGES.get_template("index.html").render(
        opening=opening,
        story=story(chapters),
        leaderboard=leaderboard(chapters),
        sort=shared["sort.js"],
        **common,
    )
    (out / "index.html").write_text(index, encoding="utf-8")
    lines = [(line, link_to(line, chapters)) for line in overview()]
    found = PAGES.get_template("reproduces.html").render(papers=PAPERS, lines=lines, **common)
    (out / "reproduces.html").write_text(found, encoding="utf-8")


def link_to(line: Line, chapters: list[Chapter]) -> str:
    """The cell that shows a published experiment, else its lesson; empty if that was not executed."""
    named = [(chapter, chapter.cells.get(line.name, "")) for chapter in chapters]
    for chapter, cell in named:
        if cell:
            return f"{chapter.page}#{cell}"
    return next((chapter.page for chapter in chapters if line.lesson == chapter.name), "")


def story(chapters: list[Chapter]) -> list[Piece]:
    """The first figure of each notebook in ``STORY``."""
    figures = [
        next((piece for piece in chapter.pieces if piece.kind == "figure"), None)
        for chapter in chapters
        if chapter.number in STORY
    ]
    return [figure for figure in figures if figure]


def leaderboard(chapters: list[Chapter]) -> Piece | None:
    """The last table of the notebooks in ``STORY``."""
    tables = [
        piece
        for chapter in chapters
        if chapter.number in STORY
        for piece in chapter.pieces
        if piece.kind == "headline"
    ]
    return tables[-1] if tables else None


def _cells(notebook: Any) -> dict[str, str]:
    papers = "|".join(PAPERS)
    found: dict[str, str] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            for name in re.findall(rf"""["']((?:{papers})/\w+)["']""", cell.source):
                found.setdefault(name, f"cell-id={cell.id}")
    return found


def _words(markdown: str) -> Markup:
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(markdown))))


def _describe(cell: Any) -> None:
    """Give a cell's images its caption, for readers who cannot see them."""
    for output in cell.get("outputs", []):
        if "image/png" in output.get("data", {}) and cell.metadata.get("caption"):
            output.metadata["image/png"] = {"alt": cell.metadata.caption}  # nbconvert escapes it


def _pieces(cell: Any, page: str, title: str) -> list[Piece]:
    tags, caption = cell.metadata.get("tags", []), cell.metadata.get("caption", "")
    kinds = [kind for kind in ("headline", "figure") if kind in tags]
    shown = [_html(output, caption) for output in cell.get("outputs", [])]
    return [
        Piece(kind, html, caption, page, title)
        for kind in kinds
        for html in shown
        if html and (kind == "headline") == html.startswith("<div")
    ]


def _html(output: Any, caption: str) -> Markup:
    data = output.get("data", {})
    if "image/png" in data:
        image = Markup('<img src="data:image/png;base64,{}" alt="{}">')
        return image.format(data["image/png"].strip(), caption)
    if "text/html" in data:
        return Markup(data["text/html"].strip())
    return Markup("")
