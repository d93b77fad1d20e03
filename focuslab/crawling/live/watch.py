"""How a crawl goes, for whoever waits for it: a line at a terminal, a curve in a notebook."""

from __future__ import annotations

import os
import sys
import time
from typing import Any, TextIO

from focuslab.crawling.loop import Crawl
from focuslab.pages.urls import host
from focuslab.types import Visit

__all__ = ["Watch", "harvest_svg"]

EVERY = 0.5
"""Seconds between two looks at a terminal."""
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

    def start(self, visits: Crawl, budget: int, recorded: int) -> None:
        """A crawl begins, which has ``recorded`` fetches on record already."""
        self.visits, self.budget, self.recorded = visits, budget, recorded
        self._began = self._shown = time.monotonic()
        self._replayed = 0

    def see(self, visit: Visit) -> None:
        """One more page."""
        self.pages += 1
        self.relevant += visit.assessment.relevant
        self.hosts.add(host(visit.response.url))
        self.curve.append(self.relevant)
        now = time.monotonic()
        if self.pages + len(self.visits.failures) <= self.recorded:
            self._replayed, self._began = self.pages, now
        if now - self._shown > self._pause():
            self._shown = now
            self._show(self.line())

    def stop(self) -> None:
        """The crawl is over."""
        self._show(self.line())
        if self._is_terminal():
            print(file=self.stream or sys.stderr)

    def line(self) -> str:
        """Where the crawl stands, in one line."""
        seconds = max(1e-9, time.monotonic() - self._began)
        rate = (self.pages - self._replayed) / seconds
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
