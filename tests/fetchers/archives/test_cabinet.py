"""What an archive answered is kept, whoever else uses the folder."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from focuslab.fetchers.archives.cabinet import Cabinet


def test_a_folder_that_another_process_is_just_setting_up_is_waited_for(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "index.sqlite", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    ending = threading.Timer(0.3, lambda: other.execute("COMMIT"))
    ending.start()
    cabinet = Cabinet(tmp_path)
    ending.join()
    cabinet.remember("a question", "an answer")
    assert cabinet.answer("a question") == "an answer"
    cabinet.close()
    other.close()
