"""Pages as other parsers read them: the features of our parser, found in their trees in the plain way.

What is compared is the parser, the charset and the walk over the tree; URLs, language and the words of a
window are left to the functions that ``parse`` uses too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import lxml.html
from bs4 import BeautifulSoup
from bs4.element import NavigableString, PreformattedString, Tag
from lxml import etree

from focuslab.pages.directives import in_meta
from focuslab.pages.parse import CONTEXT_WORDS, VIDEO_HOSTS, refreshed
from focuslab.pages.text import language, windows
from focuslab.pages.urls import canonical, registered_domain
from focuslab.types import Link, Page, Response

INLINE = """
    a abbr acronym area b base bdi bdo big blink cite code data del dfn em embed font i img ins kbd label
    map mark math nobr noembed noframes noscript path picture q rp rt ruby s samp script slot small span
    strike strong style sub sup svg template time title tt u var wbr
    """
HIDDEN = "iframe noembed noframes noscript script style template title"
INLINE_TAGS, HIDDEN_TAGS = frozenset(INLINE.split()), frozenset(HIDDEN.split())
NOT_SPACE = re.compile(r"\S+")
Event = tuple[str, str, Any]
"""("text", "", string), ("start", tag name, attributes) or ("end", tag name, None)."""


def soup_page(response: Response, parser: str = "html.parser", text: str = "", **options: Any) -> Page:
    """The page as BeautifulSoup reads it from the bytes, or from ``text`` where that is given."""
    declared = re.search(r"charset=[\"']?([\w-]+)", response.content_type)
    if not text and declared:
        options["from_encoding"] = declared[1]
    soup = BeautifulSoup(text or response.body, parser, **options)
    html = soup.find("html")
    return Reading(soup_events(soup)).page(response.url, str(html.get("lang") or "") if html else "")


def lxml_page(response: Response) -> Page:
    """The page as lxml.html reads it from the bytes; an empty one where it finds no document."""
    try:
        root = lxml.html.document_fromstring(response.body)
    except etree.ParserError:
        return Page(response.url)
    return Reading(lxml_events(root)).page(response.url, root.get("lang") or "")


def soup_events(soup: Tag) -> Iterator[Event]:
    stack: list[Any] = list(reversed(soup.contents))
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            if isinstance(node, NavigableString):
                if not isinstance(node, PreformattedString):  # comments, doctypes and the like
                    yield "text", "", node
            else:
                yield "end", node, None
            continue
        yield "start", node.name, node.attrs
        stack.append(node.name)
        if node.name not in HIDDEN_TAGS or node.name == "title":
            stack.extend(reversed(node.contents))


def lxml_events(root: Any) -> Iterator[Event]:
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, node in walk:
        if event == "start":
            yield "start", node.tag, node.attrib
            if node.tag in HIDDEN_TAGS and node.tag != "title":
                walk.skip_subtree()
            elif node.text:
                yield "text", "", node.text
            continue
        if event == "end":
            yield "end", node.tag, None
        if node.tail and node is not root:
            yield "text", "", node.tail


class Reading:
    """What the events of a tree amount to."""

    def __init__(self, events: Iterator[Event]) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.anchors: list[list[Any]] = []
        self.frames: list[int] = []
        self.title: str | None = None
        self.base = ""
        self.images = self.multimedia = 0
        self.directives: set[str] = set()
        self._objects = self._drawings = 0
        self._open: list[int] = []
        self._in_title: list[str] | None = None
        for kind, name, value in events:
            if kind == "text":
                self._text(value)
            elif kind == "start":
                self._start(name, value)
            else:
                self._end(name)

    def _text(self, text: str) -> None:
        if self._in_title is not None:
            self._in_title.append(text)
        else:
            self.parts.append(text)
            self.length += len(text)

    def _start(self, name: str, attributes: Any) -> None:
        if name not in INLINE_TAGS:
            self._text(" ")
        if name in ("a", "area"):
            href = attributes.get("href") or attributes.get("xlink:href") or ""
            self._open.append(self._begin(str(href), attributes.get("rel") or ""))
        elif name in ("svg", "math"):
            self._drawings += 1
        elif name == "img":
            self.images += 1
        elif name == "title":
            self._in_title = []
        elif name == "meta":
            said = {key: str(attributes.get(key) or "") for key in ("name", "content", "http-equiv")}
            self.directives |= in_meta(said["name"], said["content"])
            if said["http-equiv"].strip().lower() == "refresh":
                self._begin(refreshed(said["content"]), embedded=True)
        elif name == "base":
            self.base = self.base or ("" if self._drawings else (attributes.get("href") or "").strip())
        elif name in ("iframe", "frame"):
            self.frames.append(self._begin(str(attributes.get("src") or ""), embedded=True))
        elif name in ("video", "object", "embed"):
            self.multimedia += name == "video" or not self._objects
            self._objects += name == "object"

    def _begin(self, href: str, rel: str | list[str] = "", embedded: bool = False) -> int:
        href = href.strip()
        if not href or href[0] == "#":
            return -1
        said = rel.split() if isinstance(rel, str) else rel
        nofollow = "nofollow" in [word.lower() for word in said]
        self.anchors.append([href, self.length, self.length, nofollow, embedded])
        return len(self.anchors) - 1

    def _end(self, name: str) -> None:
        if name in ("a", "area"):
            anchor = self._open.pop()
            if anchor >= 0:
                self.anchors[anchor][2] = self.length
        elif name == "title" and self._in_title is not None:
            self.title = self.title or ("" if self._drawings else " ".join("".join(self._in_title).split()))
            self._in_title = None
        elif name == "object":
            self._objects -= 1
        elif name in ("svg", "math"):
            self._drawings -= 1
        if name not in INLINE_TAGS:
            self._text(" ")

    def page(self, url: str, lang: str) -> Page:
        address = canonical(url)
        base = canonical(self.base, address) or address
        text, places = collapsed("".join(self.parts), self.anchors)
        contexts = windows(text, [a for a, _ in places], [b for _, b in places], CONTEXT_WORDS)
        targets = [canonical(anchor[0], base) for anchor in self.anchors]
        videos = {n for n in self.frames if n >= 0 and registered_domain(targets[n]) in VIDEO_HOSTS}
        links = [
            Link(target, text[start:end].strip(), context, address, *self.anchors[number][3:])
            for number, (target, (start, end), context) in enumerate(
                zip(targets, places, contexts, strict=True)
            )
            if target and number not in videos
        ]
        return Page(
            address,
            self.title or "",
            text,
            tuple(links),
            self.images,
            self.multimedia + len(videos),
            language(text, lang),
            frozenset(self.directives),
        )


def collapsed(raw: str, anchors: list[list[Any]]) -> tuple[str, list[tuple[int, int]]]:
    """The text with runs of whitespace as one space, and where the anchors lie in it."""
    tokens = list(NOT_SPACE.finditer(raw))
    ends = [token.end() for token in tokens]
    after = [0]
    for token in tokens:  # length of the collapsed text after each token
        after.append(after[-1] + (after[-1] > 0) + len(token[0]))

    def place(offset: int) -> int:
        token = bisect_left(ends, offset)  # the first that ends there or later
        inside = offset - tokens[token].start() if token < len(tokens) else 0
        return after[token] if inside <= 0 else after[token] + (after[token] > 0) + inside

    text = " ".join(token[0] for token in tokens)
    return text, [(place(start), place(end)) for _, start, end, *_ in anchors]
