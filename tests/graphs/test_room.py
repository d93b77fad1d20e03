"""Whether there is room is asked before the work starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuslab.graphs import room


def test_too_much_for_the_disk_is_said_with_the_remedy(tmp_path: Path) -> None:
    room.check_disk(tmp_path, 1)
    with pytest.raises(ValueError, match=r"needs about 1000000\.0 GB .* larger disk, or set TMPDIR"):
        room.check_disk(tmp_path, 1e15)


def test_too_much_for_memory_is_said_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    free = room.free_memory()
    assert free is None or free > 1e6
    monkeypatch.setattr(room, "free_memory", lambda: 10**9)
    room.check_memory(5e8, "half of it", "do nothing")
    with pytest.raises(ValueError, match=r"all of it needs about 2\.0 GB .* 1\.0 GB are free; use jobs=1"):
        room.check_memory(2e9, "all of it", "use jobs=1")
    monkeypatch.setattr(room, "free_memory", lambda: None)
    room.check_memory(1e18, "anything", "nobody knows")
