"""The naive Bayes of Wang et al. beside the multinomial one, and their crawler beside PageRank and BFS.

``python benchmarks/quality/naive_bayes.py`` prints one JSON line: accuracy and pages per second of each
classifier, time and memory with 10,000 training pages and 50,000 words, and harvest after some numbers of
fetches, with 95 % bootstrap intervals, on the built-in web and, with FOCUSLAB_DATA, on Wikipedia for Schools.
``--web`` does one of the two, ``--quick`` takes fewer topics and starting points.

Classifiers are tested on pages they were not trained on, as many relevant ones as others, so that accuracy
does not depend on how rare a topic is. The multinomial classifier is trained on all examples, the others on
as many of each class. ``_10`` leaves out words of fewer than ten training pages, a number that was chosen on
two topics of the built-in web (baseball, football) with their test pages in view.

The paper takes k pages from k hosts, "for example, k = 100". The built-in web has about 200 hosts, so there
k = 20 is the main run, and 1 and 100 are beside it. Wikipedia for Schools has a single host: k means nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix

from focuslab import webs
from focuslab.classifiers.assessor import Classifiers, train_classifiers
from focuslab.classifiers.naive_bayes import KernelNB, NormalNB
from focuslab.classifiers.page_bayes import PageBayes
from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.experiments.compare import compare
from focuslab.experiments.significance import bootstrap_mean
from focuslab.experiments.trials import Remembering
from focuslab.pages.parse import parse
from focuslab.strategies.naive_bayes import NaiveBayes
from focuslab.types import Example, Page, Task, Web

KINDS: dict[str, Callable[[], Any]] = {
    "normal": lambda: PageBayes("normal"),
    "kernel": lambda: PageBayes("kernel"),
    "normal_10": lambda: PageBayes("normal", min_pages=10),
    "kernel_10": lambda: PageBayes("kernel", min_pages=10),
    "multinomial": RelevanceClassifier,
}
CRAWLERS: dict[str, Any] = {
    "nb_kernel": lambda task: NaiveBayes(task.extras["kernel"]),
    "nb_normal": lambda task: NaiveBayes(task.extras["normal"]),
    "nb_kernel_10": lambda task: NaiveBayes(task.extras["kernel_10"]),
    "pagerank": "pagerank",
    "bfs": "breadth_first",
}
BUDGET, CHECKPOINTS = 1_000, (50, 100, 250, 500, 1_000)
TESTED = 200
"""Pages of each kind in a test."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer topics and starting points")
    parser.add_argument("--web", choices=("builtin", "wikischools"), help="only this web")
    options = parser.parse_args()
    names = [options.web] if options.web else ["builtin", *["wikischools"] * ("FOCUSLAB_DATA" in os.environ)]
    seeds = range(1 if options.quick else 3)
    found: dict[str, Any] = {"large": large()}
    for name in names:
        web, topics = ground(name, 3 if options.quick else 12)
        found[name] = {
            "topics": len(topics),
            "classifiers": classifiers(web, topics),
            "harvest": harvest(web, topics, seeds, 20),
        }
        if name == "builtin":
            found[name] |= {f"hosts_apart_{k}": harvest(web, topics, range(1), k) for k in (1, 100)}
    print(json.dumps({"benchmark": "naive_bayes", **found}))


def ground(name: str, most: int) -> tuple[Any, tuple[str, ...]]:
    """A web and its topics; of Wikipedia for Schools the widest subjects, if they have 80 articles."""
    if name == "builtin":
        builtin = webs.synthetic(pages=5_000, seed=7)
        return builtin, builtin.topics()[:most]
    school = webs.wikischools()
    wide = [topic for topic in school.topics() if "." not in topic and len(school.truth(topic)) >= 80]
    return school, tuple(wide[:most])


# --- classifiers


def classifiers(web: Any, topics: Sequence[str]) -> dict[str, dict[str, float]]:
    rows = [row for topic in topics for row in tested(web, topic)]
    frame = pd.DataFrame(rows).groupby("classifier", sort=False)
    low_high = {name: bootstrap_mean(part["accuracy"]) for name, part in frame}
    means = frame.mean(numeric_only=True).round(4).to_dict("index")
    return {name: {**means[name], "interval": np.round(low_high[name], 4).tolist()} for name in KINDS}


def tested(web: Any, topic: str) -> list[dict[str, Any]]:
    examples = web.examples(topic, 400, seed=0)
    pages, relevant = test_pages(web, topic, examples)
    rows = []
    for name, kind in KINDS.items():
        start = time.perf_counter()
        classifier = kind().fit([e.page for e in examples], [e.relevant for e in examples])
        trained = time.perf_counter()
        scores = np.array([classifier.score(page) for page in pages])
        seconds = time.perf_counter() - trained
        hits = scores > 0.5
        rows.append(
            {
                "classifier": name,
                "accuracy": (hits == relevant).mean(),
                "recall": hits[relevant].mean(),
                "false_alarms": hits[~relevant].mean(),
                "exactly_0_or_1": np.isin(scores, (0.0, 1.0)).mean(),
                "train_seconds": trained - start,
                "pages_per_second": len(pages) / seconds,
            }
        )
    return rows


def test_pages(web: Any, topic: str, examples: Sequence[Example]) -> tuple[list[Page], np.ndarray]:
    """As many relevant pages as others, none of them an example."""
    truth, known = web.truth(topic), {example.page.url for example in examples}
    unseen = [url for url in web.urls if url not in known]
    rng = np.random.default_rng(0)
    good = rng.permutation([url for url in unseen if truth(url)])[:TESTED]
    rest = rng.permutation([url for url in unseen if not truth(url)])[: len(good)]
    urls = [*good.tolist(), *rest.tolist()]
    return [parse(web.fetch(url)) for url in urls], np.arange(len(urls)) < len(good)


def large(pages: int = 10_000, words: int = 50_000, length: int = 400) -> dict[str, Any]:
    """Pages of words drawn by Zipf's law; what a page costs on its own, and in a batch."""
    rows = zipf(pages, words, length)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found: dict[str, Any] = {"pages": pages, "words": words, "words_per_page": round(rows.nnz / pages, 1)}
    for model in (NormalNB(), KernelNB()):
        start = time.perf_counter()
        model.fit(rows, np.arange(pages) % 2)
        trained = time.perf_counter()
        model.predict_proba(rows)
        batch = time.perf_counter() - trained
        each = [alone(model, rows[place]) for place in range(500)]
        found[type(model).__name__] = {
            "train_seconds": round(trained - start, 2),
            "ms_alone": round(1e3 * float(np.median(each)), 3),
            "ms_in_batch": round(1e3 * batch / pages, 4),
        }
    megabytes = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return {**found, "memory_mb": round(megabytes)}


def alone(model: NormalNB | KernelNB, row: csr_matrix) -> float:
    start = time.perf_counter()
    model.predict_proba(row)
    return time.perf_counter() - start


def zipf(pages: int, words: int, length: int) -> csr_matrix:
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(1, words + 1)
    drawn = rng.choice(words, (pages, length), p=shares / shares.sum())
    counts = csr_matrix((np.ones(drawn.size), drawn.ravel(), np.arange(0, drawn.size + 1, length)))
    counts.resize(pages, words)
    counts.sum_duplicates()
    having = np.maximum(np.bincount(counts.indices, minlength=words), 1)
    most = np.repeat(counts.max(axis=1).toarray().ravel(), np.diff(counts.indptr))
    counts.data = (0.5 + 0.5 * counts.data / most) * np.log(pages / having)[counts.indices]
    return counts


# --- crawlers


def setup(web: Web, topic: str, seed: int) -> Task:
    """One set of examples for all crawlers; each density has a guide of its own."""
    task, examples = web.topic(topic, seed), web.examples(topic, 400, seed=seed)
    pages, labels = [e.page for e in examples], [e.relevant for e in examples]
    trained = {name: KINDS[name]().fit(pages, labels) for name in ("kernel", "normal", "kernel_10")}
    guides = {name: Remembering(Classifiers(guide)) for name, guide in trained.items()}
    return Task(task, train_classifiers(examples, task, seed, genre=False), examples, guides)


def harvest(web: Web, topics: Sequence[str], seeds: range, hosts_apart: int) -> dict[str, Any]:
    rules = {"hosts_apart": hosts_apart}
    result = compare(
        CRAWLERS, web, topics, seeds, BUDGET, baseline="bfs", setup=setup, frontier=rules, jobs=2
    )
    curves = result.curves
    found: dict[str, Any] = {}
    for step in CHECKPOINTS:
        nearest = curves["step"].unique()[np.abs(curves["step"].unique() - step).argmin()]
        units = curves[curves["step"] == nearest].groupby(["strategy", "topic"])["harvest"].mean().unstack()
        found[str(step)] = {name: interval(units.loc[name]) for name in (*CRAWLERS, "random", "oracle")}
    final = result.summary[result.summary["metric"] == "harvest"].set_index("strategy")
    pages = result.runs[result.runs["metric"] == "coverage"].groupby("strategy")["value"].mean()
    return {
        "at": found,
        "p_holm_against_bfs": final.loc[[name for name in CRAWLERS if name != "bfs"], "p_holm"]
        .round(4)
        .to_dict(),
        "coverage": pages.round(3).to_dict(),
        "ran_dry": result.settings["ran_dry"],
    }


def interval(values: pd.Series) -> list[float]:
    """Mean over the topics and the interval of that mean."""
    return [round(float(value), 3) for value in (values.mean(), *bootstrap_mean(values))]


if __name__ == "__main__":
    main()
