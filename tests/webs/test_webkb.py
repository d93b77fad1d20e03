"""WebKB, tiny and real."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components

from focuslab.webs.labelled import LabelledWeb
from focuslab.webs.webkb import MEMBER, WebKB, mended, webkb


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


@pytest.fixture(scope="module")
def real_webkb(data: Path, real_cache: None) -> WebKB:
    return webkb(data)


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
