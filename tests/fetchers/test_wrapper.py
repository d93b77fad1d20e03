"""What a crawl asks of fetchers reaches the one that knows, through any number of wrappers."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuslab.classifiers.training.from_topic import FilesToo
from focuslab.fetchers.polite import Polite
from focuslab.fetchers.recorder import Recorder
from focuslab.fetchers.threads import Threads
from focuslab.fetchers.traps import Bounded
from focuslab.fetchers.wrapper import Wrapper
from focuslab.types import Crew, LiveFetcher, Response

A = "http://a.example/"


class Site:
    def fetch(self, url: str) -> Response:
        return Response(url, 200, b"page")


class Known(LiveFetcher):
    """A fetcher that knows all there is to know."""

    polite = True
    recorded = 3
    closed = 0

    def fetch(self, url: str) -> Response:
        return Response(url, 200, b"page")

    def ready_in(self, url: str) -> float:
        return 7.0

    def past(self):
        yield A, Response(A, 200)

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("wrap", [Wrapper, Bounded, FilesToo, lambda site: Wrapper(Bounded(site))])
def test_all_is_passed_on(wrap) -> None:
    known = Known()
    wrapped = wrap(known)
    assert (wrapped.polite, wrapped.recorded, wrapped.ready_in(A)) == (True, 3, 7.0)
    assert list(wrapped.past()) == [(A, Response(A, 200))]
    wrapped.close()
    assert known.closed == 1


@pytest.mark.parametrize("wrap", [Wrapper, Bounded, FilesToo])
def test_a_fetcher_that_only_fetches_is_as_good(wrap) -> None:
    wrapped = wrap(Site())
    assert wrapped.fetch(A).body == b"page"
    assert (wrapped.polite, wrapped.recorded, wrapped.ready_in(A), list(wrapped.past())) == (False, 0, 0, [])
    wrapped.close()


def test_a_record_of_a_polite_fetcher_is_polite_and_closes_it(tmp_path: Path) -> None:
    known = Known()
    recorder = Recorder(Polite(known, delay=3, robots=False), tmp_path / "crawl.warc.gz")
    assert recorder.polite
    assert recorder.recorded == 0
    recorder.fetch(A)
    assert 0 < recorder.ready_in(A) <= 3
    recorder.close()
    assert known.closed == 1


def test_a_crew_of_threads_leaves_the_fetcher_open() -> None:
    known = Known()
    crew = Threads(known, 2)
    assert isinstance(crew, Crew)
    crew.ask(A)
    assert crew.come(5.0) == (A, Response(A, 200, b"page"), 7.0)
    crew.close()
    assert known.closed == 0
