"""Why a link brought no page: every reason there is, and what it means."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from traceback import extract_tb
from typing import Self

__all__ = ["Reason", "strict"]

FRAMES = 8
"""Most places of a mistake that are named, the innermost first."""


class Reason(StrEnum):
    """The word that a failure starts with; after a colon follows what happened to this page.

    Examples
    --------
    >>> Reason.TIMEOUT.because("no answer within 10 s")
    'timeout: no answer within 10 s'
    >>> Reason.meaning_of("dns: no such host"), Reason.meaning_of("status 404")
    ('no such host', 'the server said no')
    """

    meaning: str

    def __new__(cls, word: str, meaning: str) -> Self:
        reason = str.__new__(cls, word)
        reason._value_, reason.meaning = word, meaning
        return reason

    # What is not asked for.
    INVALID_URL = "invalid-url", "no address that can be asked"
    PRIVATE_ADDRESS = "private-address", "not on the public internet"
    ROBOTS = "robots", "robots.txt forbids it"
    ROBOTS_UNREACHABLE = "robots-unreachable", "robots.txt could not be had, which forbids everything"
    BACK_OFF = "back-off", "the host asked to be left alone"
    TRAP = "trap", "the address looks like a trap"

    # What the network did.
    DNS = "dns", "no such host"
    REFUSED = "refused", "nobody listens there"
    CONNECTION = "connection", "nobody answers there"
    UNREACHABLE = "unreachable", "no way to the host"
    PROXY = "proxy", "the proxy could not bring it"
    TLS = "tls", "its certificate or encryption cannot be trusted"
    TIMEOUT = "timeout", "no answer in time"
    RESET = "reset", "the connection was broken off"
    INCOMPLETE = "incomplete", "only a part of it came"

    # What the answer was.
    NOT_HTTP = "not-http", "the answer is not HTTP"
    BAD_ENCODING = "bad-encoding", "compressed in a way that cannot be undone"
    NOT_HTML = "not-html", "no web page: an image, a document, a program"
    STATUS = "status", "the server said no"
    REDIRECT_LOOP = "redirect-loop", "redirects in circles"
    TOO_MANY_REDIRECTS = "too-many-redirects", "redirects without end"
    DUPLICATE = "duplicate", "led to a page fetched before"
    NEAR_DUPLICATE = "near-duplicate", "says nearly the same as a page fetched before"

    # What we did.
    MISTAKE = "mistake", "an error of this program, not of the page: please report it"

    # What was kept of it, in files and archives.
    NOT_CAPTURED = "not-captured", "the archive has nothing of this address"
    REVISIT = "revisit", "the archive has only that it had not changed"
    DAMAGED = "damaged", "its record in the archive cannot be read"
    UNREADABLE = "unreadable", "its file cannot be read"

    def because(self, detail: object) -> str:
        """The failure of one page."""
        return f"{self}: {detail}"

    def explains(self, failure: str) -> bool:
        """Whether a failure is of this kind."""
        return failure.startswith(f"{self}:")

    @classmethod
    def mistaken(cls, problem: Exception) -> str:
        """The failure of one page by an exception nobody thought of, with its traceback in one line."""
        frames = reversed(extract_tb(problem.__traceback__)[-FRAMES:])
        places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
        said = " ".join("".join(filter(str.isprintable, str(problem)[:200])).split())
        return cls.MISTAKE.because(f"{type(problem).__name__}: {said} ({places})")

    @classmethod
    def meaning_of(cls, failure: str) -> str:
        """What a failure means, in a few words; "" if it is of no kind known."""
        word = failure.partition(":")[0].partition(" ")[0]
        return next((reason.meaning for reason in cls if reason == word), "")


def strict() -> bool:
    """Whether a live crawl is to end at a mistake of ours: for tests, which set ``FOCUSLAB_STRICT``."""
    return bool(os.environ.get("FOCUSLAB_STRICT"))
