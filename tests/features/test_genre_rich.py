"""The many features: each counted by hand on a small page, and what they are worth on real ones."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuslab.classifiers.genre import GenreClassifier
from focuslab.features.genre import FEATURES, genre_features
from focuslab.features.genre_rich import RICH_FEATURES, rich_genre_features
from focuslab.pages.parse import parse
from focuslab.types import Link, Page, Response
from focuslab.webs.real_pages import genre_pages

HOME = "http://a.example/"


def feature(name: str, page: Page) -> float:
    return float(rich_genre_features(page)[RICH_FEATURES.index(name)])


def linking(*urls: str, anchor: str = "", **more: object) -> Page:
    return Page(HOME, links=tuple(Link(url, anchor) for url in urls), **more)  # type: ignore[arg-type]


def test_names_are_distinct_and_as_many_as_the_values() -> None:
    assert len(set(RICH_FEATURES)) == len(RICH_FEATURES) == len(rich_genre_features(Page(HOME)))
    assert rich_genre_features.names == RICH_FEATURES


def test_the_nine_come_first() -> None:
    page = linking("http://a.example/x", "http://b.example/", text="news video " * 9, images=3, multimedia=1)
    assert rich_genre_features(page)[: len(FEATURES)].tolist() == genre_features(page).tolist()


@pytest.mark.parametrize(
    ("address", "name", "value"),
    [
        ("http://a.example/2024/05/06/a-long-title", "path_dated", 1),
        ("http://a.example/20240506/title", "path_dated", 1),
        ("http://a.example/item/1234567", "path_dated", 0),
        ("http://a.example/a-long-title", "path_hyphens", 2),
        ("http://a.example/x/y1/z22", "path_depth", 2),
        ("http://a.example/x/y1/z22", "path_digits", 3),
        ("http://a.example/?p=1", "path_query", 1),
        ("http://a.example/index.html", "path_front", 1),
        ("http://a.example/", "path_front", 1),
        ("http://a.example/x", "path_front", 0),
        ("http://blog.a.example/weblog", "url_blog", 2),
        ("http://a.example/NEWS/Video", "url_video", 1),
        ("http://a.example/photo-gallery", "url_image", 2),
    ],
)
def test_addresses(address: str, name: str, value: float) -> None:
    assert feature(name, Page(address)) == value


@pytest.mark.parametrize(
    ("text", "name", "count"),
    [
        ("on 6 May 2024, on May 6th, 2024 and 06.05.2024", "text_dates", 3),
        ("2024-05-06 and 2024年5月6日", "text_dates", 2),
        ("version 1.2 of 2024", "text_dates", 0),
        ("at 12:30 and 3:59 but not 3:99", "text_times", 2),
        ("Leave a reply, コメント", "text_comment", 3),
        ("only $5 or 5 €", "text_price", 2),
        ("when I saw my dog", "text_self", 2),
        ("she said “yes”", "text_speech", 3),
    ],
)
def test_signs_in_the_text_count_per_thousand_characters(text: str, name: str, count: int) -> None:
    assert feature(name, Page(HOME, text=text)) == pytest.approx(1_000 * count / (len(text) + 1))


def test_links_count_as_shares() -> None:
    page = linking(
        "http://a.example/tag/x", "http://a.example/2024/05/y", "http://b.example/feed", "http://b.example/z"
    )
    assert feature("links_tag", page) == feature("links_feed", page) == 0.25
    assert feature("links_dated", page) == 0.25
    assert feature("links_external", page) == 0.5
    assert feature("links_distinct", page) == 1.0
    assert feature("links_inside", page) == 0.5


def test_anchors_and_plain_text_share_the_page() -> None:
    page = linking(HOME, "http://b.example/", anchor="x" * 40, text="x" * 40 + "y" * 20 + "x" * 40)
    assert feature("anchor_mean", page) == 40
    assert feature("anchor_long", page) == 1
    assert feature("anchor_empty", page) == 0
    assert feature("plain_text", page) == 20
    assert feature("plain_per_link", page) == 10


def test_only_the_beginning_of_a_long_page_is_searched() -> None:
    assert feature("text_price", Page(HOME, text="x" * 5_000 + " $5")) == 0


@given(st.binary(max_size=400))
def test_whatever_the_page_is_there_are_finite_numbers(body: bytes) -> None:
    found = rich_genre_features(parse(Response(HOME, 200, b"<a href=x>" + body, "text/html")))
    assert np.isfinite(found).all()


def test_it_survives_pickling() -> None:
    page = linking("http://b.example/", text="a blog")
    assert (
        pickle.loads(pickle.dumps(rich_genre_features))(page).tolist() == rich_genre_features(page).tolist()
    )


def test_real_pages_by_host(data: Path) -> None:
    """Labels by one person who saw digests; most pages came through filters (see the archive's README)."""
    pages, rows = genre_pages(data)
    labels = [row["genre"] for row in rows]
    found = GenreClassifier(features=rich_genre_features, max_features=8).cross_validate(pages, labels)
    assert found.accuracy >= 0.85
    assert found.macro_f1 > 0.7


def test_real_pages_that_came_through_no_filter(data: Path) -> None:
    """Trained on the filtered pages alone; the others share no host with them."""
    pages, rows = genre_pages(data)
    free = [row["note"].startswith("UNFILTERED") for row in rows]
    hosts = {row["host"] for row, is_free in zip(rows, free, strict=True) if is_free}
    train = [i for i, row in enumerate(rows) if row["host"] not in hosts]
    trained = GenreClassifier(features=rich_genre_features, max_features=8)
    trained.fit([pages[i] for i in train], [rows[i]["genre"] for i in train])
    right = [trained.predict(pages[i])[0] == rows[i]["genre"] for i in np.flatnonzero(free)]
    assert len(right) == 94
    assert np.mean(right) > 0.82
