"""A table of addresses and HTML is a web: three kinds of files, topics that overlap, mistakes in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from focuslab.experiments.experiment_file import web_of
from focuslab.pages.parse import parse
from focuslab.webs.table import table

A, B, C = (f"http://{name}.example/" for name in "abc")
ROWS = [
    {"url": A, "html": f"<title>café 日本</title><a href={B}>b</a>", "label": "chess"},
    {"url": B, "html": "<p>b", "label": "games"},
    {"url": A, "html": f"<title>café 日本</title><a href={B}>b</a>", "label": "games"},
    {"url": "mailto:x@a.example", "html": "<p>no address", "label": "games"},
    {"url": C, "html": "", "label": "games"},
]


def write(rows: list[dict[str, Any]], file: Path) -> Path:
    frame = pd.DataFrame(rows)
    kind = file.name.partition(".")[2].removesuffix(".gz")
    if kind == "csv":
        frame.to_csv(file, index=False)
    elif kind == "jsonl":
        frame.to_json(file, orient="records", lines=True)
    else:
        frame.to_parquet(file)
    return file


@pytest.mark.parametrize("name", ["pages.csv", "pages.csv.gz", "pages.jsonl", "pages.parquet"])
def test_pages_topics_and_what_was_left_out(name: str, tmp_path: Path) -> None:
    web = table(write(ROWS, tmp_path / name))
    assert web.urls == (A, B)
    assert parse(web.fetch(A)).title == "café 日本"
    assert [link.url for link in parse(web.fetch(A)).out] == [B]
    assert (web.truth("chess").targets, web.truth("games").targets) == ({A}, {A, B})
    assert web.fetch("https://b.example/index.html").url == B
    assert web.fetch(C).status == 404
    assert repr(web) == f"<{name}: 2 pages, 2 topics, 2 lines skipped>"


def test_a_cell_may_list_topics_and_hold_bytes(tmp_path: Path) -> None:
    rows = [{"at": A, "body": "<p>日本".encode("euc-jp"), "kinds": ["chess", "games"]}]
    web = table(write(rows, tmp_path / "x.parquet"), "at", "body", "kinds", seeds=[B])
    assert web.topics() == ("chess", "games")
    assert web.topic("chess").seeds == (B,)
    assert web.fetch(A).body == "<p>日本".encode("euc-jp")


def test_labels_may_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text(f"url,label\nhttps://a.example,chess\n{C},chess\n")
    web = table(write([{"url": A, "html": "<p>a"}], tmp_path / "x.csv"), labels=labels)
    assert web.truth("chess").targets == {A}, "what is not in the table is nobody's target"


@pytest.mark.parametrize(
    ("name", "content", "mistake"),
    [
        ("x.csv", "address,html\n", "has no column 'url' but address, html; say which with url= and html="),
        ("x.csv", "url,html\nnowhere,<p>x\n", "holds no pages: no line has an address in 'url'"),
        ("x.xls", "", "is no table that is known; give a .csv, .jsonl or .parquet file"),
        ("x.parquet", "no such thing", "cannot be read as parquet"),
        ("x.jsonl", "{", "cannot be read as jsonl"),
        ("x.csv", "", "cannot be read as csv"),
    ],
)
def test_mistakes_are_one_sentence(name: str, content: str, mistake: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ValueError, match=mistake):
        table(tmp_path / name)


def test_an_experiment_can_name_it(tmp_path: Path) -> None:
    assert len(web_of({"name": "table", "path": str(write(ROWS, tmp_path / "pages.csv"))})) == 2
