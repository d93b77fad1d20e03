"""A list of labelled addresses, read in its order; mistakes name the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuslab.classifiers.training.labels import Labelling, read_labels


def test_a_list_is_read_in_its_order(tmp_path: Path) -> None:
    file = tmp_path / "pages.csv"
    file.write_text(
        "label, note, url, genre\nchess,x,HTTP://A.example:80/#top,Blog\n\nother,,http://b.example/,\n"
        "chess,again,http://a.example/,Blog\n",
        encoding="utf-8-sig",
    )
    assert read_labels(file) == [
        Labelling("http://a.example/", "chess", "Blog"),
        Labelling("http://b.example/", "other"),
    ]


@pytest.mark.parametrize(
    ("content", "mistake"),
    [
        ("", r"has no column 'url'; its first line must be url,label"),
        ("url\nhttp://a.example/", r"has no column 'label'"),
        ("url,label\n", r"holds no labelled pages"),
        ("url,label\nnot a page,x", r"line 2 of .*: 'not a page' is no http or https address"),
        ("url,label\nhttp://a.example/,", r"line 2 of .*: http://a\.example/ has no label"),
        ("url,label,genre\nhttp://a.example/,x,Poem", r"no genre named 'Poem'; try News, Blog"),
        ("url,label\nhttp://a.example/,x\nhttp://a.example/,y", r"labels http://a.example/ both 'x' and 'y'"),
    ],
)
def test_mistakes_in_a_list_name_the_line(tmp_path: Path, content: str, mistake: str) -> None:
    file = tmp_path / "pages.csv"
    file.write_text(content)
    with pytest.raises(ValueError, match=mistake):
        read_labels(file)


def test_labels_that_are_topics_may_overlap(tmp_path: Path) -> None:
    file = tmp_path / "pages.csv"
    file.write_text("url,label\nhttp://a.example/,x\nhttp://a.example/,y\nhttp://a.example/,x\n")
    assert [row.label for row in read_labels(file, several=True)] == ["x", "y"]


def test_another_charset_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "pages.csv"
    file.write_bytes("url,label\nhttp://a.example/,café".encode("latin-1"))
    with pytest.raises(ValueError, match="is not UTF-8"):
        read_labels(file)
