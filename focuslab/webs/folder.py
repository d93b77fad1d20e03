"""A site mirrored on disk as a web: what ``wget -m`` leaves behind, or a tree of documentation."""

from __future__ import annotations

import html
import mimetypes
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np

from focuslab.classifiers.training.labels import by_label, read_labels
from focuslab.fetchers.failures import Reason
from focuslab.pages.urls import canonical
from focuslab.types import Response
from focuslab.webs.labelled import Labelled

__all__ = ["FolderWeb", "folder"]

MAX_BYTES = 10_000_000
INDEX = ("index.html", "index.htm", "index.xhtml")
HTML = ("text/html", "application/xhtml+xml")
PAGE_ENDINGS = (".html", ".htm", ".xhtml")


def folder(
    path: str | Path | Mapping[str, str | Path],
    base: str = "",
    labels: str | Path | None = None,
    seeds: Iterable[str] = (),
    listings: bool = False,
    max_bytes: int = MAX_BYTES,
) -> FolderWeb:
    """A web out of files.

    Parameters
    ----------
    path
        A folder, or several by their base addresses: ``{"http://docs.example/": "/usr/share/doc/x/html"}``.
    base
        The address of the folder; if not given, the folders in it are hosts, as ``wget -m`` makes them.
    labels
        A CSV of url,label: each label is a topic, and a page with several is on several lines. Without it the
        web has no topics and no truth.
    seeds
        Where every topic starts; if not given, from five of its own pages.
    listings
        Answer for a folder without an index page with a list of what is in it, as some servers do.
    max_bytes
        A file is cut here.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     _ = (Path(place) / "index.html").write_text("<p>Hello")
    ...     folder(place, "http://docs.example/").fetch("http://docs.example/").body
    b'<p>Hello'
    """
    roots = dict(path) if isinstance(path, Mapping) else _roots(Path(path).expanduser(), base)
    return FolderWeb(roots, labels, seeds, listings, max_bytes)


class FolderWeb(Labelled):
    """Files under the addresses they had; what is not a file inside the folders is a 404.

    A folder answers with its index page, under the address with the final slash; so does the index page
    itself, which would otherwise be two pages. Names are those that ``wget`` gives: a query is part of the
    file's name, and ``.html`` may be added to it.

    Nothing outside the folders is ever read: neither by ``..`` in whatever spelling, nor through a symbolic
    link, nor is a device or a pipe opened.
    """

    def __init__(
        self,
        roots: Mapping[str, str | Path],
        labels: str | Path | None = None,
        seeds: Iterable[str] = (),
        listings: bool = False,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._roots = {_base(address): _directory(place) for address, place in roots.items()}
        self.name = ", ".join(self._roots)
        self.listings, self.max_bytes = listings, max_bytes
        self._start = tuple(canonical(url) or url for url in seeds)
        known = by_label(read_labels(labels, several=True)) if labels else {}
        self._labels = {
            label: frozenset(filter(None, map(self.resolve, urls))) for label, urls in known.items()
        }
        self._pages = sum(1 for _ in self.urls)

    def __len__(self) -> int:
        """How many files look like pages by their names."""
        return self._pages

    def __repr__(self) -> str:
        return f"<folder {self.name}: {len(self):,} pages, {len(self._labels)} topics>"

    @property
    def urls(self) -> Iterator[str]:
        """The addresses of all files that look like pages, by folder and name."""
        for base, root in self._roots.items():
            for place, folders, files in os.walk(root):
                folders.sort()
                for name in sorted(files):
                    if _is_page(name):
                        yield _address(base, root, Path(place), name)

    def resolve(self, url: str) -> str:
        """The address a file is found at, "" if there is none: where a fetch would end."""
        found = self._find(canonical(url))
        return found[0] if found else ""

    def fetch(self, url: str) -> Response:
        """The file; status 404 if there is none."""
        found = self._find(canonical(url))
        if found is None:
            return Response(url, 404)
        address, file = found
        try:
            if file.is_dir():
                return Response(address, 200, _listing(file), "text/html; charset=utf-8")
            with file.open("rb") as opened:
                body = opened.read(self.max_bytes)
        except OSError as problem:
            return Response(address, 403, error=Reason.UNREADABLE.because(problem.strerror))
        return Response(address, 200, body, _content_type(file.name, body))

    def _find(self, url: str) -> tuple[str, Path] | None:
        """The address under which a file answers, and the file."""
        for base, root in self._roots.items():
            if url.startswith(base) or url + "/" == base:
                path, mark, query = url[len(base) :].partition("?")
                place = _inside(root, path)
                if place is not None and place.is_dir() and not mark:
                    return self._index(base + (path.rstrip("/") + "/" if path else ""), root, place)
                return _file(url, root, path, mark + query)
        return None

    def _index(self, address: str, root: Path, place: Path) -> tuple[str, Path] | None:
        for name in INDEX:
            file = place / name
            if file.is_file() and file.resolve().is_relative_to(root):
                return address, file
        return (address, place) if self.listings else None

    def _seeds(self, topic: str, rng: np.random.Generator) -> tuple[str, ...]:
        return self._start or super()._seeds(topic, rng)


# --- where a file lies


def _file(url: str, root: Path, path: str, query: str) -> tuple[str, Path] | None:
    """The file of an address: as the address spells it or as it reads, as it is or with .html added."""
    for name in (path + query, path + unquote(query)):
        for ending in ("", ".html"):
            place = _inside(root, name + ending)
            if place is not None and place.is_file():
                index = place.name in INDEX and not query
                return (url[: url.rindex("/") + 1] if index else url), place
    return None


def _inside(root: Path, path: str) -> Path | None:
    """The place that a path of an address means, unless it leads out of the root."""
    for parts in ([unquote(part) for part in path.split("/")], path.split("/")):
        if any(part == ".." or "/" in part or "\\" in part or "\0" in part for part in parts):
            return None
        try:
            place = root.joinpath(*parts).resolve()
            if place.is_relative_to(root) and place.exists():
                return place
        except (OSError, RuntimeError, ValueError):  # a name too long, a circle of links
            return None
    return None


def _roots(path: Path, base: str) -> dict[str, str | Path]:
    if base:
        return {base: path}
    hosts = sorted(place.name for place in _directory(path).iterdir() if place.is_dir() and "." in place.name)
    if not hosts:
        raise ValueError(f"{path} holds no folders named after hosts; give base=, the address it had")
    return {f"http://{name}/": path / name for name in hosts}


def _base(address: str) -> str:
    base = canonical(address)
    if not base or "?" in base:
        raise ValueError(f"base address {address!r} is not like http://docs.example/")
    return base if base.endswith("/") else base + "/"


def _directory(place: str | Path) -> Path:
    found = Path(place).expanduser().resolve()
    if not found.is_dir():
        raise FileNotFoundError(f"{place} is no folder; give the one that holds the pages")
    return found


# --- what a file is


def _is_page(name: str) -> bool:
    stem = name.partition("?")[0].lower()
    return name.lower().endswith(PAGE_ENDINGS) or stem.endswith(PAGE_ENDINGS)


def _address(base: str, root: Path, place: Path, name: str) -> str:
    folders = place.relative_to(root).parts
    leaf = "" if name in INDEX else name
    path, mark, query = leaf.partition("?")
    return (
        base
        + "".join(f"{quote(part)}/" for part in folders)
        + quote(path)
        + mark
        + quote(query, safe="=&;,/:+")
    )


def _content_type(name: str, body: bytes) -> str:
    kind, packed = mimetypes.guess_type(name.partition("?")[0])
    if packed:
        return f"application/{packed}"
    if kind in HTML or name.lower().endswith(PAGE_ENDINGS):
        return kind if kind in HTML else "text/html"
    start = body[:512].lstrip().lower()
    looks_like_page = start.startswith((b"<!doctype html", b"<html", b"<head", b"<title"))
    return "text/html" if looks_like_page and kind is None else kind or "application/octet-stream"


def _listing(place: Path) -> bytes:
    names = sorted(f"{entry.name}/" if entry.is_dir() else entry.name for entry in place.iterdir())
    links = "\n".join(f'<li><a href="./{quote(name)}">{html.escape(name)}</a>' for name in names)
    title = html.escape(place.name)
    return f"<!doctype html><title>{title}</title><h1>{title}</h1>\n<ul>\n{links}\n</ul>\n".encode()
