"""Python's search for cycles, held back while millions of objects are made that have none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def few_collections() -> Iterator[None]:
    """Look for cycles seldom: a frontier of many links has none, nor have pages that are read, and going
    through them again and again would take up to a fifth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
