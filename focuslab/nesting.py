"""A bound on how deep a page nests, so that a hostile one costs no more than its size.

An HTML parser may take time, and build a tree, in the square of the length of a page: a thousand open
``<font>`` are opened again in each of a thousand paragraphs. Browsers stop at a depth of some 500; so do we.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

__all__ = ["shallow"]

DEPTH = 512
FORMATTING_DEPTH = 16
SUSPECT = 2_000_000
"""Tags times unclosed tags, a bound on the tree's size, up to which a page is left as it is."""

_TAG = re.compile(rb"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_FORMATTING = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
_CLOSE_THEMSELVES = frozenset(
    b"a area base body br col colgroup dd dt embed form head hr html img input li link meta option optgroup p param"
    b" rp rt script source style tbody td tfoot th thead title tr track wbr".split()
)


def shallow(html: bytes) -> bytes:
    """The page itself, or if it nests absurdly deep one without the innermost tags (its text stays)."""
    return _Cut().within(html) if _growth(html) > SUSPECT else html


def _growth(html: bytes) -> int:
    data = np.frombuffer(html + b" ", dtype=np.uint8)
    tags = np.flatnonzero(data[:-1] == ord("<"))
    if not len(tags):
        return 0
    closing = data[tags + 1] == ord("/")
    return len(tags) * int(np.cumsum(1 - 2 * closing.astype(np.int32)).max())


class _Cut:
    """Counts open elements and turns tags beyond the bounds into empty elements of the same display."""

    def __init__(self) -> None:
        self.open: Counter[bytes] = Counter()
        self.cut: Counter[bytes] = Counter()
        self.depth = self.formatting = 0

    def within(self, html: bytes) -> bytes:
        return _TAG.sub(self._tag, html)

    def _tag(self, tag: re.Match[bytes]) -> bytes:
        name = tag[2].lower()
        if name in _CLOSE_THEMSELVES:
            return tag[0]
        formatting = name in _FORMATTING
        empty = b"wbr" if formatting else b"hr"
        if tag[1]:
            if self.cut[name]:
                self.cut[name] -= 1
                return b"</wbr" if formatting else b"<hr"
            self._count(name, formatting, -min(1, self.open[name]))
        elif (self.formatting >= FORMATTING_DEPTH) if formatting else (self.depth >= DEPTH):
            self.cut[name] += 1
            return b"<" + empty
        else:
            self._count(name, formatting, 1)
        return tag[0]

    def _count(self, name: bytes, formatting: bool, by: int) -> None:
        self.open[name] += by
        if formatting:
            self.formatting += by
        else:
            self.depth += by
