"""One list of dependencies, said three times: pyproject.toml leads, the others must agree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
import yaml

from focuslab.cli import main
from focuslab.cli.doctor import EXTRAS
from focuslab.strategies import all_strategies

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LEFT_OUT = shutil.ignore_patterns(
    ".*", "__pycache__", "report", "site", "build", "dist", "tests", "*.egg-info"
)
CONSUMER = """
from collections.abc import Iterable

from focuslab import CrawlLog, Proposal, Strategy, Visit, compare, crawl, metrics, train_classifiers, webs


class Mine(Strategy):
    name = "mine"

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        return [Proposal(link, visit.assessment.relevance) for link in visit.page.out]


web = webs.synthetic(pages=400)
topic = web.topic("baseball")
log = CrawlLog.record(crawl(topic, web, Mine(), train_classifiers(web.examples("baseball"), topic)), 20)
share: float = float(metrics.hits_by(log, web.truth("baseball")).mean())
shown: str = compare(["best_first"], web, topics=["baseball"]).table().to_string()
"""
ASKED_FOR = {"jupyterlab", "pandas", "scikit-learn", "requests", "beautifulsoup4", "seaborn", "nbval"}


def wanted() -> dict[str, str]:
    extras = PROJECT["optional-dependencies"]["test"]
    return dict(re.fullmatch(r"([\w.-]+)(.*)", line).groups() for line in PROJECT["dependencies"] + extras)


def test_conda_users_get_the_same() -> None:
    listed = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    plain = [line for line in listed if isinstance(line, str)]
    by_pip = next(line["pip"] for line in listed if isinstance(line, dict))
    lines = [line for line in plain + by_pip if not re.match(r"(python|pip)\b|-e", line)]
    assert dict(re.fullmatch(r"([\w.-]+)(.*)", line).groups() for line in lines) == wanted()
    assert f"python{PROJECT['requires-python']}" in plain


def test_every_dependency_is_pinned_for_a_repeatable_set_up() -> None:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    pins = dict(line.split("==") for line in text.splitlines() if line and not line.startswith("#"))
    missing = {name for name in wanted() if name.lower().replace("_", "-") not in _normal(pins)}
    assert not missing
    assert "://" not in text


def test_what_the_lab_was_asked_to_use_is_there() -> None:
    assert set(wanted()) >= ASKED_FOR


def test_the_public_names_are_sorted_and_real() -> None:
    import focuslab

    assert list(focuslab.__all__) == sorted(focuslab.__all__)
    assert all(hasattr(focuslab, name) for name in focuslab.__all__)


def _normal(names: dict[str, str]) -> set[str]:
    return {name.lower().replace("_", "-") for name in names}


def test_the_site_lists_every_strategy() -> None:
    page = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `(\w+)` \|", page, flags=re.M))
    assert listed == set(all_strategies())


def test_the_version_is_said_once() -> None:
    """Whoever cites the lab cites what is installed."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(cited["version"]) == PROJECT["version"]


def test_the_course_is_in_what_is_installed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whether from the repository or from a wheel: notebooks, and every result they read."""
    assert main(["lessons", str(tmp_path / "mine")]) == 0
    for pattern in ("notebooks/*.ipynb", "results/**/*.csv", "results/**/*.json"):
        there = {path.relative_to(ROOT) for path in ROOT.glob(pattern)}
        assert there == {path.relative_to(tmp_path / "mine") for path in (tmp_path / "mine").glob(pattern)}
        assert there
    assert main(["lessons", str(tmp_path / "mine")]) == 2
    assert "is not empty" in capsys.readouterr().err


def test_the_wheel_is_the_same_twice_and_complete(tmp_path: Path) -> None:
    """Bytes depend on the commit alone; what a lesson needs is inside."""
    pytest.importorskip("build", reason="needs focuslab[release]")
    setuptools = tuple(map(int, metadata.version("setuptools").split(".")[:1]))
    if setuptools < (77,):
        pytest.skip("needs setuptools 77, as pyproject.toml says")
    for name in ("one", "two"):
        source = shutil.copytree(ROOT, tmp_path / name / "source", ignore=LEFT_OUT)
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "..", "."]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
        subprocess.run(command, cwd=source, env=environment, check=True, capture_output=True)
    one, two = (next((tmp_path / name).glob("*.whl")) for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    inside = set(zipfile.ZipFile(one).namelist())
    folder = f"focuslab-{PROJECT['version']}.data/data/share/focuslab"
    assert inside >= {f"{folder}/notebooks/{path.name}" for path in ROOT.glob("notebooks/*.ipynb")}
    assert "focuslab/py.typed" in inside


def test_a_consumer_is_typed(tmp_path: Path) -> None:
    """Strict mypy, on somebody else's file: py.typed holds what it promises."""
    (tmp_path / "theirs.py").write_text(CONSUMER)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "env"], cwd=tmp_path, check=True)
    (site,) = (tmp_path / "env").glob("lib/python*/site-packages")
    (site / "theirs.pth").write_text(
        f"{ROOT}\n{sysconfig.get_path('purelib')}\n"
    )  # installed for mypy's eyes
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    command += ["--python-executable", str(tmp_path / "env" / "bin" / "python"), "theirs.py"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def test_every_extra_is_named_by_the_doctor() -> None:
    remedies = " ".join(remedy for _, _, remedy in EXTRAS)
    named = {name for words in re.findall(r"focuslab\[([\w,-]+)\]", remedies) for name in words.split(",")}
    assert named == set(PROJECT["optional-dependencies"]) - {"test"}


def test_other_systems_run_what_ci_runs() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    assert any(".ci/run" in step.get("run", "") for step in workflow["jobs"]["test"]["steps"])
