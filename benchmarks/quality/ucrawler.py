"""UCrawler beside its rivals, and what each of its parts does; prints one JSON line.

Run ``python benchmarks/quality/ucrawler.py`` for the paper's scale: 10,000 pages of each crawl, topics movie,
mobile phone and finance, on a built-in web of 42,447 pages; or ``FOCUSLAB_DATA=<folder> python
benchmarks/quality/ucrawler.py --web webkb`` (or ``wikischools``) for real pages; a crawl ends after 1,000.

The truth judges. Precision is given at several moments: the built-in web has some 850 pages of a topic, so
that no crawler can have more than 0.085 after 10,000. ``hosts`` counts all hosts visited, ``topic_hosts``
those with a relevant page among the fetched ones, ``largest_host`` is the share of fetches in one host,
``longest_stay`` the most fetches in a row from one host. ``all`` resamples topics; each topic by itself
resamples seeds, so its interval speaks of starting pages only. That can be nothing at all: WebKB always
starts from its four home pages, and a best-first crawl that keeps the greatest score of a link, as
shark-search does, comes to nearly the same set of pages from anywhere.

The ablation takes parts away from UCrawler, one at a time, with ``--ablation`` seeds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any

import leaderboard_real as real
import pandas as pd

from focuslab import webs
from focuslab.experiments.compare import compare, default_setup, summarise
from focuslab.experiments.trials import METRICS, Run
from focuslab.features import vectors
from focuslab.strategies import fish_search
from focuslab.strategies.ucrawler import EQUAL, Thresholds, UCrawler
from focuslab.types import Strategy, Task, Web

TOPICS = ("movie", "mobile_phone", "finance")
RIVALS = ("ucrawler", "shark_search", "fish_search", "cosine_best_first", "best_first")
MOMENTS = (300, 1_000, 3_000, 10_000)
Maker = Callable[[Task], Strategy]


def changed(**parameters: Any) -> Maker:
    return lambda task: UCrawler.from_task(task, **parameters)


def unlearning(task: Task) -> UCrawler:
    """Thresholds so far apart that nothing is ever learned, around the same middle."""
    trained = UCrawler.from_task(task)
    middle = trained.limits.middle
    trained.limits = Thresholds(middle + 9, middle - 9)
    return trained


ABLATION: Mapping[str, str | Maker] = {
    "ucrawler": "ucrawler",
    "no hub bonus": changed(bonus=(0, 0.1, 0.1)),
    "no new-host bonus": changed(bonus=(0.1, 0, 0.1)),
    "no cross-host bonus": changed(bonus=(0.1, 0.1, 0)),
    "no bonus": changed(bonus=(0, 0, 0)),
    "weights stay 1/3": changed(weights=EQUAL),
    "weights stay 1/3, no bonus": changed(weights=EQUAL, bonus=(0, 0, 0)),
    "no learning": unlearning,
    "content only, no bonus": changed(weights=(1, 0, 0), bonus=(0, 0, 0)),
    "anchor only, no bonus": changed(weights=(0, 1, 0), bonus=(0, 0, 0)),
    "address only, no bonus": changed(weights=(0, 0, 1), bonus=(0, 0, 0)),
}


def metrics(budget: int) -> dict[str, Callable[[Run], float | None]]:
    moments = [moment for moment in MOMENTS if moment < budget] + [budget]
    found: dict[str, Callable[[Run], float | None]] = {
        f"precision_{moment}": lambda run, moment=moment: float(run.padded[:moment].mean())
        for moment in moments
    }
    return found | {
        "coverage": METRICS["coverage"],
        "hosts": METRICS["hosts"],
        "topic_hosts": lambda run: float(run.log.frame["host"][run.hits].nunique()),
        "largest_host": lambda run: float(run.log.frame["host"].value_counts(normalize=True).iloc[0]),
        "longest_stay": lambda run: float(max(len(list(stay)) for _, stay in groupby(run.log.frame["host"]))),
    }


def cached_setup(web: Web, name: str, seed: int) -> Task:
    """The lab's own, with words remembered: the crawls of a topic meet the same pages and links."""
    for module in (vectors, fish_search):
        module.words = real.cached_words  # type: ignore[attr-defined]
    return default_setup(web, name, seed)


def measure(
    entrants: Mapping[str, str | Maker], web: Any, topics: Any, seeds: int, setup: Any, o: argparse.Namespace
) -> pd.DataFrame:
    return compare(
        entrants,
        web,
        topics,
        range(seeds),
        o.budget,
        baseline="ucrawler",
        metrics=metrics(o.budget),
        jobs=o.jobs,
        setup=setup,
    ).runs


def table(runs: pd.DataFrame) -> list[dict[str, Any]]:
    """UCrawler is the baseline: a positive difference is what it loses against a rival or gains from less."""
    kept = ["metric", "strategy", "unit", "n", "mean", "low", "high", "difference"]
    found = summarise(runs, "ucrawler")[[*kept, "difference_low", "difference_high", "p_holm"]].round(4)
    return json.loads(found.to_json(orient="records"))


def ground(o: argparse.Namespace) -> tuple[Any, list[str], Any]:
    if o.web == "builtin":
        return webs.synthetic(pages=o.pages), list(TOPICS), cached_setup
    whole = real.MAKERS[o.web]()
    topics = list(real.WEBKB_TOPICS) if o.web == "webkb" else real.subjects(whole, o.subjects, 0)
    return real.Reachable(whole, topics, 0), topics, real.setup("tfidf", len(whole))


def main() -> None:
    parser = argparse.ArgumentParser(description="UCrawler beside its rivals, and without its parts.")
    parser.add_argument("--web", choices=("builtin", *real.MAKERS), default="builtin")
    parser.add_argument("--pages", type=int, default=42_447, help="of the built-in web")
    parser.add_argument("--budget", type=int, help="10,000, or 1,000 on real webs, if not given")
    parser.add_argument("--subjects", type=int, default=10, help="of Wikipedia for Schools (10)")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--ablation", type=int, default=1, help="seeds of the ablation, 0 for none (1)")
    parser.add_argument("--jobs", type=int, default=1)
    o = parser.parse_args()
    o.budget = o.budget or (10_000 if o.web == "builtin" else 1_000)
    begin = time.perf_counter()
    web, topics, setup = ground(o)
    runs = measure({name: name for name in RIVALS}, web, topics, o.seeds, setup, o)
    found: dict[str, Any] = {
        "benchmark": "ucrawler",
        **{key: value for key, value in vars(o).items() if key != "jobs"},
        "targets": {topic: len(web.truth(topic)) for topic in topics},
        "all": table(runs),
    }
    if o.seeds > 1:
        found["by_topic"] = {topic: table(runs[runs["topic"] == topic]) for topic in topics}
    if o.ablation:
        found["ablation"] = table(measure(ABLATION, web, topics, o.ablation, setup, o))
    print(json.dumps({**found, "seconds": round(time.perf_counter() - begin)}))


if __name__ == "__main__":
    main()
