"""An exception nobody thought of is a failure of its page; where crawls are tested, it is an error."""

from __future__ import annotations

import pytest

from focuslab.fetchers.unfailing import Unfailing
from focuslab.types import Response


class Broken:
    def fetch(self, url: str) -> Response:
        raise IndexError("out\nof range")


def test_an_exception_is_a_failure_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOCUSLAB_STRICT")
    response = Unfailing(Broken()).fetch("http://a.example/")
    assert (response.status, response.url) == (0, "http://a.example/")
    assert response.error.startswith("mistake: IndexError: outof range (test_unfailing.py:")


def test_tests_fail_loudly() -> None:
    with pytest.raises(IndexError):
        Unfailing(Broken()).fetch("http://a.example/")
