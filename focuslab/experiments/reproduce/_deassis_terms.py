"""De Assis et al., sections 5.1 and 6: F1 with fewer terms, and with generated ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

from focuslab.classifiers.term_sets import generate_terms
from focuslab.experiments.reproduce._deassis_ground import (
    TOPICS,
    ground,
    page_of,
    peak,
    short,
    sister,
    subject,
    task,
    with_terms,
)
from focuslab.experiments.reproduce._ground import SEED
from focuslab.experiments.reproduce.experiment import Finding, Scale
from focuslab.webs.builtin.vocabulary import LANGUAGES, vocabulary

SHARES = (
    (1, 1),
    (0.75, 0.75),
    (0.5, 0.5),
    (0.25, 0.25),
    (1, 0.75),
    (1, 0.5),
    (1, 0.25),
    (0.75, 1),
    (0.5, 1),
    (0.25, 1),
)
TABLES_7_8 = {
    "DS": (92.41, 87.65, 89.33, 84.35, 82.08, 84.47, 75.90, 90.32, 88.62, 83.33),
    "DB": (92.54, 88.61, 92.11, 78.26, 86.75, 87.50, 72.73, 84.93, 88.00, 90.91),
    "IR": (100.0, 96.77, 93.33, 75.00, 93.75, 75.68, 69.57, 96.77, 93.33, 76.92),
    "Job": (88.37, 65.87, 61.11, 73.17, 63.41, 59.09, 70.00, 65.52, 64.29, 70.29),
    "Sale": (97.07, 91.64, 87.71, 92.25, 91.80, 85.24, 86.52, 94.13, 93.34, 90.51),
}
TABLES_15_16 = {
    "DS": (78.95, 84.39, 78.26, 78.95, 79.03),
    "DB": (67.69, 67.61, 69.23, 63.64, 80.90),
    "IR": (64.29, 64.29, 64.29, 58.06, 67.14),
    "Job": (50.90, 50.12, 53.45, 51.39, 60.87),
    "Sale": (85.00, 84.81, 85.06, 84.63, 86.49),
}
COUNTS = (40, 30, 20, 10)


def fewer(scale: Scale, topic: str) -> pd.DataFrame:
    """Best F1 with the first shares of the terms, all ten rows."""
    web, asked = ground(scale), task(topic)
    truth, rows = web.relevant(topic), []
    for (genre, content), published in zip(SHARES, TABLES_7_8[short(topic)], strict=True):
        rows.append(
            [genre, content, published, *peak(web.similarity(with_terms(asked, genre, content)), truth)]
        )
    return pd.DataFrame(rows, columns=["genre", "content", "published", "best_f1", "threshold"])


def fewer_finding(rows: pd.DataFrame) -> Finding:
    means = rows.groupby(["genre", "content"], sort=False)[["published", "best_f1", "threshold"]].mean()
    both = [(1.0, 1.0), (0.75, 0.75), (0.5, 0.5), (0.25, 0.25)]
    best, paper, cuts = (means[name].to_dict() for name in ("best_f1", "published", "threshold"))
    told, said = (", ".join(f"{values[one]:.0f}" for one in both) for values in (best, paper))
    climbs = all(cuts[long] < cuts[short] for long, short in pairwise(both))
    genre, content = best[0.25, 1], best[1, 0.25]
    verdict = (
        "reproduces"
        if climbs and genre > content
        else "order only"
        if climbs or genre > content
        else "contradicts"
    )
    correlation = means["published"].corr(means["best_f1"], method="spearman")
    why = (
        f"The threshold {'climbs' if climbs else 'does not climb'} as lists get shorter (published: yes). "
        f"A quarter of the genre terms leaves {genre:.0f}, a quarter of the content terms {content:.0f} "
        f"(published 82 and 75: content matters more). Rank correlation of the ten means {correlation:.2f}."
    )
    return Finding(f"mean F1 with all, 75, 50, 25 % of both lists: {said}", told, verdict, why)


def generated(scale: Scale, topic: str) -> pd.DataFrame:
    """Best F1 with generated terms, and with those of them that an expert would keep.

    The expert here is the vocabulary: a genre term is kept if it is a word of the form, a content term if it
    is one of the subject.
    """
    web, other, published = ground(scale), sister(scale), TABLES_15_16[short(topic)]
    truth, one, asked = web.relevant(topic), subject(topic), task(topic)
    rng = np.random.default_rng([SEED, vocabulary().topics.index(topic)])
    english = other.pages.language == LANGUAGES.index("en")
    of_form = np.flatnonzero((other.pages.form == list(vocabulary().forms).index(one.form)) & english)
    relevant = np.flatnonzero(other.relevant(topic) & english)
    pages = [
        [page_of(other, number) for number in rng.choice(some, min(count, len(some)), replace=False).tolist()]
        for some, count in zip((of_form, relevant), TOPICS[topic].examples, strict=True)
    ]
    genre, content = generate_terms(pages[0], pages[1], max(COUNTS), max(COUNTS), "en")
    lists = [(f"{n}g{n}c", genre[:n], content[:n]) for n in COUNTS]
    own = _known(genre, vocabulary().forms[one.form]["en"]), _known(content, one.words["en"])
    lists.append((f"expert {len(own[0])}g{len(own[1])}c", *own))
    rows = []
    for (name, some_genre, some_content), figure in zip(lists, published, strict=True):
        told = replace(asked, genre_terms=some_genre, content_terms=some_content)
        rows.append([name, figure, *peak(web.similarity(told), truth)])
    whole = peak(web.similarity(asked), truth)[0]
    return pd.DataFrame(rows, columns=["terms", "published", "best_f1", "threshold"]).assign(written=whole)


def _known(terms: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """The terms that are words of a list, or made of such words."""
    known = {part for word in words for part in word.split()}
    return tuple(term for term in terms if set(term.split()) <= known)


def generated_finding(rows: pd.DataFrame) -> Finding:
    expert = rows["terms"].str.startswith("expert")
    chosen = rows[expert].set_index("topic")["best_f1"]
    others = rows[~expert].groupby("topic")["best_f1"].max()
    wins = sum(chosen[topic] >= others[topic] for topic in chosen.index)
    told = ", ".join(
        f"{short(topic)} {others[topic]:.0f}, expert {chosen[topic]:.0f}" for topic in chosen.index
    )
    said = ", ".join(
        f"{name} {max(values[:4]):.0f}, expert {values[4]:.0f}" for name, values in TABLES_15_16.items()
    )
    verdict = "reproduces" if wins >= 4 else "order only" if wins >= 2 else "contradicts"
    written = rows.groupby("topic")["written"].first().mean()
    why = (
        f"The expert's subset is the best of the five on {wins} topics (published: on four). The written "
        f"lists have {written:.0f} on average, the expert's subsets {chosen.mean():.0f}."
    )
    return Finding(said, told, verdict, why)
