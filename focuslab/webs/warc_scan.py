"""The records of WARC and ARC files, found one by one, whatever state the file is in.

A file is read once from end to end and never as a whole. Where it is damaged, the reader looks for the next
place that starts like a record and goes on from there; what lies between is counted, not read.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from focuslab.fetchers.warc import series

__all__ = ["Part", "Record", "hint", "parts", "scan"]

HEAD = 131_072
"""Bytes at the start of a record that are kept: the headers of WARC and of HTTP must fit in."""
CHUNK = 1 << 18
FIRST = 1 << 13
"""Bytes that are read first of what may be a long way: damaged files have much that is a short one."""
BUFFER = 1 << 16
"""Bytes around a place that are kept, for one looks there more than once."""
GZIP_HEAD = 1 << 10
"""Bytes after which something must have come out of a packed record."""
GZIP = b"\x1f\x8b\x08"
BETWEEN = b"\r\n\r\n"
"""What stands between two records of a plain file."""
ZIP = b"PK\x03\x04"
NAMES = (".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz")
LINE = 8_192
"""Bytes of the line that heads a record in an ARC file."""
LONGEST = 18
"""Digits of a length."""
LONGEST_SIGN = 32

_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_VERSION = re.compile(rb"WARC/[01]\.\d{1,9}\r?\n")
"""How a record begins in a plain file."""
_MEMBER = re.compile(rb"\x1f\x8b\x08[\x00-\x1f].{4}[\0\2\4][\x00-\x0d\xff]", re.DOTALL)
"""How a record begins in a packed one, with all that is known of the ten bytes."""
_LINE_END = re.compile(rb"\n")
_ARC = re.compile(rb"(?P<url>[a-z]{2,10}:\S+) \S+ \d{14} (?P<kind>\S+) (?P<length>\d{1,18})\r?\n")
"""The line that heads a record of an ARC file, version 1."""
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})")


class Part(NamedTuple):
    """A stretch of a file that holds records: all of a WARC, or one member of a WACZ."""

    file: Path
    start: int
    end: int


class Record(NamedTuple):
    """What the head of a record says, and where the record lies. Names of headers are in lower case."""

    offset: int
    length: int
    headers: Mapping[str, str]
    status: int
    """Of the HTTP response; 0 where the record holds none."""
    http: Mapping[str, str]


def parts(path: str | Path) -> list[Part]:
    """Where the records are: in a file and those that go on where it was full, or in all of a folder."""
    place = Path(path).expanduser()
    files = sorted(file for file in place.iterdir() if _is_archive(file)) if place.is_dir() else series(place)
    if not files:
        raise FileNotFoundError(f"no archive in {place}; it needs files named *{', *'.join(NAMES)}")
    return [part for file in files for part in _parts_of(file)]


def scan(part: Part) -> Iterator[Record | None]:
    """Every record of a part in order; None for each place where something could not be read."""
    with part.file.open("rb", buffering=BUFFER) as file:
        file.seek(part.start)
        start = file.read(HEAD)
        if start.startswith(GZIP):
            yield from _scan_packed(file, part)
        elif _ARC.match(start):
            yield from _scan_arc(file, part)
        else:
            yield from _scan_plain(file, part)


def hint(found: Sequence[Part]) -> str:
    """What files are in which no page was found, as far as their first records tell."""
    records = (record for part in found for record in islice(scan(part), 10) if record)
    said = {(record.headers.get("warc-type"), record.headers.get("content-type")) for record in records}
    if any(kind == "conversion" for kind, _ in said):
        return "it is a WET file, the texts of pages without their links; take the WARC file it was made from"
    if ("metadata", "application/json") in said:
        return "it is a WAT file, facts about pages; take the WARC file it was made from"
    return "is it a WARC?"


def _is_archive(file: Path) -> bool:
    return file.is_file() and file.name.lower().endswith(NAMES)


def _parts_of(file: Path) -> list[Part]:
    with file.open("rb") as opened:
        if (
            opened.read(len(ZIP)) != ZIP
        ):  # a zip may also be the last page of a WARC, so its end tells nothing
            return [Part(file, 0, file.stat().st_size)]
    try:
        with zipfile.ZipFile(file) as wacz:
            members = [info for info in wacz.infolist() if info.filename.lower().endswith(NAMES[:-1])]
    except zipfile.BadZipFile as problem:
        raise ValueError(f"{file} is a damaged WACZ ({problem}); take another copy of it") from problem
    if any(info.compress_type != zipfile.ZIP_STORED for info in members):
        raise ValueError(f"{file} packs its WARC files once more, against the rules of WACZ; unpack it first")
    if not members:
        raise ValueError(f"{file} holds no WARC files; is it another kind of zip?")
    return [_stretch(file, info) for info in members]


def _stretch(file: Path, info: zipfile.ZipInfo) -> Part:
    """A stored member begins after its local header, whose last two fields have lengths of their own."""
    with file.open("rb") as zipped:
        zipped.seek(info.header_offset + 26)
        name, extra = (int.from_bytes(zipped.read(2), "little") for _ in range(2))
    start = info.header_offset + 30 + name + extra
    return Part(file, start, start + info.file_size)


# --- compressed: one gzip member per record


def _scan_packed(file: BinaryIO, part: Part) -> Iterator[Record | None]:
    offset, lost = part.start, False
    while offset < part.end:
        member = _unpack(file, offset, part.end)
        record = _record(offset, member.packed, member.head, member.size) if member else None
        if member and record and _holds_more(record, member):
            raise ValueError(
                f"{part.file} is packed as a whole, so that no page can be read by itself; "
                f"run: warcio recompress {part.file.name} repacked.warc.gz"
            )
        if record or not lost:  # one gap is counted once, however many places in it look like a start
            yield record
        lost = record is None
        offset = offset + member.packed if member else _find(file, _MEMBER, offset + 1, part.end)


class _Member(NamedTuple):
    head: bytes
    size: int
    packed: int


def _unpack(file: BinaryIO, offset: int, end: int) -> _Member | None:
    """The head of a gzip member and its sizes; None if it is damaged or cut off."""
    file.seek(offset)
    unpacker, head, size, read, wanted = zlib.decompressobj(wbits=31), b"", 0, 0, GZIP_HEAD
    try:
        while not unpacker.eof:
            rest = unpacker.unconsumed_tail
            if not rest:
                if read and not size:
                    return None
                rest = file.read(min(wanted, end - offset - read))
                read, wanted = read + len(rest), FIRST if read < FIRST else CHUNK
                if not rest:
                    return None
            piece = unpacker.decompress(rest, CHUNK)
            size += len(piece)
            head += piece[: max(0, HEAD - len(head))]
    except zlib.error:
        return None
    return _Member(head, size, read - len(unpacker.unused_data))


def _holds_more(record: Record, member: _Member) -> bool:
    """Whether another record follows in the same gzip member."""
    whole = _head(member.head)[1] + int(record.headers["content-length"])
    rest = member.head[whole:].lstrip()
    return member.size > whole + 8 and (whole > HEAD or bool(_VERSION.match(rest) or _ARC.match(rest)))


# --- plain


def _scan_plain(file: BinaryIO, part: Part) -> Iterator[Record | None]:
    after, lost = part.start, False
    while (offset := _find(file, _VERSION, after, part.end)) < part.end:
        record = _plain_record(file, offset, part.end)
        if not lost and (record is None or offset > after + len(BETWEEN)):
            yield None
        if record:
            yield record
        lost = record is None
        after = offset + (record.length if record else 1)
    if not lost and part.end > after + len(BETWEEN):
        yield None


def _scan_arc(file: BinaryIO, part: Part) -> Iterator[Record | None]:
    """Records of a plain ARC file: each is headed by one line, and followed by an empty one."""
    offset, lost = part.start, False
    while offset < part.end:
        file.seek(offset)
        line = file.read(LINE)
        named = _ARC.match(line)
        file.seek(offset)
        most = min(HEAD, part.end - offset, named.end() + int(named["length"])) if named else 0
        head = file.read(most)
        record = _record(offset, 0, head, part.end - offset)
        if record or not (lost or line[:1] == b"\n"):
            yield record
            lost = record is None
        offset = offset + record.length if record else _find(file, _LINE_END, offset, part.end) + 1


def _plain_record(file: BinaryIO, offset: int, end: int) -> Record | None:
    for most in (LINE, HEAD):  # long headers are rare
        file.seek(offset)
        head = file.read(min(most, end - offset))
        after = _VERSION.search(head, 1)
        if after and not _BLANK_LINE.search(head, 0, after.start()):
            return None  # another one begins among its headers
        if after or len(_BLANK_LINE.findall(head)) > 1:
            break
    return _record(offset, 0, head, end - offset)


def _find(file: BinaryIO, sign: re.Pattern[bytes], offset: int, end: int) -> int:
    """Where the sign comes next, or the end."""
    wanted = FIRST
    while offset < end:
        file.seek(offset)
        chunk = file.read(min(wanted, end - offset))
        found = sign.search(chunk)
        if found:
            return offset + found.start()
        if len(chunk) < wanted:
            break
        offset, wanted = offset + len(chunk) - LONGEST_SIGN, CHUNK
    return end


# --- the head of one record


def _record(offset: int, packed: int, head: bytes, available: int) -> Record | None:
    """The record that begins with these bytes, unless it is damaged or more is said than there is."""
    headers, start = _head(head)
    length = headers.get("content-length", "")
    if not (length.isascii() and length.isdigit() and len(length) <= LONGEST):
        return None
    end = start + int(length)
    if end > available:
        return None
    block = head[start:end]
    status = _STATUS.match(block)
    http = _fields(_BLANK_LINE.split(block, maxsplit=1)[0]) if status else {}
    return Record(offset, packed or end, headers, int(status[1]) if status else 0, http)


def _head(head: bytes) -> tuple[dict[str, str], int]:
    """The headers of a record, and where it begins behind them; none if these are no headers."""
    if line := _ARC.match(head):
        return _in_words_of_warc(line), line.end()
    if _VERSION.match(head) and (blank := _BLANK_LINE.search(head)):
        return _fields(head[: blank.start()]), blank.end()
    return {}, 0


def _in_words_of_warc(line: re.Match[bytes]) -> dict[str, str]:
    url, kind, length = (part.decode("latin-1") for part in line.group("url", "kind", "length"))
    about = "warcinfo" if url.startswith("filedesc:") else "response"
    return {"warc-type": about, "warc-target-uri": url, "content-type": kind, "content-length": length}


def _fields(lines: bytes) -> dict[str, str]:
    """Headers by name, the first of each name, with lines that go on joined."""
    try:
        text = lines.decode()
    except UnicodeDecodeError:
        text = lines.decode("latin-1")
    text = re.sub(r"\r?\n[ \t]+", " ", text)
    pairs = (line.partition(":") for line in text.split("\n")[1:])
    found: dict[str, str] = {}
    for name, colon, value in pairs:
        if colon:
            found.setdefault(name.strip().lower(), value.strip())
    return found
