"""What was read of a web, opened again."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from focuslab import webs
from focuslab.graphs.read_web import read
from focuslab.graphs.reading import Reading


def test_a_folder_keeps_it_and_a_temporary_one_goes(tmp_path: Path) -> None:
    web = webs.synthetic(pages=300, seed=3)
    kept = read(web, tmp_path, jobs=1)
    again = Reading(tmp_path, web)
    assert np.array_equal(again.graph.indices, kept.graph.indices)
    assert again.vocabulary == kept.vocabulary
    assert again.texts["context"].words(5).tolist() == kept.texts["context"].words(5).tolist()
    again = pickle.loads(pickle.dumps(kept))
    assert again.folder == tmp_path
    assert len(again) == len(web)
    assert again.topic("chess") == web.topic("chess")
    passing = read(web, jobs=1)
    folder = passing.folder
    assert folder.is_dir()
    del passing
    assert not folder.exists()
    with pytest.raises(FileNotFoundError, match=r"no reading in .*nowhere; write one there with read"):
        Reading(tmp_path / "nowhere", web)
