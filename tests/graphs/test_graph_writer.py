"""A graph written in pieces is the graph of all its links."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focuslab.graphs.graph import WebGraph
from focuslab.graphs.graph_writer import GraphWriter
from focuslab.graphs.simulate import simulate


@pytest.mark.parametrize("piece", [1, 7, 50])
def test_pieces_make_the_whole(tmp_path: Path, piece: int) -> None:
    rng = np.random.default_rng(piece)
    sizes, worth = rng.integers(0, 9, 50), rng.random(50)
    targets = rng.integers(0, 50, sizes.sum()).astype(np.int32)
    whole = WebGraph.from_edges(np.repeat(np.arange(50), sizes), targets, worth, seeds=[3, 4])
    ends = np.cumsum(sizes)
    with GraphWriter(tmp_path, 50) as writer:
        for start in range(0, 50, piece):
            some = slice(start, start + piece)
            links = slice(ends[start] - sizes[start], ends[some][-1])
            writer.add(whole.urls[some], worth[some], targets[links], sizes[some])
        writer.close(seeds=[3, 4], hosts=["one.example"])
    found = WebGraph.load(tmp_path)
    assert list(found.urls) == list(whole.urls)
    for name in ("indptr", "indices", "relevance", "relevant", "genre", "confidence", "seeds"):
        assert np.array_equal(getattr(found, name), getattr(whole, name)), name
    assert np.array_equal(simulate(found, found.relevance), simulate(whole, whole.relevance))


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    writer = GraphWriter(tmp_path, 2)
    with pytest.raises(ValueError, match="links lead to pages 0 to 2; there are 2"):
        writer.add(["http://a.example/"], [0.5], [0, 2], [2])
    with pytest.raises(ValueError, match="1 URLs for 2 pages"):
        writer.add(["http://a.example/"], [0.5, 0.5], [], [0, 0])
    writer.add(["http://a.example/"], [0.5], [1], [1])
    with pytest.raises(ValueError, match="1 pages were written of 2; write them all"):
        writer.close()
