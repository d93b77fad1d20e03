"""Other parsers read a plain page alike."""

from __future__ import annotations

import pytest

from focuslab.pages.parse import parse
from focuslab.pages.soup import lxml_page, soup_page
from focuslab.types import Response

URL = "http://a.example/dir/page.html"


SMALL = "<title>T</title><p>one <a href=x>two <b>three</b></a> four<div>five<img></div><a href='#n'>no</a>six"


@pytest.mark.parametrize("reader", [soup_page, lxml_page])
def test_other_parsers_read_a_plain_page_alike(reader) -> None:  # type: ignore[no-untyped-def]
    """The readings that real pages are held against are sound themselves."""
    response = Response(URL, 200, SMALL.encode(), "text/html")
    assert reader(response) == parse(response)
