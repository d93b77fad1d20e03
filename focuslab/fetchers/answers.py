"""An HTTP answer by its parts: headers by name, however often they came, and the body unpacked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from urllib3 import HTTPResponse
from urllib3.exceptions import HTTPError
from warcio.bufferedreaders import ChunkedDataReader
from warcio.recordloader import ArcWarcRecord

__all__ = ["body_of", "by_name", "lines"]

_LAST_OF_SEVERAL = """
content-type content-length content-encoding transfer-encoding location retry-after date etag last-modified
"""
ONCE = frozenset(_LAST_OF_SEVERAL.split())
"""Headers that say one thing: of several, the last counts. All others are kept, one on a line."""
PIECE = 1 << 16


class _Stream(Protocol):
    def read(self, size: int = -1) -> bytes: ...


def by_name(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers by their names in lower case; one that came several times has a line for each.

    >>> by_name([("X-Robots-Tag", "bot: noindex"), ("Date", "?"), ("x-robots-tag", "nofollow")])
    {'x-robots-tag': 'bot: noindex\\nnofollow', 'date': '?'}
    """
    found: dict[str, str] = {}
    for name, value in pairs:
        key = name.lower()
        found[key] = f"{found[key]}\n{value}" if key in found and key not in ONCE else value
    return found


def lines(headers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The headers as they are sent."""
    for name, value in headers.items():
        for line in value.split("\n"):
            yield name, line


def body_of(entry: ArcWarcRecord, most: int = 1 << 40) -> bytes:
    """The first ``most`` bytes of a recorded body, as the server meant it: chunks joined and unpacked.

    A record whose body was unpacked before, though its headers still say that it is packed, is as good. One
    that is cut off is read as far as it goes.

    Raises
    ------
    ValueError
        If nothing can be made of it.
    """
    stream: _Stream = entry.raw_stream
    if entry.http_headers is None:
        return stream.read(most)
    said = entry.http_headers.get_header
    if (said("transfer-encoding") or "").strip().lower() == "chunked":
        stream = ChunkedDataReader(stream)
    packing = (said("content-encoding") or "").strip().lower()
    return _unpacked(_Start(stream), packing, most) if packing else _read(stream, most)


def _read(stream: _Stream, most: int) -> bytes:
    """As much as there is: one call may give less than it could."""
    pieces, left = [], most
    while left and (piece := stream.read(min(PIECE, left))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _unpacked(stream: _Start, packing: str, most: int) -> bytes:
    reply = HTTPResponse(stream, {"content-encoding": packing}, preload_content=False)  # type: ignore[arg-type]
    pieces, left = [], most
    try:
        while left > 0 and (piece := reply.read(min(PIECE, left))):
            pieces.append(piece)
            left -= len(piece)
    except HTTPError as problem:
        if not pieces and stream.start.lstrip()[:1] != b"<":
            raise ValueError(f"its body is not {packing}: {problem}") from problem
        return b"".join(pieces) or (stream.start + _read(stream, most))[:most]
    return b"".join(pieces)


class _Start:
    """A stream whose first piece can be seen again."""

    closed = False

    def __init__(self, stream: _Stream) -> None:
        self._stream, self.start = stream, b""

    def read(self, size: int = -1) -> bytes:
        piece = self._stream.read(size)
        self.start = self.start or piece
        return piece

    def close(self) -> None:
        """The file is its owner's to close."""
