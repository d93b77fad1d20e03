"""Under nbval the folded solutions of a notebook run too, in its kernel, after its cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile

FENCED = re.compile(r"<details>.*?```python\n(.*?)```", flags=re.S)


class Lesson(IPyNbFile):
    """A notebook and its solutions, whose asserts are what is checked of them."""

    def collect(self) -> Iterator[pytest.Item]:
        cells = list(super().collect())
        yield from cells
        for number, source in enumerate(solutions(self.nb), start=1):
            cell = nbformat.v4.new_code_cell(source)
            yield IPyNbCell.from_parent(
                self,
                name=f"Solution {number}",
                cell_num=len(cells) + number - 1,
                cell=cell,
                options={"check": False, "skip": False, "check_exception": False},
            )


def solutions(notebook: nbformat.NotebookNode) -> list[str]:
    """The fenced code of every folded solution, in order."""
    return [
        code
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for code in FENCED.findall(cell.source)
    ]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector):
    found = yield
    return [
        Lesson.from_parent(one.parent, path=file_path) if type(one) is IPyNbFile else one for one in found
    ]
