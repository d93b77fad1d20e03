"""A web read once: the same by any number of processes, kept in a folder, given up where it has no end."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focuslab import webs
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.read_web import read, seeds_of
from focuslab.graphs.reading import Reading
from focuslab.graphs.spread import Workers
from focuslab.graphs.survey import Blind
from focuslab.pages.parse import parse
from focuslab.types import Response


@pytest.fixture(scope="module")
def web() -> webs.SyntheticWeb:
    return webs.synthetic(pages=400, seed=3)


def same(one: Reading, other: Reading) -> None:
    files = sorted(path.name for path in one.folder.glob("*.npy"))
    assert files == sorted(path.name for path in other.folder.glob("*.npy"))
    for name in files:
        assert np.array_equal(np.load(one.folder / name), np.load(other.folder / name)), name


def test_its_links_are_those_that_a_crawl_finds(web: webs.SyntheticWeb) -> None:
    seeds = seeds_of(web, web.topics(), (0,))
    graph, read_once = WebGraph.crawl(web, seeds, Blind(), dead=True), read(web, jobs=1)
    assert read_once.whole
    assert list(read_once.graph.urls) == list(graph.urls)
    assert np.array_equal(read_once.graph.indptr, graph.indptr)
    assert np.array_equal(read_once.graph.indices, graph.indices)
    assert np.array_equal(read_once.array("count_bytes"), [len(web.fetch(url).body) for url in graph.urls])


def test_any_number_of_processes_reads_the_same(
    web: webs.SyntheticWeb, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    alone = read(web, tmp_path / "alone", jobs=1)
    monkeypatch.setattr("focuslab.graphs.read_web.FEW", 0)
    monkeypatch.setattr("focuslab.graphs.read_web.CHUNK", 60)
    chunked = read(web, tmp_path / "two", jobs=2)
    assert list(chunked.graph.urls) == list(alone.graph.urls)
    assert [chunked.words[n] for n in chunked.array("tokens")[:5_000].tolist()] == [
        alone.words[n] for n in alone.array("tokens")[:5_000].tolist()
    ]
    same(chunked, read(web, tmp_path / "one", jobs=1))


class Dead:
    """A web with some pages gone."""

    def __init__(self, web: webs.SyntheticWeb) -> None:
        self.web = web

    def fetch(self, url: str) -> Response:
        return Response(url, 404) if self.web.number(url) % 9 == 4 else self.web.fetch(url)

    def __len__(self) -> int:
        return len(self.web)


def test_dead_addresses_come_last_and_have_their_own_words(web: webs.SyntheticWeb) -> None:
    seeds = seeds_of(web, web.topics(), (0,))
    found = read(Dead(web), seeds=seeds, jobs=1)  # type: ignore[arg-type]
    assert np.array_equal(found.graph.dead, [web.number(url) % 9 == 4 for url in found.graph.urls])
    assert found.graph.dead is not None
    assert not found.graph.dead[: found.pages].any()
    plain = WebGraph.crawl(Dead(web), seeds, Blind(), dead=True)
    assert [[found.graph.urls[n] for n in found.graph.out(p).tolist()] for p in range(found.pages)] == [
        [plain.urls[n] for n in plain.out(p).tolist()] for p in range(found.pages)
    ]
    from focuslab.features.url_terms import url_phrases

    texts = found.texts["phrases"]
    assert all(
        [found.words[n] for n in texts.words(place).tolist()] == url_phrases(url)
        for place, url in enumerate(found.graph.urls)
    )


class Calendar:
    """Every page links to the next one, for ever."""

    def fetch(self, url: str) -> Response:
        day = int(url.rpartition("/")[2])
        return Response(url, 200, f'<a href="/{day + 1}">next</a>'.encode(), "text/html")

    def __len__(self) -> int:
        return 5


def test_a_web_without_end_is_given_up() -> None:
    found = read(Calendar(), seeds=["http://a.example/1"], jobs=1, parse=parse)  # type: ignore[arg-type]
    assert not found.whole
    assert found.pages < 60


class Deadly:
    """A web that kills the first worker that asks for a certain page."""

    def __init__(self, web: webs.SyntheticWeb, mark: Path) -> None:
        self.web, self.mark = web, mark

    def fetch(self, url: str) -> Response:
        if self.web.number(url) == 7 and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.web.fetch(url)

    def __len__(self) -> int:
        return len(self.web)


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is for POSIX")
def test_a_worker_that_dies_while_reading_costs_time_only(
    web: webs.SyntheticWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed", reason="needs focuslab[cluster]")
    monkeypatch.setattr("focuslab.graphs.read_web.CHUNK", 60)
    seeds = seeds_of(web, web.topics(), (0,))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        deadly: Any = Deadly(web, tmp_path / "died")
        spread = read(deadly, tmp_path / "spread", seeds, Workers(cluster=client))
    assert (tmp_path / "died").exists()
    same(spread, read(web, tmp_path / "alone", seeds, jobs=1))
