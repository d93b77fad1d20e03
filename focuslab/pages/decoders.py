"""Bytes to text in the charsets of the web, as the Encoding Standard of the WHATWG has them.

Python's codecs do nearly all of it. What they lack is added here: the characters that vendors put into the
gaps of Japanese and Chinese charsets. A byte in the gap of a one-byte charset is a control character to
browsers, and unreadable here: it tells that the page is in another charset (our choice).

References
----------
Encoding. Living Standard, WHATWG. https://encoding.spec.whatwg.org/
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import cache
from importlib import resources

from webencodings import LABELS

__all__ = ["decoded", "encoder", "named"]

PYTHON = {
    "big5": "big5hkscs",
    "euc-jp": "euc_jp",
    "euc-kr": "cp949",
    "ibm866": "cp866",
    "iso-8859-8-i": "iso8859-8",
    "macintosh": "mac-roman",
    "shift_jis": "cp932",
    "utf-16be": "utf-16-be",
    "utf-16le": "utf-16-le",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
}
"""Where Python's name is another, or a wider charset is meant."""
_EUC_AS_WINDOWS = str.maketrans("〜‖−¢£¬—", "～∥－￠￡￢―")
"""Where vendors, and so browsers, read another character than Python does."""
_GB_PRIVATE = str.maketrans(
    "\ue5e5\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796\ue7c7\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864",
    "\u3000︐︒︑︓︔︕︖︗︘︙ḿ龴龵龶龷龸龹龺龻",
)
"""Characters that were private in GB 18030 of 2000 and have a place of their own since."""
_NEVER_WRITTEN = ("replacement", "x-user-defined")
_ESCAPE = re.compile(rb"\x1b(\$[@B]|\([BJI]|\$\(D)")


def named(label: str) -> str:
    """The charset a label means, "" if it means none.

    >>> named("Latin1"), named("x-sjis"), named("rot13")
    ('windows-1252', 'shift_jis', '')
    """
    return LABELS.get(label.strip("\t\n\f\r ").lower(), "")


def encoder(name: str) -> str:
    """What Python calls the charset that forms of a page are sent in."""
    return "utf-8" if name.startswith("utf-16") or name in _NEVER_WRITTEN else PYTHON.get(name, name)


def decoded(body: bytes, name: str) -> str:
    """The text of a body in a charset of the standard; what cannot be read becomes U+FFFD.

    >>> decoded(b"\\xad\\xa1\\xadj", "euc-jp"), decoded(b"\\x80", "gbk")
    ('①\\ufffdj', '€')
    """
    special = _SPECIAL.get(name)
    return (
        special(body)
        if special
        else body.decode(PYTHON.get(name, name), "focuslab-big5" if name == "big5" else "replace")
    )


def _euc_jp(body: bytes) -> str:
    return body.decode("euc_jp", "focuslab-jis").translate(_EUC_AS_WINDOWS)


def _iso_2022_jp(body: bytes) -> str:
    """Stretches of several charsets, each opened by an escape sequence, with the high bits off."""
    parts = _ESCAPE.split(body)
    text = [parts[0].decode("ascii", "replace")]
    for escape, stretch in zip(parts[1::2], parts[2::2], strict=True):
        high = stretch.translate(_HIGH)
        if escape in (b"$@", b"$B"):
            text.append(_euc_jp(high))
        elif escape == b"$(D":
            text.append(_euc_jp(re.sub(rb"([\xa1-\xfe]{2})", rb"\x8f\1", high)))
        else:
            text.append(
                high.decode("cp932", "replace") if escape == b"(I" else stretch.decode("ascii", "replace")
            )
    return "".join(text)


_HIGH = bytes(byte | 0x80 if 0x21 <= byte <= 0x7E else byte for byte in range(256))


def _gb18030(body: bytes) -> str:
    return body.decode("gb18030", "focuslab-euro").translate(_GB_PRIVATE)


def _user_defined(body: bytes) -> str:
    return body.decode("latin-1").translate({byte: 0xF700 + byte for byte in range(0x80, 0x100)})


def _replacement(body: bytes) -> str:
    """Charsets that are a danger to whoever reads them."""
    return "\ufffd" if body else ""


def _euro(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    byte = error.object[error.start]
    return ("€", error.start + 1) if byte == 0x80 else ("\ufffd", _behind(error))


def _jis(error: UnicodeError) -> tuple[str, int]:
    """Two bytes in a gap of JIS X 0208, where NEC and IBM put characters that Windows has."""
    return _pair(error, "cp932", lambda row, cell: bytes(_shifted(row - 0xA0, cell - 0xA0)))


def _big5(error: UnicodeError) -> tuple[str, int]:
    """Two bytes in a gap of Python's table: a character of the table in this folder, or else of Windows."""
    assert isinstance(error, UnicodeDecodeError)
    known = _big5_gaps().get(int.from_bytes(error.object[error.start : error.start + 2]))
    if known:
        return known, error.start + 2
    return _pair(error, "cp950", lambda lead, trail: bytes((lead, trail)))


@cache
def _big5_gaps() -> dict[int, str]:
    """Stretches of characters, each behind the place of its first."""
    runs = resources.files("focuslab.pages").joinpath("big5_gaps.txt").read_text(encoding="utf-8").split()
    places = ((int(run[:4], 16) + n, character) for run in runs for n, character in enumerate(run[4:]))
    return dict(places)


def _pair(error: UnicodeError, charset: str, made: Callable[[int, int], bytes]) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    pair = error.object[error.start : error.start + 2]
    if len(pair) == 2 and pair[0] > 0xA0 and pair[1] > 0x3F:
        try:
            return made(*pair).decode(charset), error.start + 2
        except (UnicodeDecodeError, ValueError):
            pass
    return "\ufffd", _behind(error)


def _behind(error: UnicodeDecodeError) -> int:
    """Where to go on: an ASCII character behind half a pair is kept, so that no markup is swallowed."""
    after = error.start + 1
    return after if error.object[after : after + 1].isascii() else min(after + 1, len(error.object))


def _shifted(row: int, cell: int) -> tuple[int, int]:
    """The place of a character in Shift_JIS, by its row and cell in JIS X 0208."""
    lead = (row + 1) // 2 + (0x80 if row < 63 else 0xC0)
    if row % 2 == 0:
        return lead, cell + 0x9E
    return lead, cell + (0x3F if cell < 64 else 0x40)


_SPECIAL: dict[str, Callable[[bytes], str]] = {
    "euc-jp": _euc_jp,
    "gb18030": _gb18030,
    "gbk": _gb18030,
    "iso-2022-jp": _iso_2022_jp,
    "x-user-defined": _user_defined,
    "replacement": _replacement,
}
for _name, _handler in {"euro": _euro, "jis": _jis, "big5": _big5}.items():
    codecs.register_error(f"focuslab-{_name}", _handler)
