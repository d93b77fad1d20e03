"""Which pages count as targets: never a seed, never an irrelevant page, half of each kind."""

from __future__ import annotations

import numpy as np

from focuslab.experiments.reproduce import guan
from focuslab.graphs.graph import WebGraph


def test_targets_of_three_kinds() -> None:
    pages = 40
    urls = [f"http://{page % 4}.example/{'deep/' * (page // 4)}" for page in range(pages)]
    sources, targets = np.arange(1, pages), np.zeros(pages - 1)  # all link to page 0
    graph = WebGraph.from_edges(sources, targets, np.ones(pages), truth=np.arange(pages) < 30, urls=urls)
    found = guan._targets(graph, np.array([1], np.int32))
    assert list(found) == list(guan.TARGETS)
    for chosen in found.values():
        assert not chosen[1]
        assert not chosen[30:].any()
    assert found["any"].sum() == 14
    assert found["well linked"].sum() == 1
    assert found["entrances"][:4].sum() + found["entrances"][5] == 2  # page 1 is a seed: 5 is next
