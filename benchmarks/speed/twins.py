"""Every strategy by the crawl loop and by its compiled twin: the same order? One JSON line each.

``python benchmarks/speed/twins.py [--pages 42447] [--budget 10000] [--topics 3] [--only adaptive,otie]``

The built-in web, one set of starting pages for each topic. Pages are parsed and assessed before the clock
starts, for both; ``loop_seconds`` is then what strategy, frontier and the words around links cost, and
``twin_seconds`` the kernel alone, compiled and with its numbers at hand. Seconds are the processor's.

A twin is given numbers of the pages that the loop visited, and zeros for all others: if it ever left the
loop's path, it would go astray and be found out.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from focuslab import webs
from focuslab.crawling.loop import crawl
from focuslab.experiments.compare import default_setup
from focuslab.features.link_words import words_of_links
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.kernels import kernel_of
from focuslab.graphs.kernels.kernel import Kernel, Known, Words
from focuslab.graphs.link_texts import packed, phrases_of
from focuslab.graphs.simulate import run_kernel, visited
from focuslab.graphs.survey import Blind
from focuslab.pages.parse import parse
from focuslab.strategies import all_strategies, make
from focuslab.types import Assessment, Page, Response, Strategy, Task

SEED = 7


class Shelf:
    """A web whose pages are parsed once."""

    def __init__(self, web: Any) -> None:
        self.web, self.pages = web, dict[str, Page]()
        self.fetch = lru_cache(maxsize=None)(self._fetch)

    def _fetch(self, url: str) -> Response:
        response = self.web.fetch(url)
        if response.ok:
            self.pages[url] = parse(response)
        return Response(response.url, response.status, content_type=response.content_type)

    def parse(self, response: Response) -> Page:
        return self.pages[response.url]


class Judge:
    """An assessor that judges a page once; all else is the assessor's own."""

    def __init__(self, assessor: Any) -> None:
        self.assessor, self.found = assessor, dict[str, Assessment]()

    def assess(self, page: Page) -> Assessment:
        if page.url not in self.found:
            self.found[page.url] = self.assessor.assess(page)
        return self.found[page.url]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.assessor, name)


def by_loop(task: Task, shelf: Shelf, strategy: Strategy, budget: int) -> tuple[list[str], float]:
    """Addresses in the order of the crawl, and seconds."""
    start = time.process_time()
    visits = crawl(task.topic, shelf, strategy, task.assessor, seed=SEED, parse=shelf.parse)
    order = [visit.page.url for visit in islice(visits, budget)]
    return order, time.process_time() - start


def known(kernel: Kernel, strategy: Any, graph: WebGraph, shelf: Shelf, read: Sequence[int]) -> Known:
    """What the kernel asks to know of these pages and of their links."""
    urls, indptr, indices = graph.urls, graph.indptr, graph.indices
    pages = {name: np.zeros(len(graph)) for name in kernel.pages}
    links = {name: np.zeros(graph.links) for name in kernel.links}
    said: list[list[int]] = [[] for _ in range(graph.links if "link_words" in kernel.words else 0)]
    for number in read:
        page, place = shelf.pages[urls[number]], slice(indptr[number], indptr[number + 1])
        assert [link.url for link in page.out] == [urls[int(target)] for target in indices[place]]
        for name, of_page in kernel.pages.items():
            pages[name][number] = of_page(strategy, page)
        for name, of_link in kernel.links.items():
            links[name][place] = [of_link(strategy, page, link) for link in page.out]
        if said:
            said[place] = [[word for word in row if word] for row in words_of_links(page.out)]
    words: dict[str, Words] = {}
    if said:
        words["link_words"] = packed(said, np.uint16)
    if "url_phrases" in kernel.words:
        words["url_phrases"] = phrases_of(graph)
    return Known(pages, links, words)


def by_twin(
    task: Task, shelf: Shelf, strategy: Strategy, graph: WebGraph, order: Sequence[str], budget: int
) -> tuple[list[str], float]:
    """The same by the kernel, on numbers of the pages that the loop visited."""
    kernel = kernel_of(strategy)
    assert kernel is not None, f"{strategy.name} has no twin"
    strategy.start(task.topic, np.random.default_rng(SEED))
    numbers = known(kernel, strategy, graph, shelf, graph.find(order).tolist())
    start = graph.find(task.topic.seeds)
    rules = dict(strategy.frontier)
    for _ in range(2):  # the first compiles
        clock = time.process_time()
        trail = run_kernel(kernel, strategy, graph, start, budget, rules, SEED, task.topic, known=numbers)
        seconds = time.process_time() - clock
    return [graph.urls[int(page)] for page in visited(trail)], seconds


def compared(task: Task, shelf: Shelf, name: str, links: WebGraph, budget: int) -> dict[str, Any]:
    """One strategy on one topic, both ways."""
    by_loop(task, shelf, make(name, task), budget)  # so that its pages are judged
    strategy = make(name, task)
    order, loop_seconds = by_loop(task, shelf, strategy, budget)
    read = set(order)
    judged = (task.assessor.assess(shelf.pages[url]) if url in read else Blind.nothing for url in links.urls)
    twin, twin_seconds = by_twin(task, shelf, strategy, links.with_verdicts(judged), order, budget)
    return {
        "topic": task.topic.name,
        "strategy": name,
        "fetched": len(order),
        "identical": twin == order,
        "loop_seconds": round(loop_seconds, 2),
        "twin_seconds": round(twin_seconds, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=42_447)
    parser.add_argument("--budget", type=int, default=10_000)
    parser.add_argument("--topics", type=int, default=3)
    parser.add_argument("--only", default=",".join(all_strategies()))
    options = parser.parse_args()
    web = webs.synthetic(options.pages, seed=SEED)
    shelf, topics = Shelf(web), web.topics()[: options.topics]
    seeds = dict.fromkeys(url for topic in topics for url in web.topic(topic).seeds)
    links = WebGraph.crawl(shelf, seeds, Blind(), dead=True, parse=shelf.parse)
    rows = []
    for topic in topics:
        task = default_setup(web, topic, 0)
        task = Task(task.topic, Judge(task.assessor), task.examples, {"truth": web.truth(topic)})
        for name in options.only.split(","):
            rows.append(compared(task, shelf, name, links, options.budget))
            print(json.dumps({"benchmark": "twins", **rows[-1]}), flush=True)
    same = all(row["identical"] for row in rows)
    print(json.dumps({"benchmark": "twins", "pages": len(links), "links": links.links, "identical": same}))


if __name__ == "__main__":
    main()
