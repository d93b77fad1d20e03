"""Who may import whom. The truth stays out of the crawler because nothing that crawls can reach it."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import focuslab

PACKAGE = Path(focuslab.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = Path(__file__).parent

ROOMS = (
    "types",
    "pages",
    "features",
    "fetchers",
    "classifiers",
    "strategies",
    "crawling",
    "webs",
    "graphs",
    "experiments",
    "explore",
    "cli",
)
"""In the order of the data: a room imports from those before it, never from one behind it."""
NOT_EVEN_BEFORE = {"strategies": {"fetchers"}, "webs": {"strategies", "crawling"}}
"""What a room must not know though it stands before it."""


def part(path: Path, package: Path = PACKAGE) -> str:
    """The module's name inside the package, without the package's own."""
    return ".".join(path.relative_to(package).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> set[str]:
    """Names of our own modules that a file imports, anywhere in it, for the type checker too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: import by full name, so that a reader can find the file"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.removeprefix("focuslab.") for name in found if name.startswith("focuslab.")}


def against_the_order(package: Path) -> Iterator[str]:
    """Every import from a room behind one's own, or from none of the rooms: a public name is for users."""
    for path in sorted(package.rglob("*.py")):
        room = part(path, package).split(".")[0]
        if room == "__init__":
            continue
        if room not in ROOMS:
            yield f"{part(path, package)} stands in no room"
            continue
        allowed = set(ROOMS[: ROOMS.index(room) + 1]) - NOT_EVEN_BEFORE.get(room, set())
        strangers = {name for name in imports(path) if name.split(".")[0] not in allowed}
        yield from (f"{part(path, package)} imports {name}" for name in sorted(strangers))


def test_every_module_keeps_to_the_order_of_the_rooms() -> None:
    assert list(against_the_order(PACKAGE)) == []


@pytest.mark.parametrize(
    ("into", "line"),
    [
        ("crawling/flight.py", "from focuslab.experiments import metrics"),
        ("strategies/_cash.py", "from focuslab import webs"),
        ("classifiers/online_regression.py", "from focuslab.experiments.compare import compare"),
        ("pages/urls.py", "import focuslab.fetchers.http"),
        ("features/pig.py", "from focuslab.graphs.graph import WebGraph"),
        ("strategies/best_first.py", "from focuslab.fetchers.http import Http"),
        ("webs/guard.py", "from focuslab.crawling.loop import crawl"),
        ("types.py", "from focuslab.pages import urls"),
        ("crawling/live/session.py", "from focuslab import crawl"),
        ("graphs/kernels/heap.py", "from focuslab.cli import main"),
    ],
)
@pytest.mark.parametrize("how", ["at the top", "in a function", "for the type checker"])
def test_a_planted_import_is_refused(into: str, line: str, how: str, tmp_path: Path) -> None:
    copy = shutil.copytree(PACKAGE, tmp_path / "focuslab", ignore=shutil.ignore_patterns("__pycache__"))
    planted = {
        "at the top": line,
        "in a function": f"def _planted() -> None:\n    {line}",
        "for the type checker": f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    {line}",
    }[how]
    file = copy / into
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{planted}\n", encoding="utf-8")
    assert [found for found in against_the_order(copy) if found.startswith(part(file, copy))]


def test_the_top_is_a_dozen_doors_and_a_hall() -> None:
    doors = {path.stem for path in PACKAGE.iterdir() if path.name[0] not in "_." and path.suffix != ".typed"}
    assert doors == set(ROOMS)


def test_a_file_outside_the_rooms_is_refused(tmp_path: Path) -> None:
    copy = shutil.copytree(PACKAGE, tmp_path / "focuslab", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "utils.py").write_text('"""A hallway."""\n', encoding="utf-8")
    assert list(against_the_order(copy)) == ["utils stands in no room"]


TESTED_ELSEWHERE = {
    "classifiers.linear": "classifiers/test_every_classifier.py",
    "cli.arena": "experiments/test_arena.py",
    "cli.lessons": "test_packaging.py",
    "cli.submit": "experiments/test_arena.py",
    "cli.label": "cli/test_workflows.py",
    "cli.status": "cli/test_workflows.py",
    "cli.topic": "cli/test_workflows.py",
    "cli.survey": "cli/test_workflows.py",
    "crawling.live.articles": "cli/test_workflows.py",
    "crawling.live.limits": "cli/test_workflows.py",
    "crawling.live.recrawl": "cli/test_workflows.py",
    "crawling.live.run": "crawling/live/test_session.py",
    "crawling.live.seeds": "cli/test_workflows.py",
    "crawling.live.survey": "cli/test_workflows.py",
    "fetchers.exchanges": "cli/test_workflows.py",
    "fetchers.wacz": "cli/test_workflows.py",
    "types": "strategies/test_every_strategy.py",
    "cli.compare": "experiments/test_leaderboard.py",
    "cli.report": "experiments/test_report.py",
    "cli.reproduce": "experiments/reproduce/test_experiment.py",
    "cli.serve": "cli/test_cli.py",
    "cli.simulate": "experiments/test_experiment_file.py",
    "classifiers.online_belief": "classifiers/test_online_regression.py",
    "features.link_signals": "features/test_link_records.py",
    "graphs.link_texts": "graphs/kernels/test_kernels.py",
    "strategies._learning": "strategies/test_adaptive.py",
    "crawling.live.report": "crawling/live/test_session.py",
    "experiments.trials": "experiments/test_compare.py",
    "graphs.kernels": "graphs/kernels/test_kernels.py",
    "graphs.strings": "graphs/test_graph.py",
    "graphs.survey": "graphs/test_graph.py",
    "webs.builtin": "webs/test_synthetic.py",
    "webs.warc_index": "webs/test_archive.py",
    "experiments.reproduce": "experiments/reproduce/test_experiment.py",
    "crawling.live.hands": "crawling/live/test_cluster.py",
    "crawling.live.parts": "crawling/live/test_cluster.py",
    "experiments.majority": "experiments/test_on_an_archive.py",
    "experiments.sample": "experiments/test_on_an_archive.py",
    "fetchers.answers": "fetchers/archives/test_common_crawl.py",
    "fetchers.archives": "fetchers/archives/test_common_crawl.py",
    "fetchers.cache": "fetchers/archives/test_common_crawl.py",
    "webs.file_server": "fetchers/archives/test_common_crawl.py",
    "webs.small_crawl": "fetchers/archives/test_common_crawl.py",
}
"""Modules, and rooms, whose contract is that of a whole; all others have a test of their own name."""


@pytest.mark.parametrize(
    "path", [path for path in MODULES if path.stem not in ("__init__", "__main__")], ids=part
)
def test_every_module_has_its_test(path: Path) -> None:
    """In the same room: ``focuslab/room/file.py`` and ``tests/room/test_file.py``."""
    own = path.relative_to(PACKAGE).with_name(f"test_{path.name}")
    names = [part(path), ".".join(part(path).split(".")[:-1])]
    elsewhere = [TESTED_ELSEWHERE[name] for name in names if name in TESTED_ELSEWHERE]
    assert [place for place in (own, *elsewhere) if (TESTS / place).exists()], (
        f"write tests/{own}, or say in TESTED_ELSEWHERE whose test covers it"
    )


def test_what_is_tested_elsewhere_is() -> None:
    gone = [name for name, place in TESTED_ELSEWHERE.items() if not (TESTS / place).exists()]
    assert gone == []
    modules = {part(path) for path in MODULES}
    assert set(TESTED_ELSEWHERE) <= modules


@pytest.mark.parametrize("room", [path for path in MODULES if path.name == "__init__.py"][1:], ids=part)
def test_a_room_says_what_it_is_what_it_may_and_what_it_must_not(room: Path) -> None:
    words = ast.get_docstring(ast.parse(room.read_text(encoding="utf-8"))) or ""
    assert words.count(".") >= 3
    assert "may" in words.split()
    assert {"not", "Nothing", "none", "never"} & set(words.replace(",", " ").split())


def test_the_vocabulary_imports_nothing_of_ours() -> None:
    assert imports(PACKAGE / "types.py") == set()


@pytest.mark.parametrize("path", sorted((PACKAGE / "strategies").glob("*.py")), ids=part)
def test_only_the_oracle_speaks_of_the_truth(path: Path) -> None:
    named = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    named |= {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
    assert path.stem == "oracle" or not named & {"Truth", "truth"}


@pytest.mark.parametrize("path", sorted((PACKAGE / "strategies").glob("[!_]*.py")), ids=part)
def test_a_strategy_stands_alone(path: Path) -> None:
    """One paper, one file: what two strategies share is in a file that starts with ``_``."""
    assert not {name for name in imports(path) if name.startswith("strategies.") and name[11] != "_"}


def test_no_module_seeds_the_world() -> None:
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        assert "np.random.seed" not in source, path
        assert "random.seed(" not in source, path
