"""Random: any waiting link, by the seed and nothing else."""

from __future__ import annotations

from tiny import TinyAssessor, TinyWeb, name, topic

from focuslab.crawling.loop import crawl
from focuslab.strategies.random import Random

PAGES = [f"p{number}" for number in range(6)]
WEB = {"s": " ".join(PAGES), **dict.fromkeys(PAGES, "")}


def order(seed: int, relevance: dict[str, float] | None = None) -> list[str]:
    guide = TinyAssessor(relevance or {})
    return [name(visit.page.url) for visit in crawl(topic("s"), TinyWeb(WEB), Random(), guide, seed=seed)][1:]


def test_every_link_has_the_same_chance_to_be_next() -> None:
    firsts = [order(seed)[0] for seed in range(300)]
    assert all(25 < firsts.count(page) < 80 for page in PAGES)  # 50 each; the seeds are fixed, so no luck


def test_the_seed_decides_and_the_pages_do_not() -> None:
    assert order(1) == order(1, {"p3": 1.0})
    assert len({tuple(order(seed)) for seed in range(5)}) == 5
