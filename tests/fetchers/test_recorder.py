"""The record of a crawl: what is written is read back, whatever happens to the end of the file."""

from __future__ import annotations

import errno
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny import TinyAssessor, TinyWeb, name, topic, url
from warcio.archiveiterator import ArchiveIterator

from focuslab.crawling.loop import crawl
from focuslab.fetchers import warc
from focuslab.fetchers.recorder import FullError, Recorder
from focuslab.fetchers.traps import Bounded
from focuslab.strategies.best_first import BestFirst
from focuslab.strategies.breadth_first import BreadthFirst
from focuslab.types import Response
from focuslab.webs.archive import archive

TOY = {"s": "x y", "x": "p q gone", "y": "u v", "u": "w", "p": "", "q": "s", "v": "", "w": ""}
TOY_R = {"s": 0.9, "x": 0.6, "y": 0.58, "p": 0.2, "q": 0.7, "u": 0.9, "v": 0.8, "w": 0.95}


class Nowhere:
    """Must not be asked."""

    def fetch(self, address: str) -> Response:
        raise AssertionError(f"{address} was fetched though it is recorded")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "crawl.warc.gz"


lines = st.text(max_size=40)
responses = st.builds(
    Response,
    url=st.one_of(st.just("http://a.example/x?q=1"), lines.map("http://a.example/".__add__)),
    status=st.sampled_from((0, 200, 204, 301, 404, 500, 599)),
    body=st.binary(max_size=3_000),
    content_type=st.one_of(st.just("text/html; charset=utf-8"), lines),
    seconds=st.floats(0, 60),
    error=lines,
    headers=st.dictionaries(
        st.one_of(st.just("X-Robots-Tag"), st.just("Content-Encoding"), lines), lines, max_size=5
    ),
)


@given(st.lists(responses, max_size=5))
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_came_is_read_back_as_it_was_used(tmp_path_factory, come):
    file = tmp_path_factory.mktemp("w") / "crawl.warc.gz"
    answers = {f"http://a.example/{n}": response for n, response in enumerate(come)}

    class Web:
        def fetch(self, address: str) -> Response:
            return answers[address]

    with Recorder(Web(), file) as recorder:
        used = {address: recorder.fetch(address) for address in answers}
    with Recorder(Nowhere(), file) as recorder:
        assert dict(recorder.past()) == used
        assert {address: recorder.fetch(address) for address in answers} == used
    for address, response in used.items():
        came = answers[address]
        assert (response.status, response.seconds) == (came.status, came.seconds)
        assert response.body == (came.body if came.status else b"")
        assert response.ok == came.ok


def test_other_tools_can_read_it(file):
    web = TinyWeb({"s": "a"}, {"dead": Response(url("dead"), error="timeout: no answer")})
    with Recorder(web, file, about={"topic": "tiny"}) as recorder:
        for page in ("s", "gone", "dead"):
            recorder.fetch(url(page))
    with file.open("rb") as stream:
        kinds = []
        for entry in ArchiveIterator(stream, check_digests="raise"):
            kinds.append((entry.rec_type, entry.rec_headers.get_header("WARC-Target-URI")))
            entry.content_stream().read()
    assert kinds == [
        ("warcinfo", None),
        ("response", url("s")),
        ("response", url("gone")),
        ("metadata", url("dead")),
    ]


def test_a_redirect_keeps_both_addresses(file):
    moved = Response(url("new"), 200, b"x", "text/html")
    with Recorder(TinyWeb({}, {"old": moved}), file) as recorder:
        recorder.fetch(url("old"))
    with Recorder(Nowhere(), file) as recorder:
        assert recorder.fetch(url("old")).url == url("new")
        assert url("new") not in recorder


# ---------------------------------------------------------------- the end of the file


def recorded(file: Path, pages: str) -> list[int]:
    """Record pages; where each record ends."""
    with Recorder(TinyWeb(TOY), file) as recorder:
        ends = [recorder.size]
        for page in pages.split():
            recorder.fetch(url(page))
            ends.append(recorder.size)
    return ends


@given(st.floats(0, 1), st.sampled_from((b"", b"\0" * 50, b"\x1f\x8b\x08junk")))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_cut_anywhere_only_the_cut_record_is_lost(tmp_path_factory, share, junk):
    file = tmp_path_factory.mktemp("w") / "crawl.warc.gz"
    ends = recorded(file, "s x y")
    whole = file.read_bytes()
    cut = round(share * len(whole))
    left = whole[:cut] + junk
    file.write_bytes(left)
    # Zeros may be just what was cut off: the last bytes of a record are the high ones of its length.
    kept = sum(left[:end] == whole[:end] for end in ends[1:])
    with Recorder(TinyWeb(TOY), file) as recorder:
        assert [name(asked) for asked, _ in recorder.past()] == ["s", "x", "y"][:kept]
        aside = list(file.parent.glob("*.torn-*"))
        assert recorder.torn == sum(path.stat().st_size for path in aside)
        recorder.fetch(url("u"))
    with Recorder(Nowhere(), file) as recorder:
        assert [name(asked) for asked, _ in recorder.past()] == [*["s", "x", "y"][:kept], "u"]


def test_a_full_disk_loses_nothing_and_says_so(file, monkeypatch):
    recorded(file, "s x")
    before = file.read_bytes()
    with Recorder(TinyWeb(TOY), file) as recorder:
        real = recorder._file

        class Full:
            """A disk that takes half a record."""

            def __getattr__(self, attribute: str) -> object:
                return getattr(real, attribute)

            def write(self, data: bytes) -> int:
                if len(data) > 50:
                    return real.write(data[:50])
                raise OSError(errno.ENOSPC, "No space left on device")

        recorder._file = Full()
        with pytest.raises(FullError, match=r"No space left on device.*; free some, then resume"):
            recorder.fetch(url("y"))
    assert file.read_bytes() == before


def test_it_grows_no_larger_than_allowed(file):
    ends = recorded(file, "s x")
    with Recorder(TinyWeb(TOY), file, max_bytes=ends[-1] + 10) as recorder:
        assert recorder.fetch(url("x")).ok
        with pytest.raises(FullError, match="reached its limit"):
            recorder.fetch(url("y"))
    assert file.stat().st_size == ends[-1]


def test_two_crawls_do_not_share_a_file(file):
    pytest.importorskip("fcntl")
    with (
        Recorder(TinyWeb(TOY), file),
        pytest.raises(ValueError, match="written by another crawl; stop it first"),
    ):
        Recorder(TinyWeb(TOY), file)


def test_threads_share_one(file):
    with Recorder(TinyWeb(TOY), file) as recorder:
        threads = [threading.Thread(target=recorder.fetch, args=(url(page),)) for page in TOY]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(name(asked) for asked, *_ in warc.read(file) if asked) == sorted(TOY)


# ---------------------------------------------------------------- resume is replay


class Dying(TinyWeb):
    """Takes the process down, as far as the crawl can tell, at the n-th fetch."""

    def __init__(self, alive: int) -> None:
        super().__init__(TOY)
        self.alive = alive

    def fetch(self, address: str) -> Response:
        if len(self.fetched) == self.alive:
            raise MemoryError
        return super().fetch(address)


def rows(visits) -> list[tuple[object, ...]]:
    return [(v.step, v.page.url, v.score, v.depth, v.rank, v.ties, v.waiting, v.response) for v in visits]


@pytest.mark.parametrize("strategy", [BestFirst, BreadthFirst])
@pytest.mark.parametrize(
    "rules", [{}, {"hosts_apart": 2}, {"tie": "random"}, {"host_cap": 1, "max_depth": 2}]
)
@pytest.mark.parametrize("alive", range(9))
def test_resumed_anywhere_the_log_is_that_of_one_run(file, strategy, rules, alive):
    def run(fetcher):
        return crawl(topic("s"), fetcher, strategy(), TinyAssessor(TOY_R), frontier=rules)

    with Recorder(TinyWeb(TOY), file.with_name("whole")) as recorder:
        whole = rows(run(recorder))
    with Recorder(Dying(alive), file) as recorder, suppress(MemoryError):
        list(run(recorder))
    web = TinyWeb(TOY)
    with Recorder(web, file) as recorder:
        assert rows(run(recorder)) == whole
        asked = [asked for asked, _ in recorder.past()]
    assert not set(web.fetched) & {name(address) for address in asked}


@pytest.mark.parametrize("alive", range(0, 9, 2))
def test_wide_crawls_resume_too_and_refetch_nothing(file, alive):
    def run(fetcher):
        return crawl(topic("s"), fetcher, BestFirst(), TinyAssessor(TOY_R), width=3)

    with Recorder(Dying(alive), file) as recorder, suppress(MemoryError):
        list(run(recorder))
    web = TinyWeb(TOY)
    with Recorder(web, file) as recorder:
        before = [asked for asked, response in recorder.past() if response.ok]
        visits = rows(run(Bounded(recorder)))
        asked = [name(asked) for asked, _ in recorder.past()]
    assert [row[1] for row in visits][: len(before)] == before
    assert sorted(row[1] for row in visits) == sorted(map(url, TOY))
    assert not set(web.fetched) & set(asked)


def test_the_file_is_in_the_hands_of_the_system_when_fetch_returns(file):
    """What kill -9 cannot take: nothing waits in a buffer of ours."""
    recorder = Recorder(TinyWeb(TOY), file)
    recorder.fetch(url("s"))
    assert file.stat().st_size == recorder.size
    assert [asked for asked, *_ in warc.read(file) if asked] == [url("s")]


# ---------------------------------------------------------------- the same again, and files that are full

LONG = b"<p>" + b"the same words again " * 100


class Copies:
    """Every page says the same, but the last."""

    def fetch(self, address: str) -> Response:
        body = b"<p>another" * 200 if address == url("z") else LONG
        return Response(address, 200, body, "text/html", headers={"x-name": name(address)})


def kinds(file: Path) -> list[tuple[str, str]]:
    with file.open("rb") as stream:
        entries = ArchiveIterator(stream, check_digests="raise")
        return [
            (entry.rec_type, name(entry.rec_headers.get_header("WARC-Target-URI") or "")) for entry in entries
        ]


def test_a_body_that_is_there_already_is_referred_to(file):
    with Recorder(Copies(), file, repeats=False) as recorder:
        used = {url(page): recorder.fetch(url(page)) for page in "abz"}
    with Recorder(Copies(), file, repeats=False) as recorder:
        assert dict(recorder.past()) == used
        used[url("c")] = recorder.fetch(url("c"))
    assert [kind for kind, _ in kinds(file)] == ["warcinfo", "response", "revisit", "response", "revisit"]
    with Recorder(Nowhere(), file) as recorder:
        assert {address: recorder.fetch(address) for address in used} == used
    with file.open("rb") as stream:
        headers = [entry.rec_headers for entry in ArchiveIterator(stream) if entry.rec_type == "revisit"]
    assert {each.get_header("WARC-Refers-To-Target-URI") for each in headers} == {url("a")}
    part = file.with_name("part.warc.gz")
    part.write_bytes(b"".join(warc.select(file, frozenset({url("b")}))))
    assert [entry.response.body for entry in warc.read(part) if entry.asked == url("b")] == [LONG]
    web = archive(file)
    assert [web.fetch(address).body for address in used] == [response.body for response in used.values()]
    assert web.fetch(url("b")).headers["x-name"] == "b"


def test_a_body_that_was_cut_or_is_short_is_kept_each_time(file):
    with Recorder(Copies(), file, cut_at=len(LONG), repeats=False) as recorder:
        for page in "ab":
            recorder.fetch(url(page))
    assert [kind for kind, _ in kinds(file)].count("response") == 2


def test_another_file_is_begun_when_one_is_full(file):
    with Recorder(Copies(), file, file_bytes=600, repeats=False) as recorder:
        used = {url(page): recorder.fetch(url(page)) for page in "abcz"}
        size = recorder.size
    files = warc.series(file)
    assert [part.name for part in files[:3]] == [
        "crawl.warc.gz",
        "crawl-00002.warc.gz",
        "crawl-00003.warc.gz",
    ]
    assert size == sum(part.stat().st_size for part in files)
    assert all(kinds(part)[0][0] == "warcinfo" for part in files)
    with files[-1].open("ab") as torn:
        torn.write(b"\x1f\x8b\x08half a record")
    with Recorder(Nowhere(), file, max_bytes=size) as recorder:
        assert recorder.torn
        assert {address: recorder.fetch(address) for address in used} == used
        with pytest.raises(AssertionError):
            recorder.fetch(url("d"))
    with Recorder(Copies(), file, max_bytes=size) as recorder, pytest.raises(FullError):
        recorder.fetch(url("d"))
    web = archive(file)
    assert {address: web.fetch(address).body for address in used} == {
        address: response.body for address, response in used.items()
    }
