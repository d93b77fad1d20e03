"""From bytes to text: what a page says of its charset, checked against what its bytes say."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

import chardetng_py
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom

__all__ = ["decode"]

DETECT = 262_144
"""Bytes read to guess a charset: enough, and it keeps the cost of a huge page small."""
LIE = 0.1
"""From this share of broken characters among the non-ASCII a declaration is not believed (our choice)."""

_ONE_BYTE = frozenset(
    [f"cp{n}" for n in (866, 874, *range(1250, 1259))]
    + [f"iso8859-{n}" for n in (*range(1, 12), *range(13, 17))]
    + ["koi8-r", "koi8-u", "mac-roman", "mac-cyrillic", "ascii"]
)
_KNOWN = _ONE_BYTE | {
    "utf-8", "utf-16", "utf-16-le", "utf-16-be", "cp932", "shift_jis", "euc_jp", "iso2022_jp", "gb18030",
    "gbk", "gb2312", "big5", "big5hkscs", "cp950", "cp949", "euc_kr",
}  # fmt: skip
"""Charsets that browsers know; Python knows others, some of which are no charsets (rot13, punycode)."""
_WIDER = {
    "utf-16": "utf-16-le",
    "iso2022_jp": "iso2022_jp_ext",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}


def decode(body: bytes, content_type: str = "") -> str:
    """Text of a page, whatever its bytes are; what cannot be read becomes U+FFFD.

    The byte-order mark decides, then the ``Content-Type`` header, then the page's own ``meta``, then a guess
    from the bytes. A declaration the bytes contradict is not believed: one that leaves a tenth or more of the
    non-ASCII characters unreadable, or that names a one-byte charset where all is valid UTF-8 (our choice).

    >>> decode("野球".encode("shift_jis"), "text/html; charset=Shift_JIS")
    '野球'
    """
    if body.isascii() and b"\x1b" not in body and b"\0" not in body:
        return body.decode("ascii")
    mark, mark_bytes = read_bom(body)
    if mark and mark_bytes:
        return body[len(mark_bytes) :].decode(mark, "replace")
    for declared in _declared(body, content_type):
        text = _believed(body, declared)
        if text is not None:
            return text
    text = _utf8(body)
    return _guessed(body) if text is None else text


def _declared(body: bytes, content_type: str) -> Iterator[str]:
    """Charsets that the header and the page name, as far as they can be what they claim."""
    for name in (http_content_type_encoding(content_type), html_body_declared_encoding(body)):
        if name in _KNOWN and (b"\0" in body or not name.startswith("utf-16")):
            yield _WIDER.get(name, name)


def _believed(body: bytes, declared: str) -> str | None:
    text = _utf8(body) if declared in _ONE_BYTE else None
    if text is None:
        text = body.decode(declared, "replace")
    broken = text.count("\ufffd")
    if not broken:
        return text
    return text if broken < LIE * (len(text) - len(text.encode("ascii", "ignore"))) else None


def _utf8(body: bytes) -> str | None:
    """The text if there are non-ASCII characters and all is UTF-8, which hardly happens by chance."""
    try:
        return None if body.isascii() else body.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _guessed(body: bytes) -> str:
    name = codecs.lookup(chardetng_py.detect(body[:DETECT], allow_utf8=True)).name
    return body.decode(_WIDER.get(name, name), "replace")
