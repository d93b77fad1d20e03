"""Where a page read by BeautifulSoup differs from the one `focuslab.pages.parse` gives, and why.

A cause is found by removing it: if BeautifulSoup agrees once the page is rewritten the way the HTML standard
reads it, what was rewritten is the cause.
"""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from collections.abc import Callable
from html.entities import html5
from typing import Any

from focuslab.pages.charset import decode
from focuslab.pages.parse import parse
from focuslab.pages.soup import soup_page
from focuslab.pages.text import words
from focuslab.types import Page, Response

UNEXPLAINED = "unexplained"
HAS_HTML5LIB = importlib.util.find_spec("html5lib") is not None

_NAMES = sorted((name for name in html5 if not name.endswith(";")), key=len, reverse=True)
_ENTITY = re.compile(rf"&(#\d+|#[xX][0-9a-fA-F]+|{'|'.join(_NAMES)})(?!;)")
_NO_ENTITY = re.compile(rf"&(?=(?:{'|'.join(_NAMES)})[=\w])")
_TAG = re.compile(r"(<[a-zA-Z/][^<>]*>)")
_ONLY_TEXT = re.compile(r"(<(title|textarea)\b[^>]*>)(.*?)(</\2\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))|<!(?!doctype)[^>]*>|<\?[^>]*>|</[^a-z][^>]*>", re.I | re.S
)
_UNREAD = re.compile(
    r"<(script|style|noscript|noframes|noembed|iframe|template)\b.*?(?:</\1[\s/>]|\Z)", re.I | re.S
)


def features(page: Page) -> dict[str, Any]:
    """What is compared."""
    return {
        "title": page.title,
        "links": [link.url for link in page.links],
        "images": page.images,
        "words": frozenset(words(page.text, page.language)),
    }


def entities(html: str) -> str:
    """``&ouml`` is a character without its semicolon too."""
    pieces = _TAG.split(html)  # text and tags in turns
    pieces[::2] = [_ENTITY.sub(r"&\1;", text) for text in pieces[::2]]
    return "".join(pieces)


def addresses(html: str) -> str:
    """``&sectionId=`` in an address has nothing to do with ``&sect``."""
    pieces = _TAG.split(html)
    pieces[1::2] = [_NO_ENTITY.sub("&amp;", tag) for tag in pieces[1::2]]
    return "".join(pieces)


def only_text(html: str) -> str:
    """In titles and text areas tags are text."""
    return _ONLY_TEXT.sub(lambda found: found[1] + found[3].replace("<", "&lt;") + f"</{found[2]}>", html)


def image(html: str) -> str:
    """``<image>`` is an ``<img>``."""
    return re.sub(r"<image\b", "<img", html, flags=re.IGNORECASE)


def comments(html: str) -> str:
    """``<!-->``, ``--!>``, ``<![endif]-->`` and ``<?`` begin or end comments."""
    return _COMMENT.sub("", html)


def unread(html: str) -> str:
    """Scripts and their like end at their end tag, whatever is in them."""
    return _UNREAD.sub("", html)


REWRITES: dict[str, Callable[[str], str]] = {
    "an entity without its semicolon": entities,
    "what looks like an entity in an address": addresses,
    "tags in a title or text area are text": only_text,
    "<image> is an <img>": image,
    "comments of unusual shape": comments,
    "scripts and the like, unclosed or with tags in them": unread,
}


def differences(response: Response) -> dict[str, str]:
    """Each feature that BeautifulSoup's html.parser sees otherwise, and the cause."""
    ours, theirs = features(parse(response)), features(soup_page(response))
    differing = {name for name in ours if ours[name] != theirs[name]}
    causes: dict[str, str] = {}
    for cause, read in _readings(response) if differing else ():
        if left := differing - causes.keys():
            theirs = features(read())
            causes |= {name: cause for name in left if _agree(name, cause, ours[name], theirs[name])}
    return {name: causes.get(name, UNEXPLAINED) for name in ours if name in differing}


def _agree(name: str, cause: str, ours: Any, theirs: Any) -> bool:
    if cause == REPEATS and name == "links":
        return set(ours) == set(theirs) and not Counter(theirs) - Counter(ours)
    return bool(ours == theirs)


REPEATS = "a link left open is opened again in the next block (repeats only)"


def _readings(response: Response) -> list[tuple[str, Callable[[], Page]]]:
    """Causes, from the particular to the general, and the page without each."""
    if response.content_type.startswith("text/plain"):
        return [("the server says it is plain text", lambda: parse(response))]
    html = decode(response.body, response.content_type)

    def reading(text: str, parser: str = "html.parser", **options: Any) -> Callable[[], Page]:
        return lambda: soup_page(response, parser, text, **options)

    readings = [("BeautifulSoup takes another charset", reading(html))]
    readings += [(cause, reading(rewrite(html))) for cause, rewrite in REWRITES.items()]
    readings += [("an attribute given twice", reading(html, on_duplicate_attribute="ignore"))]
    readings += [(REPEATS, reading(html))]
    mended = html
    for rewrite in REWRITES.values():
        mended = rewrite(mended)
    readings += [("several of these", reading(mended, on_duplicate_attribute="ignore"))]
    readings += [("tags that close or hold others by the rules, as lxml has it", reading(html, "lxml"))]
    if HAS_HTML5LIB:
        readings += [
            ("tags that close or hold others by the rules, as html5lib has it", reading(html, "html5lib"))
        ]
    return readings
