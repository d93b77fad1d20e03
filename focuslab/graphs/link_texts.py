"""The words of a graph's links and addresses as numbers, for the kernels that learn from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from focuslab.features.link_words import words_of_links
from focuslab.features.url_terms import url_phrases
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.graph_web import Playback
from focuslab.graphs.kernels.kernel import Words
from focuslab.types import Fetcher

__all__ = ["WORDS_OF", "link_words", "packed", "phrases_of"]


def packed(lists: Iterable[Sequence[int]], kind: Any, names: Sequence[str] = ()) -> Words:
    """Lists of numbers end to end."""
    every = [np.array(numbers, kind) for numbers in lists]
    starts = np.cumsum([0, *map(len, every)]).astype(np.int64)
    return Words(starts, np.concatenate([np.empty(0, kind), *every]), names)


def link_words(graph: WebGraph, web: Fetcher | None) -> Words:
    """The words of every link, from pages read again."""
    return packed(_of_links(Playback(graph, web)), np.uint16)


def _of_links(play: Playback) -> Iterable[Sequence[int]]:
    for url in play.graph.urls:
        response = play.fetch(url)
        if response.ok:
            links = play.parse(response).links
            yield from ([number for number in row if number] for row in words_of_links(links))


def phrases_of(graph: WebGraph, web: Fetcher | None = None) -> Words:
    """The phrases of every address."""
    names: dict[str, int] = {}
    found = [[names.setdefault(each, len(names)) for each in url_phrases(url)] for url in graph.urls]
    return packed(found, np.int32, tuple(names))


WORDS_OF: Mapping[str, Callable[[WebGraph, Fetcher | None], Words]] = {
    "link_words": link_words,
    "url_phrases": phrases_of,
}
"""How the words that kernels ask for are found."""
