"""Simulation at the paper's scale and beyond: kernels against plain loops, growth, comparisons, a cluster.

Prints one JSON line. Each part runs in a process of its own, so that its memory is its own; ``--part`` runs
one of them alone. In all it takes some five minutes and 4 GB.

- sweep: twenty weights on a graph of the paper's size, against heapq and networkx. The kernel stops reading
  links once every page is known; ``every_link`` figures are without that, as on a web whose last page is
  found late.
- growth: one best-first crawl over 10 k to 1 M pages with 60 links each; saved and opened by memory map.
- kernels: every kernel against the crawl loop on the same graph.
- compare: 12 strategies x 30 topics x 3 seeds on the built-in web of 5 k pages, by the loop on a few topics,
  then by processes, and on a real Dask cluster of two workers; all must be identical.
"""

from __future__ import annotations

import argparse
import heapq
import importlib.util
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

from focuslab import webs
from focuslab.crawling.loop import crawl
from focuslab.experiments.compare import Comparison, Workers, compare, default_setup
from focuslab.experiments.trials import Library, Remembering
from focuslab.experiments.weight_sweep import page_scores, sweep, weight_grid
from focuslab.features.pig import PUBLISHED
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.kernels import KERNELS
from focuslab.graphs.simulate import features, simulate
from focuslab.strategies import make
from focuslab.types import Strategy, Task

PAGES, LINKS = 42_447, 2_675_069  # the baseball graph of Qian et al.
SEEDS = 82
RIVALS = (
    "best_first",
    "breadth_first",
    "cosine_best_first",
    "fish_search",
    "genre_aware",
    "genre_enhanced",
    "link_context",
    "opic",
    "otie",
    "shark_search",
)  # with the bounds, random and oracle, that compare adds: twelve


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


def measure_growth(sizes: Sequence[int] = (10_000, 100_000, 1_000_000)) -> list[dict[str, float]]:
    """One best-first crawl to the end, 60 links a page."""
    simulate(large_graph(100, 5), np.zeros(100))  # compiled before the clock starts
    growth = []
    for pages in sizes:
        graph = large_graph(pages, 60)
        built = megabytes()
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
                "peak_building_mb": round(built),
                "peak_mb": round(megabytes()),
                **measure_disk(graph),
            }
        )
    return growth


def measure_disk(graph: WebGraph) -> dict[str, float]:
    """Save the graph, open it by memory map, and crawl it from there."""
    with tempfile.TemporaryDirectory() as folder:
        saved = seconds(lambda: graph.save(folder))
        opened = seconds(lambda: WebGraph.load(folder))
        mapped = WebGraph.load(folder)
        crawled = seconds(lambda: simulate(mapped, mapped.relevance))
        assert (simulate(mapped, mapped.relevance) == simulate(graph, graph.relevance)).all()
    return {"save_s": round(saved, 3), "open_ms": round(1000 * opened, 1), "mapped_s": round(crawled, 4)}


def measure_kernels(pages: int = 2_000, budget: int = 1_000) -> dict[str, dict[str, float]]:
    """Every kernel and the crawl loop over the same web, when all that can be known beforehand is known.

    For the loop that is: pages parsed and assessed, and words around links scored.
    """
    web = webs.synthetic(pages=pages)
    library, given = Library(web), default_setup(web, "baseball", 0)
    guide = Remembering(given.assessor)
    task = Task(given.topic, guide, given.examples, {"truth": web.truth("baseball")})
    result = {}
    for name in KERNELS:
        strategy = make(name, task)
        graph = WebGraph.crawl(library, task.topic.seeds, guide, **features(strategy, task.topic))

        def by_kernel(strategy: Strategy = strategy, graph: WebGraph = graph) -> list[int]:
            return simulate(graph, strategy, budget=budget, topic=task.topic).tolist()

        def by_loop(strategy: Strategy = strategy) -> list[str]:
            visits = crawl(task.topic, library, strategy, guide, parse=library.parse)
            return [visit.page.url for visit in islice(visits, budget)]

        assert [graph.urls[page] for page in by_kernel()] == by_loop()
        compiled, loop = seconds(by_kernel, 5), seconds(by_loop, 2)
        result[name] = {"kernel_ms": round(1000 * compiled, 2), "loop_ms": round(1000 * loop, 1)}
    return result


def measure_compare(topics: int = 30, seeds: int = 3, pages: int = 5_000) -> dict[str, object]:
    """The same comparison by the loop (two topics only), by two processes, and by two Dask workers."""
    web = webs.synthetic(pages=pages)
    names = web.topics()[:topics]
    by, cpu = {}, {}

    def timed(label: str, some: Sequence[str], **how: object) -> Comparison:
        begin, before = time.perf_counter(), cpu_seconds()
        found = compare(RIVALS, web, some, range(seeds), **how)
        by[label], cpu[label] = (
            round(time.perf_counter() - begin, 1),
            round(cpu_seconds() - before, 1),
        )
        return found

    few = timed("kernels_2_topics_s", names[:2], jobs=1)
    same(few, timed("loop_2_topics_s", names[:2], jobs=Workers(1, kernels=False)))
    joblib = timed("joblib_s", names, jobs=2)
    result: dict[str, object] = {"crawls": joblib.settings["crawls"], "topics": len(names), "seeds": seeds}
    if importlib.util.find_spec("distributed"):
        from distributed import Client, LocalCluster

        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers,
            Client(workers, set_as_default=False) as client,
        ):
            same(joblib, timed("dask_s", names, jobs=Workers(cluster=client)))
        result["identical"] = True
    result["pages_in_all"] = int(joblib.settings["crawls"]) * int(joblib.settings["budget"])
    return {**result, **by, "cpu_s_with_ended_processes": cpu}


def same(one: Comparison, other: Comparison) -> None:
    """Bit by bit."""
    for table in ("runs", "curves", "summary"):
        pd.testing.assert_frame_equal(getattr(one, table), getattr(other, table), check_exact=True)
    assert one.settings == other.settings


def cpu_seconds() -> float:
    """Processor time of this process and of those it started, as far as they have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


PARTS: dict[str, Callable[[], object]] = {
    "sweep": measure_sweep,
    "growth": measure_growth,
    "kernels": measure_kernels,
    "compare": measure_compare,
}


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--part", choices=PARTS, help="one part only")
    ask.add_argument("--quick", action="store_true", help="the sweep only, without the plain loops")
    given = ask.parse_args()
    if given.quick:
        print(json.dumps({"sweep": measure_sweep(loops=False)}))
    elif given.part:
        print(json.dumps({given.part: PARTS[given.part]()}))
    else:
        result: dict[str, object] = {}
        for part in PARTS:
            run = [sys.executable, str(Path(__file__)), "--part", part]
            result |= json.loads(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
        print(json.dumps(result))


if __name__ == "__main__":
    main()
