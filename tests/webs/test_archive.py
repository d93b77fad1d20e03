"""Archives: what other tools write, what damage does, and that a crawl recorded is a crawl replayed."""

from __future__ import annotations

import gzip
import io
import pickle
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import brotli
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from focuslab import webs
from focuslab.classifiers.assessor import train_classifiers
from focuslab.crawling.loop import crawl
from focuslab.fetchers.http import Http
from focuslab.fetchers.recorder import Recorder
from focuslab.strategies import make
from focuslab.types import Response, Task
from focuslab.webs.archive import ArchiveWeb, archive

A, B, C = (f"http://{name}.example/" for name in "abc")
HTML = [("Content-Type", "text/html; charset=utf-8")]
PACKED = brotli.compress(b"<p>hello")
CHUNKED_BROTLI = b"%x\r\n%b\r\n0\r\n\r\n" % (len(PACKED), PACKED)

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


Write = Callable[[WARCWriter], None]


def page(
    url: str, body: bytes = b"", status: str = "200 OK", headers: Iterable[tuple[str, str]] = HTML
) -> Write:
    def write(writer: WARCWriter) -> None:
        answer = StatusAndHeaders(status, list(headers), protocol="HTTP/1.1")
        body_or = body or f"<p>{url}</p>".encode()
        writer.write_record(
            writer.create_warc_record(
                url, "response", payload=io.BytesIO(body_or), length=len(body_or), http_headers=answer
            )
        )

    return write


def moved(url: str, to: str) -> Write:
    return page(url, b"moved", "302 Found", [("Location", to)])


def other(kind: str, url: str, body: bytes = b"x", **headers: str) -> Write:
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    def write(writer: WARCWriter) -> None:
        writer.write_record(
            writer.create_warc_record(
                url, kind, io.BytesIO(body), len(body), "text/html", warc_headers_dict=named
            )
        )

    return write


def written(file: Path, *records: Write, packed: bool = True) -> Path:
    with file.open("wb") as stream:
        writer = WARCWriter(stream, gzip=packed)
        for record in records:
            record(writer)
    return file


@pytest.fixture(params=["crawl.warc.gz", "crawl.warc"])
def make_archive(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., ArchiveWeb]:
    """The same records, packed and plain."""
    name = request.param

    def build(*records: Write, **options: object) -> ArchiveWeb:
        return archive(written(tmp_path / name, *records, packed=name.endswith("gz")), **options)  # type: ignore[arg-type]

    return build


# What it answers


def test_pages_are_found_by_any_form_of_their_address(make_archive: Callable[..., ArchiveWeb]) -> None:
    web = make_archive(page(A + "x?q=1", b"<p>one"), page(B, b"<p>two"))
    assert len(web) == 2
    assert list(web.urls) == [A + "x?q=1", B]
    assert web.skipped == 0
    answer = web.fetch("HTTP://A.example:80/y/../x?q=1#top")
    assert (answer.url, answer.status, answer.body) == (A + "x?q=1", 200, b"<p>one")
    assert answer.content_type == "text/html; charset=utf-8"


@pytest.mark.parametrize("url", [C, "", "ftp://a.example/", "\x00", "http://[", "' OR 1=1 --"])
def test_what_was_not_recorded_is_not_found(make_archive: Callable[..., ArchiveWeb], url: str) -> None:
    assert make_archive(page(A)).fetch(url).status == 404


def test_redirects_are_followed_inside(make_archive: Callable[..., ArchiveWeb]) -> None:
    web = make_archive(moved(A, "/next"), moved(A + "next", B), page(B, b"<p>end"), moved(C, C + "gone"))
    assert web.fetch(A).body == b"<p>end"
    assert web.fetch(A).url == web.resolve(A) == B
    assert (web.fetch(C).url, web.fetch(C).status) == (C + "gone", 404)
    assert len(web) == 1


def test_other_spellings_of_an_address_are_folded_and_counted(
    make_archive: Callable[..., ArchiveWeb],
) -> None:
    web = make_archive(page(A + "b/index.html", b"<p>b"), page(B + "c/"), moved(C, "https://c.example/"))
    assert web.fetch(A + "b").url == web.fetch("https://a.example/b/").url == A + "b/index.html"
    assert web.resolve("https://b.example/c/default.asp") == B + "c/"
    assert web.folded == {A + "b", "https://a.example/b/", "https://b.example/c/default.asp"}
    assert "3 addresses folded" in repr(web)
    assert web.fetch(A + "b/?q=1").status == web.fetch(A + "b/other.html").status == 404
    assert (web.fetch(C).url, web.fetch(C).status) == ("https://c.example/", 404), "no circle"


def test_both_spellings_may_be_pages_of_their_own(make_archive: Callable[..., ArchiveWeb]) -> None:
    web = make_archive(page(A + "b", b"<p>plain"), page(A + "b/", b"<p>slash"))
    assert (web.fetch(A + "b").body, web.fetch(A + "b/").body) == (b"<p>plain", b"<p>slash")
    assert not web.folded


def test_topics_may_overlap(make_archive: Callable[..., ArchiveWeb], tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text(f"url,label\n{A},chess\n{A},games\n{B},games\n")
    web = make_archive(page(A), page(B), labels=labels)
    assert web.truth("chess").targets == {A}
    assert web.truth("games").targets == {A, B}


def test_redirects_in_a_circle_end(make_archive: Callable[..., ArchiveWeb]) -> None:
    web = make_archive(moved(A, B), moved(B, A), page(C))
    assert web.fetch(A).error.startswith("redirect-loop")
    assert web.resolve(A) == ""


def test_the_first_page_counts_then_redirects_then_failures(make_archive: Callable[..., ArchiveWeb]) -> None:
    broken = page(A, b"sorry", "500 Oops")
    web = make_archive(
        broken, moved(A, B), page(A, b"<p>first"), page(A, b"<p>second"), page(B, status="404 No")
    )
    assert web.fetch(A).body == b"<p>first"
    assert web.fetch(B).status == 404
    assert len(web) == 1


def test_records_of_other_kinds_are_no_pages(make_archive: Callable[..., ArchiveWeb]) -> None:
    web = make_archive(
        other("request", B, b"GET / HTTP/1.1\r\nHost: b.example\r\n\r\n"),
        other("metadata", B),
        other("response", "dns:a.example"),
        other("resource", "metadata://gnu.org/software/wget/warc/wget.log"),
        other("resource", C, b"<p>kept as a file"),
        page(A),
    )
    assert list(web.urls) == [C, A]
    assert (web.fetch(C).body, web.fetch(C).content_type) == (b"<p>kept as a file", "text/html")


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ([("Content-Encoding", "gzip")], gzip.compress(b"<p>hello", mtime=0)),
        ([("Content-Encoding", "deflate")], zlib.compress(b"<p>hello")),
        ([("Transfer-Encoding", "chunked")], b"5\r\n<p>he\r\n3\r\nllo\r\n0\r\n\r\n"),
        ([("Content-Encoding", "br")], brotli.compress(b"<p>hello")),
        ([("Content-Encoding", "zstd")], zstd.compress(b"<p>hello")),
        ([("Content-Encoding", "gzip, br")], brotli.compress(gzip.compress(b"<p>hello", mtime=0))),
        ([("Content-Encoding", "br")], b"<p>hello"),
        ([("Transfer-Encoding", "Chunked"), ("Content-Encoding", "br")], CHUNKED_BROTLI),
        ([("Content-Encoding", "gzip")], b"<p>hello"),  # Common Crawl unpacks and may leave the header
    ],
)
def test_bodies_are_unpacked(make_archive: Callable[..., ArchiveWeb], headers: list, body: bytes) -> None:
    assert make_archive(page(A, body, headers=headers)).fetch(A).body == b"<p>hello"


def test_a_body_that_is_not_what_it_says_is_a_failure(make_archive: Callable[..., ArchiveWeb]) -> None:
    web = make_archive(page(A, b"\x99\x98\x00 not brotli", headers=[("Content-Encoding", "br")]))
    assert web.fetch(A).error.startswith("damaged: its body is not br")


def test_headers_that_come_twice_are_kept(make_archive: Callable[..., ArchiveWeb]) -> None:
    twice = [("X-Robots-Tag", "otherbot: noindex"), ("x-robots-tag", "nofollow"), *HTML, *HTML]
    answer = make_archive(page(A, headers=twice)).fetch(A)
    assert answer.headers["x-robots-tag"] == "otherbot: noindex\nnofollow"
    assert answer.content_type == HTML[0][1]


def test_a_body_is_cut(make_archive: Callable[..., ArchiveWeb]) -> None:
    bomb = page(A, gzip.compress(bytes(10_000_000)), headers=[("Content-Encoding", "gzip")])
    assert len(make_archive(bomb, max_bytes=1_000).fetch(A).body) == 1_000


# Older files, and others


def arc(*pages: tuple[str, bytes]) -> list[bytes]:
    """Records as the crawlers of the 1990s wrote them."""
    about = b"1 0 TheArchive\nURL IP-address Archive-date Content-type Archive-length\n"
    records = [b"filedesc://x.arc 0.0.0.0 20040101000000 text/plain %d\n%s\n" % (len(about), about)]
    for url, body in pages:
        answer = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        head = b"%s 192.0.2.1 20040101000000 text/html %d\n" % (url.encode(), len(answer))
        records.append(head + answer + b"\n")
    return records


@pytest.mark.parametrize("packed", [False, True])
def test_arc_files_are_read(tmp_path: Path, packed: bool) -> None:
    records = arc((A, b"<p>one"), (B, b"<p>two\n\nand more"))
    file = tmp_path / ("x.arc.gz" if packed else "x.arc")
    file.write_bytes(b"".join(gzip.compress(record, mtime=0) if packed else record for record in records))
    web = archive(file)
    assert list(web.urls) == [A, B]
    assert web.skipped == 0
    answer = web.fetch(B)
    assert (answer.status, answer.body, answer.content_type) == (200, b"<p>two\n\nand more", "text/html")


def test_a_hole_in_an_arc_file_costs_what_it_touches(tmp_path: Path) -> None:
    head, one, two = arc((A, b"<p>one"), (B, b"<p>two"))
    file = tmp_path / "x.arc"
    file.write_bytes(head + one[:-9] + b"\nwhat is\nthis\n" + two)
    web = archive(file)
    assert web.fetch(B).body == b"<p>two"
    assert web.skipped >= 1


def test_warc_018_is_read(tmp_path: Path) -> None:
    file = written(tmp_path / "x.warc", page(A, b"<p>old"), page(B), packed=False)
    file.write_bytes(file.read_bytes().replace(b"WARC/1.0", b"WARC/0.18"))
    web = archive(file)
    assert (len(web), web.skipped, web.fetch(A).body) == (2, 0, b"<p>old")


def test_a_length_without_end_is_damage(tmp_path: Path) -> None:
    file = written(tmp_path / "x.warc", page(A), page(B), packed=False)
    raw = file.read_bytes()
    start = raw.index(b"Content-Length: ") + len(b"Content-Length: ")
    file.write_bytes(raw[:start] + b"9" * 5_000 + raw[start:])
    web = archive(file)
    assert list(web.urls) == [B]
    assert web.skipped == 1


def test_a_zip_as_the_last_page_makes_no_wacz(tmp_path: Path) -> None:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as inner:
        inner.writestr("x.txt", "x")
    file = written(tmp_path / "x.warc", page(A), page(B, zipped.getvalue()), packed=False)
    raw = file.read_bytes()
    file.write_bytes(raw.rstrip(b"\r\n"))
    assert zipfile.is_zipfile(file)
    assert archive(file).fetch(B).body == zipped.getvalue()


def test_a_damaged_wacz_says_so(tmp_path: Path) -> None:
    file = tmp_path / "x.wacz"
    file.write_bytes(b"PK\x03\x04" + bytes(100))
    with pytest.raises(ValueError, match="damaged WACZ"):
        archive(file)


@pytest.mark.parametrize(
    ("kind", "content", "said"),
    [("conversion", "text/plain", "it is a WET file"), ("metadata", "application/json", "it is a WAT file")],
)
def test_files_about_pages_are_named(tmp_path: Path, kind: str, content: str, said: str) -> None:
    def write(writer: WARCWriter) -> None:
        writer.write_record(writer.create_warc_record(A, kind, io.BytesIO(b"x"), 1, content))

    with pytest.raises(ValueError, match=said):
        archive(written(tmp_path / "x.warc.gz", write))


# Revisits


def revisit(url: str, http: bool = True, **headers: str) -> Write:
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    def write(writer: WARCWriter) -> None:
        answer = (
            StatusAndHeaders("200 OK", [("Content-Type", "text/plain")], protocol="HTTP/1.1")
            if http
            else None
        )
        writer.write_record(
            writer.create_warc_record(
                url, "revisit", http_headers=answer, warc_headers_dict={"WARC-Profile": "x", **named}
            )
        )

    return write


def test_a_revisit_is_answered_with_the_body_it_means(make_archive: Callable[..., ArchiveWeb]) -> None:
    digest = "sha1:AAAA"

    def original(writer: WARCWriter) -> None:
        body = b"<p>the same"
        answer = StatusAndHeaders("200 OK", HTML, protocol="HTTP/1.1")
        named = {"WARC-Payload-Digest": digest}
        record = writer.create_warc_record(
            A, "response", io.BytesIO(body), len(body), http_headers=answer, warc_headers_dict=named
        )
        writer.write_record(record)

    web = make_archive(
        revisit(B, WARC_Payload_Digest=digest),  # before what it means, as in merged files
        original,
        revisit(C, http=False, WARC_Refers_To_Target_URI=A),
        revisit(C + "lost", WARC_Payload_Digest="sha1:BBBB"),
    )
    assert web.fetch(B) == Response(
        B, 200, b"<p>the same", "text/plain", headers={"content-type": "text/plain"}
    )
    assert (web.fetch(C).status, web.fetch(C).body) == (200, b"<p>the same")
    assert web.fetch(C + "lost").status == 404
    assert web.skipped == 1
    assert len(web) == 3


# Damage


def test_a_file_cut_off_keeps_what_is_whole(tmp_path: Path) -> None:
    for name, packed in (("a.warc.gz", True), ("b.warc", False)):
        file = written(tmp_path / name, *(page(f"{A}{i}", b"x" * 500) for i in range(10)), packed=packed)
        file.write_bytes(file.read_bytes()[:-100])
        web = archive(file)
        assert len(web) == 9, name
        assert web.skipped == 1, name
        assert web.fetch(f"{A}8").ok, name
        assert web.fetch(f"{A}9").status == 404, name


def test_a_hole_costs_the_records_it_touches(tmp_path: Path) -> None:
    for name, packed in (("a.warc.gz", True), ("b.warc", False)):
        bodies = [bytes(str(i), "ascii") * 3_000 for i in range(10)]
        file = written(tmp_path / name, *(page(f"{A}{i}", bodies[i]) for i in range(10)), packed=packed)
        data = bytearray(file.read_bytes())
        start = (
            data.index(b"WARC/1", len(data) // 2)
            if not packed
            else data.index(b"\x1f\x8b\x08", len(data) // 2)
        )
        data[start + 3 : start + 60] = b"\xff" * 57
        file.write_bytes(bytes(data))
        web = archive(file)
        assert len(web) == 9, name
        assert web.skipped == 1, name
        assert [web.fetch(url).body for url in web.urls] == [bodies[int(url[-1])] for url in web.urls]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damage=st.lists(st.tuples(st.integers(0, 4_000), st.binary(min_size=1, max_size=40)), max_size=4))
@pytest.mark.parametrize("packed", [True, False])
def test_no_damage_makes_it_raise_or_lie(tmp_path: Path, packed: bool, damage: list) -> None:
    bodies = {f"{A}{i}": b"<p>%d" % i * 200 for i in range(6)}
    file = written(tmp_path / "x.warc", *(page(url, body) for url, body in bodies.items()), packed=packed)
    data = bytearray(file.read_bytes())
    for place, junk in damage:
        data[place : place + len(junk)] = junk
    file.write_bytes(bytes(data))
    try:
        web = archive(file)
    except ValueError as mistake:
        if "holds no web pages" not in str(mistake):
            raise
        return
    assert len(web) <= 6 + len(damage)
    for url in bodies:
        answer = web.fetch(url)
        assert answer.ok or answer.error or answer.status
        if packed and answer.ok:  # the checksum of a packed record vouches for it
            assert answer.body == bodies[url]


@pytest.mark.parametrize(
    "content", [b"", b"no archive at all", b"\x1f\x8b\x08 neither", gzip.compress(b"hello", mtime=0)]
)
def test_another_file_is_not_mistaken(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.warc.gz"
    file.write_bytes(content)
    with pytest.raises(ValueError, match="holds no web pages"):
        archive(file)


def test_a_file_packed_as_a_whole_says_how_to_repack_it(tmp_path: Path) -> None:
    plain = written(tmp_path / "plain.warc", page(A), page(B), packed=False)
    whole = tmp_path / "whole.warc.gz"
    whole.write_bytes(gzip.compress(plain.read_bytes()))
    with pytest.raises(ValueError, match=r"warcio recompress whole\.warc\.gz"):
        archive(whole)


# Files and folders


def test_a_folder_of_files_is_one_web(tmp_path: Path) -> None:
    written(tmp_path / "1.warc.gz", page(A, b"<p>first"), moved(C, B))
    written(tmp_path / "2.warc", page(B, b"<p>two"), page(A, b"<p>later"), packed=False)
    web = archive(tmp_path)
    assert len(web) == 2
    assert web.fetch(C).body == b"<p>two"
    assert web.fetch(A).body == b"<p>first"


def test_an_empty_folder_and_no_file_say_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no archive in .*\.warc"):
        archive(tmp_path)
    with pytest.raises(FileNotFoundError):
        archive(tmp_path / "x.warc")


def test_a_wacz_is_read_in_place(tmp_path: Path) -> None:
    file = written(tmp_path / "data.warc.gz", page(A, b"<p>in a zip"), page(B))
    with zipfile.ZipFile(tmp_path / "crawl.wacz", "w") as wacz:
        wacz.writestr("datapackage.json", "{}", zipfile.ZIP_DEFLATED)
        wacz.write(file, "archive/data.warc.gz", zipfile.ZIP_STORED)
    web = archive(tmp_path / "crawl.wacz")
    assert (len(web), web.skipped) == (2, 0)
    assert web.fetch(A).body == b"<p>in a zip"


def test_the_index_is_made_once_and_anew_when_the_file_changes(tmp_path: Path) -> None:
    file = written(tmp_path / "a.warc.gz", page(A))
    folder = tmp_path / "cache" / "focuslab" / "archives"
    archive(file)
    index = next(folder.iterdir())
    made = index.stat().st_mtime_ns
    assert len(archive(file)) == 1
    assert index.stat().st_mtime_ns == made
    written(file, page(A), page(B))
    assert len(archive(file)) == 2
    assert not list(folder.glob("*.part"))


def test_an_archive_can_be_sent_to_another_process(make_archive: Callable[..., ArchiveWeb]) -> None:
    web = make_archive(page(A))
    assert pickle.loads(pickle.dumps(web)).fetch(A) == web.fetch(A)


# Labels


def test_labels_are_topics(make_archive: Callable[..., ArchiveWeb], tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    lines = [f"{A}{i},{'chess' if i % 2 else 'other'}" for i in range(20)]
    labels.write_text("url,label\n" + "\n".join([*lines, f"{C},chess"]))
    web = make_archive(*(page(f"{A}{i}") for i in range(20)), labels=labels, seeds=[f"{A}2"])
    assert web.topics() == ("chess", "other")
    assert len(web.truth("chess")) == 10  # the page that was not recorded is none of them
    assert web.topic("chess").seeds == (f"{A}2",)
    assert web.topic("chess").keywords == ("chess",)
    examples = web.examples("chess", 8)
    assert {web.truth("chess")(example.page.url) == example.relevant for example in examples} == {True}


def test_without_labels_there_are_no_topics(make_archive: Callable[..., ArchiveWeb]) -> None:
    web = make_archive(page(A))
    assert web.topics() == ()
    with pytest.raises(ValueError, match="has no labels, so no topics; give labels=, a CSV of url,label"):
        web.truth("chess")


# With other tools, and with our own crawl


def test_a_recorded_crawl_replays_to_the_page(tmp_path: Path) -> None:
    web = webs.synthetic(pages=400, seed=5)
    topic, examples = web.topic("baseball"), web.examples("baseball", 100)
    task = Task(topic, train_classifiers(examples, topic), examples)

    def visited(fetcher: object) -> list[str]:
        visits = crawl(topic, fetcher, make("best_first", task), task.assessor, seed=1)  # type: ignore[arg-type]
        return [visit.page.url for visit in islice(visits, 60)]

    file = tmp_path / "crawl.warc.gz"
    with Recorder(web, file) as recorder:
        live = visited(recorder)
    replay = archive(file)
    assert replay.skipped == 0
    assert visited(replay) == live
    assert [replay.fetch(url).body for url in live] == [web.fetch(url).body for url in live]


def test_failures_and_redirects_of_our_own_crawl_are_kept(tmp_path: Path) -> None:
    class Odd:
        def fetch(self, url: str) -> Response:
            found = {A: Response(B, 200, b"<p>moved", "text/html"), C: Response(C, error="timeout: 10 s")}
            return found[url]

    with Recorder(Odd(), tmp_path / "odd.warc.gz") as recorder:
        recorder.fetch(A)
        recorder.fetch(C)
    web = archive(tmp_path / "odd.warc.gz")
    assert (web.fetch(A).url, web.fetch(A).body) == (B, b"<p>moved")
    assert web.fetch(B).body == b"<p>moved"
    assert web.fetch(C).error == "timeout: 10 s"
    assert len(web) == 1


def test_warcio_reads_what_we_record(tmp_path: Path) -> None:
    web = webs.synthetic(pages=400, seed=5)
    file = tmp_path / "crawl.warc.gz"
    with Recorder(web, file) as recorder:
        for url in web.topic("baseball").seeds:
            recorder.fetch(url)
    warcio = [sys.executable, "-m", "warcio.cli"]
    check = subprocess.run([*warcio, "check", "-v", str(file)], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout + check.stderr
    assert "digest pass" in check.stdout
    index = subprocess.run(
        [*warcio, "index", "-f", "warc-type,warc-target-uri", str(file)], capture_output=True, text=True
    )
    assert index.stdout.count('"warc-type": "response"') == len(web.topic("baseball").seeds)


@pytest.mark.skipif(not shutil.which("wget"), reason="wget is absent: apt-get install wget")
@pytest.mark.parametrize("options", [[], ["--no-warc-compression"]], ids=["packed", "plain"])
def test_what_wget_records_is_a_web(tmp_path: Path, options: list[str]) -> None:
    web = webs.synthetic(pages=400, seed=5)
    seeds = web.topic("baseball").seeds
    with webs.serve(web) as served:
        command = ["wget", "--recursive", "--level=1", "--no-verbose", "--span-hosts", "--execute=robots=off"]
        command += ["--tries=1", "--warc-file=crawl", *options, *seeds[:2]]
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", **served.environment()}
        subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=60)
        fetched = {url: Http(proxy=served.url).fetch(url).body for url in seeds[:2]}
    replay = archive(next(tmp_path.glob("crawl.warc*")))
    assert len(replay) > 2
    assert replay.skipped == 0
    assert {url: replay.fetch(url).body for url in seeds[:2]} == fetched
    assert all(web.fetch(url).body == replay.fetch(url).body for url in replay.urls)
