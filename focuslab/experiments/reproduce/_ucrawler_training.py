"""How UCrawler and its variants are trained: labelled pages and links, hubs and authorities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from focuslab.experiments.compare import default_setup
from focuslab.experiments.reproduce._ground import SEED
from focuslab.experiments.reproduce.experiment import Scale
from focuslab.features.vectors import topic_vector
from focuslab.graphs.hits import hits
from focuslab.pages.parse import parse
from focuslab.strategies.ucrawler import LabelledLink, UCrawler
from focuslab.types import Example, Page, Strategy, Task, Web
from focuslab.webs.builtin.vocabulary import vocabulary
from focuslab.webs.synthetic import SyntheticWeb, synthetic

TOPICS = ("movie", "mobile_phone", "finance")
SHARES = tuple((topic, 0.12) for topic in TOPICS)
"""So many pages of each topic that 10,000 fetches do not find them all (our choice)."""
RIVALS = ("shark_search", "cosine_best_first")
OURS = "ucrawler"


@lru_cache(maxsize=1)
def sister(pages: int) -> SyntheticWeb:
    """A web to label pages and links of, which nobody crawls."""
    return synthetic(pages, seed=SEED + 1, shares=SHARES)


@lru_cache(maxsize=3)
def labelled_links(topic: str, pages: int, count: int = 400) -> tuple[LabelledLink, ...]:
    """Links drawn by lot, half of them to relevant pages."""
    web = sister(pages)
    goal, rng = web.relevant(topic)[web.indices], np.random.default_rng([SEED, web.topics().index(topic)])
    drawn = [rng.choice(np.flatnonzero(goal == side), count // 2, replace=False) for side in (True, False)]
    sources = np.searchsorted(web.indptr, np.concatenate(drawn), side="right") - 1
    found = []
    for place, source in zip(np.concatenate(drawn).tolist(), sources.tolist(), strict=True):
        page, target = _page(web, source), web.url(web.indices[place])
        link = next(each for each in page.out if each.url == target)
        found.append(LabelledLink(page, link, bool(goal[place])))
    return tuple(found)


@lru_cache(maxsize=3)
def hubs_and_authorities(topic: str, pages: int, count: int = 100) -> tuple[Example, ...]:
    """The best relevant hubs and authorities around known relevant pages, and other pages by lot."""
    web, rng = sister(pages), np.random.default_rng([SEED, number_of(topic)])
    relevant, source = web.relevant(topic), np.repeat(np.arange(len(web)), np.diff(web.indptr))
    abroad = web.host[source] != web.host[web.indices]
    ends = (source[abroad], web.indices[abroad])
    links = csr_matrix((np.ones(abroad.sum()), ends), shape=(len(web), len(web)))
    weights = hits(links, rng.choice(np.flatnonzero(relevant), 2 * count, replace=False))
    best = [np.argsort(-np.where(relevant, weight, -1), kind="stable")[:count] for weight in weights]
    others = rng.choice(np.flatnonzero(~relevant), 2 * count, replace=False)
    chosen = np.unique(np.concatenate(best)), others
    return tuple(Example(_page(web, page), bool(relevant[page])) for page in np.concatenate(chosen).tolist())


def number_of(topic: str) -> int:
    """Place of a topic among all."""
    return vocabulary().topics.index(topic)


def _page(web: Web, number: int) -> Page:
    assert isinstance(web, SyntheticWeb)
    return parse(web.fetch(web.url(number)))


def setup(scale: Scale, web: Web, topic: str, seed: int) -> Task:
    task = default_setup(web, topic, seed)
    return replace(task, extras={"labelled_links": labelled_links(topic, scale.pick(3_000, 20_000))})


def _by_pages(task: Task, **parameters: Any) -> Strategy:
    """As it was without labelled links: a page stands for its parent and its title for the anchor."""
    return UCrawler.from_task(replace(task, extras={}), **parameters)


def _by_hits(scale: Scale, task: Task) -> Strategy:
    examples = hubs_and_authorities(task.topic.name, scale.pick(3_000, 20_000))
    return UCrawler.from_task(replace(task, examples=examples))


def _experts(task: Task) -> Strategy:
    """Vc and Vn of an expert's keywords only; the rest as fitted."""
    words = topic_vector(task.topic.keywords)
    return UCrawler.from_task(task, content_vector=words, anchor_vector=words)


def crawlers(scale: Scale) -> dict[str, str | Callable[[Task], Strategy]]:
    """UCrawler, its variants and its rivals, as `focuslab.compare` takes them."""
    return {
        OURS: OURS,
        "fitted on pages": _by_pages,
        "hubs and authorities": partial(_by_hits, scale),
        "keywords only": _experts,
        "no bonus": partial(UCrawler.from_task, bonus=(0.0, 0.0, 0.0)),
        **{name: name for name in RIVALS},
    }
