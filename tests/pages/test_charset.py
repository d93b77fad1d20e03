"""From bytes to text: every charset by every way it can be told, and any bytes whatever."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuslab.pages.charset import decode

JAPANESE = "今日の野球のニュースをお伝えします。東京で行われた試合は、延長戦の末に引き分けとなりました。"
CHINESE = "今天的篮球比赛非常精彩，主队在最后一分钟投进了关键的三分球，全场观众都站起来欢呼。"
TAIWANESE = "今天的籃球比賽非常精彩，主隊在最後一分鐘投進了關鍵的三分球，全場觀眾都站起來歡呼。"
GERMAN = "Größere Städte hätten gern mehr Grünflächen für die Bevölkerung – das wäre schön, heißt es."
RUSSIAN = "Сегодня вечером в Москве прошёл матч чемпионата страны по хоккею, зрители остались довольны."
GREEK = "Ο αγώνας της Κυριακής ήταν συναρπαστικός και οι θεατές έμειναν ευχαριστημένοι από το αποτέλεσμα."
TURKISH = (
    "Bugünkü maçta iki takım da çok iyi oynadı, seyirciler güneşli havanın keyfini çıkardı, şampiyon oldu."
)
POLISH = "Wczoraj wieczorem drużyna z Łodzi zagrała świetny mecz, a kibice długo śpiewali na ulicy."
TEXTS = {
    "utf-8": JAPANESE,
    "shift_jis": JAPANESE,
    "euc-jp": JAPANESE,
    "iso-2022-jp": JAPANESE,
    "gbk": CHINESE,
    "gb2312": CHINESE,
    "gb18030": CHINESE,
    "big5": TAIWANESE,
    "windows-1250": POLISH,
    "windows-1251": RUSSIAN,
    "windows-1252": GERMAN,
    "windows-1253": GREEK,
    "windows-1254": TURKISH,
    "koi8-r": RUSSIAN,
}
CHARSETS = pytest.mark.parametrize(("charset", "text"), TEXTS.items())


def page(text: str, head: str = "") -> str:
    return f"<html><head>{head}<title>x</title></head><body><p>{text}</p></body></html>"


@CHARSETS
@pytest.mark.parametrize(
    "form", ["text/html; charset={}", 'TEXT/HTML;CHARSET="{}"', "text/html; x=y; charset = {}"]
)
def test_the_header_tells(charset: str, text: str, form: str) -> None:
    assert decode(page(text).encode(charset), form.format(charset)) == page(text)


@CHARSETS
@pytest.mark.parametrize(
    "meta",
    [
        '<meta charset="{}">',
        '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={}">',
        "<meta content='text/html; charset={}' http-equiv=content-type>",
    ],
)
def test_the_page_itself_tells(charset: str, text: str, meta: str) -> None:
    html = page(text, meta.format(charset))
    assert decode(html.encode(charset), "text/html") == html


@CHARSETS
def test_the_bytes_tell(charset: str, text: str) -> None:
    assert decode(page(text).encode(charset), "text/html") == page(text)


@pytest.mark.parametrize(
    ("mark", "charset"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ],
)
def test_the_byte_order_mark_wins_over_all(mark: bytes, charset: str) -> None:
    html = page(JAPANESE, '<meta charset="shift_jis">')
    assert decode(mark + html.encode(charset), "text/html; charset=euc-jp") == html


def test_the_header_wins_over_the_page() -> None:
    html = page(RUSSIAN, '<meta charset="koi8-r">')
    assert decode(html.encode("windows-1251"), "text/html; charset=windows-1251") == html


@pytest.mark.parametrize("lie", ["utf-8", "euc-jp", "no-such-charset", "rot13", "utf-16", "utf-7", ""])
def test_a_declaration_that_the_bytes_contradict_is_not_believed(lie: str) -> None:
    assert decode(page(JAPANESE).encode("shift_jis"), f"text/html; charset={lie}") == page(JAPANESE)


@pytest.mark.parametrize("lie", ["iso-8859-1", "windows-1252", "us-ascii"])
def test_valid_utf8_is_utf8_whatever_one_byte_charset_is_named(lie: str) -> None:
    html = page(GERMAN, f'<meta charset="{lie}">')
    assert decode(html.encode(), f"text/html; charset={lie}") == html


def test_a_single_broken_character_costs_only_itself() -> None:
    body = page(JAPANESE).encode() + b"\xff" + "終".encode()
    assert decode(body, "text/html; charset=utf-8") == page(JAPANESE) + "\ufffd終"


def test_latin1_means_windows_1252_as_in_browsers() -> None:
    assert decode("“Größe”".encode("windows-1252"), "text/html; charset=iso-8859-1") == "“Größe”"


def test_vendor_characters_are_read() -> None:
    assert decode("①髙".encode("cp932"), "text/html; charset=Shift_JIS") == "①髙"
    assert decode("碁銹裏".encode("cp949"), "text/html; charset=euc-kr") == "碁銹裏"
    assert decode("嗰啲".encode("big5hkscs"), "text/html; charset=big5") == "嗰啲"


@given(
    st.binary(max_size=300), st.sampled_from(["", "text/html", *(f"text/html; charset={c}" for c in TEXTS)])
)
def test_any_bytes_give_text(body: bytes, content_type: str) -> None:
    assert isinstance(decode(body, content_type), str)


@given(st.binary(max_size=100), st.text(max_size=40))
def test_any_header_gives_text(body: bytes, content_type: str) -> None:
    assert isinstance(decode(body, content_type), str)
    assert isinstance(decode(body + b"\xe9", f"text/html; charset={content_type}"), str)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\x1b\ufeff"), max_size=200))
def test_utf8_comes_back_as_it_was(text: str) -> None:
    assert decode(text.encode(), "text/html; charset=utf-8") == text
    assert decode(text.encode(), "text/html") == text
