"""The words of links and addresses, numbered all at a time."""

from __future__ import annotations

from focuslab import webs
from focuslab.features.link_words import link_words
from focuslab.features.url_terms import url_phrases
from focuslab.graphs import bulk
from focuslab.graphs.read_web import read
from focuslab.pages.parse import parse


def test_words_of_links_and_addresses_are_numbered_as_one_by_one() -> None:
    web = webs.synthetic(pages=300, seed=3)
    reading = read(web, jobs=1)
    links, phrases, graph = bulk.link_words(reading), bulk.url_phrases(reading), reading.graph
    for i in range(0, reading.pages, 10):
        here = parse(web.fetch(graph.urls[i]))
        for place, link in enumerate(here.out, graph.indptr[i]):
            numbers = links.numbers[links.starts[place] : links.starts[place + 1]].tolist()
            assert numbers == [number for number in link_words(link, here.language) if number]
    for i, url in enumerate(graph.urls):
        numbers = phrases.numbers[phrases.starts[i] : phrases.starts[i + 1]].tolist()
        assert [phrases.names[number] for number in numbers] == url_phrases(url)
