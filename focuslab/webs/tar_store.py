"""An archive of pages on disk: found, unpacked once, and read by place, never by its members' names.

Where an archive is looked for, in this order: the ``path`` given (the file, or a folder that holds it), the
folder named by the environment variable ``FOCUSLAB_DATA``, and the lab's cache folder, which is
``$XDG_CACHE_HOME/focuslab``, or ``~/.cache/focuslab`` where that variable is not set.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import os
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from focuslab.fetchers.cache import cache_folder

DATA_VARIABLE = "FOCUSLAB_DATA"
ENDINGS = (".tar.xz", ".tar.gz", ".tgz", ".gtar.gz")
OPENERS = {b"\xfd7zXZ": lzma.open, b"\x1f\x8b": gzip.open, b"BZh": bz2.open}
"""How to unpack a file, by its first bytes."""
DAMAGES = (lzma.LZMAError, zlib.error, gzip.BadGzipFile, EOFError, tarfile.TarError)


def find_archive(name: str, path: str | Path | None = None) -> Path:
    """The file ``<name>.tar.xz`` or ``.tar.gz``, or a FileNotFoundError that says where it was looked for."""
    places = _places(name, path)
    for place in places:
        if place.is_file():
            return place
    looked = " or ".join(dict.fromkeys(str(place.parent / f"{name}.tar.xz") for place in places))
    raise FileNotFoundError(
        f"the {name} pages are not at {looked}; put {name}.tar.xz there, "
        f"or set {DATA_VARIABLE} to the folder that holds it, or call webs.{name}(download=True)"
    )


def _places(name: str, path: str | Path | None) -> list[Path]:
    if path is not None:
        given = Path(path).expanduser()
        return [given / (name + ending) for ending in ENDINGS] if given.is_dir() else [given]
    data = os.environ.get(DATA_VARIABLE, "")
    folders = ([Path(data)] if data else []) + [cache_folder()]
    return [folder / (name + ending) for folder in folders for ending in ENDINGS]


class Member(NamedTuple):
    """Where a file lies in the archive."""

    name: str
    offset: int
    size: int


class Archive:
    """A packed tar (xz, gzip or bzip2) whose members can be read in any order.

    It is decompressed once into the cache folder, as a plain tar named after its own checksum: a tar is an
    index and the bytes already, so nothing else is kept, a changed archive is never mistaken for the old
    one, and no file is ever made under a member's name. Each read opens the file anew, so an Archive can
    be used from many threads and sent to other processes.
    """

    def __init__(self, file: str | Path) -> None:
        self.file = Path(file)
        try:
            self.tar = _plain_tar(self.file)
            self._members = tuple(_members(self.tar))
        except DAMAGES as problem:
            raise ValueError(
                f"{self.file} is damaged ({problem}); fetch it again, and delete its copy in {cache_folder()}"
            ) from problem

    def __iter__(self) -> Iterator[Member]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def read(self, member: Member) -> bytes:
        """The bytes of one member."""
        with self.tar.open("rb") as tar:
            tar.seek(member.offset)
            return tar.read(member.size)


def _members(tar: Path) -> Iterator[Member]:
    with tarfile.open(tar, "r:") as archive:
        for member in archive:
            if member.isreg():
                yield Member(member.name, member.offset_data, member.size)


def _plain_tar(file: Path) -> Path:
    """The decompressed archive in the cache, made if it is not there yet."""
    with file.open("rb") as packed:
        checksum = hashlib.file_digest(packed, "sha256").hexdigest()
    tar = cache_folder() / f"{file.name.partition('.')[0]}-{checksum[:16]}.tar"
    if not tar.exists():
        _decompress(file, tar)
    return tar


def _decompress(file: Path, tar: Path) -> None:
    """Write beside the goal and rename, so that an interrupted run leaves no half of a tar behind."""
    try:
        tar.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=tar.parent, prefix=tar.stem, suffix=".part")
    except OSError as problem:
        raise OSError(
            f"cannot write to {tar.parent} ({problem.strerror}); "
            "set XDG_CACHE_HOME to a folder that can be written"
        ) from problem
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as plain, _opened(file) as packed:
            shutil.copyfileobj(packed, plain, 1 << 20)
        part.replace(tar)
    finally:
        part.unlink(missing_ok=True)


def _opened(file: Path) -> IO[Any]:
    with file.open("rb") as packed:
        start = packed.read(8)
    opener = next((how for sign, how in OPENERS.items() if start.startswith(sign)), open)
    return opener(file, "rb")  # type: ignore[operator]
