"""Bounds on nesting and attributes, so that a hostile page costs no more than its size.

An HTML parser may take time, and build a tree, in the square of the length of a page: a thousand open
``<font>`` are opened again in each of a thousand paragraphs, and each attribute of a tag is compared with
all before it. Browsers stop at a depth of some 500; so do we.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

__all__ = ["bounded"]

DEPTH = 512
FORMATTING_DEPTH = 16
SUSPECT = 2_000_000
"""Tags times unclosed tags, a bound on the tree's size, up to which a page is left as it is."""
LONG_TAG = 16_384
"""Bytes between one tag and the next from which its attributes are counted."""

_TAG = re.compile(rb"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_FORMATTING = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
_CLOSE_THEMSELVES = frozenset(
    b"a area base br col colgroup dd dt embed form head hr img input li link meta option optgroup p param"
    b" rp rt script source style tbody td tfoot th thead title tr track wbr".split()
)
_ATTRIBUTE = rb"""[\s/]++[^\s=>/]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"']++))?+"""
_TOO_MANY = re.compile(rb"(<[a-zA-Z][^\s>/]*+(?:%b){1000})(?:%b)++" % (_ATTRIBUTE, _ATTRIBUTE))


def bounded(html: bytes) -> bytes:
    """The page itself; if it is absurd, one without the innermost tags or the thousandth attribute.

    Its text stays the same.
    """
    opening = html.count(b"<")
    if len(html) <= LONG_TAG and opening * (opening - html.count(b"</")) <= SUSPECT:
        return html  # most pages: nothing to look at more closely
    data = np.frombuffer(html, dtype=np.uint8)
    tags = np.flatnonzero(data[:-1] == ord("<"))
    if not len(tags):
        return html
    long = tags[np.diff(tags, append=len(html)) > LONG_TAG]
    if any(_TOO_MANY.match(html, start) for start in long.tolist()):
        html = _TOO_MANY.sub(rb"\1", html)
    closing = data[tags + 1] == ord("/")
    unclosed = int(np.cumsum(1 - 2 * closing.astype(np.int32)).max())
    return _TAG.sub(_Cut(), html) if len(tags) * unclosed > SUSPECT else html


class _Cut:
    """Counts open elements and turns tags beyond the bounds into empty elements of the same display."""

    def __init__(self) -> None:
        self.open: Counter[bytes] = Counter()
        self.cut: Counter[bytes] = Counter()
        self.depth = {True: 0, False: 0}
        """Open elements, for formatting and for the others."""

    def __call__(self, tag: re.Match[bytes]) -> bytes:
        name = tag[2].lower()
        if name in _CLOSE_THEMSELVES:
            return tag[0]
        if name in (b"html", b"body"):
            return self._few(tag, name)
        formatting = name in _FORMATTING
        within = self._close(name, formatting) if tag[1] else self._open(name, formatting)
        return tag[0] if within else (b"<wbr" if formatting else b"<hr")

    def _few(self, tag: re.Match[bytes], name: bytes) -> bytes:
        """Only the first counts, but that may follow several in comments: ``<!--[if IE 8]><html ...``."""
        self.open[name] += 1
        return tag[0] if self.open[name] <= FORMATTING_DEPTH else b"<wbr"

    def _open(self, name: bytes, formatting: bool) -> bool:
        if self.depth[formatting] >= (FORMATTING_DEPTH if formatting else DEPTH):
            self.cut[name] += 1
            return False
        self.open[name] += 1
        self.depth[formatting] += 1
        return True

    def _close(self, name: bytes, formatting: bool) -> bool:
        if self.cut[name]:
            self.cut[name] -= 1
            return False
        if self.open[name]:
            self.open[name] -= 1
            self.depth[formatting] -= 1
        return True
