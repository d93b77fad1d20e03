"""A page that did not change since an earlier crawl comes from its record."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuslab.fetchers.recorder import Recorder
from focuslab.fetchers.unchanged import Again
from focuslab.types import Response

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
