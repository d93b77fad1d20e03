"""WebKB and Wikipedia for Schools: on tiny archives of the same layout, and on the real pages if present."""

from __future__ import annotations

import hashlib
import io
import pickle
import re
import socket
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components

from focuslab.pages.parse import parse
from focuslab.webs.download import SOURCES, Source, download
from focuslab.webs.labelled import LabelledWeb
from focuslab.webs.tar_store import Archive, cache_folder, find_archive
from focuslab.webs.webkb import MEMBER, WebKB, mended, webkb
from focuslab.webs.wikischools import SITE, WikiSchools, wikischools

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


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here touches the cache of whoever runs the tests."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def tiny_webkb(tmp_path: Path) -> WebKB:
    return webkb(pack(tmp_path / "webkb.tar.xz", {name: HEADER + text for name, text in WEBKB.items()}))


@pytest.fixture
def tiny_wiki(tmp_path: Path) -> WikiSchools:
    return wikischools(pack(tmp_path / "wikischools.tar.xz", WIKI))


# Where an archive is found, and what is left behind on disk


def test_a_folder_the_file_and_the_variable_all_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = pack(tmp_path / "webkb.tar.xz", WEBKB)
    monkeypatch.setenv("FOCUSLAB_DATA", str(tmp_path))
    assert find_archive("webkb", tmp_path) == find_archive("webkb", file) == find_archive("webkb") == file


def test_the_cache_folder_is_the_last_resort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOCUSLAB_DATA", raising=False)
    cache_folder().mkdir(parents=True)
    file = pack(cache_folder() / "wikischools.tar.xz", WIKI)
    assert find_archive("wikischools") == file


@pytest.mark.parametrize("make", [webkb, wikischools])
def test_absent_pages_say_where_and_what_to_do(make: Callable[..., LabelledWeb], tmp_path: Path) -> None:
    with pytest.raises(
        FileNotFoundError, match=r"pages are not at .*; put .*\.tar\.xz there, or set FOCUSLAB_DATA"
    ):
        make(tmp_path)


def test_another_archive_is_not_mistaken(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no articles"):
        wikischools(pack(tmp_path / "x.tar.xz", WEBKB))
    with pytest.raises(ValueError, match="holds no pages"):
        webkb(pack(tmp_path / "y.tar.xz", WIKI))


def test_a_damaged_archive_leaves_nothing_in_the_cache(tmp_path: Path) -> None:
    file = pack(tmp_path / "webkb.tar.xz", {name: text * 1000 for name, text in WEBKB.items()})
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(ValueError, match="is damaged"):
        webkb(file)
    assert list(cache_folder().iterdir()) == []


def test_it_is_unpacked_once_and_again_when_it_changes(tmp_path: Path) -> None:
    first = Archive(pack(tmp_path / "wikischools.tar.xz", WIKI)).tar
    written = first.stat().st_mtime_ns
    assert Archive(tmp_path / "wikischools.tar.xz").tar.stat().st_mtime_ns == written
    assert Archive(pack(tmp_path / "wikischools.tar.xz", {**WIKI, "wp/n/New.htm": "n"})).tar != first


def test_members_are_never_written_by_their_names(tmp_path: Path) -> None:
    names = (
        "../../evil",
        "/evil",
        "webkb/course/../../../evil",
        "webkb/course/cornell/http:^^a.edu^..^..^evil",
    )
    file = pack(tmp_path / "webkb.tar.xz", dict.fromkeys(names, HEADER))
    assert webkb(file).urls == ("http://a.edu/evil",)
    made = {path for path in tmp_path.rglob("*") if path.is_file()} - {file}
    assert [path.parent for path in made] == [cache_folder()]


def test_a_link_in_the_archive_is_no_page(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "webkb.tar.xz", "w:xz") as tar:
        member = tarfile.TarInfo("webkb/course/cornell/http:^^a.edu^")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/hostname"
        tar.addfile(member)
    with pytest.raises(ValueError, match="holds no pages"):
        webkb(tmp_path)


def test_a_web_can_be_sent_to_another_process(tiny_wiki: WikiSchools) -> None:
    copy = pickle.loads(pickle.dumps(tiny_wiki))
    assert [copy.fetch(url) for url in copy.urls] == [tiny_wiki.fetch(url) for url in tiny_wiki.urls]


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w"])
def test_other_ways_to_pack_are_read_too(tmp_path: Path, mode: str) -> None:
    file = pack(tmp_path / "webkb.tar.gz", WEBKB, mode)
    assert len(webkb(file)) == len(webkb(tmp_path)) == 6


def test_a_cut_gzip_is_damaged(tmp_path: Path) -> None:
    file = pack(tmp_path / "webkb.tgz", {name: text * 1000 for name, text in WEBKB.items()}, "w:gz")
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(ValueError, match="is damaged"):
        webkb(file)


# Downloads


@pytest.fixture
def publisher(tmp_path: Path) -> Iterator[str]:
    """A server on loopback that publishes what lies in a folder."""
    (tmp_path / "public").mkdir()
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "public"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def published(tmp_path: Path, publisher: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Address and checksum of a tiny WebKB."""
    monkeypatch.delenv("FOCUSLAB_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    file = pack(tmp_path / "public" / "webkb-data.gtar.gz", WEBKB, "w:gz")
    return f"{publisher}webkb-data.gtar.gz", hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_set_is_downloaded_once_and_found_from_then_on(
    published: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SOURCES, "webkb", Source(*published))
    assert len(webkb(download=True)) == 6
    monkeypatch.setitem(SOURCES, "webkb", Source("http://127.0.0.1:9/"))
    assert len(webkb(download=True)) == len(webkb()) == 6


def test_a_wrong_checksum_leaves_nothing(published: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match=r"has the SHA-256 [0-9a-f]{64}, not abc: it is damaged or another"):
        download("webkb", published[0], "abc")
    assert list(cache_folder().iterdir()) == []


def test_an_unknown_checksum_is_told(published: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert download("webkb", published[0]) == cache_folder() / "webkb.gtar.gz"
    assert published[1] in capsys.readouterr().out


def test_what_cannot_be_had_says_what_to_do(published: tuple[str, str], publisher: str) -> None:
    with pytest.raises(OSError, match="answers with status 404; give url="):
        download("webkb", publisher + "gone.tar.gz")
    with pytest.raises(OSError, match=r"cannot fetch http://127\.0\.0\.1:9/"):
        download("webkb", "http://127.0.0.1:9/")
    with pytest.raises(ValueError, match="is larger than 10 bytes"):
        download("webkb", published[0], max_bytes=10)
    with pytest.raises(ValueError, match="no set named 'wiki'; try webkb, wikischools"):
        download("wiki")
    assert list(cache_folder().iterdir()) == []


def test_a_download_cut_short_leaves_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")

        Thread(target=answer, daemon=True).start()
        with pytest.raises(OSError, match="cannot fetch"):
            download("webkb", f"http://127.0.0.1:{server.getsockname()[1]}/x.tar.gz")
    assert list(cache_folder().iterdir()) == []


# WebKB, tiny


def test_webkb_has_the_web_pages_and_their_classes(tiny_webkb: WebKB) -> None:
    assert len(tiny_webkb) == 6
    assert tiny_webkb.topics() == ("course", "department", "faculty", "project", "staff", "student")
    ann = frozenset({"http://www.cs.cornell.edu/~ann/"})
    assert tiny_webkb.truth("faculty").targets == tiny_webkb.truth("staff").targets == ann
    assert len(tiny_webkb.truth("course")) == 2
    assert len(tiny_webkb.truth("project")) == 0


def test_webkb_starts_from_the_departments_of_the_universities(tiny_webkb: WebKB) -> None:
    homes = {"http://www.cs.cornell.edu/", "http://www.cs.utexas.edu/"}
    orders = {tiny_webkb.topic("course", seed).seeds for seed in range(20)}
    assert all(set(order) == homes for order in orders)
    assert len(orders) == 2


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("http://www.cs.cornell.edu/~ann", "http://www.cs.cornell.edu/~ann/"),
        ("http://www.cs.cornell.edu/%7Eann/", "http://www.cs.cornell.edu/~ann/"),
        ("http://www.cs.cornell.edu/~ann/index.html", "http://www.cs.cornell.edu/~ann/"),
        ("HTTP://WWW.CS.Cornell.EDU:80/~ann/#top", "http://www.cs.cornell.edu/~ann/"),
        ("http://www.cs.cornell.edu/info/", "http://www.cs.cornell.edu/Info/index.html"),
        ("http://www.cs.utexas.edu/c2/", "http://www.cs.utexas.edu/c2"),
        ("http://www.cs.utexas.edu/index.html", "http://www.cs.utexas.edu/"),
    ],
)
def test_webkb_answers_as_servers_of_1997_did(tiny_webkb: WebKB, asked: str, stored: str) -> None:
    response = tiny_webkb.fetch(asked)
    assert (response.status, response.url) == (200, stored)


@pytest.mark.parametrize(
    "gone", ["http://www.cs.cornell.edu/gone.html", "ftp://ftp.cs.cornell.edu/pub", "", "x"]
)
def test_what_is_not_stored_is_not_found(tiny_webkb: WebKB, gone: str) -> None:
    response = tiny_webkb.fetch(gone)
    assert (response.url, response.status, response.body) == (gone, 404, b"")


def test_webkb_headers_are_no_part_of_the_page(tiny_webkb: WebKB) -> None:
    response = tiny_webkb.fetch("http://www.cs.cornell.edu/~ann/")
    assert response.body == b"<title>Ann</title> Professor"
    assert response.content_type == "text/html"


def test_webkb_links_lead_to_the_stored_address(tiny_webkb: WebKB) -> None:
    ann = ("http://www.cs.cornell.edu/~ann/",)
    assert tiny_webkb.out("http://www.cs.cornell.edu/") == ann
    assert tiny_webkb.out("http://www.cs.utexas.edu/") == ann


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<!-- a --> b <!-- c > d", b"<!-- a --> b <!-- c --> d"),
        (b"<!-- a > b <!-- c > d", b"<!-- a --> b <!-- c --> d"),
        (b"<!-- a > b --> c", b"<!-- a > b --> c"),
        (b"<!-- a", b"<!-- a"),
        (b'<A HREF = "b.html>b</a> "', b'<A HREF = "b.html">b</a> "'),
        (b'<a href="b.html" target="x">', b'<a href="b.html" target="x">'),
        (b"<FRAMESET rows=1><noframes>a</NOFRAMES></frameset>", b"a"),
    ],
)
def test_habits_of_1997_are_mended(body: bytes, expected: bytes) -> None:
    assert mended(body) == expected


# Wikipedia for Schools, tiny


def test_wikischools_subjects_hold_what_narrower_ones_hold(tiny_wiki: WikiSchools) -> None:
    assert tiny_wiki.topics() == ("Art", "Art.Films")
    films = {f"{SITE}wp/a/Actor.htm", f"{SITE}wp/b/Ben_%2528film%2529.htm"}
    assert tiny_wiki.truth("Art").targets == tiny_wiki.truth("Art.Films").targets == films
    assert set(tiny_wiki.topic("Art.Films", seed=3).seeds) == films
    assert tiny_wiki.topic("Art.Films").keywords == ("films",)


def test_wikischools_in_the_folder_of_its_publisher(tmp_path: Path) -> None:
    web = wikischools(pack(tmp_path / "x.tar.gz", {f"wpcd/{name}": text for name, text in WIKI.items()}))
    assert web.topics() == ("Art", "Art.Films")
    assert web.fetch(f"{SITE}wp/a/Actor.htm").ok


def test_the_truth_knows_a_page_by_each_of_its_addresses(tiny_webkb: WebKB) -> None:
    truth = tiny_webkb.truth("faculty")
    assert truth("http://www.cs.cornell.edu/~ann/")
    assert truth("http://www.cs.cornell.edu/%7Eann/index.html")
    assert not truth("http://www.cs.cornell.edu/")
    assert len(truth) == 1


def test_wikischools_index_pages_are_dead(tiny_wiki: WikiSchools) -> None:
    assert len(tiny_wiki) == 3
    for page in ("index.htm", "wp/index/subject.htm", "wp/index/subject.Art.Films.htm", "wp/index/a.htm"):
        assert tiny_wiki.fetch(SITE + page).status == 404
    assert tiny_wiki.out(f"{SITE}wp/a/Actor.htm") == (f"{SITE}wp/b/Ben_%2528film%2529.htm",)


def test_wikischools_pages_do_not_name_their_subject(tiny_wiki: WikiSchools) -> None:
    body = tiny_wiki.fetch(f"{SITE}wp/a/Actor.htm").body
    assert body.startswith(b"<p>An actor acts in")
    assert b"Films" not in body


def test_an_unknown_topic_names_near_ones(tiny_wiki: WikiSchools) -> None:
    with pytest.raises(ValueError, match=r"no topic named 'films' in wikischools; try Art\.Films"):
        tiny_wiki.topic("films")


# Examples


def test_examples_are_a_function_of_the_seed(tiny_wiki: WikiSchools) -> None:
    assert tiny_wiki.examples("Art", 4, seed=1) == tiny_wiki.examples("Art", 4, seed=1)
    with pytest.raises(ValueError, match="count is 1; ask for at least 4"):
        tiny_wiki.examples("Art", 1)


def test_truth_can_leave_the_examples_out(tiny_wiki: WikiSchools) -> None:
    examples = tiny_wiki.examples("Art", 4)
    seen = {example.page.url for example in examples if example.relevant}
    assert seen
    assert tiny_wiki.truth("Art", without=examples).targets == tiny_wiki.truth("Art").targets - seen


# The real pages


@pytest.fixture(scope="module")
def real_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def real_webkb(data: Path, real_cache: None) -> WebKB:
    return webkb(data)


@pytest.fixture(scope="module")
def real_wiki(data: Path, real_cache: None) -> WikiSchools:
    return wikischools(data)


def link_matrix(web: LabelledWeb) -> csr_matrix:
    place = {url: i for i, url in enumerate(web.urls)}
    pairs = np.array([(i, place[end]) for url, i in place.items() for end in web.out(url)])
    return csr_matrix((np.ones(len(pairs)), pairs.T), shape=(len(place), len(place)))


def test_webkb_counts(real_webkb: WebKB) -> None:
    classes = Counter(
        found["label"] for member in real_webkb._archive if (found := MEMBER.fullmatch(member.name))
    )
    assert classes.pop("other") == 3764
    assert sum(classes.values()) == 8_282 - 3_764
    assert [classes[name] for name in real_webkb.topics()] == [930, 182, 1124, 504, 137, 1641]
    # Fewer than files: 52 have ftp or file addresses, 16 share the address of another.
    assert len(real_webkb) == 8_214
    pages = {name: len(real_webkb.truth(name)) for name in real_webkb.topics()}
    assert pages == {
        "course": 928,
        "department": 179,
        "faculty": 1122,
        "project": 502,
        "staff": 137,
        "student": 1641,
    }


def test_webkb_links_resolve_and_home_pages_reach_far(real_webkb: WebKB) -> None:
    links = link_matrix(real_webkb)
    assert 15_500 < links.nnz < 16_500
    _, parts = connected_components(links, connection="weak")
    assert np.bincount(parts).max() == pytest.approx(6_706, rel=0.01)
    homes = real_webkb.topic("course").seeds
    assert len(homes) == 4
    for home in homes:
        reached = breadth_first_order(links, real_webkb.urls.index(home), return_predecessors=False)
        assert len(reached) == pytest.approx(4_660, rel=0.01)


def test_webkb_examples(real_webkb: WebKB) -> None:
    examples = real_webkb.examples("staff", 400, seed=1)
    assert len(examples) == 400
    assert sum(example.relevant for example in examples) == round(0.3 * 137)
    assert {example.page.url for example in examples} != {
        e.page.url for e in real_webkb.examples("staff", 400, seed=2)
    }
    truth = real_webkb.truth("staff")
    assert all(truth(example.page.url) == example.relevant for example in examples)


def test_wikischools_counts(real_wiki: WikiSchools) -> None:
    assert len(real_wiki) == 5_232
    # 146 index pages: the one of all subjects, and 145 subjects in 15 groups.
    assert len(real_wiki.topics()) == 145
    assert len({name.partition(".")[0] for name in real_wiki.topics()}) == 15
    sizes = [
        len(real_wiki.truth(f"Everyday_life.{name}"))
        for name in ("Computer_and_Video_games", "Sports", "Films")
    ]
    assert sizes == [26, 32, 36]
    assert len(frozenset.union(*(real_wiki.truth(name).targets for name in real_wiki.topics()))) == 4_654


def test_wikischools_links_resolve(real_wiki: WikiSchools) -> None:
    """Every link to an article leads to one, as a plain search of the stored bytes finds them too."""
    count = found = 0
    for url in real_wiki.urls[::10]:
        body = real_wiki.fetch(url).body.decode("utf-8", "replace")
        count += len(set(re.findall(r'href="\.\./\.\./(wp/[^"#]+\.htm)', body)) - {url.removeprefix(SITE)})
        found += len(real_wiki.out(url))
    assert found == pytest.approx(count, rel=0.01)
    assert 10 * found == pytest.approx(136_400, rel=0.1)


def test_no_article_tells_its_subject(real_wiki: WikiSchools) -> None:
    for url in real_wiki.urls:
        body = real_wiki.fetch(url).body
        assert b"siteSub" not in body, url
        assert b"index/subject" not in body, url
        assert not re.search(rb'name="keywords"', body, re.IGNORECASE), url


def test_sampled_articles_still_have_their_text(real_wiki: WikiSchools) -> None:
    for url in sorted(real_wiki.truth("Science").targets)[::40]:
        page = parse(real_wiki.fetch(url))
        assert len(page.text) > 500, url
        assert "Schools Wikipedia Selection" not in page.text, url
        assert page.title
