"""Documents in PDF as pages that can be read; needs the extra ``pdf``."""

from __future__ import annotations

import ctypes
import importlib
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html import escape
from typing import Any

from focuslab.fetchers.failures import Reason
from focuslab.fetchers.wrapper import Wrapper
from focuslab.types import Response

__all__ = ["PDF", "ReadsPdf", "as_page", "can_read"]

PDF = "application/pdf"
MOST_PAGES = 200
"""Pages read of a document (our choice)."""
MOST_LETTERS = 1_000_000
ADDRESS = re.compile(r"https?://[^\s<>\"')\]]+")


class ReadsPdf(Wrapper):
    """Wrap a fetcher: a PDF comes as an HTML page with its title, its text and its links.

    It stands outside what records, so that the document itself is in the archive, whole.
    """

    def fetch(self, url: str) -> Response:
        return as_page(super().fetch(url))

    def past(self) -> Iterator[tuple[str, Response]]:
        return ((url, as_page(response)) for url, response in super().past())


def can_read() -> bool:
    """Whether the extra is there."""
    return _pdfium() is not None


def as_page(response: Response) -> Response:
    """A response as it is, or the page made of a PDF; one that cannot be read is a failure that says so."""
    if not response.ok or response.content_type.partition(";")[0].strip().lower() != PDF or not can_read():
        return response
    pdfium = _pdfium()
    try:
        document = pdfium.PdfDocument(response.body)
    except pdfium.PdfiumError as problem:
        why = f"PDF, {problem} (a document longer than --page-bytes is cut)"
        return replace(response, body=b"", error=Reason.NOT_HTML.because(why))
    try:
        body = _html(document)
    finally:
        document.close()
    return replace(response, body=body.encode("utf-8", "replace"), content_type="text/html; charset=utf-8")


def _html(document: Any) -> str:
    title = document.get_metadata_dict().get("Title", "")
    parts, links, letters = [], dict[str, None](), 0
    for number in range(min(len(document), MOST_PAGES)):
        page = document[number]
        text = page.get_textpage().get_text_range()
        links |= dict.fromkeys([*_links(document, page), *ADDRESS.findall(text)])
        parts.append(f"<p>{escape(text)}</p>")
        letters += len(text)
        if letters > MOST_LETTERS:
            break
    anchors = "".join(f'<a href="{escape(link)}">{escape(link)}</a> ' for link in links)
    return f"<html><title>{escape(title)}</title><body>{''.join(parts)}{anchors}</body></html>"


def _links(document: Any, page: Any) -> Iterator[str]:
    """The addresses that areas of a page lead to."""
    raw = importlib.import_module("pypdfium2.raw")
    at, link = ctypes.c_int(0), raw.FPDF_LINK()
    while raw.FPDFLink_Enumerate(page.raw, ctypes.byref(at), ctypes.byref(link)):
        action = raw.FPDFLink_GetAction(link)
        size = raw.FPDFAction_GetURIPath(document.raw, action, None, 0) if action else 0
        if size > 1:
            address = ctypes.create_string_buffer(size)
            raw.FPDFAction_GetURIPath(document.raw, action, address, size)
            yield address.value.decode("utf-8", "replace")


@cache
def _pdfium() -> Any:
    try:
        return importlib.import_module("pypdfium2")
    except ImportError:
        return None
