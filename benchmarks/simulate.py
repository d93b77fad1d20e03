"""The weight sweep and one large crawl: the compiled kernel against plain Python loops.

The kernel stops reading links once every page is known; ``every_link`` figures are without that, as on a web
whose last page is found late. Prints one JSON line. ``--million`` adds the crawl of 1 M pages and 60 M links
(about 1.5 GB of memory); ``--quick`` does the sweep only, without the plain loops.
"""

from __future__ import annotations

import argparse
import heapq
import importlib.util
import json
import math
import resource
import time
from collections.abc import Callable, Sequence

import numpy as np

from focuslab.graph import WebGraph
from focuslab.pig import PUBLISHED
from focuslab.simulate import simulate
from focuslab.weights import page_scores, sweep, weight_grid

PAGES, LINKS = 42_447, 2_675_069  # the baseball graph of Qian et al.
SEEDS = 82


def exact_graph(pages: int, links: int, seed: int = 0) -> WebGraph:
    """Exactly so many distinct links, drawn evenly."""
    rng = np.random.default_rng(seed)
    pairs = np.empty(0, np.int64)
    while len(pairs) < links:  # repeats and self-links fall away, so draw until there are enough
        drawn = rng.integers(0, pages * pages, int(1.05 * (links - len(pairs))) + 100)
        drawn = drawn[drawn // pages != drawn % pages]
        pairs = np.unique(np.concatenate([pairs, drawn]))
    pairs = np.sort(rng.choice(pairs, links, replace=False, shuffle=False))
    return assessed(pairs // pages, pairs % pages, pages, rng)


def large_graph(pages: int, per_page: int, seed: int = 0) -> WebGraph:
    """About so many links a page: the few repeats fall away."""
    rng = np.random.default_rng(seed)
    sources = np.repeat(np.arange(pages, dtype=np.int32), per_page)
    return assessed(sources, rng.integers(0, pages, len(sources), dtype=np.int32), pages, rng)


def assessed(sources: np.ndarray, targets: np.ndarray, pages: int, rng: np.random.Generator) -> WebGraph:
    """Give pages a relevance (about one in ten above a half), a genre and a confidence by lot."""
    return WebGraph.from_edges(
        sources,
        targets,
        rng.beta(0.3, 1.5, pages),
        genre=rng.integers(0, 5, pages),
        confidence=rng.uniform(0.4, 1, pages),
        seeds=np.arange(min(SEEDS, pages)),
    )


def plain(links: Sequence[Sequence[int]], scores: Sequence[float], seeds: Sequence[int]) -> list[int]:
    """The crawl as one would write it with heapq and lists."""
    frontier = [(-math.inf, number, page) for number, page in enumerate(seeds)]
    seen = set(seeds)
    found, order = len(frontier), []
    while frontier:
        page = heapq.heappop(frontier)[2]
        order.append(page)
        score = -scores[page]
        for target in links[page]:
            if target not in seen:
                seen.add(target)
                heapq.heappush(frontier, (score, found, target))
                found += 1
    return order


def by_url(links: dict[str, list[str]], scores: dict[str, float], seeds: list[str]) -> list[str]:
    """The same on dictionaries of URLs."""
    frontier = [(-math.inf, number, page) for number, page in enumerate(seeds)]
    seen = set(seeds)
    found, order = len(frontier), []
    while frontier:
        page = heapq.heappop(frontier)[2]
        order.append(page)
        for target in links[page]:
            if target not in seen:
                seen.add(target)
                heapq.heappush(frontier, (-scores[page], found, target))
                found += 1
    return order


def by_networkx(links: object, scores: Sequence[float], seeds: Sequence[int]) -> list[int]:
    """The same on a networkx graph with R, C and P kept as attributes of its nodes."""
    frontier = [(-math.inf, number, page) for number, page in enumerate(seeds)]
    seen = set(seeds)
    found, order = len(frontier), []
    while frontier:
        page = heapq.heappop(frontier)[2]
        order.append(page)
        for target in links.successors(page):  # type: ignore[attr-defined]
            if target not in seen:
                seen.add(target)
                heapq.heappush(frontier, (-scores[page], found, target))
                found += 1
    return order


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """The shortest of several runs."""
    spent = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        spent.append(time.perf_counter() - begin)
    return min(spent)


def megabytes() -> float:
    """The most memory this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure_sweep(loops: bool = True) -> dict[str, object]:
    """The 20-weight sweep at the paper's size."""
    graph = exact_graph(PAGES, LINKS)
    pig, weights, seeds = PUBLISHED["baseball"], weight_grid(), graph.seeds.tolist()
    scores = [page_scores(graph, pig, weight) for weight in weights]
    simulate(graph, scores[0])  # compiled, or read from the cache, before the clock starts
    result: dict[str, object] = {"pages": len(graph), "links": graph.links, "weights": len(weights)}
    kernel = {
        threads: seconds(lambda n=threads: sweep(graph, pig, judge="guide", threads=n).frame, 3)
        for threads in (1, 2)
    }
    result["kernel_s"] = {threads: round(spent, 4) for threads, spent in kernel.items()}
    result["crawl_ms"] = round(1000 * seconds(lambda: simulate(graph, scores[1]), 5), 2)
    every = len(graph) + 1  # never reached, so the kernel reads all links to the end
    result["crawl_every_link_ms"] = round(
        1000 * seconds(lambda: simulate(graph, scores[1], reach=every), 5), 2
    )
    result["crawl_by_link_ms"] = round(
        1000 * seconds(lambda: simulate(graph, scores[1], rediscovery="max"), 5), 2
    )
    if not loops:
        return result
    rows = [graph.out(page).tolist() for page in range(len(graph))]
    listed = [score.tolist() for score in scores]
    assert plain(rows, listed[1], seeds) == simulate(graph, scores[1]).tolist()
    result["heapq_s"] = round(spent := seconds(lambda: [plain(rows, score, seeds) for score in listed]), 2)
    result["speed_up_every_link"] = round(
        1000 * spent / len(weights) / float(str(result["crawl_every_link_ms"])), 1
    )
    result["speed_up"] = {threads: round(spent / took, 1) for threads, took in kernel.items()}
    result["dict_s"] = round(measure_dict(graph, rows, listed), 2)
    if importlib.util.find_spec("networkx"):
        result["networkx_s"] = round(measure_networkx(rows, listed, seeds), 2)
    return result


def measure_dict(graph: WebGraph, rows: list[list[int]], scores: list[list[float]]) -> float:
    names = list(graph.urls)
    links = {names[page]: [names[target] for target in row] for page, row in enumerate(rows)}
    named = [dict(zip(names, score, strict=True)) for score in scores]
    seeds = [names[page] for page in graph.seeds]
    return seconds(lambda: [by_url(links, score, seeds) for score in named])


def measure_networkx(rows: list[list[int]], scores: list[list[float]], seeds: list[int]) -> float:
    import networkx

    links = networkx.DiGraph()
    links.add_nodes_from(range(len(rows)))
    links.add_edges_from((page, target) for page, row in enumerate(rows) for target in row)
    return seconds(lambda: [by_networkx(links, score, seeds) for score in scores])


def measure_growth(sizes: Sequence[int]) -> list[dict[str, float]]:
    """One best-first crawl to the end, 60 links a page."""
    growth = []
    for pages in sizes:
        graph = large_graph(pages, 60)
        spent = seconds(lambda g=graph: simulate(g, g.relevance), 3)
        every = seconds(lambda g=graph: simulate(g, g.relevance, reach=len(g) + 1))
        by_link = seconds(lambda g=graph: simulate(g, g.relevance, rediscovery="max"))
        arrays = (graph.indptr, graph.indices, graph.relevance, graph.relevant, graph.genre, graph.confidence)
        held = sum(array.nbytes for array in arrays) / 2**20
        growth.append(
            {
                "pages": pages,
                "links": graph.links,
                "s": round(spent, 4),
                "us_per_page": round(1e6 * spent / pages, 3),
                "every_link_s": round(every, 4),
                "max_rule_s": round(by_link, 4),
                "graph_mb": round(held),
                "peak_mb": round(megabytes()),
            }
        )
    return growth


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--million", action="store_true", help="also crawl 1 M pages and 60 M links")
    ask.add_argument("--quick", action="store_true", help="the sweep only, without the plain loops")
    given = ask.parse_args()
    result = {"sweep": measure_sweep(loops=not given.quick)}
    if not given.quick:
        result["growth"] = measure_growth([10_000, 100_000] + [1_000_000] * given.million)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
