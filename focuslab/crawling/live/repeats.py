"""Pages that say nearly the same as one the crawl has: mirrors, reprints, one text under many addresses."""

from __future__ import annotations

from dataclasses import replace

from focuslab.fetchers.failures import Reason
from focuslab.pages.near_duplicates import Shelf
from focuslab.types import Page

__all__ = ["LONGEST", "Repeats"]

LONGEST = 20_000
"""Characters of a page that are compared, which bounds what is remembered of it (our choice)."""


class Repeats:
    """Says of each page which earlier one it repeats.

    The whole visible text counts, menus included: to find the article in it would take longer than to read
    the page (our choice).

    Examples
    --------
    >>> said, repeats = "one two three four five six seven eight nine ten", Repeats()
    >>> repeats(Page("http://a.example/", text=said)), repeats(Page("http://b.example/", text=said))
    ('', 'near-duplicate: 100% as http://a.example/')
    """

    def __init__(self) -> None:
        self._shelf = Shelf()
        self._urls: list[str] = []

    def __call__(self, page: Page) -> str:
        """Why the page is not worth keeping; "" if it is."""
        pairs = self._shelf.add(replace(page, text=page.text[:LONGEST]))
        self._urls.append(page.url)
        if not pairs:
            return ""
        return Reason.NEAR_DUPLICATE.because(f"{pairs[0].share:.0%} as {self._urls[pairs[0].first]}")
