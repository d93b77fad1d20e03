"""Crawl a WebGraph: by a compiled kernel, hundreds of times faster, where there is one, else by the loop.

Only steps 1, 6 and 7 of a crawl are left: take the best link, score the links of its page, put them into the
frontier. The order of the pages is the same in both ways.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from focuslab.crawling.loop import crawl
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.graph_web import Playback, survey_again
from focuslab.graphs.judging import Judged, Numbers
from focuslab.graphs.kernels import Ground, Kernel, kernel_of
from focuslab.graphs.kernels.fixed_scores import by_link, by_page
from focuslab.graphs.kernels.frontier import Rules
from focuslab.graphs.kernels.heap import Floats, Ints
from focuslab.graphs.kernels.kernel import Known
from focuslab.graphs.link_texts import WORDS_OF
from focuslab.graphs.reading import Reading
from focuslab.graphs.survey import LinkScore, PageScore
from focuslab.types import Assessor, Fetcher, Strategy, Topic, Web


def simulate(
    graph: WebGraph | Reading | Web,
    guide: Strategy | ArrayLike,
    seeds: Sequence[int] | Ints | None = None,
    *,
    assessor: Assessor | None = None,
    per: str = "page",
    budget: int | None = None,
    tie: str | None = None,
    rediscovery: str | None = None,
    seed: int = 0,
    reach: int | None = None,
    topic: Topic | None = None,
    web: Fetcher | None = None,
    frontier: Mapping[str, Any] | None = None,
    loop: bool = False,
) -> Ints:
    """Crawl the graph and return the pages in the order they are visited.

    Parameters
    ----------
    graph : WebGraph, Reading or Web
        The assessed web; one that was only read, or not even that, is read and assessed first.
    guide : Strategy, or array of scores
        Who says what a link is worth. Scores are one number per page, given to all its links
        (``per="page"``), or one per link in the order of ``graph.indices`` (``per="link"``).
    seeds : pages, optional
        Where to start, before everything else; the graph's own by default, those of ``topic`` on a web.
    assessor : Assessor, optional
        Who assesses a web or a reading.
    budget : int, optional
        Stop after so many pages; None: when no link waits.
    tie, rediscovery : str, optional
        The rules of the `Frontier`; the strategy's own by default, and fifo, first for scores.
    seed : int
        Of all chance, drawn as `focuslab.crawling.loop.crawl` draws it.
    reach : int, optional
        How many pages the seeds can reach, where that is known: once all are found, links need no
        more reading. Without it, all pages of the graph are expected.
    topic : Topic, optional
        What a strategy is told when it starts, such as the keywords; its seeds are not used.
    web : Fetcher, optional
        Where to read the pages again, for strategies that look at words which the graph does not hold
        (see `features`).
    frontier : mapping, optional
        More settings of the `Frontier`, such as ``host_cap``.
    loop : bool
        Use the crawl loop even where there is a kernel.

    Notes
    -----
    A graph without its dead links (``WebGraph.crawl(..., dead=True)`` keeps them) is a web in which those
    links never were: lots drawn link by link, and cash shared among all links of a page, then fall otherwise
    than in a crawl of the web itself.

    Examples
    --------
    ``simulate(graph, BestFirst())`` and ``simulate(graph, graph.relevance)`` are the same.
    """
    rules = {key: rule for key, rule in (("tie", tie), ("rediscovery", rediscovery)) if rule is not None}
    judged = None if isinstance(graph, WebGraph) else _judged(graph, assessor)
    if judged is not None:
        graph, web = judged.graph, judged.reading.web
        seeds = graph.find(topic.seeds) if seeds is None and topic is not None else seeds
    assert isinstance(graph, WebGraph)
    start = _seeds(graph, seeds)
    most = len(graph) if budget is None else max(0, min(budget, len(graph)))
    if not hasattr(guide, "propose"):
        ground = _ground(graph, start, most, {**(frontier or {}), **rules}, seed, reach)
        by = {"page": by_page, "link": by_link}
        value = _scores(graph, guide, per)
        return visited(by[per](ground, value))
    strategy: Strategy = guide  # type: ignore[assignment]
    asked = {**strategy.frontier, **(frontier or {}), **rules}
    kernel = None if loop else kernel_of(strategy)
    told = Topic("simulation") if topic is None else topic
    if kernel is None:
        return _loop(graph, strategy, start, most, asked, seed, told, web)
    run = partial(run_kernel, kernel, strategy, graph, start, most, asked, seed, told, web, reach)
    if judged is None:
        return visited(run())
    strategy.start(_told(graph, start, told), np.random.default_rng(seed))
    return visited(Numbers(judged, kernel, strategy).crawl(lambda known: run(known=known)))


def _judged(web: Reading | Web, assessor: Assessor | None) -> Judged:
    if assessor is None:
        raise ValueError("nobody has assessed this web; give assessor=, such as train_classifiers(examples)")
    return Judged.of(web, assessor)


def visited(trail: Ints) -> Ints:
    """The pages of a trail that came."""
    return trail[trail >= 0]


def run_kernel(
    kernel: Kernel,
    strategy: Strategy,
    graph: WebGraph,
    seeds: Ints,
    budget: int,
    rules: Mapping[str, Any],
    seed: int,
    topic: Topic,
    web: Fetcher | None = None,
    reach: int | None = None,
    known: Known | None = None,
) -> Ints:
    """Start the strategy, gather what its kernel must know, if that is not known, and run it: the trail."""
    ground = _ground(graph, seeds, budget, rules, seed, reach)
    strategy.start(_told(graph, seeds, topic), ground.chance)
    known = known or _gathered(kernel, strategy, graph, web)
    return kernel.order(strategy, ground._replace(**known._asdict()))


def _gathered(kernel: Kernel, strategy: Strategy, graph: WebGraph, web: Fetcher | None) -> Known:
    missing = [name for name in kernel.pages if name not in graph.page_scores]
    missing += [name for name in kernel.links if name not in graph.link_scores]
    missing += [name for name in kernel.words if name == "link_words"]
    if missing and web is None:
        raise ValueError(
            f"{strategy.name} needs {' and '.join(map(repr, missing))} of this graph; give web= to read "
            "its pages again, or keep them when the graph is built: WebGraph.crawl(..., **features(strategy))"
        )
    if web is not None and missing:
        graph = survey_again(graph, web, **_asked(kernel, strategy))
    words = {name: WORDS_OF[name](graph, web) for name in kernel.words}
    return Known(graph.page_scores, graph.link_scores, words)


def features(strategy: Strategy, topic: Topic | None = None) -> dict[str, Any]:
    """What a strategy's kernel must know of pages and links, as arguments of `WebGraph.crawl`.

    Examples
    --------
    ``WebGraph.crawl(web, topic.seeds, assessor, **features(LinkContext(assessor)))``
    """
    kernel = kernel_of(strategy)
    if kernel is None:
        return {}
    if kernel.pages or kernel.links:
        strategy.start(Topic("features") if topic is None else topic, np.random.default_rng(0))
    return _asked(kernel, strategy)


def _asked(kernel: Kernel, strategy: Strategy) -> dict[str, Any]:
    pages: dict[str, PageScore] = {name: partial(of, strategy) for name, of in kernel.pages.items()}
    links: dict[str, LinkScore] = {name: partial(of, strategy) for name, of in kernel.links.items()}
    return {"page_scores": pages, "link_scores": links}


def _ground(
    graph: WebGraph, seeds: Ints, budget: int, rules: Mapping[str, Any], seed: int, reach: int | None
) -> Ground:
    chance, lots = np.random.default_rng(seed).spawn(2)  # as the crawl loop does
    pages = len(graph) if reach is None else reach
    return Ground(graph, seeds, budget, Rules.of(**rules), lots, chance, pages, {}, {})


def _loop(
    graph: WebGraph,
    strategy: Strategy,
    seeds: Ints,
    budget: int,
    rules: Mapping[str, Any],
    seed: int,
    topic: Topic,
    web: Fetcher | None,
) -> Ints:
    play = Playback(graph, web)
    told = _told(graph, seeds, topic)
    visits = crawl(told, play, strategy, play, seed=seed, frontier=rules, parse=play.parse)
    order = [play.number[visit.page.url] for visit in islice(visits, budget)]
    visits.close()
    return np.array(order, np.int32)


def _told(graph: WebGraph, seeds: Ints, topic: Topic) -> Topic:
    return replace(topic, seeds=tuple(graph.urls[int(page)] for page in seeds))


def _scores(graph: WebGraph, scores: ArrayLike, per: str) -> Floats:
    value = np.ascontiguousarray(scores, dtype=np.float64)
    expected = {"page": len(graph), "link": graph.links}
    if per not in expected:
        raise ValueError(f"no scores per {per!r}; try page, link")
    if value.shape != (expected[per],):
        raise ValueError(f"scores have shape {value.shape}; give one per {per}, {expected[per]} in all")
    if np.isnan(value).any():
        raise ValueError(f"the score of {per} {np.isnan(value).argmax()} is not a number; give finite scores")
    return value


def _seeds(graph: WebGraph, seeds: Sequence[int] | Ints | None) -> Ints:
    start = np.array(graph.seeds if seeds is None else seeds, dtype=np.int32)
    if not len(start):
        raise ValueError("no seeds; give page numbers, such as graph.find(topic.seeds), to start from")
    if start.min() < 0 or start.max() >= len(graph):
        raise ValueError(f"seeds must be pages 0 to {len(graph) - 1}; -1 stands for a URL not in the graph")
    return start
