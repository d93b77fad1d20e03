"""What all fetchers that wrap another have in common."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from focuslab.types import Fetcher, LiveFetcher, Response

__all__ = ["Wrapper"]


@dataclass
class Wrapper(LiveFetcher):
    """Wrap a fetcher, and pass on to it whatever a subclass does not do itself.

    A fetcher that only fetches is as good: it records nothing and wants no rests.

    >>> class Site:
    ...     def fetch(self, url):
    ...         return Response(url, 200)
    >>> wrapped = Wrapper(Wrapper(Site()))
    >>> wrapped.fetch("http://a.example/").status, wrapped.ready_in("http://a.example/"), wrapped.polite
    (200, 0.0, False)
    """

    fetcher: Fetcher

    def fetch(self, url: str) -> Response:
        return self.fetcher.fetch(url)

    @property
    def polite(self) -> bool:
        return self._live.polite

    @property
    def recorded(self) -> int:
        return self._live.recorded

    def ready_in(self, url: str) -> float:
        return self._live.ready_in(url)

    def rules(self, url: str) -> Response:
        return self._live.rules(url)

    def past(self) -> Iterator[tuple[str, Response]]:
        return self._live.past()

    def close(self) -> None:
        self._live.close()

    @cached_property  # asked once: to tell a protocol is dear, and reads every property down the stack
    def _live(self) -> LiveFetcher:
        return self.fetcher if isinstance(self.fetcher, LiveFetcher) else _Plain(self.fetcher)


@dataclass
class _Plain(LiveFetcher):
    """A fetcher that only fetches, with the defaults for the rest."""

    fetcher: Fetcher

    def fetch(self, url: str) -> Response:
        return self.fetcher.fetch(url)
