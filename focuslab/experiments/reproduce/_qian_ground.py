"""The webs and settings that all of Qian's experiments share."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product

from focuslab.experiments.reproduce._ground import SEED, built_in, whole
from focuslab.experiments.reproduce.experiment import Part, Scale
from focuslab.experiments.weight_sweep import PUBLISHED
from focuslab.graphs.graph import WebGraph

TOPICS = ("baseball", "gaming")
PRESETS = {"plain": "rungsawang_paper", "graded": "rungsawang_afsc"}
RULES = ("first", "max")
SEEDS = 7
"""Of a live crawl."""
SITE_CAP = 300


def topics(scale: Scale) -> list[Part]:
    return [{"topic": topic} for topic in TOPICS]


def topics_and_presets(scale: Scale) -> list[Part]:
    return [{"topic": topic, "r": r} for topic, r in product(TOPICS, PRESETS)]


def pages_of(scale: Scale, topic: str) -> int:
    """Pages of the web a topic is surveyed on."""
    return scale.pick(5_000, PUBLISHED[topic].pages)


@lru_cache(maxsize=2)
def surveyed(scale: Scale, topic: str, r: str = "plain") -> WebGraph:
    """Two hops from as many seeds as the paper had, on a web of its size."""
    count, pages = scale.pick(20, PUBLISHED[topic].hops[0]), pages_of(scale, topic)
    graph = whole(pages, topic, PRESETS[r])
    seeds = graph.find(built_in(pages).topic(topic, seed=SEED, count=count).seeds)
    return replace(graph, seeds=seeds).within(2)


def survey_webs(scale: Scale) -> list[Part]:
    """The webs that are surveyed."""
    return [{"pages": pages} for pages in dict.fromkeys(pages_of(scale, topic) for topic in TOPICS)]
