"""The classic sets of pages, brought from where they are published to the cache folder of this machine."""

from __future__ import annotations

import hashlib
import math
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import urlsplit

import requests
from tqdm import tqdm
from urllib3.exceptions import HTTPError

from focuslab.fetchers.cache import cache_folder
from focuslab.webs.tar_store import ENDINGS, find_archive

__all__ = ["SOURCES", "Source", "download", "find_or_fetch"]

CHUNK = 1 << 20
MAX_BYTES = 2_000_000_000


class Source(NamedTuple):
    """Where a set is published, and the SHA-256 of the file; "" where none is known."""

    url: str
    sha256: str = ""


SOURCES = {
    "webkb": Source(
        "http://www.cs.cmu.edu/afs/cs.cmu.edu/project/theo-20/www/data/webkb-data.gtar.gz",
    ),
    "wikischools": Source(
        "https://snap.stanford.edu/data/wikispeedia/wikispeedia_articles_html.tar.gz",
        "dcb152a882726f4accd42d5906260731dcc4e530d1937628a51c03c7f3b578df",
    ),
}
"""The publishers' own files. The second has 791 MB, for its articles come with their images; its checksum is
the one others state."""


def download(name: str, url: str = "", sha256: str = "", max_bytes: int = MAX_BYTES) -> Path:
    """Fetch a set of pages into the cache folder, where `webkb` and `wikischools` find it.

    Parameters
    ----------
    name : {"webkb", "wikischools"}
        Which set.
    url, sha256
        Another place to fetch it from, and the checksum it must have there. Where no checksum is known the
        one found is printed, so that the next person can insist on it.
    max_bytes
        No file larger than this is taken.

    Returns
    -------
    Path
        The file. It appears under its name only when it is whole and its checksum is right.
    """
    if name not in SOURCES:
        raise ValueError(f"no set named {name!r}; try {', '.join(SOURCES)}")
    source = Source(url, sha256.lower()) if url else SOURCES[name]
    file = cache_folder() / f"{name}{_ending(source.url)}"
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, part = tempfile.mkstemp(dir=file.parent, prefix=name, suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            found = _fetch(source.url, stream, max_bytes)
        if source.sha256 and found != source.sha256:
            raise ValueError(
                f"{source.url} has the SHA-256 {found}, not {source.sha256}: "
                "it is damaged or another file; nothing was kept"
            )
        Path(part).replace(file)
    finally:
        Path(part).unlink(missing_ok=True)
    if not source.sha256:
        print(f"{file} has the SHA-256 {found}")
    return file


def find_or_fetch(name: str, path: str | Path | None = None) -> Path:
    """The file of a set on this machine, downloaded if there is none and no other place was named."""
    try:
        return find_archive(name, path)
    except FileNotFoundError:
        if path is not None:
            raise
        return download(name)


def _ending(url: str) -> str:
    path = urlsplit(url).path.lower()
    return next((ending for ending in ENDINGS if path.endswith(ending)), ENDINGS[0])


def _fetch(url: str, stream: BinaryIO, max_bytes: int) -> str:
    """Write what the address gives, and return its SHA-256."""
    checksum, size = hashlib.sha256(), 0
    # Asked for as it is: some servers call a .tar.gz an encoding, and it would arrive unpacked.
    headers = {"Accept-Encoding": "identity"}
    try:
        with requests.get(url, stream=True, timeout=(10, 30), headers=headers) as reply:
            for chunk in _pieces(reply, url):
                size += len(chunk)
                if size > max_bytes:
                    raise ValueError(f"{url} is larger than {max_bytes:,} bytes; nothing was kept")
                checksum.update(chunk)
                stream.write(chunk)
    except (requests.RequestException, HTTPError) as problem:
        raise OSError(
            f"cannot fetch {url} ({problem}); try later, or put the file into {cache_folder()} yourself"
        ) from problem
    return checksum.hexdigest()


def _pieces(reply: requests.Response, url: str) -> Iterable[bytes]:
    """The body piece by piece, with a bar for whoever watches."""
    if reply.status_code != 200:
        raise OSError(
            f"{url} answers with status {reply.status_code}; give url=, another place that has the file"
        )
    size = int(reply.headers.get("Content-Length") or 0)
    reply.raw.enforce_content_length = True
    chunks = reply.raw.stream(CHUNK, decode_content=False)
    return tqdm(chunks, total=math.ceil(size / CHUNK) or None, unit="MB", leave=False)
