"""The rules of the notebooks, so that each stays a lesson that can be checked."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
pytestmark = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def code(path: Path) -> list[nbformat.NotebookNode]:
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def test_it_is_executed_from_top_to_bottom(path: Path) -> None:
    """A cell saved without a count is run but not compared, so nothing may be left out."""
    assert [cell.execution_count for cell in code(path)] == list(range(1, len(code(path)) + 1))


def test_it_opens_as_a_lesson(path: Path) -> None:
    first = read(path).cells[0].source
    assert first.startswith("# ")
    assert "You will" in first
    assert "You need" in first


def test_it_ends_with_exercises_and_reading(path: Path) -> None:
    words = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    assert words.count("<details>") >= 3
    assert "## Exercises" in words
    assert "## Further reading" in words


def test_its_cells_are_few_and_short(path: Path) -> None:
    cells = read(path).cells
    assert 15 <= len(cells) <= 45
    longest = max(len(cell.source.splitlines()) for cell in code(path))
    assert longest <= 15
    functions = sum(
        isinstance(node, ast.FunctionDef) for cell in code(path) for node in ast.walk(ast.parse(cell.source))
    )
    assert functions <= 3


def test_nothing_stored_is_of_one_machine_or_moment(path: Path) -> None:
    for cell in code(path):
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr", f"a warning or progress bar in: {cell.source[:60]}"
            text = str(output.get("text", "")) + str(output.get("data", {}).get("text/plain", ""))
            assert not re.search(r"/(home|tmp|root|work|Users)/|0x[0-9a-f]{6,}|127\.0\.0\.1:\d", text), text[
                :200
            ]


def test_chance_comes_from_one_seed(path: Path) -> None:
    sources = "\n".join(cell.source for cell in code(path))
    assert re.search(r"^SEED = \d+$", sources, flags=re.M)
    assert "random.seed" not in sources


def test_every_figure_has_words_for_those_who_cannot_see_it(path: Path) -> None:
    """PNGs are not compared when a notebook is checked, so the numbers stand beside them."""
    tagged = [cell for cell in code(path) if "figure" in cell.metadata.get("tags", [])]
    assert all(cell.metadata.get("caption") for cell in tagged)
