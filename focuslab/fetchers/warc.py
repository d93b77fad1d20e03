"""Responses as WARC records, which other tools read too, and back."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from http import HTTPStatus
from io import BytesIO
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import urlsplit

from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from focuslab.fetchers.answers import body_of, by_name, lines
from focuslab.types import Response

__all__ = ["Recorded", "as_recorded", "information", "places", "read", "record", "select", "unpack"]

ASKED, ERROR, SECONDS = "X-Focuslab-Asked", "X-Focuslab-Error", "X-Focuslab-Seconds"
STATUS, WAY = "X-Focuslab-Status", "X-Focuslab-Way"
# Bodies are kept unpacked, so what says how they travelled would mislead whoever reads the record.
OF_THE_WIRE = frozenset({"content-encoding", "transfer-encoding", "content-length", "connection"})
PHRASES = {status.value: status.phrase for status in HTTPStatus}
FIELDS = "application/warc-fields"
CHUNK = 1 << 16
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+")


class Recorded(NamedTuple):
    """A fetch as the record has it: what was asked for, what came back, where its record ends."""

    asked: str
    response: Response
    end: int


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


def record(asked: str, response: Response, cut_at: int | None = None) -> bytes:
    """One fetch as a compressed record.

    A fetch without an answer becomes a metadata record, and so does an answer whose body was not taken: an
    empty one would not be what the server sent. A body of ``cut_at`` bytes is said to be cut.
    """
    named = {ASKED: asked, SECONDS: repr(response.seconds)}
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
    line = f"{response.status} {PHRASES.get(response.status, 'Unknown')}"
    headers = StatusAndHeaders(line, list(lines(response.headers)), protocol="HTTP/1.1")
    headers.add_header("Content-Length", str(len(response.body)))
    return _written("response", response.url, response.body, named, headers)


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


def read(path: Path) -> Iterator[Recorded]:
    """Every fetch in a file, in the order it was written, up to the first record that is not whole."""
    with path.open("rb") as file:
        for member, end in _members(file):
            yield _read_one(member, end)


def unpack(packed: bytes) -> Recorded:
    """One fetch from its compressed record."""
    return _read_one(zlib.decompress(packed, wbits=31), len(packed))


def select(path: Path, asked: frozenset[str]) -> Iterator[bytes]:
    """The compressed records of these fetches, and of what the file says of itself, as they are."""
    start = 0
    with path.open("rb") as file, path.open("rb") as packed:
        for member, end in _members(file):
            if _of_fetch(member) in {"", *asked}:
                packed.seek(start)
                yield packed.read(end - start)
            start = end


def places(path: Path) -> Iterator[tuple[str, int, int]]:
    """Where each fetch is: from the first record of what was exchanged on its way to the last."""
    start = 0
    with path.open("rb") as file:
        told = ((_of_fetch(member), _read_one(member, end)) for member, end in _members(file))
        for asked, records in groupby(told, key=itemgetter(0)):
            found = [record for _, record in records]
            if any(record.asked for record in found):  # a crash may have left only the way
                yield asked, start, found[-1].end
            start = found[-1].end


def _of_fetch(member: bytes) -> str:
    """The fetch that a record belongs to; "" for what the file says of itself."""
    named = next(iter(ArchiveIterator(BytesIO(member)))).rec_headers.get_header
    return named(WAY) or named(ASKED) or ""


def _read_one(member: bytes, end: int) -> Recorded:
    """What a record says; a record of something else than a fetch was asked for by nobody."""
    entry = next(iter(ArchiveIterator(BytesIO(member))))
    beside = entry.rec_headers.get_header(WAY)
    fetched = entry.rec_type in ("response", "metadata") and not beside
    return Recorded(*(_fetch(entry) if fetched else ("", Response(""))), end)


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
