"""WebKB and Wikipedia for Schools, small enough to check by hand."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

HEADER = "Date: Tue, 26 Nov 1996\r\nContent-type: text/html\r\n\r\n"


WEBKB = {
    "webkb/department/cornell/http:^^www.cs.cornell.edu^": '<a href="/~ann">A</a> <a href="/gone.html">x</a>',
    "webkb/department/texas/http:^^www.cs.utexas.edu": '<a href="HTTP://WWW.CS.CORNELL.EDU/%7Eann/">Ann</a>',
    "webkb/department/misc/http:^^cs.other.edu^": "another department",
    "webkb/faculty/cornell/http:^^www.cs.cornell.edu^~ann^": "<title>Ann</title> Professor",
    "webkb/staff/cornell/http:^^www.cs.cornell.edu^~ann^": "<title>Ann</title> Professor",
    "webkb/course/cornell/http:^^www.cs.cornell.edu^Info^index.html": "syllabus one",
    "webkb/course/texas/http:^^www.cs.utexas.edu^c2": "syllabus two",
    "webkb/other/misc/ftp:^^ftp.cs.cornell.edu^pub": "no web page",
}


SUBJECT_LINE = '<h3 id="siteSub"><a href="../index/subject.Art.Films.htm">Films</a></h3>'


WIKI = {
    "index.htm": '<a href="wp/a/Actor.htm">Actor</a>',
    "wp/index/subject.htm": '<a href="subject.Art.htm">Art</a>',
    "wp/index/subject.Art.htm": '<a href="subject.Art.Films.htm">Films</a>',
    "wp/index/subject.Art.Films.htm": '<a href="../../wp/a/Actor.htm">Actor</a> '
    '<a href="../../wp/b/Ben_%2528film%2529.htm">Ben</a>',
    "wp/index/a.htm": '<a href="../../wp/a/Actor.htm">Actor</a>',
    "wp/a/Actor.htm": f'<meta content="Films,Art" name="keywords" />{SUBJECT_LINE}<p>An actor acts in '
    '<a href="../../wp/b/Ben_%2528film%2529.htm">Ben</a> by <a href="../index/subject.Art.htm">art</a>.',
    "wp/b/Ben_%28film%29.htm": f'{SUBJECT_LINE}<a href="../../wp/a/Actor.htm">Actor</a>',
    "wp/c/Cat.htm": '<a href="../../wp/c/Dog.htm">Dog</a>',
}


def pack(file: Path, files: Mapping[str, str], mode: str = "w:xz") -> Path:
    with tarfile.open(file, mode) as tar:  # type: ignore[call-overload]
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    return file
