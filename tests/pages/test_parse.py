"""Pages from bytes: small pages by hand, any bytes whatever, and real pages beside BeautifulSoup."""

from __future__ import annotations

import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from focuslab.pages.parse import parse
from focuslab.pages.urls import canonical
from focuslab.types import Link, Page, Response

URL = "http://a.example/dir/page.html"


def read(html: str | bytes, content_type: str = "text/html; charset=utf-8", url: str = URL) -> Page:
    return parse(Response(url, 200, html if isinstance(html, bytes) else html.encode(), content_type))


def test_a_whole_page() -> None:
    page = read(
        """<!doctype html><html lang="en-GB"><head><title> A
        small   page </title><style>p {}</style><script>var x = "<a href=no>";</script></head>
        <body><h1>Heading</h1><p>See <a href="../y?q=1#z">the <b>other</b> page</a>, or
        <a href="http://B.example">B</a>.<img src=1><img></p><!-- <a href=comment> --></body></html>"""
    )
    assert page.url == URL
    assert page.title == "A small page"
    assert page.text == "Heading See the other page, or B."
    context = "Heading See the other page, or B"
    assert page.links == (
        Link("http://a.example/y?q=1", "the other page", context, URL),
        Link("http://b.example/", "B", context, URL),
    )
    assert (page.images, page.multimedia, page.language) == (2, 0, "en")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one</p><p>two</p>", "one two"),
        ("one<br>two<hr>three", "one two three"),
        ("<b>W</b>ord", "Word"),
        ("<table><tr><td>1<td>2</table>", "1 2"),
        ("<ul><li>a<li>b</ul>", "a b"),
        ("a<script>b</script>c<style>d</style>e", "ace"),
        ("a<noscript>b</noscript><template>c</template>d", "ad"),
        ("a<iframe>b</iframe>c", "a c"),
        ("a<!-- b -->c", "ac"),
        ("a&nbsp;&nbsp;b &amp; c &lt;d&gt; &eacute", "a b & c <d> é"),
        ("a<x-new>b</x-new>c", "a b c"),
        ("<textarea>a <b>c</b></textarea>", "a <b>c</b>"),
        ("<svg><title>no</title><text>yes</text></svg>", "yes"),
        ("\ufeffa\u3000b", "a b"),
        ("<frameset><noframes>a</noframes></frameset>", ""),
        ("", ""),
    ],
)
def test_visible_text(html: str, text: str) -> None:
    assert read(html).text == text


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>a &amp; b</title>", "a & b"),
        ("<title>a<br>b</title>", "a<br>b"),  # tags in a title are text
        ("<title></title><title>second</title>", "second"),
        ("<title>first</title><title>second</title>", "first"),
        ("<body><p>x<title>late</title>", "late"),
        ("<body><svg><title>drawing</title></svg>", ""),
        ("<p>x", ""),
        ("<title>never closed", "never closed"),
    ],
)
def test_title(html: str, title: str) -> None:
    assert read(html).title == title


@pytest.mark.parametrize(
    ("html", "urls"),
    [
        ("<a href=x>1</a><a href=x>2</a>", ["http://a.example/dir/x"] * 2),  # repeats stay
        ("<a href=page.html>self</a>", [URL]),
        ("<a href='#part'>part</a><a href=''>empty</a><a name=n>none</a>", []),
        ("<a href=mailto:x@a.example>m</a><a href='javascript:x()'>j</a><a href=ftp://a.example/>f</a>", []),
        ("<map><area href=/area></map>", ["http://a.example/area"]),
        ("<link href=/style.css><form action=/form></form>", []),
        ("<base href=/base/><a href=x>1</a>", ["http://a.example/base/x"]),
        ("<a href=x>1</a><base href=http://b.example/>", ["http://b.example/x"]),
        ("<base href=mailto:x><a href=x>1</a>", ["http://a.example/dir/x"]),
        ("<noscript><a href=n>n</a></noscript><template><a href=t>t</a></template>", []),
        ("<a href='?a=1&amp;b=2&sectionId=3'>1</a>", [URL + "?a=1&b=2&sectionId=3"]),
        ("<a HREF = \n'x y'>1</a>", ["http://a.example/dir/x%20y"]),
        ("<a href=x href=y>1</a>", ["http://a.example/dir/x"]),
        ("<a href=x><p>1</a><p>2", ["http://a.example/dir/x"] * 2),  # opened again inside the paragraph
        ("<a href=http://[bad>1</a>", []),
        (
            "<a href=x></a><frameset><frame src=y></frameset>",
            ["http://a.example/dir/y"],
        ),  # instead of the body
        ("<iframe src=/inside></iframe>", ["http://a.example/inside"]),
        ("<iframe src=https://www.youtube.com/embed/1></iframe>", []),  # a player is media
        ("<meta http-equiv=Refresh content=\"0; URL='/next'\">", ["http://a.example/next"]),
        ("<meta http-equiv=refresh content='5;/next'>", ["http://a.example/next"]),
        ("<meta http-equiv=refresh content=5><meta name=refresh content='5;/x'>", []),
        (
            "<svg><a xlink:href=/drawn>1</a><base href=http://b.example/></svg><a href=x>",
            ["http://a.example/drawn", "http://a.example/dir/x"],
        ),
    ],
)
def test_links(html: str, urls: list[str]) -> None:
    assert [link.url for link in read(html).links] == urls


def test_out_has_each_other_page_once() -> None:
    page = read("<a href=x>1</a><a href=page.html>self</a><a href=y>2</a><a href=x#z>3</a>")
    assert [link.anchor for link in page.out] == ["1", "2"]


@pytest.mark.parametrize(
    ("html", "anchor"),
    [
        ("<a href=x> two\n words </a>", "two words"),
        ("<a href=x><img alt=alt></a>", ""),
        ("<a href=x>a<br>b</a>", "a b"),
        ("<a href=x>a<script>no</script></a>", "a"),
        ("before<a href=x>in</a>after", "in"),
        ("<a href=x>never closed", "never closed"),
    ],
)
def test_anchors(html: str, anchor: str) -> None:
    assert read(html).links[0].anchor == anchor


def sentence(first: int, last: int) -> str:
    return " ".join(f"w{i}" for i in range(first, last + 1))


@pytest.mark.parametrize(
    ("before", "anchor", "after", "left", "right"),
    [
        (49, 1, 49, 10, 9),
        (49, 2, 49, 9, 9),
        (49, 5, 49, 8, 7),
        (49, 19, 49, 1, 0),
        (49, 20, 49, 0, 0),
        (3, 1, 49, 3, 9),  # nothing is filled up
        (49, 1, 2, 10, 2),
        (0, 1, 0, 0, 0),
    ],
)
def test_the_context_is_twenty_words(before: int, anchor: int, after: int, left: int, right: int) -> None:
    """Words left and right of the anchor, which counts too; the odd one is at the left."""
    inside = sentence(before, before + anchor - 1)
    outside = sentence(0, before - 1), sentence(before + anchor, before + anchor + after - 1)
    (link,) = read(f"<p>{outside[0]} <a href=x>{inside}</a> {outside[1]}").links
    assert link.anchor == inside
    assert link.context == sentence(before - left, before + anchor - 1 + right)


def test_an_anchor_of_more_than_twenty_words_keeps_its_first() -> None:
    (link,) = read(f"<p>before <a href=x>{sentence(0, 29)}</a> after").links
    assert link.context == sentence(0, 19)
    assert link.anchor == sentence(0, 29)


def test_a_linked_picture_has_the_words_around_it() -> None:
    (link,) = read(f"<p>{sentence(0, 19)} <a href=x><img></a> {sentence(20, 39)}").links
    assert link.context == sentence(10, 29)


@pytest.mark.parametrize(
    ("html", "images", "multimedia"),
    [
        ("<img><img src=x><image src=y>", 3, 0),
        ("<picture><source><img></picture>", 1, 0),
        ("<noscript><img></noscript>", 0, 0),
        ("<video><source><a href=x>y</a></video>", 0, 1),
        ("<embed src=x>", 0, 1),
        ("<object><object></object><embed></object><embed>", 0, 2),  # one with its fallbacks, and one
        ("<iframe src=//www.youtube.com/embed/x></iframe>", 0, 1),
        ("<iframe src=https://player.vimeo.com/video/1></iframe>", 0, 1),
        ("<iframe src=https://ads.example/></iframe><iframe></iframe>", 0, 0),
        ("<audio src=x></audio>", 0, 0),
    ],
)
def test_images_and_multimedia(html: str, images: int, multimedia: int) -> None:
    page = read(html)
    assert (page.images, page.multimedia) == (images, multimedia)


@pytest.mark.parametrize(
    "kind", ["image/png", "application/pdf", "application/json", "video/mp4", "nonsense"]
)
def test_what_is_not_text_is_an_empty_page(kind: str) -> None:
    assert read("<title>x</title><p>y", kind) == Page(URL)


@pytest.mark.parametrize(
    "kind", ["", "text/html", "TEXT/HTML ; charset=utf-8", "application/xhtml+xml", "text/xml"]
)
def test_what_may_be_a_page_is_read(kind: str) -> None:
    assert read("<title>x</title><p>y", kind).title == "x"


def test_plain_text_has_no_tags() -> None:
    page = read("<a href=x>\n  one</a>", "text/plain")
    assert (page.text, page.links, page.title) == ("<a href=x> one</a>", (), "")


def test_the_address_is_canonical() -> None:
    assert read("x", url="HTTP://A.example").url == "http://a.example/"
    assert read("<a href=http://b.example/>b</a>", url="not an address").links[0].url == "http://b.example/"


def test_only_elements_of_html_are_named() -> None:
    """Lexbor numbers the others by the address of their names, which differs from tree to tree."""
    kinds = importlib.import_module("focuslab.pages.parse")._KIND_OF
    assert max(kinds) < 1_000


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("shift_jis", "野球の試合"),
        ("euc-jp", "野球の試合"),
        ("gbk", "篮球比赛"),
        ("big5", "籃球比賽"),
        ("cp1252", "Größe"),
    ],
)
def test_charsets_reach_the_page(charset: str, text: str) -> None:
    page = read(
        f"<meta charset={charset}><title>{text}</title><a href=x>{text}</a>".encode(charset), "text/html"
    )
    assert (page.title, page.text, page.links[0].anchor) == (text, text, text)


TAGS = (
    "a area b p div table tr td ul li script style title svg math template select option body html head base"
)
PIECES = st.sampled_from(
    [f"<{tag}>" for tag in TAGS.split()]
    + [f"</{tag}>" for tag in TAGS.split()]
    + [
        "<a href=x>",
        "<a href='",
        "<area href=y>",
        "<base href=/z/>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "<",
    ]
    + [
        "<frameset>",
        "<noscript>",
        "<plaintext>",
        "<iframe src=//youtu.be/>",
        "<object>",
        "</object>",
        "<image>",
    ]
    + ["&", "&#0;", "&#xd800;", "&amp", "\0", "\r", " ", "word", "野球", "\ufeff", "\x1b$B", "\ud83d\ude00"]
)
TAG_SOUP = st.lists(PIECES, max_size=40).map(lambda pieces: "".join(pieces).encode("utf-8", "surrogatepass"))
KINDS = st.sampled_from(
    ["", "text/html", "text/html; charset=shift_jis", "text/plain", "text/html; charset=utf-16"]
)


@given(TAG_SOUP | st.binary(max_size=400), KINDS | st.text(max_size=30), st.just(URL) | st.text(max_size=20))
def test_any_bytes_give_a_page(body: bytes, content_type: str, url: str) -> None:
    page = parse(Response(url, 200, body, content_type))
    assert page == parse(Response(url, 200, body, content_type))
    for text in (page.title, page.text, *(link.anchor for link in page.links)):
        assert text == " ".join(text.split())
    for link in page.links:
        assert link.url.startswith(("http://", "https://"))
        assert link.anchor in page.text
        assert link.context in page.text


@given(TAG_SOUP.filter(lambda body: b"<svg>" not in body))  # titles of drawings may hold elements
def test_the_walk_misses_nothing_that_selectors_find(body: bytes) -> None:
    page, tree = read(body), LexborHTMLParser(body.decode("utf-8", "replace"), scripting=True)
    hrefs = [(node.attributes["href"] or "").strip() for node in tree.css("a[href], area[href]")]
    assert page.images == len(tree.css("img"))
    assert len(page.links) == sum(href[:1] not in ("", "#") and canonical(href, URL) != "" for href in hrefs)


def urls(page: Page) -> list[str]:
    return [link.url for link in page.links]


def test_the_title_of_a_drawing_is_not_the_page() -> None:
    html = "<svg><g><linearGradient><title>arrow</title></linearGradient></g></svg><title>page</title>text"
    assert read(html).title == "page"


@pytest.mark.parametrize(
    ("rel", "nofollow"),
    [("", False), (" rel=nofollow", True), (" rel='UGC NoFollow'", True), (" rel=me", False)],
)
def test_links_that_are_not_to_be_followed_say_so(rel: str, nofollow: bool) -> None:
    (link,) = read(f"<a href=x{rel}>1</a>").links
    assert link.nofollow is nofollow


def test_xhtml_ends_elements_where_they_begin() -> None:
    html = "<html><head><script src='x'/><title>page</title></head><body><a href='y'/>text<br/></body></html>"
    page = read(html, "application/xhtml+xml")
    assert (page.title, page.text, page.links[0].anchor) == ("page", "text", "")
    assert read(html).text == ""  # as HTML all of it is a script


def test_a_query_is_in_the_charset_of_the_page() -> None:
    html = "<p>野球<a href='?q=表'>1</a>".encode("shift_jis")
    assert read(html, "text/html; charset=Shift_JIS").links[0].url == f"{URL}?q=%95\\"
