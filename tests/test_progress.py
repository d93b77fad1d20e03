"""Bars are for people."""

from __future__ import annotations

import sys
import types

import pytest

from focuslab.progress import progress


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    for name in ("CI", "TQDM_DISABLE"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_a_person_sees_a_bar(person: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress([1, 2], 2)) == [1, 2]
    assert "/2" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["CI", "TQDM_DISABLE"])
def test_machines_see_none(person: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str) -> None:
    person.setenv(name, "1")
    assert list(progress([1, 2], 2)) == [1, 2]
    assert capsys.readouterr() == ("", "")
