"""Pages as arrays: the words of each text are those that `words` finds in it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as some

from focuslab.features.passages import passages
from focuslab.features.url_terms import url_phrases
from focuslab.graphs.page_arrays import CAME, DEAD, MOVED, Chunk, Reader
from focuslab.pages.text import words
from focuslab.types import Link, Page, Response

URL = "http://a.example/"
LETTERS = "abZ1_ .-'éßΣσς日本語カタﾊﾟがกข한İﬁ½́\u3000！Ａ𠀀"
TEXTS = some.text(LETTERS, max_size=40)


def chunk_of(page: Page) -> Chunk:
    reader = Reader(lambda url: Response(url, 200, b"x", "text/html"), lambda response: page)
    reader.read(page.url)
    return reader.chunk()


def spelled(chunk: Chunk, name: str) -> list[list[str]]:
    tokens = [chunk.words[number] for number in chunk.flat["tokens"].tolist()]
    pieces = zip(chunk.flat[f"{name}_starts"].tolist(), chunk.flat[f"{name}_sizes"].tolist(), strict=True)
    return [tokens[start : start + size] for start, size in pieces]


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS, some.lists(some.tuples(some.integers(0, 40), some.integers(0, 40)), max_size=4), TEXTS)
def test_every_stretch_has_the_words_of_its_text(
    title: str, text: str, cuts: list[tuple[int, int]], foreign: str
) -> None:
    around = [text[a:b] for a, b in cuts] + [foreign]
    links = tuple(Link(f"{URL}{place}", some[:3], some) for place, some in enumerate(around))
    page = Page(URL, title, text, (*links, *links[:1], Link(URL, "itself")))
    chunk = chunk_of(page)
    own = [chunk.words[number] for number in chunk.flat["tokens"][: chunk.counts["own"][0]].tolist()]
    assert own == words(f"{title} {text}")
    assert own[: chunk.counts["title"][0]] == words(title)
    assert spelled(chunk, "context") == [words(link.context) for link in links]
    assert spelled(chunk, "link_anchor") == [words(link.anchor) for link in links]
    assert spelled(chunk, "passage") == [words(passage) for passage in passages(page)]
    anchors = [chunk.words[number] for number in chunk.flat["anchor_tokens"].tolist()]
    assert anchors == words("\n".join(link.anchor for link in page.links))


def test_an_anchor_may_have_more_words_than_two_bytes_can_count() -> None:
    text = 70_000 * "go "
    chunk = chunk_of(Page(URL, text=text.strip(), links=(Link(f"{URL}b", text.strip(), "go"),)))
    assert chunk.flat["link_anchor_sizes"].tolist() == [70_000]


def test_addresses_have_words_whether_a_page_came_or_not() -> None:
    answers = {"http://gone.example/old-car": Response("http://gone.example/old-car", 404)}
    moved = "http://moved.example/"
    answers[moved] = Response("http://new.example/", 200, b"x", "text/html")
    reader = Reader(
        lambda url: answers.get(url, Response(url, 200, b"x", "text/html")),
        lambda response: Page(response.url),
    )
    for url in (URL, *answers):
        reader.read(url)
    chunk = reader.chunk()
    assert chunk.states.tolist() == [CAME, DEAD, MOVED]
    phrases = [chunk.words[number] for number in chunk.flat["phrases"].tolist()]
    assert phrases == [phrase for url in (URL, *answers) for phrase in url_phrases(url)]
    assert np.array_equal(chunk.counts["phrases"], [len(url_phrases(url)) for url in (URL, *answers)])
