"""Qian et al., sections 4.1 and 4.2: the classifiers, trained as described."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pandas as pd

from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.crawling.loop import crawl
from focuslab.experiments.reproduce._ground import SEED, spelled
from focuslab.experiments.reproduce._qian_ground import SITE_CAP, TOPICS
from focuslab.experiments.reproduce.experiment import Finding, Scale
from focuslab.pages.parse import parse
from focuslab.strategies.breadth_first import BreadthFirst
from focuslab.types import Assessment, Page
from focuslab.webs.synthetic import synthetic

ACCURACY = {"genre": 0.854, "baseball": 0.9407, "gaming": 0.9784}
SAMPLES = {"baseball": (30_002, 31_237), "gaming": (13_401, 15_303)}
"""Positive and negative training pages."""
JAPANESE = "ja"


def genre_folds(scale: Scale) -> pd.DataFrame:
    """Five times a hundred pages of a sister web, five folds."""
    web = synthetic(scale.pick(5_000, 20_000), seed=SEED + 1)
    rng, each = np.random.default_rng(SEED), 100
    chosen = [rng.choice(np.flatnonzero(web.genre == code), each, replace=False) for code in range(5)]
    pages = [parse(web.fetch(web.url(number))) for number in np.concatenate(chosen).tolist()]
    labels = [web.genre_of(page.url) for page in pages]
    classifier = GenreClassifier(seed=SEED)
    plain = classifier.cross_validate(pages, labels, groups=range(len(pages)), seed=SEED)
    by_host = classifier.cross_validate(pages, labels, seed=SEED)
    folds = {"plain folds": plain, "folds by host": by_host}
    return pd.DataFrame(
        [(name, fold, value) for name, found in folds.items() for fold, value in enumerate(found.accuracies)],
        columns=["folds", "fold", "accuracy"],
    )


def genre_finding(rows: pd.DataFrame) -> Finding:
    plain = rows[rows["folds"] == "plain folds"]["accuracy"]
    hosts = rows[rows["folds"] == "folds by host"]["accuracy"]
    near = abs(plain.mean() - ACCURACY["genre"]) < 0.05
    ours = f"{spelled(plain)}; no host on both sides: {spelled(hosts)}"
    why = "The same features and forest on the built-in web's pages; on real pages see the lesson."
    return Finding(f"{ACCURACY['genre']:.1%}", ours, "reproduces" if near else "contradicts", why)


def relevance(scale: Scale, topic: str) -> pd.DataFrame:
    """Breadth-first, at most 300 pages a site, foreign pages removed, labels by the truth; then ten folds."""
    web = synthetic(scale.pick(5_000, 100_000), seed=SEED + 1)
    start = web.topic(topic, seed=SEED, count=scale.pick(20, 200))
    visits = crawl(start, web, BreadthFirst(), _Nothing(), frontier={"host_cap": SITE_CAP})
    pages = [visit.page for visit in islice(visits, scale.pick(2_000, len(web)))]
    kept = [page for page in pages if page.language == JAPANESE]
    truth = web.truth(topic)
    labels = np.array([truth(page.url) for page in kept])
    rng = np.random.default_rng(SEED)  # as many irrelevant pages as the paper had for each relevant one
    positive, negative = SAMPLES[topic]
    others = np.flatnonzero(~labels)
    most = min(len(others), round(labels.sum() * negative / positive))
    chosen = np.sort(np.concatenate([np.flatnonzero(labels), rng.choice(others, most, replace=False)]))
    sample = [kept[row] for row in chosen]
    found = RelevanceClassifier().cross_validate(sample, labels[chosen].tolist(), seed=SEED)
    counts = {"crawled": len(pages), "foreign": len(pages) - len(kept)}
    counts |= {"positive": int(labels.sum()), "negative": most}
    return pd.DataFrame({"fold": range(10), "accuracy": found.accuracies}).assign(**counts)


def relevance_finding(rows: pd.DataFrame) -> Finding:
    by_topic = {str(topic): group for topic, group in rows.groupby("topic")}
    means = {topic: group["accuracy"].mean() for topic, group in by_topic.items()}
    published = ", ".join(
        f"{topic} {ACCURACY[topic]:.1%} ({sum(SAMPLES[topic]):,} pages)" for topic in TOPICS
    )
    ours = ", ".join(
        f"{topic} {spelled(group['accuracy'])} ({int(group[['positive', 'negative']].iloc[0].sum()):,} pages)"
        for topic, group in by_topic.items()
    )
    near = all(abs(means[topic] - ACCURACY[topic]) < 0.03 for topic in means)
    order = means["gaming"] > means["baseball"]
    verdict = "reproduces" if near else "order only" if order else "contradicts"
    why = (
        "Labels are the truth's, not a person's; pages that no one wrote are easier or harder than real ones."
    )
    return Finding(published, ours, verdict, why)


class _Nothing:
    """An assessor for crawls that ask it nothing."""

    def assess(self, page: Page) -> Assessment:
        return Assessment(0.0, False)

    def score_text(self, text: str, language: str = "") -> float:
        return 0.0
