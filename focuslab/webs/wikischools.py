"""Wikipedia for Schools 2007: 5,232 articles, labelled by the subject index of the selection.

The text is under the GNU Free Documentation License.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from focuslab.pages.urls import canonical
from focuslab.types import Response
from focuslab.webs.download import find_or_fetch
from focuslab.webs.labelled import LabelledWeb
from focuslab.webs.tar_store import Archive, find_archive

SITE = "http://wikischools.example/"

ARTICLE = re.compile(r"(?:wpcd/)?wp/(?!index/)[^/]+/[^/]+\.htm")
SUBJECT = re.compile(r"(?:wpcd/)?wp/index/subject\.(?P<name>.+)\.htm")
HREF = re.compile(r'href="([^"]+)"')
SUBJECT_LINE = re.compile(rb'<h3[^>]*\bid="siteSub"[^>]*>.*?</h3>', re.DOTALL)
KEYWORDS_TAG = re.compile(rb'<meta\b[^>]*\bname="keywords"[^>]*>', re.IGNORECASE)


class WikiSchools(LabelledWeb):
    """The articles; a topic is a subject such as ``Everyday_life.Films``, or a group such as ``Science``.

    A subject holds what its index page lists, and what its narrower subjects hold (our choice: most group
    pages list no article themselves). The index pages are the labels, so they are no part of the web:
    links to them are dead. An article names its subjects in the line ``siteSub`` and carries keywords; both
    are cut out before anyone sees the page. Each topic starts from five of its articles, drawn by the seed.
    """

    name = "wikischools"

    def __init__(self, archive: Archive) -> None:
        members = {_address(member.name): member for member in archive if ARTICLE.fullmatch(member.name)}
        labels: dict[str, set[str]] = {}
        for subject, listed in _subjects(archive):
            for wider in _upward(subject):
                labels.setdefault(wider, set()).update(listed & members.keys())
        super().__init__(archive, members, labels)

    def _answer(self, url: str, stored: bytes) -> Response:
        body = KEYWORDS_TAG.sub(b"", SUBJECT_LINE.sub(b"", stored))
        return Response(url, 200, body, "text/html")


def wikischools(path: str | Path | None = None, *, download: bool = False) -> WikiSchools:
    """The articles; ``path`` is ``wikischools.tar.xz`` or its folder (else see `focuslab.webs.tar_store`).

    With ``download`` they are fetched from their publisher if they are not on this machine yet.
    """
    file = find_or_fetch("wikischools", path) if download else find_archive("wikischools", path)
    web = WikiSchools(Archive(file))
    if not web:
        raise ValueError(f"{file} holds no articles named wp/<letter>/<Article>.htm; is it another archive?")
    return web


def _address(name: str) -> str:
    """File names hold percent signs of their own, which an address must quote once more."""
    return canonical(SITE + quote(name.removeprefix("wpcd/")))


def _subjects(archive: Archive) -> Iterator[tuple[str, set[str]]]:
    """Each subject and the addresses its index page links to."""
    for member in archive:
        if found := SUBJECT.fullmatch(member.name):
            text = archive.read(member).decode("utf-8", "replace")
            base = _address(member.name)
            yield found["name"], {canonical(html.unescape(href), base) for href in HREF.findall(text)}


def _upward(subject: str) -> Iterator[str]:
    """The subject itself and every wider one: ``A.B.C``, ``A.B``, ``A``."""
    while subject:
        yield subject
        subject = subject.rpartition(".")[0]
