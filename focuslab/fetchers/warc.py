"""Responses as WARC records, which other tools read too, and back."""

from __future__ import annotations

import hashlib
import re
import zlib
from base64 import b32encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from io import BytesIO
from itertools import count, groupby, takewhile
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import urlsplit

from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from focuslab.fetchers.answers import body_of, by_name, lines
from focuslab.types import Response

__all__ = [
    "UNCHANGED",
    "Original",
    "Place",
    "Recorded",
    "as_recorded",
    "digest",
    "further",
    "information",
    "load",
    "now",
    "packed",
    "places",
    "read",
    "record",
    "select",
    "series",
    "unpack",
]

ASKED, ERROR, SECONDS = "X-Focuslab-Asked", "X-Focuslab-Error", "X-Focuslab-Seconds"
STATUS, WAY = "X-Focuslab-Status", "X-Focuslab-Way"
UNCHANGED = "x-focuslab-unchanged"
"""On a response: the server said 304, and this is what it had sent at that date."""
DIGEST, DATE = "WARC-Payload-Digest", "WARC-Date"
PROFILE = "http://netpreserve.org/warc/1.0/revisit/"
# Bodies are kept unpacked, so what says how they travelled would mislead whoever reads the record.
OF_THE_WIRE = frozenset({"content-encoding", "transfer-encoding", "content-length", "connection"})
PHRASES = {status.value: status.phrase for status in HTTPStatus}
FIELDS = "application/warc-fields"
CHUNK = 1 << 16
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+")


class Place(NamedTuple):
    """Where a record lies, and for a revisit where the one lies that has its body."""

    file: Path
    start: int
    end: int
    origin: tuple[Path, int, int] | None = None


class Recorded(NamedTuple):
    """A fetch as the record has it: what was asked for, what came back, when and where."""

    asked: str
    response: Response
    date: str
    place: Place


class Original(NamedTuple):
    """What a record may refer to instead of holding the same body again."""

    url: str
    date: str


def as_recorded(response: Response) -> Response:
    """The response as it will be read back, so that a crawl uses the same before and after.

    >>> as_recorded(Response("http://a.example/", 200, error="reset:\\r\\n by peer")).error
    'reset: by peer'
    """
    url = _line(response.url).replace(" ", "%20")
    error = response.error and (_line(response.error) or "unknown")
    if not response.status:
        return Response(url, seconds=response.seconds, error=error)
    headers = by_name((name, _line(value)) for name, value in lines(response.headers))
    headers = {name: value for name, value in headers.items() if _is_kept(name)}
    kind = _line(response.content_type)
    if kind:
        headers["content-type"] = kind
    return replace(response, url=url, content_type=kind, error=error, headers=headers)


def _is_kept(name: str) -> bool:
    return name not in OF_THE_WIRE and name != "content-type" and bool(_TOKEN.fullmatch(name))


def _line(text: str) -> str:
    """One line of ASCII, without space around it: a header may hold no more."""
    text = text.strip()
    plain = text.encode("ascii", "replace").decode()
    return plain if plain.isprintable() else " ".join(_CONTROL.sub(" ", plain).split())


def now() -> str:
    """This moment, as records say it."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def digest(body: bytes) -> str:
    """What tells one body from another, as records say it."""
    return f"sha1:{b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()}"


def record(
    asked: str,
    response: Response,
    cut_at: int | None = None,
    date: str = "",
    same: Original | None = None,
) -> bytes:
    """One fetch as a compressed record.

    A fetch without an answer becomes a metadata record, and so does an answer whose body was not taken: an
    empty one would not be what the server sent. A body of ``cut_at`` bytes is said to be cut; one that the
    record has already is referred to by a revisit record. A page that a server called unchanged is two
    records: what it had sent, with the date of that, and a revisit which refers to it.
    """
    named = {ASKED: asked, SECONDS: repr(response.seconds), DATE: date or now()}
    if earlier := response.headers.get(UNCHANGED):
        sent = {name: value for name, value in response.headers.items() if name != UNCHANGED}
        copy = _answer(replace(response, headers=sent), {WAY: asked, DATE: earlier})
        return copy + _revisit(response, named, Original(response.url, earlier))
    if same:
        return _revisit(response, named, same)
    if response.error:
        named[ERROR] = response.error
    if not response.status or (response.error and 200 <= response.status < 300 and not response.body):
        return _without_body(response, named)
    if cut_at is not None and len(response.body) >= cut_at:
        named["WARC-Truncated"] = "length"
    return _answer(response, named)


def on_the_way(asked: str, response: Response) -> bytes:
    """What was exchanged before a page came: it is in the archive, but nobody asked for it."""
    return _answer(as_recorded(response), {WAY: asked})


def request(asked: str, url: str, headers: Mapping[str, str]) -> bytes:
    """What was asked of a server, as far as it is the same for every page."""
    parts = urlsplit(url)
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    line = StatusAndHeaders(
        f"GET {path} HTTP/1.1", [("Host", parts.netloc), *headers.items()], is_http_request=True
    )
    return _written("request", url, b"", {WAY: asked}, line)


def _without_body(response: Response, named: dict[str, str]) -> bytes:
    said = [b"error: %b\r\n" % response.error.encode()]
    if response.status:
        named[STATUS] = str(response.status)
        said += [f"{name}: {value}\r\n".encode() for name, value in lines(response.headers)]
    return _written("metadata", response.url, b"".join(said), named)


def _answer(response: Response, named: Mapping[str, str]) -> bytes:
    headers = _headers(response.status, response.headers)
    headers.add_header("Content-Length", str(len(response.body)))
    return _written("response", response.url, response.body, named, headers)


def _headers(status: int, named: Mapping[str, str]) -> StatusAndHeaders:
    line = f"{status} {PHRASES.get(status, 'Unknown')}"
    return StatusAndHeaders(line, list(lines(named)), protocol="HTTP/1.1")


def _revisit(response: Response, named: Mapping[str, str], same: Original) -> bytes:
    """A record without a body: the server said 304, or sent what the record has already.

    After a 304 the headers are those of the page itself, as caches have it, with `UNCHANGED` among them: a
    viewer such as pywb would show its reader the 304.
    """
    unchanged = UNCHANGED in response.headers
    about = {
        "WARC-Profile": PROFILE + ("server-not-modified" if unchanged else "identical-payload-digest"),
        "WARC-Refers-To-Target-URI": same.url,
        "WARC-Refers-To-Date": same.date,
        DIGEST: digest(response.body),
    }
    return _written(
        "revisit", response.url, b"", {**named, **about}, _headers(response.status, response.headers)
    )


def information(fields: Mapping[str, str]) -> bytes:
    """The record that opens a file and says what made it."""
    lines = "".join(f"{name}: {_line(value)}\r\n" for name, value in fields.items())
    return _written("warcinfo", "", lines.encode(), {})


def _written(
    kind: str, url: str, body: bytes, named: Mapping[str, str], headers: StatusAndHeaders | None = None
) -> bytes:
    packed = BytesIO()
    writer = WARCWriter(packed, gzip=True)
    entry = writer.create_warc_record(
        url,
        kind,
        payload=BytesIO(body),
        length=len(body),
        warc_content_type="" if headers else FIELDS,
        warc_headers_dict=dict(named),
        http_headers=headers,
    )
    writer.write_record(entry)
    return packed.getvalue()


def further(path: Path, number: int) -> Path:
    """The name of a record's second file, or a later one."""
    return path.with_name(f"{path.name.removesuffix('.warc.gz')}-{number:05}.warc.gz")


def series(path: Path) -> list[Path]:
    """The files of a record: the first, and those that were begun when one was full."""
    return [path, *takewhile(Path.exists, (further(path, number) for number in count(2)))]


def read(path: Path) -> Iterator[Recorded]:
    """Every fetch in a record, in the order written, of each file up to the first that is not whole."""
    bodies: dict[str, tuple[Path, int, int]] = {}
    for file, start, end, member in _each(path):
        entry = _entry(member)
        kept = entry.rec_headers.get_header(DIGEST) or ""
        place = Place(file, start, end, bodies.get(kept) if entry.rec_type == "revisit" else None)
        if entry.rec_type == "response" and kept:
            bodies[kept] = (file, start, end)
        yield _read_one(entry, place)


def load(place: Place) -> Response:
    """The response whose record is there."""
    return _read_one(_entry(zlib.decompress(packed(place), wbits=31)), place).response


def packed(place: Place) -> bytes:
    """The compressed record that is there."""
    return _bytes(place.file, place.start, place.end)


def unpack(record: bytes) -> Recorded:
    """One fetch from its compressed record."""
    return _read_one(_entry(zlib.decompress(record, wbits=31)), Place(Path(), 0, len(record)))


def select(path: Path, asked: frozenset[str]) -> Iterator[bytes]:
    """The compressed records of these fetches, and of what a file says of itself, as they are.

    A body that a revisit refers to comes along, before it.
    """
    bodies: dict[str, tuple[Path, int, int]] = {}
    for file, start, end, member in _each(path):
        entry = _entry(member)
        wanted = _of_fetch(entry) in {"", *asked}
        kept = entry.rec_headers.get_header(DIGEST) or ""
        if entry.rec_type == "revisit" and wanted and kept in bodies:
            yield _bytes(*bodies.pop(kept))
        if wanted:
            yield _bytes(file, start, end)
        elif entry.rec_type == "response":
            bodies[kept] = (file, start, end)


def places(path: Path) -> Iterator[tuple[str, Place]]:
    """Where each fetch is: from the first record of what was exchanged on its way to the last."""
    told = ((_entry(member), Place(file, start, end)) for file, start, end, member in _each(path))
    for asked, records in groupby(told, key=lambda each: _of_fetch(each[0])):
        found = list(records)
        if any(map(_is_fetch, (entry for entry, _ in found))):  # a crash may have left only the way
            yield asked, found[0][1]._replace(end=found[-1][1].end)


def _each(path: Path) -> Iterator[tuple[Path, int, int, bytes]]:
    """Each whole record: its file, its place there, and what it unpacks to."""
    for place in series(path):
        start = 0
        with place.open("rb") as file:
            for member, end in _members(file):
                yield place, start, end, member
                start = end


def _bytes(path: Path, start: int, end: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read(end - start)


def _entry(member: bytes) -> ArcWarcRecord:
    return next(iter(ArchiveIterator(BytesIO(member))))


def _of_fetch(entry: ArcWarcRecord) -> str:
    """The fetch that a record belongs to; "" for what the file says of itself."""
    named = entry.rec_headers.get_header
    return named(WAY) or named(ASKED) or ""


def _is_fetch(entry: ArcWarcRecord) -> bool:
    named = entry.rec_headers.get_header
    return entry.rec_type in ("response", "metadata", "revisit") and not named(WAY)


def _read_one(entry: ArcWarcRecord, place: Place) -> Recorded:
    """What a record says; a record of something else than a fetch was asked for by nobody."""
    named = entry.rec_headers.get_header
    asked, response = "", Response("")
    if _is_fetch(entry):
        asked, response = _fetch(entry)
        if place.origin:
            _, same = _fetch(_entry(zlib.decompress(_bytes(*place.origin), wbits=31)))
            response = replace(response, body=same.body)
    return Recorded(asked, response, named(DATE) or "", place)


def _members(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """The parts of a compressed file that were packed one by one, and where each ends.

    A part is whole only if its checksum says so: the last one may have been cut off by a crash.
    """
    rest, end = b"", 0
    while rest := rest or file.read(CHUNK):
        unpacker, pieces = zlib.decompressobj(wbits=31), []
        while rest and not unpacker.eof:
            try:
                pieces.append(unpacker.decompress(rest))
            except zlib.error:
                return
            end += len(rest) - len(unpacker.unused_data)
            rest = unpacker.unused_data if unpacker.eof else file.read(CHUNK)
        if not unpacker.eof:
            return
        yield b"".join(pieces), end


def _fetch(entry: ArcWarcRecord) -> tuple[str, Response]:
    named = entry.rec_headers.get_header
    url = named("WARC-Target-URI") or ""
    seconds, error = float(named(SECONDS) or 0.0), named(ERROR) or ""
    asked = named(ASKED) or url
    if entry.http_headers is None:
        status = int(named(STATUS) or 0)
        said = entry.content_stream().read().decode("utf-8", "replace").splitlines()[1:] if status else []
        headers = by_name((name, value) for name, _, value in (line.partition(": ") for line in said))
        return asked, Response(url, status, b"", headers.get("content-type", ""), seconds, error, headers)
    headers = by_name(entry.http_headers.headers)
    headers.pop("content-length", None)
    status, body = int(entry.http_headers.get_statuscode()), body_of(entry)
    return asked, Response(url, status, body, headers.get("content-type", ""), seconds, error, headers)
