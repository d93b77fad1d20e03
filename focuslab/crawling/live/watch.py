"""How a crawl goes, for whoever waits for it: a line at a terminal, a curve in a notebook."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from contextlib import suppress
from typing import Any, TextIO

from focuslab.crawling.live.folder import Folder
from focuslab.crawling.loop import Crawl
from focuslab.pages.urls import host
from focuslab.types import Visit

__all__ = ["Watch", "harvest_svg"]

EVERY = 0.5
"""Seconds between two looks at a terminal."""
TOLD_EVERY = 5.0
"""Seconds between two writings of ``status.json``."""
SELDOM = 30.0
"""Seconds between two lines where nobody can see a line change."""


class Watch:
    """Counts while a crawl runs, and says how it goes.

    Parameters
    ----------
    stream : file, optional
        Where lines go; default: the error stream, or a figure where a notebook runs. Nothing is said in
        notebooks that are executed to be compared (``TQDM_DISABLE`` is set).
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream
        self.pages = self.relevant = 0
        self.hosts: set[str] = set()
        self.curve: list[int] = []
        self._figure: Any = None

    def note(self, line: str) -> None:
        """Say something that is not how far the crawl is."""
        if line and not ("TQDM_DISABLE" in os.environ and self.stream is None):
            print(line, file=self.stream or sys.stderr, flush=True)

    def start(self, visits: Crawl, budget: int, recorded: int, folder: Folder | None = None) -> None:
        """A crawl begins, which has ``recorded`` fetches on record already.

        In its folder, ``status.json`` says how it goes to whoever asks from another terminal.
        """
        self.visits, self.budget, self.recorded, self.folder = visits, budget, recorded, folder
        self._began = self._shown = time.monotonic()
        self._replayed = 0
        self._tell("it goes on")

    def see(self, visit: Visit) -> None:
        """One more page."""
        self.pages += 1
        self.relevant += visit.assessment.relevant
        self.hosts.add(host(visit.response.url))
        self.curve.append(self.relevant)
        self.look()

    def look(self) -> None:
        """Say how it goes, if it is time to."""
        now = time.monotonic()
        if self.pages + len(self.visits.failures) <= self.recorded:
            self._replayed, self._began = self.pages, now
        if now - self._told > TOLD_EVERY:
            self._tell("it goes on")
        if now - self._shown > self._pause():
            self._shown = now
            self._show(self.line())

    def stop(self, why: str = "") -> None:
        """The crawl is over."""
        self._tell(why)
        self._show(self.line())
        if self._is_terminal():
            print(file=self.stream or sys.stderr)

    def _tell(self, stopped: str) -> None:
        """Write ``status.json``; that it cannot be written is no reason to end a crawl."""
        self._told = time.monotonic()
        if self.folder is None:
            return
        rate = self._rate()
        told = {
            "time": time.time(),
            "process": os.getpid(),
            "stopped": "" if stopped == "it goes on" else stopped,
            "pages": self.pages,
            "budget": self.budget,
            "relevant": self.relevant,
            "hosts": len(self.hosts),
            "waiting": len(self.visits.frontier),
            "hosts_waiting": self.visits.frontier.sites(),
            "failures": Counter(failure.reason.partition(":")[0] for failure in self.visits.failures),
            "pages_per_second": rate,
            "seconds_left": (self.budget - self.pages) / rate if rate else None,
        }
        part = self.folder.status.with_suffix(".part")
        with suppress(OSError):
            part.write_text(json.dumps(told), encoding="utf-8")
            part.replace(self.folder.status)

    def _rate(self) -> float:
        return (self.pages - self._replayed) / max(1e-9, time.monotonic() - self._began)

    def line(self) -> str:
        """Where the crawl stands, in one line."""
        rate = self._rate()
        harvest = self.relevant / max(1, self.pages)
        left = _clock((self.budget - self.pages) / rate) if rate else "?"
        replaying = "replaying " if self._replayed == self.pages and self.recorded else ""
        return (
            f"{replaying}{self.pages:,}/{self.budget:,} pages  harvest {harvest:.2f}  {rate:.1f}/s  "
            f"{len(self.hosts):,} hosts  {len(self.visits.failures):,} errors  "
            f"{len(self.visits.frontier):,} waiting  {left} left"
        )

    def _pause(self) -> float:
        return EVERY if self._is_terminal() or self._in_notebook() else SELDOM

    def _is_terminal(self) -> bool:
        stream = self.stream or sys.stderr
        return stream is not None and stream.isatty()

    def _in_notebook(self) -> bool:
        return self.stream is None and "ipykernel" in sys.modules

    def _show(self, line: str) -> None:
        if "TQDM_DISABLE" in os.environ and self.stream is None:
            return
        if self._in_notebook():
            self._draw(line)
        elif self._is_terminal():
            print(f"\r\x1b[2K{line}", end="", file=self.stream or sys.stderr, flush=True)
        else:
            print(line, file=self.stream or sys.stderr, flush=True)

    def _draw(self, line: str) -> None:
        from IPython.display import HTML, display

        figure = HTML(harvest_svg(self.curve) + f"<p>{line}</p>")
        if self._figure is None:
            self._figure = display(figure, display_id=True)
        else:
            self._figure.update(figure)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def harvest_svg(found: list[int], width: int = 640, height: int = 240, points: int = 300) -> str:
    """The harvest rate so far (relevant / fetched) after each page, as a figure for a web page.

    >>> harvest_svg([1, 1, 2]).count("<svg")
    1
    """
    step = max(1, len(found) // points)
    places = [*range(step - 1, len(found), step)]
    left, bottom, most = 40, height - 30, max(1, len(found))
    line = " ".join(
        f"{left + (n + 1) / most * (width - left - 10):.1f},{bottom - found[n] / (n + 1) * (bottom - 10):.1f}"
        for n in places
    )
    levels = "".join(
        f'<line x1="{left}" x2="{width - 10}" y1="{y:.0f}" y2="{y:.0f}" stroke="#dfe4ea"/>'
        f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{share:.0%}</text>'
        for share in (0.0, 0.5, 1.0)
        for y in (bottom - share * (bottom - 10),)
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" '
        f'aria-label="harvest rate over pages fetched" font-size="12" fill="#5b6675">{levels}'
        f'<polyline points="{line}" fill="none" stroke="#0b5fa5" stroke-width="2"/>'
        f'<text x="{width - 10}" y="{height - 10}" text-anchor="end">{len(found):,} pages</text></svg>'
    )
