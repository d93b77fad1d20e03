"""One spelling per page: the rules one by one, and properties that hold for any string."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from focuslab.pages.urls import MAX_LENGTH, canonical, host, registered_domain, tokens

BASE = "http://www.example.com/a/b/page.html?q=1"
PLAIN_PIECES = (
    "http: https: HTTP: mailto: // / \\ .. . %2e ? # : @ [ ] % %41 a B é 日本 example .com 80 :80 :443"
)
PIECES = st.sampled_from([*PLAIN_PIECES.split(), " ", "\t", "\n", "\0", "\ud800"])
MESSY = st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=60)
"""Strings that are nearly URLs, and strings that are not."""

NAMES = st.from_regex(r"[a-z][a-wyz0-9-]{0,8}", fullmatch=True)  # no numbers: they are addresses; no xn--
SEGMENTS = st.from_regex(r"[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,8}", fullmatch=True)
QUERIES = st.just("") | st.from_regex(r"\?[a-z0-9=&]{1,12}", fullmatch=True)
HOSTS = st.lists(NAMES, min_size=2, max_size=4).map(".".join)


@st.composite
def clean_urls(draw: st.DrawFn) -> str:
    path = "/".join(draw(st.lists(SEGMENTS, max_size=4)))
    return f"{draw(st.sampled_from(['http', 'https']))}://{draw(HOSTS)}/{path}{draw(QUERIES)}"


@st.composite
def references(draw: st.DrawFn) -> str:
    parts = draw(st.lists(SEGMENTS | st.sampled_from([".", ".."]), min_size=1, max_size=5))
    return (
        draw(st.sampled_from(["", "/"])) + "/".join(parts) + draw(st.sampled_from(["", "/"])) + draw(QUERIES)
    )


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://WWW.Example.COM/Path", "http://www.example.com/Path"),  # scheme and host, never the path
        ("http://example.com", "http://example.com/"),
        ("http://example.com?q=1", "http://example.com/?q=1"),
        ("http://example.com/#top", "http://example.com/"),
        ("http://example.com/a#b?c", "http://example.com/a"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://example.com:80/", "https://example.com:80/"),
        ("http://example.com:/", "http://example.com/"),
        ("http://example.com:08080/", "http://example.com:8080/"),
        ("http://example.com/a/./b/../c", "http://example.com/a/c"),
        ("http://example.com/../../a", "http://example.com/a"),
        ("http://example.com/a/..", "http://example.com/"),
        ("http://example.com/a/%2E%2e/b", "http://example.com/b"),
        ("http://example.com/?b=2&a=1", "http://example.com/?b=2&a=1"),  # the query keeps its order
        ("http://example.com/a/", "http://example.com/a/"),  # and the slash stays
        ("http://me:secret@example.com/", "http://example.com/"),
        ("http://例え.jp/", "http://xn--r8jz45g.jp/"),
        ("http://example.com/a b", "http://example.com/a%20b"),
        ("http://example.com/caf\u00e9?\u00e9", "http://example.com/caf%C3%A9?%C3%A9"),
        ("http://example.com/%7Eme", "http://example.com/%7Eme"),
        ("  http://exam\nple.com/\t", "http://example.com/"),
        ("http:\\\\example.com\\a", "http://example.com/a"),
        ("http://[2001:db8::1]:8080/", "http://[2001:db8::1]:8080/"),
    ],
)
def test_one_spelling(url: str, expected: str) -> None:
    assert canonical(url) == expected


NO_PAGES = (
    "page.html // #top http:// http:/// mailto:a@b.example javascript:void(0) ftp://a.example/"
    " data:text/html,x http://example.com:99999/ http://example.com:x/"
)
LONG = ("http://" + 64 * "a" + ".example/", "http://example.com/" + MAX_LENGTH * "a")


@pytest.mark.parametrize("url", ["", "http://a b.example/", *NO_PAGES.split(), *LONG])
def test_no_spelling(url: str) -> None:
    assert canonical(url) == ""


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("next.html", "http://www.example.com/a/b/next.html"),
        ("../c/", "http://www.example.com/a/c/"),
        ("../../../up", "http://www.example.com/up"),
        ("/root", "http://www.example.com/root"),
        ("//other.example/x", "http://other.example/x"),
        ("?q=2", "http://www.example.com/a/b/page.html?q=2"),
        ("", BASE),
        ("#part", BASE),
        (
            "http:next.html",
            "http://www.example.com/a/b/next.html",
        ),  # an old spelling that browsers still read
        ("https://www.example.com", "https://www.example.com/"),
        ("a:b", ""),
        ("./a:b", "http://www.example.com/a/b/a:b"),
    ],
)
def test_references(reference: str, expected: str) -> None:
    assert canonical(reference, BASE) == expected


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("http:/foo", "http://www.example.com/foo"),
        ("https:/foo", "https://foo/"),
        ("///other.example//x", "http://other.example//x"),
        ("http://☃.net/", "http://xn--n3h.net/"),
        ("http://faß.example/", "http://xn--fa-hia.example/"),
        ("http://ΦΩΣ.example/", "http://xn--4xafj.example/"),
        ("http://φως.example/", "http://xn--3xahj.example/"),
        ("http://０Ｘｃ０．０２５０．０１/", "http://192.168.0.1/"),
        ("http://0300.168.0xF0/", "http://192.168.0.240/"),
        ("http://192.0x00A80001", "http://192.168.0.1/"),
        ("http://%30%78%63%30%2e%30%32%35%30.01", "http://192.168.0.1/"),
        ("http://256.256.256.256/", ""),
        ("http://1.2.3.4.5/", ""),
        ("http://[1::1::1]/", ""),
        ("http://[:]/?a=1", ""),
        ("http://[::1%25eth0]/", ""),
        ("http://[0:0:0:0:0:0:13.1.68.3]/", "http://[::d01:4403]/"),
        ("http://[::ffff:7f00:1]/", "http://[::ffff:7f00:1]/"),
        ("http://a.example:0/", "http://a.example:0/"),
        ("http://a:b@c:d@e.example/", "http://e.example/"),
        ("http://a.example\\@b.example/", "http://a.example/@b.example/"),
        ("page?q=a'b", "http://www.example.com/a/b/page?q=a%27b"),
        ("a^b", "http://www.example.com/a/b/a%5Eb"),
        ("\ud800", "http://www.example.com/a/b/%EF%BF%BD"),
        ("http://$.example/", ""),  # browsers take it, but no name server can
        ("http://a..example/", ""),
    ],
)
def test_odd_spellings_as_browsers_read_them(reference: str, expected: str) -> None:
    assert canonical(reference, BASE) == expected


@pytest.mark.parametrize(
    ("charset", "query"),
    [
        ("", "%E8%A1%A8&x"),
        ("utf-8", "%E8%A1%A8&x"),
        ("cp932", "%95\\&x"),
        ("euc_jp", "%C9%BD&x"),
        ("cp1252", "%26%2334920%3B&x"),
    ],
)
def test_a_query_is_sent_in_the_charset_of_its_page(charset: str, query: str) -> None:
    assert canonical("表?表&x", "http://a.example/", charset) == f"http://a.example/%E8%A1%A8?{query}"


def test_the_published_checksum_depends_on_the_final_slash() -> None:
    address = canonical("HTTP://www.scu.edu.cn")
    assert hashlib.md5(address.encode()).hexdigest() == "355bd40a1cffbb871d1fce0048a19972"


@given(MESSY, MESSY | st.just(BASE))
@example("//\\", "http://a.example/")
def test_any_string_gives_one_spelling_or_none(url: str, base: str) -> None:
    found = canonical(url, base)
    assert found == "" or re.fullmatch(r"https?://[a-z0-9_.:\[\]-]+/[!-~]*", found)
    assert "#" not in found
    assert len(found) <= MAX_LENGTH
    assert canonical(found) == found
    assert not found or canonical(found, base) == found


@given(MESSY)
def test_any_string_has_host_domain_and_tokens(url: str) -> None:
    assert host(url) == host(canonical(url))
    assert host(url).endswith(registered_domain(host(url)))
    registered_domain(url)
    assert all(token == token.lower() and token for token in tokens(url))


@given(clean_urls())
def test_clean_urls_stay_as_they_are(url: str) -> None:
    assert canonical(url) == url
    assert canonical(url.replace("http", "HTTP", 1) + "#part") == url
    assert host(url) == urlsplit(url).hostname


@given(clean_urls(), references() | clean_urls())
def test_references_resolve_as_the_standard_library_has_it(base: str, reference: str) -> None:
    assert canonical(reference, base) == urljoin(base, reference)


@given(clean_urls(), references())
def test_the_careful_way_agrees_with_the_quick_one(base: str, reference: str) -> None:
    """A tab is ignored in URLs, but keeps one off the path for clean ones."""
    assert canonical("\t" + reference, base) == canonical(reference, base)
    assert canonical("\t" + base) == canonical(base)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.bbc.co.uk/news", "bbc.co.uk"),
        ("http://a.b.c.example.com/", "example.com"),
        ("WWW.Example.COM", "example.com"),
        ("http://me.blogspot.com/", "blogspot.com"),
        ("http://192.0.2.7/x", "192.0.2.7"),
        ("http://[2001:db8::1]/", "[2001:db8::1]"),
        ("news.host.example", "host.example"),
        ("http://localhost:8000/", "localhost"),
        ("co.uk", "co.uk"),
        ("", ""),
    ],
)
def test_registered_domain(url: str, expected: str) -> None:
    assert registered_domain(url) == expected


def test_host_is_without_port_and_user() -> None:
    assert host("https://me@News.Example.com:8443/x") == "news.example.com"
    assert host("mailto:a@b.example") == host("") == ""


def test_tokens_are_decoded() -> None:
    assert tokens("http://a.example/%E9%87%8E%E7%90%83-Game_2") == [
        "http",
        "a",
        "example",
        "野球",
        "game",
        "2",
    ]
