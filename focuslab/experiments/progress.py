"""A bar that moves with every crawl, whichever process makes it.

Each crawl leaves a byte in a file, and a thread beside the bar looks at the size of that file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from tqdm import tqdm

__all__ = ["counted", "tick", "tick_up_to"]

LOOK = 0.2
"""Seconds between two looks at the file."""


@contextmanager
def counted(total: int, unit: str) -> Iterator[Path]:
    """Show a bar for ``total`` pieces of work; who does one calls `tick` with the path that is given."""
    with (
        tempfile.TemporaryDirectory() as folder,
        tqdm(total=total, unit=unit, leave=False, mininterval=LOOK) as bar,
    ):
        ticks, over = Path(folder) / "ticks", Event()
        ticks.touch()
        watcher = Thread(target=_watch, args=(bar, ticks, over), daemon=True)
        watcher.start()
        try:
            yield ticks
        finally:
            over.set()
            watcher.join()


def _watch(bar: tqdm, ticks: Path, over: Event) -> None:
    while not bar.disable and not over.wait(LOOK):
        bar.update(ticks.stat().st_size - bar.n)


def tick(ticks: Path | None, count: int = 1) -> None:
    """So many pieces of work are done. On another machine there is no such folder, and nobody is told."""
    if ticks is not None and count > 0:
        with suppress(FileNotFoundError), ticks.open("ab") as file:
            file.write(b"." * count)


def tick_up_to(ticks: Path, count: int) -> None:
    """At least so many are done: what other machines did is counted when it arrives."""
    tick(ticks, count - ticks.stat().st_size)
