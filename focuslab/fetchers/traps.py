"""Bounds on the places where a site could keep a crawler forever: calendars, session ids, endless paths."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from focuslab.fetchers.failures import Reason
from focuslab.fetchers.wrapper import Wrapper
from focuslab.types import Response

__all__ = ["Bounded"]


@dataclass
class Bounded(Wrapper):
    """Wrap a fetcher so that addresses which look like a trap are not asked for.

    What is not fetched comes back as a `Response` whose error starts with ``trap`` and a colon. All four
    bounds are our choice; None lifts one.

    Parameters
    ----------
    max_length
        Characters of a URL.
    max_folders
        Folders in a path.
    max_repeats
        How often one folder may occur in a path: ``/a/b/a/b/a/b/`` comes from relative links gone wrong.
    max_variants
        How many queries of one path are asked: calendars, sortings and session ids differ in the query only.

    Examples
    --------
    >>> class Site:
    ...     def fetch(self, url):
    ...         return Response(url, 200)
    >>> site = Bounded(Site(), max_variants=2)
    >>> [site.fetch(f"http://a.example/calendar?day={day}").error for day in range(3)]
    ['', '', 'trap: 2 queries of http://a.example/calendar were asked already']
    """

    max_length: int | None = 1_000
    max_folders: int | None = 16
    max_repeats: int | None = 3
    max_variants: int | None = 100
    _variants: Counter[str] = field(default_factory=Counter, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def fetch(self, url: str) -> Response:
        """Fetch a page, unless its address says that it leads nowhere."""
        refusal = self._refusal(url)
        return Response(url, error=Reason.TRAP.because(refusal)) if refusal else self.fetcher.fetch(url)

    def past(self) -> Iterator[tuple[str, Response]]:
        """What is on record; it counts like what is fetched now."""
        for url, response in super().past():
            self._refusal(url)
            yield url, response

    def _refusal(self, url: str) -> str:
        if self.max_length is not None and len(url) > self.max_length:
            return f"the address has {len(url):,} characters"
        address, mark, _ = url.partition("?")
        folders = [folder for folder in unquote(address).lower().split("/")[3:-1] if folder]
        if self.max_folders is not None and len(folders) > self.max_folders:
            return f"the path has {len(folders)} folders"
        if self.max_repeats is not None and folders:
            folder, times = Counter(folders).most_common(1)[0]
            if times > self.max_repeats:
                return f"the path goes {times} times through {folder[:40]!r}"
        return self._variant(address) if mark else ""

    def _variant(self, address: str) -> str:
        """Count one more query of a path."""
        if self.max_variants is None:
            return ""
        with self._lock:
            if self._variants[address] >= self.max_variants:
                return f"{self.max_variants} queries of {address} were asked already"
            self._variants[address] += 1
        return ""
