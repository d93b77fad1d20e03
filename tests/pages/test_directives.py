"""What pages ask of robots: in headers with names of robots, and in the markup as a browser reads it."""

from __future__ import annotations

import pytest

from focuslab.pages.directives import directives, in_header
from focuslab.pages.parse import parse
from focuslab.types import Page, Response


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("noindex, nofollow", {"noindex", "nofollow"}),
        ("none", {"none", "noindex", "nofollow"}),
        ("otherbot: noindex, nofollow", set()),
        ("otherbot: noindex, focuslab: nofollow", {"nofollow"}),
        (
            "unavailable_after: 25 Jun 2010 15:00:00 PST, noindex",
            {"noindex", "unavailable_after: 25 jun 2010 15:00:00 pst"},
        ),
    ],
)
def test_directives_in_headers_are_for_those_they_name(header, found):
    assert in_header(header) == found


def test_the_name_in_one_header_is_not_meant_for_the_next() -> None:
    assert in_header("otherbot: noindex\nnofollow") == {"nofollow"}


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<meta name=robots content=noindex>", {"noindex"}),
        ("<META CONTENT='NoFollow, NOINDEX' NAME=' Robots '>", {"nofollow", "noindex"}),
        ("<meta name=robots content=none>", {"none", "noindex", "nofollow"}),
        ("<meta name=focuslab content=nofollow><meta name=otherbot content=noindex>", {"nofollow"}),
        ("<meta name=robots content='a>b, nofollow'>", {"a>b", "nofollow"}),
        ("<p>text<meta name=robots content=nofollow>", {"nofollow"}),
        ("<!-- <meta name=robots content=nofollow> -->", set()),
        ("<script>'<meta name=robots content=nofollow>'</script>", set()),
        ("<title><meta name=robots content=nofollow></title>", set()),
        ("<noscript><meta name=robots content=nofollow></noscript>", set()),
        ("<p data-x='<meta name=robots content=nofollow>'>", set()),
        ("<meta name=keywords content=nofollow><meta name=robots>", set()),
    ],
)
def test_metas_are_those_a_browser_sees(html: str, found: set[str]) -> None:
    page = parse(Response("http://a.example/", 200, html.encode(), "text/html"))
    assert page.directives == found


def test_headers_and_markup_add_up() -> None:
    response = Response("http://a.example/", 200, headers={"x-robots-tag": "noindex"})
    page = Page(response.url, directives=frozenset({"nofollow"}))
    assert directives(response, page) == {"noindex", "nofollow"}
