"""Where an archive is found, and what is left behind on disk."""

from __future__ import annotations

import pickle
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_sets import HEADER, WEBKB, WIKI, pack

from focuslab.webs.labelled import LabelledWeb
from focuslab.webs.tar_store import Archive, cache_folder, find_archive
from focuslab.webs.webkb import webkb
from focuslab.webs.wikischools import WikiSchools, wikischools


def test_a_folder_the_file_and_the_variable_all_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = pack(tmp_path / "webkb.tar.xz", WEBKB)
    monkeypatch.setenv("FOCUSLAB_DATA", str(tmp_path))
    assert find_archive("webkb", tmp_path) == find_archive("webkb", file) == find_archive("webkb") == file


def test_the_cache_folder_is_the_last_resort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOCUSLAB_DATA", raising=False)
    cache_folder().mkdir(parents=True)
    file = pack(cache_folder() / "wikischools.tar.xz", WIKI)
    assert find_archive("wikischools") == file


@pytest.mark.parametrize("make", [webkb, wikischools])
def test_absent_pages_say_where_and_what_to_do(make: Callable[..., LabelledWeb], tmp_path: Path) -> None:
    with pytest.raises(
        FileNotFoundError, match=r"pages are not at .*; put .*\.tar\.xz there, or set FOCUSLAB_DATA"
    ):
        make(tmp_path)


def test_another_archive_is_not_mistaken(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no articles"):
        wikischools(pack(tmp_path / "x.tar.xz", WEBKB))
    with pytest.raises(ValueError, match="holds no pages"):
        webkb(pack(tmp_path / "y.tar.xz", WIKI))


def test_a_damaged_archive_leaves_nothing_in_the_cache(tmp_path: Path) -> None:
    file = pack(tmp_path / "webkb.tar.xz", {name: text * 1000 for name, text in WEBKB.items()})
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(ValueError, match="is damaged"):
        webkb(file)
    assert list(cache_folder().iterdir()) == []


def test_it_is_unpacked_once_and_again_when_it_changes(tmp_path: Path) -> None:
    first = Archive(pack(tmp_path / "wikischools.tar.xz", WIKI)).tar
    written = first.stat().st_mtime_ns
    assert Archive(tmp_path / "wikischools.tar.xz").tar.stat().st_mtime_ns == written
    assert Archive(pack(tmp_path / "wikischools.tar.xz", {**WIKI, "wp/n/New.htm": "n"})).tar != first


def test_members_are_never_written_by_their_names(tmp_path: Path) -> None:
    names = (
        "../../evil",
        "/evil",
        "webkb/course/../../../evil",
        "webkb/course/cornell/http:^^a.edu^..^..^evil",
    )
    file = pack(tmp_path / "webkb.tar.xz", dict.fromkeys(names, HEADER))
    assert webkb(file).urls == ("http://a.edu/evil",)
    made = {path for path in tmp_path.rglob("*") if path.is_file()} - {file}
    assert [path.parent for path in made] == [cache_folder()]


def test_a_link_in_the_archive_is_no_page(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "webkb.tar.xz", "w:xz") as tar:
        member = tarfile.TarInfo("webkb/course/cornell/http:^^a.edu^")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/hostname"
        tar.addfile(member)
    with pytest.raises(ValueError, match="holds no pages"):
        webkb(tmp_path)


def test_a_web_can_be_sent_to_another_process(tiny_wiki: WikiSchools) -> None:
    copy = pickle.loads(pickle.dumps(tiny_wiki))
    assert [copy.fetch(url) for url in copy.urls] == [tiny_wiki.fetch(url) for url in tiny_wiki.urls]


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w"])
def test_other_ways_to_pack_are_read_too(tmp_path: Path, mode: str) -> None:
    file = pack(tmp_path / "webkb.tar.gz", WEBKB, mode)
    assert len(webkb(file)) == len(webkb(tmp_path)) == 6


def test_a_cut_gzip_is_damaged(tmp_path: Path) -> None:
    file = pack(tmp_path / "webkb.tgz", {name: text * 1000 for name, text in WEBKB.items()}, "w:gz")
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(ValueError, match="is damaged"):
        webkb(file)
