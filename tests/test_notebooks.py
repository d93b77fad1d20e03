"""The rules of the notebooks, so that each stays a lesson that can be checked."""

from __future__ import annotations

import ast
import csv
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
    first, *rest = read(path).cells
    assert first.source.startswith("# ")
    assert "You will" in first.source
    assert "You need" in first.source
    assert "the_loop(" in "".join(cell.source for cell in rest[:3]), "where in the loop is this lesson?"


def test_it_asks_before_it_answers(path: Path) -> None:
    assert "**Predict.**" in words(path)


def words(path: Path) -> str:
    return "\n\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


def test_it_ends_with_exercises_and_reading(path: Path) -> None:
    assert words(path).count("<details>") >= 3
    assert "## Exercises" in words(path)
    assert "## Further reading" in words(path)


def test_its_cells_are_few_and_short(path: Path) -> None:
    cells = read(path).cells
    assert 15 <= len(cells) <= 45
    longest = max(len(cell.source.splitlines()) for cell in code(path))
    assert longest <= 20
    functions = sum(
        isinstance(node, ast.FunctionDef) for cell in code(path) for node in ast.walk(ast.parse(cell.source))
    )
    assert functions <= 4


def test_it_can_be_read_in_a_sitting(path: Path) -> None:
    told = re.sub(r"<details>.*?</details>", "", words(path), flags=re.S)
    assert len(told.split()) <= 1_500, f"{len(told.split())} words"


def test_no_line_runs_off_the_edge(path: Path) -> None:
    """JupyterLab shows 88 columns of a cell, and so does a page of the report."""
    texts = [*[cell.source for cell in code(path)], _fenced(words(path))]
    lines = [line for text in texts for line in text.splitlines()]
    assert not [line for line in lines if len(line) > 88]


def test_nothing_is_left_to_be_written(path: Path) -> None:
    for cell in read(path).cells:
        assert cell.source.strip(), "an empty cell"
        assert not re.search(r"\b(TODO|FIXME|TBD|XXX|WORDS\d*|[Ll]orem)\b", cell.source), cell.source[:60]
    for heading, rest in re.findall(r"^(##+ .*)\n((?:\s*\n)*.*)", words(path), flags=re.M):
        assert not rest.strip().startswith("# "), f"nothing under {heading}"
        level = len(heading.split()[0])
        followed = re.match(r"(#+) ", rest.strip())
        assert not followed or len(followed[1]) > level, f"nothing under {heading}"


def test_every_solution_is_code_that_asserts_what_it_claims(path: Path) -> None:
    """`notebooks/conftest.py` runs them; without an assert that would prove little."""
    for solution in re.findall(r"<details>(.*?)</details>", words(path), flags=re.S):
        fenced = _fenced(solution)
        assert fenced, f"a solution without code: {solution[:80]}"
        tree = ast.walk(ast.parse(fenced))
        assert any(isinstance(node, ast.Assert) for node in tree), f"asserts nothing: {fenced[:80]}"


NUMBER = re.compile(r"(?<![\w.,/-])[-+−]?(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w/]|\.\d|,\d)")
CODE = r"```.*?```|`[^`]*`|\$[^$]*\$"
PLACES = r"(?:[Ss]ections?|[Ll]essons?|[Nn]otebooks?|Tables?|Figures?|[Ee]quations?|[Ee]xercises?)"
APART = (
    CODE
    + rf"|95 %(?: bootstrap)? (?:interval|band)s?|p < 0.05|{PLACES} \(?[\d.]+\)?(?:(?:,| and| to) [\d.]+)*"
)
YEARS = r"|\b(?:19|20)\d\d\b"
PUBLISHED = {
    (row["lesson"], row["number"]): row["place"]
    for row in csv.DictReader((FOLDER / "published.csv").read_text(encoding="utf-8").splitlines())
}
"""Numbers that only others measured, and where they printed them."""


def test_numbers_in_words_stand_in_an_output_or_a_cell(path: Path) -> None:
    """What is said of a run must be on the page; what only others measured is listed with its place."""
    known = _known(code(path))
    lesson, *solutions = _parts(words(path).partition("## Further reading")[0])
    solved = [number for solution in solutions for number in _in_code(_fenced(solution))]
    captions = " ".join(cell.metadata.get("caption", "") for cell in code(path))
    _all_backed(path, f"{captions} {_titles(path)}", known)
    _all_backed(path, " ".join([lesson, *solutions]), known + solved)


def _fenced(text: str) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.S))


def _parts(text: str) -> list[str]:
    """What is told, and each folded solution."""
    folded = r"<details>.*?</details>"
    return [re.sub(folded, "", text, flags=re.S), *re.findall(folded, text, flags=re.S)]


def _all_backed(path: Path, text: str, known: list[float]) -> None:
    for number in NUMBER.findall(re.sub(APART + YEARS, "", text, flags=re.S)):
        told = _backed(number, known) or (path.stem, number) in PUBLISHED
        assert told, f"{number} is in no output: {text[max(0, text.find(number) - 60) :][:120]}"


def _known(cells: list[nbformat.NotebookNode]) -> list[float]:
    shown = " ".join(map(_shown, cells))
    numbers = re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", shown)
    return [float(number.replace(",", "")) for number in numbers] + [
        number for cell in cells for number in _in_code(cell.source)
    ]


def _in_code(source: str) -> list[float]:
    """The numbers that a cell computes with, and those of its tables; words in a title prove nothing."""
    tree = ast.parse(source)
    titles = {part for call in _calls(tree, "headed") for part in ast.walk(call) if part is not call.args[0]}
    drawn = {part for call in _calls(tree, "headed") for part in ast.walk(call.args[0])}
    found: list[float] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or node in titles - drawn:
            continue
        if isinstance(node.value, int | float):
            found.append(float(node.value))
        elif isinstance(node.value, str):
            found += [float(n.replace(",", "")) for n in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", node.value)]
    return found


def _calls(tree: ast.AST, name: str) -> list[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if getattr(call.func, "attr", getattr(call.func, "id", "")) == name]


def _titles(path: Path) -> str:
    """What figures say above and below themselves."""
    parts = [
        part
        for cell in code(path)
        for call in _calls(ast.parse(cell.source), "headed")
        for part in call.args[1:]
    ]
    return " ".join(node.value for part in parts for node in ast.walk(part) if isinstance(node, ast.Constant))


def test_what_is_listed_as_published_is_told(path: Path) -> None:
    told = words(path) + _titles(path)
    for (lesson, number), place in PUBLISHED.items():
        assert lesson != path.stem or (place and number in told), f"{number} is not told any more"


def _shown(cell: nbformat.NotebookNode) -> str:
    texts = (str(o.get("text", "")) + str(o.get("data", {}).get("text/plain", "")) for o in cell.outputs)
    return " ".join(texts)


def _backed(number: str, known: list[float]) -> bool:
    """Whether it is an output, a rounded one, or one as a percentage."""
    value = float(number.replace(",", ""))
    digits = len(number.partition(".")[2])
    return any(round(one, digits) == value or round(100 * one, digits) == value for one in known)


def test_every_figure_says_what_to_see_who_judged_and_by_which_rules(path: Path) -> None:
    """Crawl figures of the package write the judge and the rules below themselves."""
    for cell in code(path):
        if not any("image/png" in output.get("data", {}) for output in cell.outputs):
            continue
        calls = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call)]
        named = {getattr(call.func, "attr", getattr(call.func, "id", "")): call for call in calls}
        if {"the_loop", "explore", "confusion_lab", "weight_lab"} & set(named):  # they say it themselves
            continue
        assert "headed" in named, f"a figure without a title: {cell.source[:60]}"
        title, *below = (ast.unparse(part) for part in named["headed"].args[1:])
        assert len(title.split()) >= 4, f"what is to be seen? {title}"
        said = " ".join(below) + str(cell.metadata.get("caption", ""))
        crawled = {
            "harvest_curve",
            "coverage_curve",
            "differences",
            "bars",
            "critical_difference",
            "caption_of",
        }
        assert crawled & set(named) or re.search(r"[Jj]udge|truth|labels", said), f"who judged? {title}"


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
    drawn = [c for c in code(path) if any("image/png" in output.get("data", {}) for output in c.outputs)]
    tagged = [cell for cell in code(path) if "figure" in cell.metadata.get("tags", [])]
    shown = [cell for cell in drawn if "the_loop" not in cell.source]
    assert all(cell.metadata.get("caption") for cell in [*tagged, *shown])
