"""``focuslab crawl``: what its options mean, before any network is asked."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from focuslab.cli import main
from focuslab.cli.crawl import size
from focuslab.crawling.live import Settings
from focuslab.crawling.live.seeds import read_seeds


@pytest.mark.parametrize(
    ("text", "found"),
    [("500", 500), ("10k", 10_000), ("2.5M", 2_500_000), ("1GB", 10**9), (" 3 t ", 3 * 10**12)],
)
def test_sizes(text: str, found: int) -> None:
    assert size(text) == found


@pytest.mark.parametrize("text", ["", "ten", "-1", "5x", "1.2.3"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no size; write 500k, 10M or 2G"):
        size(text)


def test_seeds_are_lines_without_comments(tmp_path: Path) -> None:
    file = tmp_path / "seeds.txt"
    file.write_bytes(b"\xef\xbb\xbf# where to start\n\n http://a.example/ \nhttp://b.example/\n")
    assert read_seeds([str(file)], Settings()) == ["http://a.example/", "http://b.example/"]
    file.write_text("# nothing\n")
    with pytest.raises(ValueError, match="holds no seeds"):
        read_seeds([str(file)], Settings())
    with pytest.raises(ValueError, match="cannot read seeds from"):
        read_seeds([str(tmp_path / "none.txt")], Settings())


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("crawl", "give a topic (a YAML file), or --resume FOLDER"),
        ("crawl topic.yaml --resume out", "so leave out topic"),
        ("crawl --resume out --out other", "so leave out out"),
    ],
)
def test_mistakes(line: str, remedy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert remedy in capsys.readouterr().err
