"""Common Crawl's index as it is published: sorted lines in zipped blocks of 3,000, and a list of the blocks.

``cluster.idx`` has a line for each block: the key and time of its first line, its file, offset and length.
It is brought once (some 100 to 200 MB for a monthly crawl) and searched where it lies; a block is brought by
a range request when the first URL in it is looked up, and kept for its neighbours: all pages of a small site
are in one block.
"""

from __future__ import annotations

import mmap
import threading
import zlib
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from focuslab.fetchers.archives.captures import Capture, sort_key
from focuslab.fetchers.archives.service import Service

__all__ = ["DamagedError", "ZippedIndex"]

LOOK_EVERY = 64
"""Blocks brought between two looks at how much room they take."""
UNPACKED = 32
"""Blocks held in memory, about 1 MB each."""
LARGEST_BLOCK = 64_000_000


class DamagedError(ValueError):
    """A piece of the archive that cannot be read."""


class Block(NamedTuple):
    """Where a block lies."""

    file: str
    offset: int
    length: int


class ZippedIndex:
    """Looks URLs up in the blocks.

    Parameters
    ----------
    service
        Whom to ask.
    url
        Folder of the index on the server, with ``cluster.idx`` in it.
    folder
        Where the list and the blocks are kept.
    max_bytes
        Most bytes of blocks on disk; the oldest go first.
    """

    def __init__(self, service: Service, url: str, folder: Path, max_bytes: int = 4_000_000_000) -> None:
        self.service, self.url, self.folder, self.max_bytes = service, url, folder, max_bytes
        self._lines: OrderedDict[Block, list[bytes]] = OrderedDict()
        self._loading: dict[Block, threading.Lock] = {}
        self._lock = threading.Lock()
        self._kept = 0
        list_of_blocks = folder / "cluster.idx"
        self.found = list_of_blocks.exists() or service.download(f"{url}cluster.idx", list_of_blocks)
        if self.found:
            with list_of_blocks.open("rb") as file:
                self._list = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def captures(self, url: str) -> list[Capture]:
        """All captures under the key of a URL; raises `DamagedError` if their block cannot be read."""
        prefix = sort_key(url).encode() + b" "
        found: list[Capture] = []
        for block in self._blocks(prefix):
            lines = self._read(block)
            for line in lines[bisect_left(lines, prefix) :]:
                if not line.startswith(prefix):
                    break
                found.append(_capture(line, block))
        return found

    def _blocks(self, prefix: bytes) -> Iterator[Block]:
        """The blocks that may hold lines with this prefix: the last that begins before it, and all that
        begin with it."""
        offset = self._line_before(prefix)
        while offset < len(self._list):
            end = self._end(offset)
            line = self._list[offset:end]
            if line > prefix and not line.startswith(prefix):
                return
            yield _block(line)
            offset = end + 1

    def _line_before(self, prefix: bytes) -> int:
        """Where the last line starts that sorts before the prefix; the first line if none does."""
        low, high = 0, len(self._list)  # a line start at or before the wanted one, and a place behind it
        while True:
            middle = self._end(low + (high - low) // 2) + 1
            if middle >= high:
                break
            if self._list[middle : self._end(middle)] < prefix:
                low = middle
            else:
                high = low + (high - low) // 2
        while (after := self._end(low) + 1) < len(self._list):  # what the halving left over
            if self._list[after : self._end(after)] >= prefix:
                break
            low = after
        return low

    def _end(self, offset: int) -> int:
        end = self._list.find(b"\n", offset)
        return len(self._list) if end < 0 else end

    def _read(self, block: Block) -> list[bytes]:
        """The lines of a block, brought by one thread while others that want it wait."""
        with self._lock:
            turn = self._loading.setdefault(block, threading.Lock())
        with turn:
            lines = self._lines.get(block)
            if lines is None:
                lines = self._fetched(block)
        with self._lock:
            self._lines[block] = lines
            self._lines.move_to_end(block)
            while len(self._lines) > UNPACKED:
                self._loading.pop(self._lines.popitem(last=False)[0], None)
        return lines

    def _fetched(self, block: Block) -> list[bytes]:
        file = self.folder / "blocks" / f"{Path(block.file).name}-{block.offset}"
        packed = file.read_bytes() if file.exists() else b""
        if not packed:
            answer = self.service.get(self.url + block.file, block.offset, block.length)
            packed = answer.body if answer.status == 206 else b""
        lines = _unpacked(packed, block)
        if not file.exists():
            self._keep(file, packed)
        return lines

    def _keep(self, file: Path, packed: bytes) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f"{file.name}.{threading.get_ident()}.part")
        part.write_bytes(packed)
        part.replace(file)
        self._kept += 1
        if self._kept % LOOK_EVERY == 1:
            self._make_room(file.parent)

    def _make_room(self, folder: Path) -> None:
        kept = sorted((known.stat().st_mtime, known.stat().st_size, known) for known in _files(folder))
        total = sum(size for _, size, _ in kept)
        for _, size, oldest in kept[:-1]:
            if total <= self.max_bytes:
                break
            oldest.unlink(missing_ok=True)
            total -= size


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.iterdir() if not file.name.endswith(".part"))


def _block(line: bytes) -> Block:
    try:
        _, file, offset, length = line.decode().split("\t")[:4]
        return Block(file, int(offset), int(length))
    except ValueError:
        raise DamagedError(f"cluster.idx has a line that names no block: {line[:80]!r}") from None


def _unpacked(packed: bytes, block: Block) -> list[bytes]:
    try:
        unpacker = zlib.decompressobj(wbits=31)
        text = unpacker.decompress(packed, LARGEST_BLOCK)
        if not unpacker.eof:
            raise zlib.error("it ends early or is too large")
        return text.splitlines()
    except zlib.error as problem:
        raise DamagedError(
            f"the block of {block.file} at {block.offset} cannot be read ({problem})"
        ) from None


def _capture(line: bytes, block: Block) -> Capture:
    try:
        return Capture.read(line.decode())
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DamagedError(f"a line in {block.file} is not CDXJ: {line[:80]!r}") from None
