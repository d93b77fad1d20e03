"""From bytes to text: what a page says of its charset, checked against what its bytes say."""

from __future__ import annotations

import re
from collections.abc import Iterator

import chardetng_py

from focuslab.pages.decoders import decoded, named

__all__ = ["decode", "text_of"]

DETECT = 262_144
"""Bytes read to guess a charset: enough, and it keeps the cost of a huge page small."""
PRESCAN = 4_096
"""Bytes in which a page may name its charset (browsers promise 1,024 and read on)."""
LIE = 0.1
"""From this share of broken characters among the non-ASCII a declaration is not believed (our choice)."""

_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16le", b"\xfe\xff": "utf-16be"}
_IN_HEADER = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';,]+)""", re.IGNORECASE)
_MARKUP = re.compile(rb"<!--.*?(?:-->|\Z)|<meta[\s/]([^>]*)>?|</?[a-z][^>]*>?", re.IGNORECASE | re.DOTALL)
_ATTRIBUTE = re.compile(rb"""([^\s/>=]+)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""")
_MANY = ("shift_jis", "euc-jp", "iso-2022-jp", "big5", "gbk", "gb18030", "euc-kr", "utf-8", "replacement")
"""Charsets with more than one byte to a character, or none."""


def decode(body: bytes, content_type: str = "") -> str:
    """Text of a page, whatever its bytes are; what cannot be read becomes U+FFFD.

    The byte-order mark decides, then the ``Content-Type`` header, then the page's own ``meta``, then a guess
    from the bytes. A declaration the bytes contradict is not believed: one that leaves a tenth or more of the
    non-ASCII characters unreadable, or that names a one-byte charset where all is valid UTF-8 (our choice).

    >>> decode("野球".encode("shift_jis"), "text/html; charset=Shift_JIS")
    '野球'
    """
    return text_of(body, content_type)[0]


def text_of(body: bytes, content_type: str = "") -> tuple[str, str]:
    """The same, and the charset that was found, by its name in the Encoding Standard."""
    if body.isascii() and b"\x1b" not in body and b"\0" not in body:
        return body.decode("ascii"), _ascii_name(body, content_type)
    for mark, name in _MARKS.items():
        if body.startswith(mark):
            return decoded(body[len(mark) :], name), name
    if wide := _unmarked_utf16(body):
        return decoded(body, wide), wide
    for name in _declared(body, content_type):
        found = _believed(body, name)
        if found is not None:
            return found
    text = _utf8(body)
    return _guessed(body) if text is None else (text, "utf-8")


def _ascii_name(body: bytes, content_type: str) -> str:
    """What a form on the page would be sent in, though the page itself needs no charset."""
    return next(_declared(body, content_type), "utf-8")


def _unmarked_utf16(body: bytes) -> str:
    """UTF-16 without a mark: of the markup every other byte is zero (our choice; browsers do not look)."""
    start = body[:PRESCAN]
    even, odd = (start[place::2].count(0) for place in (0, 1))
    if max(even, odd) < len(start) / 10 or min(even, odd) > max(even, odd) / 10:
        return ""
    return "utf-16le" if odd > even else "utf-16be"


def _declared(body: bytes, content_type: str) -> Iterator[str]:
    """Charsets that the header and the page name, as far as they can be what they claim."""
    header = _IN_HEADER.search(content_type)
    for label in (header[1] if header else "", _in_markup(body[:PRESCAN])):
        name = named(label)
        if name and not name.startswith("utf-16"):  # which is known by its zeros
            yield name


def _in_markup(start: bytes) -> str:
    """The charset that the first ``<meta>`` with one names, outside of comments and other tags."""
    for tag in _MARKUP.finditer(start):
        if tag[1] is None:
            continue
        said = {name.lower(): b"".join(values) for name, *values in reversed(_ATTRIBUTE.findall(tag[1]))}
        label = said.get(b"charset", b"").decode("latin-1")
        if not label and said.get(b"http-equiv", b"").strip().lower() == b"content-type":
            inside = _IN_HEADER.search(said.get(b"content", b"").decode("latin-1"))
            label = inside[1] if inside else ""
        if named(label):
            return "utf-8" if named(label).startswith("utf-16") else label
    return ""


def _believed(body: bytes, name: str) -> tuple[str, str] | None:
    text = None if name in _MANY else _utf8(body)
    if text is not None:
        return text, "utf-8"
    text = decoded(body, name)
    broken = text.count("\ufffd")
    if not broken:
        return text, name
    believed = broken < LIE * (len(text) - len(text.encode("ascii", "ignore")))
    return (text, name) if believed else None


def _utf8(body: bytes) -> str | None:
    """The text if there are non-ASCII characters and all is UTF-8, which hardly happens by chance."""
    try:
        return None if body.isascii() else body.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _guessed(body: bytes) -> tuple[str, str]:
    name = named(chardetng_py.detect(body[:DETECT], allow_utf8=True)) or "utf-8"
    return decoded(body, name), name
