"""The site: lessons as the report executed them, the reference from the docstrings, all of it plain files.

``make docs`` builds it. Before Sphinx reads anything, ``_made/`` is filled with what is not written by hand.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import pandas as pd
from docutils import nodes
from latex2mathml.converter import convert

from focuslab.experiments.reproduce import PAPERS
from focuslab.experiments.reproduce.overview import overview
from focuslab.strategies import all_strategies

HERE = Path(__file__).parent
ROOT = HERE.parent
MADE = HERE / "_made"
EXECUTED = Path(os.environ.get("FOCUSLAB_LESSONS", ROOT / "notebooks"))
"""Where the lessons are: `make docs` names the folder of the report, which has just executed them."""

project = "focuslab"
author = copyright = "The focuslab contributors"
version = release = metadata.version("focuslab")
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "numpydoc"]
exclude_patterns = ["api.md", "_made/extra"]
default_role = "code"
html_theme = "furo"
html_title = "focuslab"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["_made/extra"]  # the slides
html_copy_source = True  # a lesson's notebook is its source, one click away
html_sourcelink_suffix = ""
html_show_search_summary = False  # it would fetch pages, and a browser fetches no plain files
html_theme_options = {"source_edit_link": None, "navigation_with_keys": True}
myst_enable_extensions = ["dollarmath", "deflist", "attrs_inline"]
myst_heading_anchors = 3
nb_execution_mode = "force"  # the gallery; lessons come executed
nb_execution_excludepatterns = ["_made/lessons/*"]
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_ipywidgets_js: dict[str, Any] = {}  # no script from elsewhere: a page shows the still picture
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
numpydoc_show_class_members = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
suppress_warnings = ["mystnb.unknown_mime_type", "myst.header", "docutils"]
os.environ["TQDM_DISABLE"] = "1"


def lessons() -> None:
    """The executed notebooks, each with a way to itself."""
    folder = MADE / "lessons"
    folder.mkdir(parents=True)
    names = []
    for path in sorted(EXECUTED.glob("[0-9][0-9]*_*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        first = notebook["cells"][0]
        link = f'<a class="download" href="../../_sources/_made/lessons/{path.name}" download>{path.name}</a>'
        wall = f'<a class="slides" href="../../slides/{path.stem}.html">Slides</a>'
        words = "".join(first["source"]).replace("# ", f"# {path.stem.partition('_')[0]} · ", 1)
        first["source"] = f"{words}\n\n{link} · {wall}\n"
        (folder / path.name).write_text(json.dumps(notebook), encoding="utf-8")
        names.append(path.stem)
    _index(folder, "Lessons", names)


def slides() -> None:
    """The same for a projector."""
    make_slides = runpy.run_path(str(HERE / "slides.py"))["slides"]
    folder = MADE / "extra" / "slides"
    folder.mkdir(parents=True)
    for path in sorted(EXECUTED.glob("[0-9][0-9]*_*.ipynb")):
        (folder / f"{path.stem}.html").write_text(make_slides(path), encoding="utf-8")


def rooms() -> None:
    """The reference: a page for each room, with what its modules say of themselves."""
    folder = MADE / "rooms"
    folder.mkdir(parents=True)
    public = runpy.run_path(str(HERE / "api.py"))["public"]()
    for strategy in all_strategies().values():  # found by walking the folder, named nowhere
        public.setdefault(strategy.__module__, [strategy.__name__])
    by_room: dict[str, list[str]] = {}
    for module in public:
        by_room.setdefault([*module.split("."), "focuslab"][1], []).append(module)
    for room, modules in by_room.items():
        said = (import_module(f"focuslab.{room}" if room != "focuslab" else room).__doc__ or "").strip()
        parts = [_title(room, "="), said, ""]
        for module in sorted(modules):
            if module == "focuslab":
                names = [f"* ``{name}``" for name in public[module]]
                parts += ["What ``from focuslab import …`` offers:", "", *names, ""]
                continue
            parts += [_title(module.removeprefix("focuslab."), "-"), f".. automodule:: {module}"]
            parts += [f"   :members: {', '.join(public[module])}", ""]
        (folder / f"{room}.rst").write_text("\n".join(parts), encoding="utf-8")
    _index(folder, "Reference", list(by_room))


def reproduced() -> None:
    """What reproduces, paper by paper, read from the stored results."""
    for paper in PAPERS:
        lines = [line for line in overview(ROOT / "results") if line.paper == paper]
        rows = [
            (one.shows, one.published, one.ours, one.verdict, f"{one.why} {one.how}".strip()) for one in lines
        ]
        table = pd.DataFrame(
            rows, columns=["what", "published", "ours", "verdict", "why, and how it was run"]
        )
        (MADE / f"{paper}.html").write_text(table.to_html(index=False, border=0), encoding="utf-8")


def race() -> None:
    """The race of the report's front page, if the report was made."""
    page = ROOT / "report" / "index.html"
    found = (
        re.search(r'<section id="race">(.*?)</section>', page.read_text("utf-8"), re.S)
        if page.exists()
        else None
    )
    shutil.copy(HERE / "race.gif", MADE / "extra")
    words = '<img src="race.gif" alt="Three crawlers on the map of one web">'
    (MADE / "race.html").write_text(found[1] if found else words, encoding="utf-8")


def _index(folder: Path, title: str, names: list[str]) -> None:
    lines = [_title(title, "="), ".. toctree::", "   :maxdepth: 1", "", *(f"   {name}" for name in names), ""]
    (folder / "index.rst").write_text("\n".join(lines), encoding="utf-8")


def _title(words: str, line: str) -> str:
    return f"{words}\n{line * len(words)}\n"


def make(app: Any, config: Any) -> None:
    """Fill ``_made/``, before Sphinx looks for what its settings name."""
    shutil.rmtree(MADE, ignore_errors=True)
    MADE.mkdir()
    for part in (lessons, slides, rooms, reproduced, race):
        part()


def _inline(self: Any, node: nodes.Element) -> None:
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _block(self: Any, node: nodes.Element) -> None:
    self.body.append(convert(" ".join(node.astext().split()), display="block"))
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Formulas are MathML, which browsers draw themselves."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.config.html_math_renderer = "mathml"
    app.connect("config-inited", make, priority=100)
