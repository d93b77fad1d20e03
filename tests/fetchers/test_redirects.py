"""Redirects are followed in one place: to their end, in circles, and on and on."""

from __future__ import annotations

import pytest

from focuslab.fetchers.redirects import MAX_REDIRECTS, follow
from focuslab.types import Response


class Chain:
    """Page n moves to page n + 1; the last is there, or moves back to the first."""

    def __init__(self, length: int, circle: bool = False) -> None:
        self.length, self.circle = length, circle
        self.asked: list[str] = []

    def __call__(self, url: str) -> Response:
        self.asked.append(url)
        number = int(url.rpartition("/")[2])
        if number == self.length and not self.circle:
            return Response(url, 200, b"there")
        target = 0 if number == self.length else number + 1
        return Response(url, 302, b"moved", headers={"location": f"/{target}"})


def test_as_many_as_allowed_and_no_more() -> None:
    assert follow(Chain(MAX_REDIRECTS), "http://a.example/0").body == b"there"
    beyond = follow(Chain(MAX_REDIRECTS + 1), "http://a.example/0")
    assert (beyond.status, beyond.error, beyond.body) == (302, "too-many-redirects: more than 5", b"")


@pytest.mark.parametrize("length", [0, 1, 3])
def test_nobody_is_asked_twice_in_a_circle(length: int) -> None:
    chain = Chain(length, circle=True)
    assert follow(chain, "http://a.example/0").error == "redirect-loop: back to http://a.example/0"
    assert len(chain.asked) == len(set(chain.asked)) == length + 1
