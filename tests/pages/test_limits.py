"""Bounds on nesting and attributes leave ordinary pages alone."""

from __future__ import annotations

import pytest

from focuslab.pages.limits import ATTRIBUTES, DEPTH, bounded
from focuslab.pages.parse import MOST_LINKS, parse
from focuslab.pages.text import words
from focuslab.types import Page, Response

URL = "http://a.example/dir/page.html"


def read(html: str | bytes, content_type: str = "text/html; charset=utf-8", url: str = URL) -> Page:
    return parse(Response(url, 200, html if isinstance(html, bytes) else html.encode(), content_type))


@pytest.mark.parametrize(
    "tag", ["div", "b", "a name=x", "table", "span", "ul><li", "font", "object", "svg", "p", "x-y"]
)
def test_a_page_may_nest_as_deep_as_it_likes(tag: str) -> None:
    page = read(f"<title>t</title>before {f'<{tag}>' * 50_000} inside <a href=/end>end</a>")
    assert page.title == "t"
    assert words(page.text)[:2] == ["before", "inside"]
    assert page.links[-1].url == "http://a.example/end"


@pytest.mark.parametrize(
    "html",
    [
        "<p " + " ".join(f"a{i}=1" for i in range(110_000)) + ">text",
        "<p " + "a=1 " * 250_000 + ">text",
        "<p class='" + "x" * 1_000_000 + "'>text",
        "<html a=1>" * 100_000 + "text",
        "<font><p>" * 100_000 + "text",
        "<!--" * 250_000 + "-->text",
        "\0" * 1_000_000 + "text",
        "&amp;" * 200_000 + "text",
        "<" * 1_000_000 + " text",
        "<p " + " ".join(f"a{i}" for i in range(1_500)) + ">" + "<a" * 80_000 + ">text",
        "<p " + "".join(f"a{i}='1'" for i in range(80_000)) + ">text",
        "<p " + " ".join(f"a{i}='<'" for i in range(80_000)) + ">text",
        "<p " + " ".join(f"a{i}='>'" for i in range(80_000)) + ">text",
        "<!--<a x='--><p " + " ".join(f"a{i}" for i in range(80_000)) + ">'text",
        "<script><a x='</script><p " + " ".join(f"a{i}" for i in range(80_000)) + ">'text",
        "a" + "\u0301\u0316" * 250_000 + " text",
        "<a href=x>" * 150_000 + "text",
        "<rt>" * 200_000 + "text",
        "<rt></a><option>" * 60_000 + "text",
        "<rt></div>" * 60_000 + "href=x><ahref=x>" * 1_000 + " text",
        "<svg>" + "<td></x>" * 60_000 + "</svg>text",
        "<meta<head><button>" * 40_000 + "</p><input>" * 10_000 + "text",
    ],
    ids=lambda html: html[:12],
)
def test_a_hostile_megabyte_is_read(html: str) -> None:
    assert words(read(html).text)[-1] == "text"


def test_the_links_of_a_page_are_bounded_and_its_text_is_not() -> None:
    page = read("<a href=x>one </a>" * 150_000 + "<p>text")
    assert len(page.links) == MOST_LINKS
    assert words(page.text)[-1] == "text"
    assert len(words(page.text)) == 150_001


def test_the_thousandth_attribute_is_the_last() -> None:
    def tag(count: int) -> str:
        return "<a " + " ".join(f"a{i}='<{i}>'" for i in range(count - 1)) + " href=x>"

    assert len(read(tag(ATTRIBUTES) + "link</a>").links) == 1
    assert len(read(tag(ATTRIBUTES + 1) + "link</a>").links) == 0


@pytest.mark.parametrize(
    "html",
    [
        "<p><ruby>go<rt>a<rp>b</ruby>",
        "<p>g<svg viewBox='0 0 1 1'><path d='M 1'/><use href='#x'/><a href=/y>in</a></svg><span>o</span>",
        "<table><tr><td>go<td>no</table><ul><li>go<li>no</ul>",
    ],
)
def test_what_closes_itself_may_come_as_often_as_it_likes(html: str) -> None:
    page, one = read(html * 4_500), read(html)
    assert bounded((html * 4_500).encode()) == (html * 4_500).encode()
    assert words(page.text) == words(one.text) * 4_500


def test_bounds_leave_ordinary_pages_alone() -> None:
    html = ("<html><body>" + "<div><p><b>word</b><br><img></div>" * 5_000).encode()
    assert bounded(html) is html or read(html) == read(bounded(html))
    assert bounded(b"<p>small") == b"<p>small"


def test_bounds_cut_depth_and_keep_the_text() -> None:
    html = b"<div>" * 10 * DEPTH + b"text <a href=x>link</a>" + b"</div>" * 10 * DEPTH + b"after"
    cut = bounded(html)
    assert cut.count(b"<div>") == DEPTH
    assert [read(cut).text, len(read(cut).links)] == ["text link after", 1]


def test_the_language_survives_the_bounds() -> None:
    """The first ``<html`` of many a page stands in a comment for old browsers."""
    head = "<!doctype html><!--[if IE 8]><html class=ie8><![endif]--><!--[if gt IE 8]><!--><html lang=pt>"
    assert read(head + "<body>" + "<br>" * 3_000).language == "pt"
