"""A live crawl's fetchers: wrapped in the order that makes a resumed crawl the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tiny import TinyWeb, url

from focuslab.crawling.live.fetcher_stack import polite_web, recorded_web
from focuslab.crawling.live.settings import Settings
from focuslab.fetchers.exchanges import Exchanges
from focuslab.fetchers.http import Http
from focuslab.fetchers.pdf import ReadsPdf
from focuslab.fetchers.polite import Polite
from focuslab.fetchers.recorder import Recorder
from focuslab.fetchers.traps import Bounded
from focuslab.fetchers.unchanged import Again
from focuslab.webs.server import serve

HERE = Settings(delay=0, contact="you@example.org", allow_private=True)


def test_what_wraps_what(tmp_path: Path) -> None:
    web = recorded_web(HERE, tmp_path / "crawl.warc.gz", {})
    layers: list[object] = [web]
    while (inner := getattr(layers[-1], "fetcher", None)) is not None:
        layers.append(inner)
    kinds = [type(layer) for layer in layers]
    kinds = [kind for kind in kinds if kind not in (ReadsPdf, Exchanges)]  # the first needs its extra
    assert kinds[:2] == [Bounded, Recorder]  # caps of traps count anew in a replay, so they stand outside
    assert kinds[-2:] == [Polite, Http]
    web.fetcher.close()


def test_a_recrawl_asks_on_condition_and_needs_a_crawl(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no crawl to compare with at"):
        polite_web(replace(HERE, since=str(tmp_path)))
    (tmp_path / "crawl.warc.gz").touch()
    assert isinstance(polite_web(replace(HERE, since=str(tmp_path))).fetcher, Again)


def test_what_came_is_on_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "crawl.warc.gz"
    with serve(TinyWeb({"a": ""})) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        web = recorded_web(HERE, record, {"topic": "tiny"})
        body = web.fetch(url("a")).body
        web.fetcher.close()  # type: ignore[attr-defined]
    again = recorded_web(HERE, record, {})  # nobody is served any more
    assert again.fetch(url("a")).body == body
    again.fetcher.close()  # type: ignore[attr-defined]
