"""Captions, colours and names at the ends of lines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuslab.experiments.figure_style import _spread, caption_of, styles


def test_lines_differ_without_colour():
    looks = styles([f"s{i}" for i in range(20)] + ["random", "oracle"])
    assert (
        len({(str(look.linestyle), look.marker) for name, look in looks.items() if name.startswith("s")})
        == 20
    )
    assert looks["random"].linestyle != looks["oracle"].linestyle


@given(st.lists(st.floats(0, 1), min_size=1, max_size=15))
def test_names_at_the_ends_never_overlap(heights):
    placed = _spread(heights, 0.06)
    assert len(placed) == len(heights)
    assert (np.diff(placed) >= 0.06 - 1e-9).all()
    assert np.mean(placed) == pytest.approx(np.mean(heights))


def test_names_that_have_room_stay_where_they_are():
    assert _spread([0.9, 0.1, 0.5], 0.06) == pytest.approx([0.1, 0.5, 0.9])


def test_captions_say_what_is_known_and_no_more():
    assert caption_of({}) == ""
    assert (
        caption_of({"judge": "me", "seeds": (7,), "budget": 1_000})
        == "Judge: me; seed 7; budget 1,000 pages."
    )
    assert "seeds 0 … 9 (10)" in caption_of({"seeds": range(10)})
    assert "2 of 8 crawls ran dry" in caption_of({"ran_dry": 2, "crawls": 8})
    assert "at most 300 pages a host" in caption_of({"host_cap": 300})
