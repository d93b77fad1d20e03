"""WebKB, "4 Universities": 8,282 pages of computer-science departments, collected in January 1997."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import numpy as np

from focuslab.pages.urls import canonical
from focuslab.types import Response
from focuslab.webs.download import find_or_fetch
from focuslab.webs.labelled import LabelledWeb
from focuslab.webs.tar_store import Archive, Member, find_archive

KEYWORDS = {
    "course": ("course", "lecture", "homework", "syllabus", "assignment"),
    "department": ("department", "computer", "science", "programs", "admissions"),
    "faculty": ("professor", "faculty", "research", "publications", "teaching"),
    "project": ("project", "research", "group", "papers", "system"),
    "staff": ("staff", "administrator", "systems", "office", "support"),
    "student": ("student", "graduate", "advisor", "resume", "hobbies"),
}
"""What a person would ask for (our choice; nothing was counted in the pages)."""

UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin")
MEMBER = re.compile(r"webkb/(?P<label>\w+)/(?P<university>\w+)/(?P<url>[^/]+)")
BLANK_LINE = re.compile(rb"\r?\n\r?\n")
CONTENT_TYPE = re.compile(rb"^content-type:[ \t]*([\w/+.-]+)", re.IGNORECASE | re.MULTILINE)

ENDS_AT_BRACKET = re.compile(rb"<!--([^>]*)>")
OPEN_QUOTE = re.compile(rb'(\shref\s*=\s*"[^"<>\s]*)>', re.IGNORECASE)
FRAME_TAGS = re.compile(rb"</?(?:frameset|noframes?)\b[^>]*>", re.IGNORECASE)
INDEX_FILE = re.compile(r"/(?:index\.html?|welcome\.html)?$")


class WebKB(LabelledWeb):
    """The pages under their own addresses, one topic per class: course, faculty, student and so on.

    Every topic starts from the home pages of the four departments, in an order drawn by the seed; they
    reach the same part of the web. The class "other" is no topic. A page stored under two classes belongs
    to both. Pages with ``ftp:`` or ``file:`` addresses are left out: no web crawler comes to them.

    Servers of 1997 answered for an address without its last slash, and for the index file of a folder;
    ``fetch`` does too, and `Response.url` is the address that is stored. Case is ignored where nothing fits
    exactly. What `mended` does to the pages is our choice.
    """

    name = "webkb"

    def __init__(self, archive: Archive) -> None:
        members: dict[str, Member] = {}
        labels: dict[str, set[str]] = {name: set() for name in KEYWORDS}
        homes: set[str] = set()
        for member, label, university, url in _pages(archive):
            members.setdefault(url, member)
            labels.get(label, set()).add(url)
            if label == "department" and university in UNIVERSITIES:
                homes.add(url)
        super().__init__(archive, members, labels)
        self._homes = sorted(homes)

    def _answer(self, url: str, stored: bytes) -> Response:
        blank = BLANK_LINE.search(stored)
        header, body = (stored[: blank.start()], stored[blank.end() :]) if blank else (b"", stored)
        kind = CONTENT_TYPE.search(header)
        return Response(url, 200, mended(body), kind[1].decode().lower() if kind else "text/html")

    def _seeds(self, topic: str, rng: np.random.Generator) -> tuple[str, ...]:
        return tuple(self._homes[i] for i in rng.permutation(len(self._homes)))

    def _keywords(self, topic: str) -> tuple[str, ...]:
        return KEYWORDS[topic]

    def _fold(self, url: str) -> str:
        return INDEX_FILE.sub("", unquote(url).lower())


def webkb(path: str | Path | None = None, *, download: bool = False) -> WebKB:
    """The WebKB pages; ``path`` is ``webkb.tar.xz`` or its folder (else see `focuslab.webs.tar_store`).

    With ``download`` they are fetched from their publisher if they are not on this machine yet.
    """
    file = find_or_fetch("webkb", path) if download else find_archive("webkb", path)
    web = WebKB(Archive(file))
    if not web:
        raise ValueError(
            f"{file} holds no pages named webkb/<class>/<university>/<url>; is it another archive?"
        )
    return web


def mended(body: bytes) -> bytes:
    """The page as browsers of its day read it, for a parser that follows the rules of today.

    Three habits of the time hide what follows from such a parser. A comment that is never closed swallows
    the rest of the page; here it ends at its first ``>``. So does an address whose quote is never closed.
    What stands between ``noframes`` tags or after a ``frameset`` is not read; these tags are dropped.

    >>> mended(b'<!-- a > <a href="b.html>b</a>')
    b'<!-- a --> <a href="b.html">b</a>'
    """
    start = body.find(b"<!--", body.rfind(b"-->") + 1)
    if start >= 0:
        body = body[:start] + ENDS_AT_BRACKET.sub(rb"<!--\1-->", body[start:])
    return FRAME_TAGS.sub(b"", OPEN_QUOTE.sub(rb'\1">', body))


def _pages(archive: Archive) -> list[tuple[Member, str, str, str]]:
    """Member, class, university and address of every page that has a web address."""
    named = ((member, MEMBER.fullmatch(member.name)) for member in archive)
    pages = [
        (member, found["label"], found["university"], canonical(found["url"].replace("^", "/").strip()))
        for member, found in named
        if found
    ]
    return [page for page in pages if page[-1]]
