"""Adaptive beside its rivals, and what each of its signals adds; prints one JSON line.

Run ``FOCUSLAB_DATA=<folder> python benchmarks/quality/adaptive.py --web wikischools --part held``.

The two real webs are set up and judged as in ``leaderboard_real.py``: subjects, reachable pages, seeds not
counted, crawls until nothing is left. Some thirty settings of the strategy were compared on seven subjects
of Wikipedia for Schools and on three classes of WebKB, and two more subjects were looked at on the way:
those are ``--part seen``. The other 21 subjects and three classes (``--part held``) had no say, nor had the
built-in web (``--web synthetic``); crawls of that end after 10 % of the pages, and its metrics are those of
`compare`. ``genre_enhanced`` has no pre-analysis there: it uses the published table of its default.

``--ablation`` crawls once more without each term, and without hindsight and review. ``--web cost`` gives the
milliseconds of CPU time for each page: writing, reading, judging and the strategy, beside those of rivals.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

import leaderboard_real as real
import pandas as pd

from focuslab import webs
from focuslab.crawling.loop import crawl
from focuslab.experiments.compare import compare, default_setup, summarise
from focuslab.strategies import make
from focuslab.strategies.adaptive import TERMS, Adaptive
from focuslab.types import Task, Web

RIVALS = ("best_first", "link_context", "otie")
PARTS = {"seen": (True,), "held": (False,), "both": (True, False)}
SYNTHETIC_RIVALS = (*RIVALS, "genre_enhanced")
Maker = Callable[[Task], Any]


def less(**parameters: Any) -> Maker:
    return lambda task: Adaptive.from_task(task, **parameters)


def entrants(ablation: bool, rivals: Sequence[str]) -> Mapping[str, str | Maker]:
    if not ablation:
        return {name: name for name in ("adaptive", *rivals)}
    terms = {f"without {term}": less(without=(term,)) for term in TERMS if term != "base"}
    return {"adaptive": "adaptive", **terms, "no hindsight": less(hindsight=0), "no review": less(review=0)}


def on_real(name: str, options: argparse.Namespace) -> pd.DataFrame:
    whole = real.MAKERS[name]()
    names = whole.topics() if name == "webkb" else real.subjects(whole, 30, 0)
    topics = [topic for topic in names if (topic in real.SEEN) in PARTS[options.part]][: options.topics]
    web = real.Reachable(whole, topics, 0)
    count = options.examples or len(whole)
    known = {topic: real.taught(whole, web, topic, count, 0) for topic in topics}
    return compare(
        entrants(options.ablation, RIVALS),
        web,  # type: ignore[arg-type]
        topics,
        budget=len(web),
        metrics=real.metrics(known),
        jobs=options.jobs,
        bounds=(),
        setup=real.setup(options.classifier, count),  # type: ignore[arg-type]
    ).runs


def on_synthetic(options: argparse.Namespace) -> pd.DataFrame:
    web = webs.synthetic()
    field = entrants(options.ablation, SYNTHETIC_RIVALS)
    budget = len(web) // 10
    topics = web.topics()[: options.topics]
    return compare(field, web, topics, budget=budget, jobs=options.jobs, bounds=("oracle",)).runs


def cost(pages: int = 500) -> dict[str, float]:
    """Milliseconds of the processor for each page of a crawl that remembers nothing between strategies."""
    web: Web = webs.synthetic()
    task = default_setup(web, web.topics()[0], 0)
    return {
        name: _cost(web, task, name, pages) for name in ("best_first", "link_context", "otie", "adaptive")
    }


def _cost(web: Web, task: Task, name: str, pages: int) -> float:
    visits = crawl(task.topic, web, make(name, task), task.assessor)
    next(visits)
    start = time.process_time()
    fetched = sum(1 for _ in islice(visits, pages))
    return round(1e3 * (time.process_time() - start) / fetched, 3)


def table(runs: pd.DataFrame) -> list[dict[str, Any]]:
    """Adaptive is the baseline: a negative difference is what a rival, or a missing term, loses."""
    kept = ["metric", "strategy", "n", "mean", "low", "high", "difference", "difference_low"]
    found = summarise(runs, "adaptive")[[*kept, "difference_high", "p"]].round(4)
    return json.loads(found.to_json(orient="records"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Adaptive beside its rivals, and what each signal adds.")
    parser.add_argument("--web", choices=(*real.MAKERS, "synthetic", "cost"), default="wikischools")
    parser.add_argument("--part", choices=PARTS, default="held")
    parser.add_argument("--topics", type=int, help="only the first so many")
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--classifier", choices=("tfidf", "counts"), default="tfidf")
    parser.add_argument("--examples", type=int, default=0, help="30 %% of the web if not given")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    asked = {key: value for key, value in vars(options).items() if key != "jobs"}
    if options.web == "cost":
        found: Any = cost()
    else:
        found = table(on_synthetic(options) if options.web == "synthetic" else on_real(options.web, options))
    print(json.dumps({"benchmark": "adaptive", **asked, "result": found}))


if __name__ == "__main__":
    main()
