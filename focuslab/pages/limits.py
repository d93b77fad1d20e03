"""Bounds on tags, nesting and attributes, so that a hostile page costs no more than its size.

An HTML parser may take time, and build a tree, in the square of the length of a page: a thousand open
``<font>`` are opened again in each of a thousand paragraphs, and each attribute of a tag is compared with
all before it. Browsers stop at a depth of some 500; so do we.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
from numpy.typing import NDArray

__all__ = ["bounded"]

DEPTH = 512
FORMATTING_DEPTH = 16
SUSPECT = 2_000_000
"""Tags times unclosed tags, a bound on the tree's size, up to which a page is left as it is."""
MANY = 20_000
"""Tags from which they are matched by their names: ``<b></i>`` leaves more open than its count tells."""
ATTRIBUTES = 1_000
TAGS = 120_000
"""Most tags of a page that are read, which take about a second (our choice)."""
LONG_TAG = 8_192
"""Bytes that one tag may have before its attributes are counted."""

_ANY_TAG = re.compile(rb"</?[a-zA-Z][^>]*+>?+")
_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*+)(?=([^<>]*+(?<=/)>)?)")
_FORMATTING = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
_CLOSE_THEMSELVES = frozenset(
    b"a area base br col colgroup dd dt embed form head hr img input li link meta option optgroup p param"
    b" rp rt script source style tbody td tfoot th thead title tr track wbr".split()
)
_IN_RUBY = frozenset((b"rt", b"rp"))


def _pattern(skipping: bytes) -> re.Pattern[bytes]:
    """Tags from end to end, each read once, so that all take linear time; those too long in two groups."""
    value = rb"""(?:\s*+=\s*+(?:"[^"]*+"?+|'[^']*+'?+|(?!["'])[^\s>]*+))?+"""
    attribute = rb"""[\s/]*+[^>\s/][^\s/>=]*+""" + value
    tag, some, more = (
        rb"<[a-zA-Z][^\s/>]*+",
        rb"(?:%b){%d}" % (attribute, ATTRIBUTES),
        rb"(?:%b)++" % attribute,
    )
    return re.compile(
        skipping + rb"(%b%b)(%b)|%b(?:%b)?+" % (tag, some, more, tag, more), re.DOTALL | re.IGNORECASE
    )


_RAW = rb"script|style|textarea|title|xmp|iframe|noembed|noframes|noscript"
# What is a comment or a script is not always certain, so tags are looked for outside of them and anywhere.
_TAGS = (
    _pattern(rb"<!--.*?(?:--!?>|\Z)|<(?:%b)[\s/>].*?(?:</(?:%b)|\Z)|" % (_RAW, _RAW)),
    _pattern(b""),
)
_QUOTED_END = re.compile(rb"""=\s*+(?:"[^">]*+>|'[^'>]*+>)""")


def bounded(html: bytes) -> bytes:
    """The page itself; if it is absurd, one without the innermost tags or the thousandth attribute.

    Its text stays the same. Behind `TAGS` tags there is nothing but text.
    """
    opening = html.count(b"<")
    if len(html) <= LONG_TAG and opening * (opening - html.count(b"</")) <= SUSPECT:
        return html  # most pages: nothing to look at more closely
    data = np.frombuffer(html, dtype=np.uint8)
    tags = np.flatnonzero(data[:-1] == ord("<"))
    if not len(tags):
        return html
    elements = tags[(data[tags + 1] | 32) - ord("a") < 26]
    if len(elements) > TAGS:
        cut = int(elements[TAGS])
        html = html[:cut] + _ANY_TAG.sub(b" ", html[cut:])
        data = np.frombuffer(html, dtype=np.uint8)
        tags = np.flatnonzero(data[:-1] == ord("<"))
    if _longest_tag(html, data) > LONG_TAG:
        for pattern in _TAGS:
            html = _shortened(html, pattern)
        data = np.frombuffer(html, dtype=np.uint8)
        tags = np.flatnonzero(data[:-1] == ord("<"))
    closing = data[tags + 1] == ord("/")
    unclosed = int(np.cumsum(1 - 2 * closing.astype(np.int32)).max())
    suspect = len(tags) > MANY or len(tags) * unclosed > SUSPECT
    return _TAG.sub(_Cut(), html) if suspect else html


def _longest_tag(html: bytes, data: NDArray[np.uint8]) -> int:
    """More bytes than any tag can have: one goes on behind a ``>`` only where that is inside quotes."""
    ends = np.flatnonzero(data == ord(">"))
    gap = int(np.diff(ends, prepend=-1, append=len(html)).max())
    return gap if gap > LONG_TAG else gap * (1 + sum(1 for _ in _QUOTED_END.finditer(html)))


def _shortened(html: bytes, pattern: re.Pattern[bytes]) -> bytes:
    """The page without the attributes beyond the thousandth of any tag."""
    kept, done = [], 0
    for tag in pattern.finditer(html):
        if tag[2]:
            kept.append(html[done : tag.end(1)])
            done = tag.end(2)
    return b"".join([*kept, html[done:]]) if kept else html


class _Cut:
    """Counts open elements and turns tags beyond the bounds into empty elements of the same display."""

    def __init__(self) -> None:
        self.open: Counter[bytes] = Counter()
        self.cut: Counter[bytes] = Counter()
        self.depth: Counter[str] = Counter()
        """Open elements of each kind."""

    def __call__(self, tag: re.Match[bytes]) -> bytes:
        name = tag[2].lower()
        if self._closes_itself(name, bool(tag[3])):
            return tag[0]
        if name in (b"html", b"body"):
            return self._few(tag, name)
        kind = "format" if name in _FORMATTING else "alone" if name in _CLOSE_THEMSELVES else "other"
        within = self._close(name, kind) if tag[1] else self._open(name, kind)
        return tag[0] if within else (b"<wbr" if kind == "format" else b"<hr")

    def _closes_itself(self, name: bytes, slash: bool) -> bool:
        """In a drawing only what ends in a slash does, and ``<rt>`` only in a ``<ruby>``."""
        if self.open[b"svg"] or self.open[b"math"]:
            return slash
        return name in _CLOSE_THEMSELVES and (name not in _IN_RUBY or self.open[b"ruby"] > 0)

    def _few(self, tag: re.Match[bytes], name: bytes) -> bytes:
        """Only the first counts, but that may follow several in comments: ``<!--[if IE 8]><html ...``."""
        self.open[name] += 1
        return tag[0] if self.open[name] <= FORMATTING_DEPTH else b"<wbr"

    def _open(self, name: bytes, kind: str) -> bool:
        if self.depth[kind] >= (FORMATTING_DEPTH if kind == "format" else DEPTH):
            self.cut[name] += 1
            return False
        self.open[name] += 1
        self.depth[kind] += 1
        return True

    def _close(self, name: bytes, kind: str) -> bool:
        if self.cut[name]:
            self.cut[name] -= 1
            return False
        if self.open[name]:
            self.open[name] -= 1
            self.depth[kind] -= 1
        return True
