"""Slides of a lesson: words on the left, code and what came of it on the right, one file without a network.

Page Down and the space bar turn them; printing gives one sheet each.
"""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import Any

import nbformat
from markupsafe import escape
from nbconvert import HTMLExporter
from nbformat.v4 import new_notebook

from focuslab.experiments import formulas

FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
PAGE = Template(Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))


def slides(path: Path) -> str:
    """The lesson up to its exercises, which are for hands and not for a wall."""
    parts: list[tuple[list[Any], list[Any]]] = []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            if cell.source.startswith("## Exercises"):
                break
            cell.source = formulas.drawn(FOLDED.sub("", cell.source))
            parts.append(([cell], []))
        elif parts:
            parts[-1][1].append(cell)
    title = parts[0][0][0].source.splitlines()[0].lstrip("# ")
    return PAGE.substitute(title=escape(title), slides="\n".join(_slide(*part) for part in parts))


def _slide(words: list[Any], code: list[Any]) -> str:
    shown = f'<div class="code">{_html(code)}</div>' if code else ""
    return f"<section{'' if code else ' class=alone'}><div>{_html(words)}</div>{shown}</section>"


def _html(cells: list[Any]) -> str:
    body, _ = HTMLExporter(template_name="basic").from_notebook_node(new_notebook(cells=cells))
    return str(body)
