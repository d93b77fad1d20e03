"""``focuslab doctor`` says what is installed, what is missing and where the real pages are."""

from __future__ import annotations

import pytest

from focuslab.cli import doctor, main


def test_all_is_well_here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOCUSLAB_DATA", raising=False)
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "ok       numpy" in said
    assert "FOCUSLAB_DATA is not set" in said
    assert "MISSING" not in said


def test_what_is_missing_is_named_with_the_remedy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "_needed", lambda: ["numpy", "no-such-package"])
    monkeypatch.setattr(doctor, "EXTRAS", (("no_such_module", "nothing", "pip install nothing"),))
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "missing: no-such-package; run: pip install focuslab" in said
    assert "absent   no_such_module: nothing (pip install nothing)" in said


def test_it_asks_for_what_the_package_needs_and_for_no_extra() -> None:
    assert "scikit-learn" in doctor._needed()
    assert "pytest" not in doctor._needed()
