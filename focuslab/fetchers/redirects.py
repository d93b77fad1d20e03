"""Where answers send their readers, and how far we go along."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from focuslab.fetchers.failures import Reason
from focuslab.pages.urls import canonical
from focuslab.types import Response

__all__ = ["MAX_REDIRECTS", "follow", "redirect"]

MAX_REDIRECTS = 5
STATUSES = frozenset({301, 302, 303, 307, 308})


def redirect(response: Response) -> str:
    """The URL a response sends its reader to; "" if it does not."""
    if response.status not in STATUSES or response.error:
        return ""
    location = response.headers.get("location", "")
    with suppress(UnicodeError):  # servers write UTF-8 where headers mean Latin-1
        location = location.encode("latin-1").decode()
    # What has no canonical form (file: and the like) is handed on as it is, for the next hop to refuse.
    return location and (canonical(location, response.url) or location)


def follow(ask: Callable[[str], Response], url: str, most: int = MAX_REDIRECTS) -> Response:
    """The answer where redirects end; a failure if they go in circles, or on and on.

    Examples
    --------
    >>> moved = Response("http://a.example/", 301, headers={"location": "/"})
    >>> follow(lambda url: moved, "http://a.example/").error
    'redirect-loop: back to http://a.example/'
    """
    response = ask(url)
    seen = {url, response.url}
    for _ in range(most):
        target = redirect(response)
        if not target:
            return response
        if target in seen:
            return _ended(response, Reason.REDIRECT_LOOP.because(f"back to {target}"))
        seen.add(target)
        response = ask(target)
    if redirect(response):
        return _ended(response, Reason.TOO_MANY_REDIRECTS.because(f"more than {most}"))
    return response


def _ended(response: Response, error: str) -> Response:
    return replace(response, error=error, body=b"")
