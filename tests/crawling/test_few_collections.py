"""Collections are held back, and come back."""

from __future__ import annotations

import contextlib
import gc

from focuslab.crawling.few_collections import few_collections


def test_collections_are_seldom_inside_and_as_before_outside() -> None:
    before = gc.get_threshold()
    inside = []
    with contextlib.suppress(RuntimeError), few_collections():
        inside.append(gc.get_threshold())
        raise RuntimeError
    assert inside[0] > before
    assert gc.get_threshold() == before
