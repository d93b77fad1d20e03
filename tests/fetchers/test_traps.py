"""Addresses that look like a trap are not asked for, and what is on record counts."""

from __future__ import annotations

import pytest

from focuslab.fetchers.traps import Bounded
from focuslab.types import LiveFetcher, Response

A = "http://a.example/"


class Site(LiveFetcher):
    def fetch(self, url: str) -> Response:
        return Response(url, 200)

    def past(self):
        yield f"{A}calendar?day=1", Response(A, 200)


@pytest.mark.parametrize(
    ("inside", "outside", "reason"),
    [
        (A + "x" * 80, A + "x" * 90, "the address has 107 characters"),
        (A + "1/2/3/page", A + "1/2/3/4/page", "the path has 4 folders"),
        (A + "a/b/A/page", A + "a/a/%61/page", "the path goes 3 times through 'a'"),
    ],
)
def test_bounds(inside: str, outside: str, reason: str) -> None:
    site = Bounded(Site(), max_length=100, max_folders=3, max_repeats=2)
    assert site.fetch(inside).ok
    assert site.fetch(outside).error == f"trap: {reason}"
    assert Bounded(Site(), None, None, None, None).fetch(outside).ok


def test_queries_of_a_path_are_counted_and_those_on_record_too() -> None:
    site = Bounded(Site(), max_variants=2)
    assert len(list(site.past())) == 1
    assert site.fetch(f"{A}calendar?day=2").ok
    assert "2 queries of" in site.fetch(f"{A}calendar?day=3").error
    assert site.fetch(f"{A}calendar").ok
    assert site.fetch(f"{A}other?day=3").ok
