"""How many pages one host, and one registered domain, may give to a crawl."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

from focuslab.pages.urls import registered_domain

__all__ = ["Caps"]


class Caps:
    """Counts pages by site and by domain, against a cap for each; None: no cap.

    >>> from focuslab.pages.urls import host
    >>> caps = Caps(host, 1, None)
    >>> caps.count("http://a.example/1")
    >>> caps.has_room("http://a.example/2"), caps.has_room("http://b.example/")
    (False, True)
    """

    def __init__(self, site_of: Callable[[str], str], site_cap: int | None, domain_cap: int | None) -> None:
        rules = ((site_of, site_cap), (registered_domain, domain_cap))
        self._rules = [(place, cap, Counter[str]()) for place, cap in rules if cap is not None]
        self._site_of = site_of
        self._forgivable = min((cap for _, cap, _ in self._rules), default=math.inf)
        self._forgiven: Counter[str] = Counter()

    def has_room(self, url: str) -> bool:
        """Whether another page may come from where this URL is."""
        return all(counted[place(url)] < cap for place, cap, counted in self._rules)

    def count(self, url: str, pages: int = 1) -> None:
        """One more page, or so many."""
        for place, _, counted in self._rules:
            counted[place(url)] += pages

    def refund(self, url: str) -> None:
        """The page did not come, so it does not count.

        Nobody is asked for dead pages without end, though: as many as the cap are forgiven (our choice).
        """
        if not self._rules:
            return
        site = self._site_of(url)
        if self._forgiven[site] < self._forgivable:
            self._forgiven[site] += 1
            self.count(url, -1)
