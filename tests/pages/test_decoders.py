"""The charsets of the web: every label has a decoder, and the gaps of Python's are filled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webencodings import LABELS

from focuslab.pages.decoders import decoded, encoder, named

NAMES = sorted(set(LABELS.values()))


@pytest.mark.parametrize("label", sorted(LABELS))
def test_every_label_has_a_decoder(label: str) -> None:
    name = named(f"\t{label.upper()} ")
    wide = {"utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}.get(name, "ascii")
    assert decoded("game".encode(wide), name) == ("\ufffd" if name == "replacement" else "game")
    assert "game".encode(encoder(name)) == b"game"


@pytest.mark.parametrize("label", ["", "rot13", "utf-7", "punycode", "../etc/passwd", "shift_jis\0"])
def test_what_browsers_do_not_know_is_no_charset(label: str) -> None:
    assert named(label) == ""


@pytest.mark.parametrize(
    ("name", "body", "text"),
    [
        ("euc-jp", b"\xad\xa1\xad\xe2\xad\xea\xad\xb5\xc6\xfc", "①№㈱Ⅰ日"),  # row 13 is NEC's
        ("euc-jp", b"\xa1\xc1\xa1\xdd\xf9\xa1", "～－纊"),
        ("euc-jp", b"\x8f\xb0\xa1\x8e\xb1", "丂ｱ"),
        ("iso-2022-jp", b"a\x1b$B-!F|\x1b(Bb\x1b(I1\x1b(J", "a①日bｱ"),
        ("shift_jis", b"\x87\x40\x93\xfa", "①日"),
        ("big5", b"\x87\x7a\xa3\xe1\xf9\xd6\xa4\xa4", "㡵€碁中"),
        ("gbk", b"\x80\xd6\xd0\xa6\xd9", "€中︐"),
        ("gb18030", b"\x81\x30\x81\x30\xfe\x59", "\x80龴"),
        ("euc-kr", b"\x81\x41\xb0\xa1", "갂가"),
        ("windows-1252", b"\x80\x81", "€\ufffd"),  # a control character to browsers
        ("windows-874", b"\x81\xa1", "\ufffdก"),
        ("x-user-defined", b"a\x80\xff", "a\uf780\uf7ff"),
        ("replacement", b"anything", "\ufffd"),
    ],
)
def test_characters_that_vendors_added_are_read(name: str, body: bytes, text: str) -> None:
    assert decoded(body, name) == text


@pytest.mark.parametrize("name", ["euc-jp", "big5"])
def test_half_a_pair_does_not_swallow_the_markup_behind_it(name: str) -> None:
    assert decoded(b"\xff<a>\xa4", name).count("<a>") == 1


@pytest.mark.parametrize("name", NAMES)
@given(st.binary(max_size=60))
def test_any_bytes_give_text(name: str, body: bytes) -> None:
    assert len(decoded(body, name)) <= len(body) + 1
