"""The text of a page that its author wrote, without menus and footers; needs the extra ``text``."""

from __future__ import annotations

import importlib
import logging
from functools import cache
from typing import Any, NamedTuple

from focuslab.types import Page, Response

__all__ = ["Article", "main_text"]


class Article(NamedTuple):
    """What a page says, who wrote it and when; empty where nobody can tell."""

    text: str
    author: str = ""
    date: str = ""


def main_text(response: Response, page: Page) -> Article:
    """The article of a page by trafilatura; all visible text where that is not there or finds none."""
    reader = _reader()
    found = reader.bare_extraction(response.body, url=page.url, with_metadata=True) if reader else None
    if found is None or not found.text:
        return Article(page.text)
    return Article(found.text, found.author or "", found.date or "")


@cache
def _reader() -> Any:
    try:
        logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # what it cannot read it need not lament
        return importlib.import_module("trafilatura")
    except ImportError:
        return None
