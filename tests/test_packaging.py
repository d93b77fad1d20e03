"""One list of dependencies, said three times: pyproject.toml leads, the others must agree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

from focuslab.strategies import all_strategies

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
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


def test_the_readme_lists_every_strategy() -> None:
    listed = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M))
    assert listed == set(all_strategies())


def test_the_version_is_said_once() -> None:
    """Whoever cites the lab cites what is installed."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(cited["version"]) == PROJECT["version"]


def test_other_systems_run_what_ci_runs() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    assert any(".ci/run" in step.get("run", "") for step in workflow["jobs"]["test"]["steps"])
