"""No page ends a crawl: what nobody thought of becomes that page's failure."""

from __future__ import annotations

from focuslab.fetchers.failures import Reason, strict
from focuslab.fetchers.wrapper import Wrapper
from focuslab.types import Response

__all__ = ["Unfailing"]


class Unfailing(Wrapper):
    """Wrap a fetcher: an exception is a `Response` with an error, unless ``FOCUSLAB_STRICT`` is set."""

    def fetch(self, url: str) -> Response:
        """The page, or why there is none."""
        try:
            return self.fetcher.fetch(url)
        except Exception as problem:
            if strict():
                raise
            return Response(url, error=Reason.mistaken(problem))
