"""Hosts never overlap, and every page stands on its host."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from focuslab.explore.layout import draw_map


@given(st.lists(st.integers(1, 60), min_size=1, max_size=40))
def test_hosts_never_overlap_and_hold_their_pages(sizes: list[int]) -> None:
    drawn = draw_map(
        f"http://h{host}.example/{page}" for host, size in enumerate(sizes) for page in range(size)
    )
    discs = np.array([host[1:4] for host in drawn.hosts])
    gaps = np.hypot(*(discs[:, None, :2] - discs[None, :, :2]).transpose(2, 0, 1))
    room = gaps - discs[:, None, 2] - discs[None, :, 2] + np.eye(len(discs)) * 1e9
    assert (room > 0).all()
    home = np.repeat(np.arange(len(discs)), [host[4] for host in drawn.hosts])
    assert (np.hypot(*(drawn.places - discs[home, :2]).T) <= discs[home, 2]).all()
    assert len(drawn.urls) == sum(sizes)
