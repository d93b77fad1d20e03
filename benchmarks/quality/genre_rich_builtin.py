"""Nine and many genre features on the built-in web: accuracy, a longer list of genres, and what crawls gain.

Prints one JSON line. The longer list splits Other by the kind of host: shop, official site, forum,
university, reference. Folds are by host. Crawls are as in the lesson on live crawling: plain relevance,
published weights, ten sets of seeds, P_IG surveyed with the same classifiers; both rules for a link that is
found again.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, ClassVar

import numpy as np
from genre_rich import SETS

from focuslab import compare, train_classifiers, webs
from focuslab.classifiers.genre import GenreClassifier
from focuslab.graphs.estimate_pig import estimate
from focuslab.graphs.graph import WebGraph
from focuslab.pages.parse import parse
from focuslab.pages.urls import host
from focuslab.strategies.genre_enhanced import GenreEnhanced
from focuslab.types import GENRES, Task
from focuslab.webs.builtin.vocabulary import vocabulary

WEIGHTS = {"baseball": 0.95, "gaming": 0.90}
SEED, SAMPLE, BUDGET = 7, 1_000, 300


class GenreMax(GenreEnhanced):
    """The larger score of a link counts."""

    frontier: ClassVar = {"rediscovery": "max"}


def accuracy(web: webs.SyntheticWeb, drawn: np.ndarray, labels: list[str], name: str) -> dict[str, float]:
    pages = [parse(web.fetch(web.url(int(page)))) for page in drawn]
    features, tried = SETS[name]
    genres = tuple(dict.fromkeys(labels))
    classifier = GenreClassifier(genres, features, max_features=tried)
    found = classifier.cross_validate(pages, labels, groups=[host(page.url) for page in pages])
    return {"accuracy": round(found.accuracy, 3), "macro_f1": round(found.macro_f1, 3)}


def told(web: webs.SyntheticWeb) -> dict[str, Any]:
    drawn = np.random.default_rng(SEED).choice(len(web), SAMPLE, replace=False)
    kinds = [kind.name if kind.genre == GENRES.index("Other") else "Other" for kind in vocabulary().kinds]
    five = [GENRES[code] for code in web.genre[drawn]]
    of_host = [kinds[kind] for kind in web.pages.hosts.kind[web.pages.host[drawn]]]
    long = [genre if genre != "Other" else kind for genre, kind in zip(five, of_host, strict=True)]
    return {
        "five": {name: accuracy(web, drawn, five, name) for name in SETS},
        "longer": {
            "genres": len(set(long)),
            "most_common": round(max(map(long.count, set(long))) / SAMPLE, 3),
            **{name: accuracy(web, drawn, long, name) for name in SETS},
        },
    }


def crawled(web: webs.SyntheticWeb, topic: str) -> dict[str, Any]:
    @cache
    def analysed(name: str) -> tuple[Any, ...]:
        examples = web.examples(topic, 1_000, seed=SEED)
        features, tried = SETS[name]
        genre = GenreClassifier(features=features, max_features=tried, seed=SEED)
        genre.fit([e.page for e in examples], [e.genre for e in examples])
        start = web.topic(topic, seed=SEED + 1_000)
        guide = train_classifiers(examples, start, seed=SEED, genre=genre)
        return (
            guide,
            examples,
            {"pig": estimate(WebGraph.crawl(web, start.seeds, guide, hops=2, limit=1_500))},
        )

    found = {}
    for name in SETS:
        entrants = {
            rule: lambda task, kind=kind: kind(task.extras["pig"], WEIGHTS[topic])
            for rule, kind in (("first", GenreEnhanced), ("max", GenreMax))
        }
        result = compare(
            {"best_first": "best_first", **entrants},
            web,
            [topic],
            range(10),
            BUDGET,
            setup=lambda web, topic, seed, name=name: Task(web.topic(topic, seed), *analysed(name)),
            metrics=["harvest"],
            frontier={"host_cap": 300},
            bounds=(),
            jobs=1,
        )
        rows = result.summary.set_index("strategy")
        found[name] = {one: rows.loc[one, ["mean", "low", "high"]].round(3).tolist() for one in rows.index}
    return found


def main() -> None:
    told_of = told(webs.synthetic(pages=5_000, seed=SEED))
    web = webs.synthetic(pages=10_000, seed=SEED)
    harvest = {topic: crawled(web, topic) for topic in WEIGHTS}
    print(json.dumps({"benchmark": "genre_rich_builtin", "genre": told_of, "harvest": harvest}))


if __name__ == "__main__":
    main()
