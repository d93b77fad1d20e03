"""Collections are held back, and come back."""

from __future__ import annotations

import gc

import pytest

from focuslab.crawling.few_collections import few_collections


def test_collections_are_seldom_inside_and_as_before_outside() -> None:
    before = gc.get_threshold()
    with pytest.raises(RuntimeError), few_collections():
        assert gc.get_threshold()[0] > before[0]
        raise RuntimeError
    assert gc.get_threshold() == before
