"""Write what README.md takes from the lessons: the leaderboard's first five, and the list of lessons.

python docs/readme.py
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from lxml import html

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
LESSONS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
FIRST = 5


def board() -> str:
    """The first strategies of lesson 10's own table, bounds left out."""
    cells = nbformat.read(ROOT / "notebooks" / "10_leaderboard.ipynb", as_version=4).cells
    (cell,) = (cell for cell in cells if "headline" in cell.metadata.get("tags", []))
    table = next(o.data["text/html"] for o in cell.outputs if "text/html" in o.get("data", {}))
    rows = [
        [part.text_content().strip() for part in row]
        for row in html.fromstring(table).iterfind(".//tbody/tr")
    ]
    best = [row for row in rows if row[0] not in ("oracle", "random")][:FIRST]
    return "\n".join(["| strategy | area |", "|---|---|", *(f"| `{row[0]}` | {row[1]} |" for row in best)])


def lessons() -> str:
    """Number and title of each."""
    titles = [
        nbformat.read(path, as_version=4).cells[0].source.splitlines()[0].lstrip("# ") for path in LESSONS
    ]
    listed = zip(LESSONS, titles, strict=True)
    return " · ".join(
        f"[{path.stem.partition('_')[0]}](notebooks/{path.name}) {title}" for path, title in listed
    )


def page() -> str:
    """The README as it should be."""
    text = README.read_text(encoding="utf-8")
    for mark, part in (("made by [^>]*", board()), ("lessons", lessons())):
        text = re.sub(rf"(<!-- {mark} -->\n).*?(<!-- end -->)", rf"\1\n{part}\n\n\2", text, flags=re.DOTALL)
    return text


if __name__ == "__main__":
    README.write_text(page(), encoding="utf-8")
