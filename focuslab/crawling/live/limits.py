"""What ends a crawl, and in words why, with what would let it go on."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from focuslab.crawling.live.settings import Settings
from focuslab.crawling.loop import Crawl

__all__ = ["CTRL_C", "SIGTERM", "EnoughError", "TerminatedError", "ran_dry", "terminable", "used_up"]

CTRL_C = "Ctrl-C was pressed"
SIGTERM = "the system asked it to end (SIGTERM)"


class EnoughError(Exception):
    """A limit was reached while no page came."""


class TerminatedError(KeyboardInterrupt):
    """The process was asked to end."""


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM end a crawl as Ctrl-C does: everything is written before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise TerminatedError

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def used_up(settings: Settings, pages: int, least: int, failures: int, began: float) -> str:
    """Which limit was reached; "" if none was.

    ``least`` pages were fetched before the crawl was taken up again: a smaller budget leaves them all.
    """
    if pages < least:
        return ""
    if pages >= settings.budget:
        return f"its budget of {settings.budget:,} pages was used up (--budget)"
    if settings.max_requests and pages + failures >= settings.max_requests:
        return f"its {settings.max_requests:,} requests were used up (--max-requests)"
    if settings.max_failures and failures >= settings.max_failures:
        return f"{failures:,} fetches had brought no page (--max-failures); skipped.csv says why"
    if settings.max_seconds and time.monotonic() - began >= settings.max_seconds:
        return f"its time of {settings.max_seconds:g} seconds was used up (--max-seconds)"
    return ""


def ran_dry(visits: Crawl, settings: Settings, refused: int) -> str:
    """Why no link is left, and what would leave some."""
    rules = visits.frontier
    why = []
    if rules.capped:
        caps = [
            f"{name} N"
            for name, cap in (("--host-cap", settings.host_cap), ("--domain-cap", settings.domain_cap))
            if cap
        ]
        why.append(
            f"{rules.capped:,} links lead to sites that had given their share of pages "
            f"({' or '.join(caps)} allows more, 0 any number)"
        )
    if rules.too_deep:
        why.append(
            f"{rules.too_deep:,} are more than {settings.max_depth} links from any seed (--max-depth N)"
        )
    if refused:
        why.append(f"{refused:,} are out of scope (--include, --exclude, --domains, --not-domains)")
    return "no link was left to follow" + (f": {'; '.join(why)}" if why else "")
