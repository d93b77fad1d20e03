"""A panel in a notebook and as a page: alive, a picture, or words, and never what a page says it is."""

from __future__ import annotations

import json

import pytest
from tiny import TinyAssessor, TinyWeb, topic, url

from focuslab.crawling.loop import crawl
from focuslab.explore import explore
from focuslab.explore.explorer import Explorer
from focuslab.strategies.best_first import BestFirst
from focuslab.types import Response

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def test_a_cell_that_is_compared_shows_picture_and_words(race: Explorer) -> None:
    shown = race._repr_mimebundle_()  # the tests run without bars, and so without widgets
    assert set(shown) == {"text/plain", "image/png"}
    assert shown["text/plain"] == race.summary()


def test_a_cell_for_a_person_is_alive(race: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TQDM_DISABLE")
    assert "application/vnd.jupyter.widget-view+json" in race._repr_mimebundle_()


def test_what_pages_say_cannot_end_the_script() -> None:
    bad = Response(url("s"), 200, f"<title>{EVIL.replace('<', '&lt;')}</title><body>x".encode(), "text/html")
    html = explore(crawl(topic("s"), TinyWeb({"s": ""}, {"s": bad}), BestFirst(), TinyAssessor({}))).to_html()
    assert "alert(1)" in html
    assert "</script><script>alert" not in html


def test_the_page_is_small_and_whole(race: Explorer) -> None:
    assert len(race.to_html().encode()) < 700_000
    assert json.dumps(race.portable(), allow_nan=False)
