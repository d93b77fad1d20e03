"""Arrays that grow on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focuslab.graphs.array_files import ArrayFile, opened


@pytest.mark.parametrize("width", [0, 3])
def test_what_was_appended_is_there_by_memory_map(tmp_path: Path, width: int) -> None:
    pieces = [
        np.arange(n * (width or 1), dtype=np.int32).reshape(-1, *([width] * (width > 0))) for n in (4, 0, 9)
    ]
    file = ArrayFile(tmp_path / "grown.npy", np.int32, width)
    for piece in pieces:
        file.append(piece)
    assert np.array_equal(opened(file.close()), np.concatenate(pieces))


def test_nothing_is_an_array_too(tmp_path: Path) -> None:
    assert opened(ArrayFile(tmp_path / "none.npy", np.float64).close()).shape == (0,)
