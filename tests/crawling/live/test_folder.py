"""The folder of a crawl: its plan comes back as it was, and damage is told in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny import url

from focuslab.classifiers.training.topic_file import Examples, TopicFile
from focuslab.crawling.live.folder import Folder
from focuslab.crawling.live.settings import Settings
from focuslab.types import Topic

TOPIC = TopicFile(
    Topic("Bälle", (url("s"),), ("ball",)), Examples(relevant=(url("a"),), irrelevant=(url("b"),))
)


def test_a_plan_comes_back_as_it_was(tmp_path: Path) -> None:
    settings = Settings(budget=7, timeouts={"total": 3}, genres=("News/a.html",), delay=0)
    Folder(tmp_path / "out").create(TOPIC, settings)
    assert Folder(tmp_path / "out").load() == (TOPIC, settings)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["crawl.json"]


def test_nothing_is_written_over(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "out")
    folder.create(TOPIC, Settings())
    with pytest.raises(ValueError, match="holds a crawl already; go on with --resume"):
        folder.create(TOPIC, Settings())
    with pytest.raises(ValueError, match="is not empty and no crawl is in it; give another --out"):
        Folder(tmp_path).create(TOPIC, Settings())


def test_no_plan_and_a_damaged_one(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no crawl to resume in"):
        Folder(tmp_path).load()
    for damage in ("{", "[]", "{}", '{"topic": {"name": "x", "new": 1}, "examples": {}, "settings": {}}'):
        Folder(tmp_path).plan.write_text(damage)
        with pytest.raises(ValueError, match=r"crawl.json is damaged \(.*\); its record .* is whole"):
            Folder(tmp_path).load()


def test_a_crawl_without_a_page_leaves_no_folder(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "out")
    folder.create(TOPIC, Settings())
    folder.discard()
    assert not folder.path.exists()
