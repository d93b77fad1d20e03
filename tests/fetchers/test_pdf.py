"""Documents in PDF are read: title, text and links; broken ones are failures that say why."""

from __future__ import annotations

from io import BytesIO

import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure

from focuslab.fetchers.pdf import PDF, ReadsPdf, as_page, can_read
from focuslab.pages.parse import parse
from focuslab.types import Response

pytestmark = pytest.mark.skipif(not can_read(), reason="needs focuslab[pdf]")


def document() -> bytes:
    figure, out = Figure(), BytesIO()
    figure.text(0.1, 0.5, "Planets and <stars>", url="http://sky.example/next")
    figure.text(0.1, 0.4, "see https://moon.example/page for more")
    with rc_context({"pdf.fonttype": 42}):
        figure.savefig(out, format="pdf", metadata={"Title": "The sky & all"})
    return out.getvalue()


class Library:
    def fetch(self, url: str) -> Response:
        return Response(url, 200, document(), PDF)


def test_a_document_is_a_page_with_title_text_and_links() -> None:
    page = parse(ReadsPdf(Library()).fetch("http://sky.example/a.pdf"))
    assert page.title == "The sky & all"
    assert "Planets and <stars>" in page.text
    assert [link.url for link in page.out] == ["http://sky.example/next", "https://moon.example/page"]


def test_what_is_no_document_stays_as_it_is() -> None:
    html = Response("http://a.example/", 200, b"<p>", "text/html")
    gone = Response("http://a.example/a.pdf", 404, b"", PDF)
    assert as_page(html) is html
    assert as_page(gone) is gone


@pytest.mark.parametrize("body", [b"", b"%PDF-1.7", document()[:900]])
def test_a_broken_one_is_a_failure(body: bytes) -> None:
    found = as_page(Response("http://a.example/a.pdf", 200, body, PDF))
    assert found.error.startswith("not-html: PDF, ")
    assert found.body == b""
