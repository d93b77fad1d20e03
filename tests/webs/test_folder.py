"""Mirrored sites: index pages, the names wget gives, and no way out of the folder."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focuslab import webs
from focuslab.pages.parse import parse
from focuslab.webs.folder import FolderWeb, folder

BASE = "http://docs.example/"
FILES = {
    "index.html": '<a href="guide/">Guide</a> <a href="page.html">Page</a>',
    "page.html": "<p>page",
    "guide/index.htm": '<a href="../page.html">back</a>',
    "guide/a b.html": "<p>space",
    "guide/tag%20x.html": "<p>percent",
    "list?page=2": "<html>two",
    "list?page=3.html": "<p>three",
    "bare": "<!DOCTYPE html><p>bare",
    "notes.txt": "plain",
    "empty/readme.txt": "no index here",
    "日記.html": "<p>diary",
    "pack.html.gz": "\x1f",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    for name, text in FILES.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "secret.html").write_text("secret")
    return root


@pytest.fixture
def web(site: Path) -> FolderWeb:
    return folder(site, BASE)


@pytest.mark.parametrize(
    ("asked", "answered", "body"),
    [
        ("", "", FILES["index.html"]),
        ("index.html", "", FILES["index.html"]),
        ("guide", "guide/", FILES["guide/index.htm"]),
        ("guide/", "guide/", FILES["guide/index.htm"]),
        ("guide/index.htm", "guide/", FILES["guide/index.htm"]),
        ("guide/a%20b.html", "guide/a%20b.html", "<p>space"),
        ("guide/a b.html", "guide/a%20b.html", "<p>space"),
        ("guide/tag%2520x.html", "guide/tag%2520x.html", "<p>percent"),
        ("page.html#part", "page.html", "<p>page"),
        ("guide/../page.html", "page.html", "<p>page"),
        ("page", "page", "<p>page"),
        ("list?page=2", "list?page=2", "<html>two"),
        ("list?page=3", "list?page=3", "<p>three"),
        ("日記.html", "%E6%97%A5%E8%A8%98.html", "<p>diary"),
    ],
)
def test_files_answer_as_a_server_would(web: FolderWeb, asked: str, answered: str, body: str) -> None:
    response = web.fetch(BASE + asked)
    assert (response.status, response.url, response.body.decode()) == (200, BASE + answered, body)
    assert web.resolve(BASE + asked) == BASE + answered


@pytest.mark.parametrize(
    "url", [BASE + "gone.html", BASE + "empty/", "http://other.example/", "", "\x00", BASE + "x" * 3000]
)
def test_what_is_no_file_is_not_found(web: FolderWeb, url: str) -> None:
    assert web.fetch(url).status == 404
    assert web.resolve(url) == ""


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("page.html", "text/html"),
        ("bare", "text/html"),
        ("list?page=2", "text/html"),
        ("notes.txt", "text/plain"),
        ("pack.html.gz", "application/gzip"),
    ],
)
def test_the_type_is_that_of_the_file(web: FolderWeb, name: str, kind: str) -> None:
    assert web.fetch(BASE + name).content_type == kind


def test_every_page_is_listed_under_an_address_that_works(web: FolderWeb) -> None:
    urls = list(web.urls)
    assert len(web) == len(urls) == 7
    assert [web.fetch(url).url for url in urls] == urls
    assert BASE in urls


def test_links_lead_on(web: FolderWeb) -> None:
    links = [link.url for link in parse(web.fetch(BASE)).out]
    assert [web.resolve(url) for url in links] == [BASE + "guide/", BASE + "page.html"]


# No way out


@pytest.mark.parametrize(
    "path",
    [
        "../secret.html",
        "%2e%2e/secret.html",
        "..%2fsecret.html",
        "guide/%2e%2e/%2e%2e/secret.html",
        "guide/..%2f..%2fsecret.html",
        "..%5csecret.html",
        "%2e%2e%00/secret.html",
        "/secret.html",
    ],
)
def test_no_spelling_of_the_parent_leads_out(web: FolderWeb, path: str) -> None:
    assert web.fetch(BASE + path).body != b"secret"
    assert web.resolve(BASE + path) == ""


def test_links_on_disk_are_followed_inside_only(site: Path, tmp_path: Path) -> None:
    (site / "out.html").symlink_to(tmp_path / "secret.html")
    (site / "up").symlink_to(tmp_path)
    (site / "circle").symlink_to(site / "circle")
    (site / "alias.html").symlink_to(site / "page.html")
    (site / "empty" / "index.html").symlink_to(tmp_path / "secret.html")
    web = folder(site, BASE, listings=True)
    for name in ("out.html", "up/secret.html", "up/", "circle"):
        assert web.fetch(BASE + name).status == 404, name
    assert b"secret" not in web.fetch(BASE + "empty/").body
    assert web.fetch(BASE + "alias.html").body == b"<p>page"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_opened(site: Path) -> None:
    os.mkfifo(site / "pipe.html")
    assert folder(site, BASE).fetch(BASE + "pipe.html").status == 404


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from("./\\%2e5cf?#ab\0secret.html~é"), max_size=40))
def test_no_address_reads_what_is_outside(web: FolderWeb, path: str) -> None:
    assert web.fetch(BASE + path).body != b"secret"


# Folders, listings, labels


def test_listings_are_made_on_request(site: Path) -> None:
    web = folder(site, BASE, listings=True)
    response = web.fetch(BASE + "empty")
    assert (response.status, response.url) == (200, BASE + "empty/")
    assert [link.url for link in parse(response).links] == [BASE + "empty/readme.txt"]


def test_several_folders_have_addresses_of_their_own(site: Path) -> None:
    web = folder({"http://one.example/docs": site / "guide", "http://two.example/": site})
    assert web.fetch("http://one.example/docs").url == "http://one.example/docs/"
    assert web.fetch("http://one.example/docs/a b.html").ok
    assert web.fetch("http://two.example/page.html").ok
    assert not web.fetch("http://one.example/page.html").ok


def test_hosts_are_folders_if_no_base_is_given(tmp_path: Path) -> None:
    for host in ("www.a.example", "b.example"):
        (tmp_path / host).mkdir()
        (tmp_path / host / "index.html").write_text(host)
    web = folder(tmp_path)
    assert web.fetch("http://www.a.example/").body == b"www.a.example"
    assert list(web.urls) == ["http://b.example/", "http://www.a.example/"]


def test_mistakes_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no folders named after hosts; give base="):
        folder(tmp_path)
    with pytest.raises(FileNotFoundError, match="is no folder"):
        folder(tmp_path / "gone", BASE)
    with pytest.raises(ValueError, match=r"'docs' is not like http://docs\.example/"):
        folder(tmp_path, "docs")


def test_labels_are_topics(site: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text(f"url,label\n{BASE}index.html,start\n{BASE}page.html,leaf\n{BASE}gone.html,leaf\n")
    web = folder(site, BASE, labels=labels)
    assert web.topics() == ("leaf", "start")
    assert web.truth("start").targets == {BASE}
    assert web.truth("start")(BASE + "index.html")
    assert web.topic("leaf").seeds == (BASE + "page.html",)


def test_a_folder_can_be_sent_to_another_process(web: FolderWeb) -> None:
    assert pickle.loads(pickle.dumps(web)).fetch(BASE) == web.fetch(BASE)


def test_a_long_file_is_cut(site: Path) -> None:
    assert folder(site, BASE, max_bytes=3).fetch(BASE + "page.html").body == b"<p>"


@pytest.mark.skipif(not shutil.which("wget"), reason="wget is absent: apt-get install wget")
@pytest.mark.parametrize("options", [[], ["--adjust-extension"]], ids=["as is", "with .html"])
def test_what_wget_mirrors_is_a_web(tmp_path: Path, options: list[str]) -> None:
    web = webs.synthetic(pages=400, seed=5)
    seed = web.topic("baseball").seeds[0]
    with webs.serve(web) as served:
        command = ["wget", "--recursive", "--level=1", "--span-hosts", "--no-verbose", "--execute=robots=off"]
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", **served.environment()}
        command += ["--tries=1", *options, seed]
        subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=60)
    mirror = folder(tmp_path)
    assert mirror.fetch(seed).body == web.fetch(seed).body
    found = [link.url for link in parse(web.fetch(seed)).out if mirror.resolve(link.url)]
    assert len(found) > 1
    assert all(mirror.fetch(url).body == web.fetch(url).body for url in found)
