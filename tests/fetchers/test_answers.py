"""Headers and bodies of recorded answers, however they were packed or repeated."""

from __future__ import annotations

import gzip
import io

import brotli
import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from focuslab.fetchers.answers import body_of, by_name, lines

LONG = b"<p>hello " * 100_000


def recorded(body: bytes, *headers: tuple[str, str]) -> ArcWarcRecord:
    file = io.BytesIO()
    writer = WARCWriter(file, gzip=True)
    answer = StatusAndHeaders("200 OK", list(headers), protocol="HTTP/1.1")
    writer.write_record(
        writer.create_warc_record(
            "http://a.example/", "response", payload=io.BytesIO(body), length=len(body), http_headers=answer
        )
    )
    file.seek(0)
    return next(iter(ArchiveIterator(file)))


def test_headers_come_and_go_line_by_line() -> None:
    pairs = [("x-robots-tag", "bot: noindex"), ("location", "/b"), ("x-robots-tag", "nofollow")]
    found = by_name([("Location", "/a"), *pairs])
    assert found == {"location": "/b", "x-robots-tag": "bot: noindex\nnofollow"}
    assert sorted(lines(found)) == sorted(pairs)


@pytest.mark.parametrize("pack", [gzip.compress, brotli.compress])
def test_no_more_is_unpacked_than_wanted_and_what_is_cut_off_is_read_as_far_as_it_goes(pack) -> None:
    header = ("Content-Encoding", "gzip" if pack is gzip.compress else "br")
    packed = pack(LONG)
    assert body_of(recorded(packed, header)) == LONG
    assert body_of(recorded(packed, header), 1_000) == LONG[:1_000]
    part = body_of(recorded(packed[: len(packed) // 2], header))
    assert LONG.startswith(part)
    assert body_of(recorded(pack(b""), header)) == b""


def test_a_body_of_unknown_packing_is_left_as_it_is() -> None:
    assert body_of(recorded(b"<p>hello", ("Content-Encoding", "utf-8"))) == b"<p>hello"
