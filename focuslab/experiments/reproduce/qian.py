"""Qian, Suebchua and Yamana: Enhancing focused crawler through genre detection.

Training as described, the structure of the graph (Table 1), P_IG (Tables 2 and 3), the weights (Figures 2 and
3), the live evaluation (Table 5, Figures 4 and 5) on a web that never runs out of relevant pages; and, beyond
the paper, when genre helps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.crawling.loop import crawl
from focuslab.experiments.reproduce._ground import SEED, built_in, guide, padded, spelled, summed, whole
from focuslab.experiments.reproduce._qian_real import REAL_WEBS
from focuslab.experiments.reproduce.experiment import Experiment, Finding, Part, Scale, Untested
from focuslab.experiments.weight_sweep import PUBLISHED, Repeats, draw_seeds, sweep_by, weight_grid
from focuslab.features.pig import PUBLISHED as PUBLISHED_PIG
from focuslab.features.pig import PigTable
from focuslab.graphs.estimate_pig import estimate
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.simulate import simulate
from focuslab.pages.parse import parse
from focuslab.strategies.best_first import BestFirst
from focuslab.strategies.breadth_first import BreadthFirst
from focuslab.strategies.genre_enhanced import GenreEnhanced
from focuslab.types import Assessment, Page, Strategy
from focuslab.webs.synthetic import synthetic

TOPICS = ("baseball", "gaming")
PRESETS = {"plain": "rungsawang_paper", "graded": "rungsawang_afsc"}
RULES = ("first", "max")
WEIGHTS = {"baseball": 0.95, "gaming": 0.90}
"""w_R of the live crawls, Table 4."""
ACCURACY = {"genre": 0.854, "baseball": 0.9407, "gaming": 0.9784}
SAMPLES = {"baseball": (30_002, 31_237), "gaming": (13_401, 15_303)}
"""Positive and negative training pages."""
LIVE = {"baseball": (0.718, 0.788), "gaming": (0.658, 0.705)}
"""Table 5: harvest of best-first and of the genre-enhanced crawler."""
SITE_CAP, LIVE_SEEDS = 300, 7
JAPANESE = "ja"


def _topics(scale: Scale) -> list[Part]:
    return [{"topic": topic} for topic in TOPICS]


# --- section 4.1 and 4.2: training


def _genre_folds(scale: Scale) -> pd.DataFrame:
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


def _genre_finding(rows: pd.DataFrame) -> Finding:
    plain = rows[rows["folds"] == "plain folds"]["accuracy"]
    hosts = rows[rows["folds"] == "folds by host"]["accuracy"]
    near = abs(plain.mean() - ACCURACY["genre"]) < 0.05
    ours = f"{spelled(plain)}; no host on both sides: {spelled(hosts)}"
    why = "The same features and forest on the built-in web's pages; on real pages see the lesson."
    return Finding(f"{ACCURACY['genre']:.1%}", ours, "reproduces" if near else "contradicts", why)


def _relevance(scale: Scale, topic: str) -> pd.DataFrame:
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


def _relevance_finding(rows: pd.DataFrame) -> Finding:
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


# --- section 4.3: the graph and P_IG


def _pages(scale: Scale, topic: str) -> int:
    """Pages of the web a topic is surveyed on."""
    return scale.pick(5_000, PUBLISHED[topic].pages)


@lru_cache(maxsize=2)
def _surveyed(scale: Scale, topic: str, r: str = "plain") -> WebGraph:
    """Two hops from as many seeds as the paper had, on a web of its size."""
    paper = PUBLISHED[topic]
    pages = _pages(scale, topic)
    web = built_in(pages)
    seeds = web.topic(topic, seed=SEED, count=scale.pick(20, paper.hops[0])).seeds
    classifiers = guide(pages, topic, PRESETS[r])
    return WebGraph.crawl(web, seeds, classifiers, hops=2, truth=web.truth(topic), true_genre=web.genre_of)


def _structure(scale: Scale, topic: str) -> pd.DataFrame:
    graph = _surveyed(scale, topic)
    assert graph.truth is not None
    counts = [*graph.hop_counts(), graph.links, int(graph.truth.sum()), int(graph.relevant.sum())]
    names = ["seeds", "1st hop", "2nd hop", "links", "relevant (truth)", "relevant (guide)"]
    paper = PUBLISHED[topic]
    published = [*paper.hops, paper.links, np.nan, paper.relevant]
    return pd.DataFrame({"what": names, "published": published, "ours": counts})


def _structure_finding(rows: pd.DataFrame) -> Finding:
    pages = rows[rows["what"].isin(["seeds", "1st hop", "2nd hop"])]
    counts = pages.groupby("topic", sort=False)
    texts = [
        "; ".join(f"{topic} {', '.join(f'{n:,.0f}' for n in group[column])}" for topic, group in counts)
        for column in ("published", "ours")
    ]
    near = (pages["ours"] / pages["published"] - 1).abs().max() < 0.25
    why = "The built-in web aims at the paper's size, so this checks the web and is no finding."
    return Finding(texts[0], texts[1], "reproduces" if near else "order only", why)


def _pig(scale: Scale, topic: str) -> pd.DataFrame:
    """N_T as links (the only possible reading) and, as the words say, as pages."""
    graph = _surveyed(scale, topic)
    pages = np.bincount(
        graph.relevant.astype(np.intp) * len(graph.genres) + graph.genre, minlength=2 * len(graph.genres)
    ).reshape(2, -1)
    tables = {"ours": estimate(graph), "true": built_in(_pages(scale, topic)).true_pig(topic)}
    frame = (
        PUBLISHED_PIG[topic].to_frame()[["source", "genre", "share"]].rename(columns={"share": "published"})
    )
    for name, table in tables.items():
        frame[name] = table.to_frame()["share"].to_numpy()
    found = tables["ours"].to_frame()
    frame[["low", "high", "hits", "links"]] = found[["low", "high", "hits", "links"]].to_numpy()
    codes = {genre: code for code, genre in enumerate(graph.genres)}
    frame["source_pages"] = [
        pages[int(source == "relevant"), codes[genre]]
        if genre in codes
        else pages[int(source == "relevant")].sum()
        for source, genre in zip(frame["source"], frame["genre"], strict=True)
    ]
    frame["per_page"] = frame["hits"] / frame["source_pages"]
    return frame


def _pig_finding(rows: pd.DataFrame) -> Finding:
    cells = rows[rows["genre"] != "pooled"]
    relevant = cells[cells["source"] == "relevant"]
    same = [
        group.sort_values("published")["genre"].tolist()[-1]
        == group.sort_values("ours")["genre"].tolist()[-1]
        for _, group in relevant.groupby("topic")
    ]
    correlation = cells.groupby("topic")[["published", "ours"]].corr(method="spearman").iloc[0::2, 1].mean()
    gap = (cells["ours"] - cells["published"]).abs().mean()
    per_page = relevant["per_page"].max()
    why = (
        f"Mean gap {gap:.1%} over twenty cells. With N_T as pages, as the words of the paper say, cells "
        f"reach {per_page:.1f}, which is no percentage; a column over a common N_T cannot pass 100 % either, "
        "and Blog's 89.2 + 10.9 does: N_T are links of that class."
    )
    verdict = (
        "reproduces"
        if all(same) and correlation > 0.9
        else "order only"
        if correlation > 0.7
        else "contradicts"
    )
    return Finding(
        "Blog leads in both topics",
        f"rank correlation {correlation:.2f} with the published cells",
        verdict,
        why,
    )


# --- section 4.4: the weights


def _weights_parts(scale: Scale) -> list[Part]:
    return [{"topic": topic, "r": r} for topic, r in product(TOPICS, PRESETS)]


def _weights(scale: Scale, topic: str, r: str) -> pd.DataFrame:
    """Twenty weights from the graph's own seeds, as in the paper, and from ten sets of seven."""
    graph = _surveyed(scale, topic, r)
    pig, found = estimate(graph), []
    sets = draw_seeds(graph, 10, LIVE_SEEDS, SEED)
    judges = ("guide", "truth")
    swept = {
        rule: [sweep_by(judges, graph, pig, start, rediscovery=rule, threads=1) for start in (None, *sets)]
        for rule in RULES
    }
    for rule, judge in product(RULES, judges):
        own, *others = (one[judge].frame for one in swept[rule])
        many = Repeats(weight_grid(), np.array([each["area_per_page"] for each in others]), judge)
        gains = many.frame.assign(area=many.areas.ravel() * len(graph))
        rows = summed(gains, ["weight"], "gain").rename(columns={"mean": "gain"})
        rows["area"] = own["area"].to_numpy()
        rows["mean_area"] = gains.groupby("weight", sort=False)["area"].mean().to_numpy()
        best = many.best(SEED)
        rows = rows.assign(best=best.value, best_low=best.low, best_high=best.high, pages=len(graph))
        found.append(rows.assign(rule=rule, judge=judge).drop(columns="n"))
    frame = pd.concat(found, ignore_index=True)
    return frame[["rule", "judge", *frame.columns.drop(["rule", "judge"])]]


def _weights_finding(rows: pd.DataFrame) -> Finding:
    paper = rows[(rows["judge"] == "guide") & (rows["r"] == "plain")]
    published = "; ".join(
        f"{topic}: best {one.best:.2f}, area {one.area:,.0f}" for topic, one in PUBLISHED.items()
    )
    told, fits = [], []
    for (topic, rule), group in paper.groupby(["topic", "rule"], sort=False):
        own, (best, low, high) = group.nlargest(1, "area"), group[["best", "best_low", "best_high"]].iloc[0]
        alone = f"{own['weight'].item():.2f} from its own seeds (area {own['area'].item():,.0f})"
        told.append(f"{topic}, {rule} score: {alone}, {best:.2f} [{low:.2f}, {high:.2f}] from ten sets")
        fits.append(low <= PUBLISHED[str(topic)].best <= high)
    better = (
        paper[(paper["weight"] < 1) & (paper["rule"] == "max")]
        .groupby("topic")["low"]
        .apply(lambda low: (low > 0).sum())
    )
    verdict = "reproduces" if all(fits) else "order only" if any(fits) else "contradicts"
    why = "Weights with a gain over best-first that excludes 0, max rule: " + ", ".join(
        f"{topic} {count} of 19" for topic, count in better.items()
    )
    return Finding(published, "; ".join(told), verdict, why)


# --- section 4.5: ten thousand pages


def _live_size(scale: Scale) -> tuple[int, int, int]:
    """Pages of the web, budget, sets of seeds."""
    return scale.pick((10_000, 300, 4), (100_000, 10_000, 10))


def _live(scale: Scale, topic: str, r: str) -> pd.DataFrame:
    """Four crawlers, either rediscovery rule, from the same seven seeds each time.

    The figures speak of four and name two; ours are those, breadth-first, and the weight 0.85, which section
    4.4 reports as the best for gaming where Table 4 has 0.90.
    P_IG comes from the survey of another web: the pages of the live crawl were not seen before.
    """
    pages, budget, sets = _live_size(scale)
    graph, pig = whole(pages, topic, PRESETS[r]), estimate(_surveyed(scale, topic, r))
    web = built_in(pages)
    starts = [graph.find(web.topic(topic, seed=number, count=LIVE_SEEDS).seeds) for number in range(sets)]
    others = {"breadth_first": BreadthFirst(), "genre_enhanced_85": GenreEnhanced(pig, 0.85)}
    return _crawled(graph, starts, budget, {"best_first": BestFirst(), **_genre(pig, topic), **others})


def _genre(pig: PigTable, topic: str) -> dict[str, Strategy]:
    return {"genre_enhanced": GenreEnhanced(pig, WEIGHTS[topic])}


def _crawled(
    graph: WebGraph, starts: Sequence[NDArray[np.int32]], budget: int, crawlers: Mapping[str, Strategy]
) -> pd.DataFrame:
    """Harvest of each crawler, seed set and rule under both judges, without the seeds."""
    rows = []
    for (number, seeds), rule, name in product(enumerate(starts), RULES, crawlers):
        most = budget + len(seeds)
        cap = {"host_cap": SITE_CAP}
        order = simulate(graph, crawlers[name], seeds, budget=most, rediscovery=rule, frontier=cap)
        rows.append([number, rule, name, *_harvests(graph, order[len(seeds) :], budget)])
    return pd.DataFrame(rows, columns=["seeds", "rule", "crawler", "truth", "guide", "hosts", "capped_hosts"])


def _harvests(graph: WebGraph, order: NDArray[np.int32], budget: int) -> list[Any]:
    assert graph.truth is not None
    counts = np.bincount(graph.host[order])
    judged = [float(padded(said[order], budget).mean()) for said in (graph.truth, graph.relevant)]
    return [*judged, int((counts > 0).sum()), int((counts >= SITE_CAP).sum())]


def _live_finding(rows: pd.DataFrame) -> Finding:
    published = ", ".join(
        f"{topic} {best:.1%} → {genre:.1%} (+{genre / best - 1:.1%})" for topic, (best, genre) in LIVE.items()
    )
    told, signs, weights = [], {}, []
    for (topic, r, rule), group in rows.groupby(["topic", "r", "rule"], sort=False):
        table = group.pivot(index="seeds", columns="crawler", values="guide")
        gain = table["genre_enhanced"] / table["best_first"] - 1
        ends = " → ".join(f"{table[name].mean():.1%}" for name in ("best_first", "genre_enhanced"))
        told.append(f"{topic}, {r} R, {rule} score: {ends}, gain {spelled(gain)}")
        signs[topic, r, rule] = gain.mean() > 0
        if topic == "gaming":
            weights.append(table["genre_enhanced_85"] - table["genre_enhanced"])
    same = [all(signs[topic, r, rule] for topic in TOPICS) for r, rule in product(PRESETS, RULES)]
    verdict = "reproduces" if all(same) else "order only" if any(same) else "contradicts"
    why = (
        "The paper says neither which score a link keeps that is found again, nor whether R is graded: "
        f"{sum(same)} of these {len(same)} readings give a gain in both topics. Gaming at 0.85, the best "
        f"weight of section 4.4, less 0.90, the weight crawled: {', '.join(map(spelled, weights))}."
    )
    return Finding(published, "; ".join(told), verdict, why)


# --- beyond the paper: when does genre help?

DENSITIES, PURITIES = (10.0, 20.0, 40.0, 63.0), (1.0, 0.5, 0.0)


def _when_parts(scale: Scale) -> list[Part]:
    return [{"links_per_page": links, "r": r} for links, r in product(DENSITIES, PRESETS)]


def _when(scale: Scale, links_per_page: float, r: str) -> pd.DataFrame:
    """Gain in harvest by link density, graded R, and how much of the genre labels is left.

    ``purity`` is the share of pages that keep their genre; the others get that of a page drawn by lot, so
    that at 0 genre says nothing. P_IG is estimated on the same web and with the same labels.
    """
    pages, budget, sets = scale.pick((3_000, 200, 3), (42_447, 3_000, 10))
    graph, web, found = (
        whole(pages, "baseball", PRESETS[r], links_per_page=links_per_page),
        built_in(pages, links_per_page=links_per_page),
        [],
    )
    starts = [graph.find(web.topic("baseball", seed=n, count=LIVE_SEEDS).seeds) for n in range(sets)]
    for purity in PURITIES:
        rng = np.random.default_rng([SEED, round(100 * purity)])
        drawn = graph.genre[rng.permutation(len(graph))]
        mixed = replace(graph, genre=np.where(rng.random(len(graph)) < purity, graph.genre, drawn))
        rows = _crawled(
            mixed, starts, budget, {"best_first": BestFirst(), **_genre(estimate(mixed), "baseball")}
        )
        found.append(_gains(rows).assign(purity=purity))
    return pd.concat(found, ignore_index=True)[["purity", "rule", "n", "gain", "low", "high", "best_first"]]


def _gains(rows: pd.DataFrame) -> pd.DataFrame:
    table = rows.pivot(index=["seeds", "rule"], columns="crawler", values="truth").reset_index()
    table["gain"] = table["genre_enhanced"] / table["best_first"] - 1
    means = table.groupby("rule", sort=False)["best_first"].mean()
    return (
        summed(table, ["rule"], "gain")
        .rename(columns={"mean": "gain"})
        .assign(best_first=lambda frame: frame["rule"].map(means))
    )


def _when_finding(rows: pd.DataFrame) -> Finding:
    pure = rows[rows["purity"] == 1.0]
    told = [
        f"{group['links_per_page'].iloc[0]:.0f} links, {r} R, {rule} score {group['gain'].iloc[0]:+.1%}"
        for (_, r, rule), group in pure.groupby(["links_per_page", "r", "rule"], sort=False)
    ]
    blind = rows[rows["purity"] == 0.0]
    why = (
        f"Gains that exclude 0: {(pure['low'] > 0).sum()} of {len(pure)} with the genres as told, "
        f"{(blind['low'] > 0).sum()} of {len(blind)} with genres drawn by lot."
    )
    return Finding("not in the paper", "; ".join(told), "cannot be tested", why)


class _Nothing:
    """An assessor for crawls that ask it nothing."""

    def assess(self, page: Page) -> Assessment:
        return Assessment(0.0, False)

    def score_text(self, text: str, language: str = "") -> float:
        return 0.0


ALONE: list[Part] = [{}]
LIVE_RULES = "first in, first out among equals; at most 300 pages a host; seven seeds, not counted"

EXPERIMENTS = (
    Experiment(
        "qian/genre_training",
        "Section 4.1: accuracy of the genre classifier, five folds",
        "true genres",
        "5 × 100 pages of a sister web; nine features, 100 trees",
        "01_genre_classifier",
        lambda scale: ALONE,
        _genre_folds,
        _genre_finding,
    ),
    Experiment(
        "qian/relevance_training",
        "Section 4.2: accuracy of the relevance classifier, ten folds, training folds under-sampled",
        "truth",
        "breadth-first crawl of a sister web, at most 300 pages a host, foreign pages removed",
        "02_relevance_classifier",
        _topics,
        _relevance,
        _relevance_finding,
    ),
    Experiment(
        "qian/table_1",
        "Table 1: structure of the web graphs",
        "truth",
        "two hops from the seeds",
        "03_estimate_pig",
        _topics,
        _structure,
        _structure_finding,
    ),
    Experiment(
        "qian/tables_2_3",
        "Tables 2 and 3: P_IG by relevance and genre of the source",
        "guide, as in the paper",
        "distinct links with both ends classified, no self-links",
        "03_estimate_pig",
        _topics,
        _pig,
        _pig_finding,
    ),
    Experiment(
        "qian/figures_2_3",
        "Figures 2 and 3: area under coverage for twenty weights",
        "guide, as in the paper, and truth",
        "first in, first out among equals; both rediscovery rules; no caps; areas from the graph's own "
        "seeds, gains and best weights from ten sets of seven",
        "04_tune_weights",
        _weights_parts,
        _weights,
        _weights_finding,
    ),
    Experiment(
        "qian/table_5",
        "Table 5, Figures 4 and 5: harvest after 10,000 pages of the live web",
        "guide, as in the paper, and truth",
        LIVE_RULES,
        "05_live_crawl",
        _weights_parts,
        _live,
        _live_finding,
    ),
    Experiment(
        "qian/when_genre_helps",
        "Beyond the paper: gain in harvest by link density, graded R and purity of genre",
        "truth",
        LIVE_RULES,
        "05_live_crawl",
        _when_parts,
        _when,
        _when_finding,
    ),
    REAL_WEBS,
)

UNTESTED = (
    Untested(
        "Figure 1: flow chart of the crawler",
        "a drawing",
        "A drawing of how the crawler is built, no measurement; the loop on top of each lesson shows ours.",
    ),
    Untested(
        "Table 4: weights of the live evaluation",
        "0.95 and 0.90",
        "A setting and no result: Table 5 is crawled with it. Section 4.4 reports 0.85 as the best weight "
        "for gaming, and the paper does not say why 0.90 was taken; see Figures 2 and 3 for both.",
    ),
)
