"""A page that did not change since an earlier crawl comes from its record."""

from __future__ import annotations

from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from focuslab.fetchers import warc
from focuslab.fetchers.recorder import Recorder
from focuslab.fetchers.unchanged import Again
from focuslab.types import Response
from focuslab.webs.archive import archive

A, B, C = (f"http://{name}.example/" for name in "abc")


class Server:
    """Answers 304 to whoever knows the tag of today."""

    def __init__(self, tags: dict[str, str]) -> None:
        self.tags, self.asked = tags, []

    def fetch(self, url: str, etag: str = "", modified: str = "") -> Response:
        self.asked.append((url, etag, modified))
        if etag and etag == self.tags.get(url):
            return Response(url, 304, seconds=0.5)
        headers = {"etag": self.tags[url]} if url in self.tags else {}
        return Response(url, 200, f"{url} {self.tags.get(url)}".encode(), "text/html", headers=headers)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    with Recorder(Server({A: "1", B: "1"}), tmp_path / "crawl.warc.gz") as recorder:
        for url in (A, B, C):
            recorder.fetch(url)
    return tmp_path / "crawl.warc.gz"


def test_only_what_changed_is_sent(record: Path) -> None:
    server = Server({A: "1", B: "2"})
    web = Again(server, record)  # type: ignore[arg-type]
    assert len(web) == 2  # C came without a tag or date
    same, new, plain = (web.fetch(url) for url in (A, B, C))
    assert (same.status, same.body, same.seconds) == (200, f"{A} 1".encode(), 0.5)
    assert new.body == f"{B} 2".encode()
    assert plain.body == f"{C} None".encode()
    assert server.asked == [(A, "1", ""), (B, "1", ""), (C, "", "")]


def test_without_an_earlier_crawl_there_is_nothing_to_compare(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no crawl to compare with at .*; name the folder of an earlier"):
        Again(Server({}), tmp_path / "crawl.warc.gz")  # type: ignore[arg-type]


def test_what_did_not_change_is_a_revisit_of_what_was_sent(record: Path, tmp_path: Path) -> None:
    later = tmp_path / "later.warc.gz"
    with Recorder(Again(Server({A: "1", B: "2"}), record), later) as recorder:  # type: ignore[arg-type]
        used = {url: recorder.fetch(url) for url in (A, B)}
    dates = {entry.asked: entry.date for entry in warc.read(record)}
    with later.open("rb") as stream:
        kinds = []
        for entry in ArchiveIterator(stream, check_digests="raise"):
            named = entry.rec_headers.get_header
            kinds.append((entry.rec_type, named("WARC-Target-URI")))
            if entry.rec_type == "revisit":
                assert named("WARC-Profile").endswith("/server-not-modified")
                assert named("WARC-Refers-To-Date") == dates[A]
                assert entry.http_headers.get_header(warc.UNCHANGED) == dates[A]
            elif named("WARC-Target-URI") == A:
                assert named("WARC-Date") == dates[A], "the answer is as old as it is"
    assert kinds == [("warcinfo", None), ("response", A), ("revisit", A), ("response", B)]
    with Recorder(Server({}), later) as recorder:
        assert dict(recorder.past()) == used
    third = tmp_path / "third.warc.gz"
    with Recorder(Again(Server({A: "1"}), later), third) as recorder:  # type: ignore[arg-type]
        assert recorder.fetch(A).headers[warc.UNCHANGED] == dates[A], "of a page unchanged twice, the first"
    for file in (later, third):
        found = archive(file).fetch(A)
        assert (found.status, found.body, found.content_type) == (200, f"{A} 1".encode(), "text/html")
