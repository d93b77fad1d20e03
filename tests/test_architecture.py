"""Who may import whom. The truth stays out of the crawler because nothing that crawls can reach it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "focuslab"
MODULES = sorted(PACKAGE.rglob("*.py"))

# What guides a crawl, and what knows or uses the answers.
CRAWLER = (
    "urls",
    "text",
    "parse",
    "frontier",
    "crawl",
    "log",
    "features",
    "classifiers",
    "assess",
    "strategies",
    "fetchers",
)
ANSWERS = ("webs", "metrics", "compare", "plots", "report", "cli", "commands")


def part(path: Path) -> str:
    """The module's name inside the package, without the package's own."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> set[str]:
    """Names of our own modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: import by full name, so that a reader can find the file"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.removeprefix("focuslab.") for name in found if name.startswith("focuslab.")}


def within(name: str, parts: tuple[str, ...]) -> bool:
    return name.split(".")[0] in parts


@pytest.mark.parametrize("path", MODULES, ids=part)
def test_what_crawls_cannot_reach_the_answers(path: Path) -> None:
    if within(part(path), CRAWLER):
        assert not {name for name in imports(path) if within(name, ANSWERS)}


def test_the_vocabulary_imports_nothing_of_ours() -> None:
    assert imports(PACKAGE / "types.py") == set()


@pytest.mark.parametrize("path", sorted((PACKAGE / "strategies").glob("*.py")), ids=part)
def test_only_the_oracle_speaks_of_the_truth(path: Path) -> None:
    named = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    named |= {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
    assert path.stem == "oracle" or not named & {"Truth", "truth"}


@pytest.mark.parametrize("path", sorted((PACKAGE / "strategies").glob("[!_]*.py")), ids=part)
def test_a_strategy_stands_alone(path: Path) -> None:
    """One paper, one file: strategies share through features and classifiers, not through each other."""
    others = {name for name in imports(path) if name.startswith("strategies.")}
    assert not others


def test_no_module_seeds_the_world() -> None:
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        assert "np.random.seed" not in source, path
        assert "random.seed(" not in source, path
