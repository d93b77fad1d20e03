"""Records one by one: what is written is what is read, and a part of a file can be copied out."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuslab.fetchers import warc
from focuslab.types import Response

A, B = "http://a.example/", "http://b.example/"
PAGE = warc.as_recorded(Response(A, 200, b"<p>\xff", "text/html", 0.25, headers={"ETag": '"x"'}))
FAILED = warc.as_recorded(Response(B, error="timeout: no answer\r\nin time"))


@pytest.mark.parametrize("response", [PAGE, FAILED])
def test_a_record_comes_back(response: Response) -> None:
    packed = warc.record(f"{response.url}old", response)
    found = warc.unpack(packed)
    assert (found.asked, found.response, found.place.end) == (f"{response.url}old", response, len(packed))


def test_headers_of_the_wire_are_not_kept_and_lines_stay_lines() -> None:
    odd = {"Content-Encoding": "gzip", "X-Bad\n": "1", "Link": "a\r\nSet-Cookie: b"}
    kept = warc.as_recorded(Response(A, 200, headers=odd)).headers
    assert dict(kept) == {"link": "a\nSet-Cookie: b"}  # written as two links, never as a cookie
    assert FAILED.error == "timeout: no answer in time"


def test_reading_ends_at_the_first_record_that_is_not_whole(tmp_path: Path) -> None:
    first, second = warc.record(A, PAGE), warc.record(B, FAILED)
    file = tmp_path / "crawl.warc.gz"
    file.write_bytes(first + second[:-9])
    assert [(entry.asked, entry.place.end) for entry in warc.read(file)] == [(A, len(first))]
    file.write_bytes(first + b"junk" + second)
    assert [entry.asked for entry in warc.read(file)] == [A]


def test_a_selection_keeps_what_the_file_says_of_itself(tmp_path: Path) -> None:
    about, first, second = warc.information({"topic": "x"}), warc.record(A, PAGE), warc.record(B, FAILED)
    file = tmp_path / "crawl.warc.gz"
    file.write_bytes(about + first + second)
    assert b"".join(warc.select(file, frozenset({B}))) == about + second
