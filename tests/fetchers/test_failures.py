"""Every failure the package tells of is on the list, with its meaning."""

from __future__ import annotations

import re
from pathlib import Path

import focuslab
from focuslab.fetchers.failures import Reason

PACKAGE = Path(focuslab.__file__).parent


def test_every_reason_has_a_meaning() -> None:
    assert all(Reason.meaning_of(reason.because("it happened")) for reason in Reason)
    assert Reason.meaning_of("status 404") == Reason.STATUS.meaning
    assert Reason.meaning_of("something else: no") == ""


def test_a_reason_explains_its_own_failures_only() -> None:
    assert Reason.ROBOTS.explains(Reason.ROBOTS.because("x"))
    assert not Reason.ROBOTS.explains(Reason.ROBOTS_UNREACHABLE.because("x"))


def test_no_failure_is_written_by_hand() -> None:
    words = "|".join(map(re.escape, Reason))
    by_hand = re.compile(
        rf"""^(?!\s*>>>).*(error=|return |reason = |cause = )f?["']({words})[: ]""", re.MULTILINE
    )
    found = [str(path) for path in PACKAGE.rglob("*.py") if by_hand.search(path.read_text(encoding="utf-8"))]
    assert found == []
