"""Records of any file, whole or damaged: plain, packed, and with junk in between."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from focuslab.fetchers import warc
from focuslab.types import Response
from focuslab.webs.warc_scan import Part, parts, scan

URLS = [f"http://{name}.example/" for name in "abc"]
ANSWERS = [warc.as_recorded(Response(url, 200, url.encode() * 50, "text/html")) for url in URLS]
RECORDS = [warc.record(answer.url, answer) for answer in ANSWERS]
PLAIN = [zlib.decompress(record, wbits=31) for record in RECORDS]


def found(tmp_path: Path, *pieces: bytes) -> list[str | None]:
    file = tmp_path / "x.warc.gz"
    file.write_bytes(b"".join(pieces))
    (part,) = parts(file)
    records = list(scan(part))
    for record in filter(None, records):
        assert record.status == 200
        assert record.http["content-type"] == "text/html"
    return [record and record.headers["warc-target-uri"] for record in records]


@pytest.mark.parametrize("pieces", [RECORDS, PLAIN], ids=["packed", "plain"])
def test_every_record_in_order_and_each_gap_once(tmp_path: Path, pieces: list[bytes]) -> None:
    a, b, c = pieces
    assert found(tmp_path, a, b, c) == URLS
    assert found(tmp_path, a, b"junk " * 99, c) == [URLS[0], None, URLS[2]]
    assert found(tmp_path, a, b, c[:-40])[:2] == URLS[:2]


def test_a_packed_record_cut_in_the_middle_costs_itself_only(tmp_path: Path) -> None:
    a, b, c = RECORDS
    assert found(tmp_path, a, b[: len(b) // 2], c) == [URLS[0], None, URLS[2]]


def test_a_record_can_be_read_by_its_place(tmp_path: Path) -> None:
    file = tmp_path / "x.warc.gz"
    file.write_bytes(b"".join(RECORDS))
    second = list(scan(Part(file, 0, file.stat().st_size)))[1]
    assert second is not None
    packed = file.read_bytes()[second.offset : second.offset + second.length]
    assert warc.unpack(packed).asked == URLS[1]


def test_a_folder_is_its_archives_by_name(tmp_path: Path) -> None:
    for name in ("b.warc.gz", "a.warc", "notes.txt"):
        (tmp_path / name).write_bytes(RECORDS[0])
    assert [part.file.name for part in parts(tmp_path)] == ["a.warc", "b.warc.gz"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match=r"no archive in .*; it needs files named \*\.warc"):
        parts(tmp_path / "empty")


@pytest.mark.parametrize(
    "junk",
    [
        b"WARC/1.0\r\nWARC-Type: response\r\n" * 2_000,
        b"WARC/1.0\r\n" + b"X: y\r\n" * 30_000,
        b"\x1f\x8b\x08\x1f" * 5_000,
        b"\x1f\x8b\x08\x08aaaa\x02\x03" * 2_000,
        b"WARC/" * 5_000,
    ],
    ids=["heads without ends", "an endless head", "packed, it says", "an endless name", "signs"],
)
@pytest.mark.parametrize("pieces", [RECORDS, PLAIN], ids=["packed", "plain"])
def test_what_looks_like_records_is_one_gap(tmp_path: Path, pieces: list[bytes], junk: bytes) -> None:
    a, b, c = pieces
    assert found(tmp_path, a, junk + b"\n", b, c) == [URLS[0], None, *URLS[1:]]
