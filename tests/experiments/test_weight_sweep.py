"""The weight sweep: grid, areas, best weight, repeats and the split."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from tiny import GraphWeb

from focuslab.experiments.metrics import relative_gain
from focuslab.experiments.weight_sweep import (
    PUBLISHED,
    Repeats,
    Sweep,
    draw_seeds,
    page_scores,
    repeat,
    sweep,
    tune,
    weight_grid,
)
from focuslab.features.pig import PUBLISHED as TABLES
from focuslab.graphs.estimate_pig import estimate
from focuslab.graphs.graph import WebGraph
from focuslab.strategies.best_first import BestFirst
from focuslab.strategies.genre_enhanced import GenreEnhanced, genre_score


def genre_web(pages: int = 600, hosts: int = 30, seed: int = 0) -> WebGraph:
    """A web where relevant blogs link to relevant pages and relevant pages of other genres hardly do."""
    rng = np.random.default_rng(seed)
    truth = rng.random(pages) < 0.3
    genre = rng.choice([1, 4], pages)
    sources = np.repeat(np.arange(pages), 12)
    to_relevant = rng.random(len(sources)) < np.where(truth & (genre == 1), 0.9, 0.1)[sources]
    targets = np.where(
        to_relevant,
        rng.choice(np.flatnonzero(truth), len(sources)),
        rng.choice(np.flatnonzero(~truth), len(sources)),
    )
    relevance = np.clip(np.where(truth, 0.75, 0.25) + rng.normal(0, 0.12, pages), 0, 1).round(2)
    return WebGraph.from_edges(
        sources,
        targets,
        relevance,
        genre=genre,
        confidence=rng.uniform(0.6, 1, pages),
        truth=truth,
        seeds=np.flatnonzero(truth)[:7],
        urls=[f"http://h{page % hosts}.example/{page}" for page in range(pages)],
    )


@pytest.fixture(scope="module")
def graph() -> WebGraph:
    return genre_web()


@pytest.fixture(scope="module")
def swept(graph: WebGraph) -> Sweep:
    return sweep(graph, estimate(graph))


def test_q6_grid() -> None:
    grid = weight_grid()
    assert [Decimal(str(weight)) for weight in grid] == [Decimal(100 - 5 * i) / 100 for i in range(20)]
    assert weight_grid(include_zero=True) == (*grid, 0.0)


def test_q7_published_totals() -> None:
    assert [PUBLISHED[topic].pages for topic in ("baseball", "gaming")] == [42_447, 48_794]
    per_page = [found.area / found.pages for found in (PUBLISHED["baseball"], PUBLISHED["gaming"])]
    assert per_page == pytest.approx([0.862134, 0.713489], abs=1e-6)
    ideal = [found.pages - found.relevant / 2 for found in PUBLISHED.values()]
    assert ideal == [38_885.0, 45_343.5]


def test_q8_and_q9_areas() -> None:
    hits = [[1, 0, 1, 1, 0]]
    one = Sweep((1.0,), np.array(hits, bool), 3, "truth").frame.iloc[0]
    assert (one["area"], one["trapezoid"]) == pytest.approx((3.3333333, 2.8333333))
    assert one["area_per_page"] == pytest.approx(3.3333333 / 5)
    both = Sweep((1.0, 0.5), np.array([[1] * 3 + [0] * 7, [0] * 7 + [1] * 3], bool), 3, "truth").frame
    assert both["area"].tolist() == pytest.approx([9.0, 2.0])
    assert both["trapezoid"].tolist() == pytest.approx([8.5, 1.5])


def test_q10_gains() -> None:
    gains = [relative_gain(78.8, 71.8), relative_gain(70.5, 65.8)]
    assert [round(100 * (gain or 0), 4) for gain in gains] == [9.7493, 7.1429]


def test_scores_of_all_pages_are_the_strategys(graph: WebGraph) -> None:
    """To the last bit, or ties would fall differently."""
    pig = TABLES["gaming"]
    scores = page_scores(graph, pig, 0.85)
    for page in range(len(graph)):
        found = pig.probability(bool(graph.relevant[page]), graph.genres[graph.genre[page]])
        expected = genre_score(0.85, float(graph.relevance[page]), float(graph.confidence[page]), found)
        assert scores[page] == expected


def test_a_page_without_genre_goes_by_the_pooled_share() -> None:
    graph = WebGraph.from_edges([0], [1], [0.9, 0.1], confidence=[0.5, 0.5])
    assert page_scores(graph, TABLES["baseball"], 0.0).tolist() == [0.5 * 0.576, 0.5 * 0.026]


def test_the_sweep_is_the_loop(graph: WebGraph, swept: Sweep) -> None:
    pig, web = estimate(graph), GraphWeb(graph)
    assert graph.truth is not None
    for weight in (1.0, 0.5, 0.05):
        strategy = BestFirst() if weight == 1.0 else GenreEnhanced(pig, weight)
        visited = web.visits(strategy, graph.seeds)
        assert swept.hits[swept.weights.index(weight)].tolist() == graph.truth[visited].tolist()


def test_every_curve_ends_at_one(swept: Sweep) -> None:
    curves = swept.curves
    assert list(curves.columns) == list(weight_grid())
    assert curves.index[0] == 1
    assert np.allclose(curves.iloc[-1], 1.0)
    assert (curves.diff().iloc[1:] >= 0).all(axis=None)
    assert np.allclose(curves.sum(), swept.frame["area"])


def test_genre_helps_where_the_web_is_made_so(swept: Sweep) -> None:
    areas = swept.frame.set_index("weight")["area"]
    assert swept.best < 1
    assert areas[swept.best] == areas.max() > areas[1.0]


def test_threads_change_nothing(graph: WebGraph, swept: Sweep) -> None:
    assert (sweep(graph, estimate(graph), threads=1).hits == swept.hits).all()


def test_equal_areas_prefer_the_larger_weight() -> None:
    hits = np.array([[0, 1], [1, 0], [1, 0]], bool)
    assert Sweep((1.0, 0.5, 0.95), hits, 1, "truth").best == 0.95


def test_only_pages_in_reach_count() -> None:
    graph = WebGraph.from_edges([0, 1], [1, 0], [0.9, 0.8, 0.7], seeds=[0])
    found = sweep(graph, TABLES["baseball"], weights=[1.0], judge="guide")
    assert (found.total, found.hits.shape) == (2, (1, 2))


def test_nothing_to_find() -> None:
    graph = WebGraph.from_edges([0], [1], [0.1, 0.2])
    with pytest.raises(ValueError, match="by guide no relevant page is within reach"):
        sweep(graph, TABLES["baseball"], judge="guide")
    with pytest.raises(ValueError, match="no truth"):
        sweep(graph, TABLES["baseball"])


def test_repeats_give_intervals(graph: WebGraph) -> None:
    sets = draw_seeds(graph, sets=6, size=5, seed=1)
    found = repeat(graph, estimate(graph), sets, weights=[1.0, 0.5, 0.05])
    best, gain = found.best(), found.gain()
    assert best.low <= best.value <= best.high < 1
    assert 0 < gain.low < gain.value < gain.high
    assert found.gain(1.0) == (0, 0, 0)
    frame = found.frame
    assert len(frame) == 18
    assert frame[frame["weight"] == best.value]["gain"].mean() == pytest.approx(gain.value)
    one = sweep(graph, estimate(graph), sets[2], [1.0, 0.5, 0.05]).frame
    assert found.areas[2].tolist() == one["area_per_page"].tolist()


def test_intervals_by_hand() -> None:
    areas = np.array([[0.5, 0.55], [0.5, 0.65]])
    gain = Repeats((1.0, 0.5), areas, "truth").gain(0.5)
    half = 12.7062047 * 0.1414213562 / math.sqrt(2)  # Student, one degree of freedom; deviation of .1 and .3
    assert gain == pytest.approx((0.2, 0.2 - half, 0.2 + half))
    assert Repeats((1.0, 0.5), areas, "truth").best() == (0.5, 0.5, 0.5)
    torn = Repeats((1.0, 0.5), np.array([[0.5, 0.6], [0.5, 0.1]]), "truth").best()
    assert torn == (1.0, 0.5, 1.0)


def test_one_repeat_has_no_interval() -> None:
    gain = Repeats((1.0, 0.5), np.array([[0.5, 0.6]]), "truth").gain(0.5)
    assert gain.value == pytest.approx(0.2)
    assert math.isnan(gain.low)


def test_a_gain_needs_its_baseline() -> None:
    with pytest.raises(ValueError, match="w_R = 1, which is not among the weights"):
        Repeats((0.5,), np.array([[0.5]]), "truth").gain()
    with pytest.raises(ValueError, match=r"weight 0.7 was not crawled"):
        Repeats((1.0, 0.5), np.array([[0.5, 0.6]]), "truth").gain(0.7)


def test_seed_sets_are_relevant_distinct_and_reproducible(graph: WebGraph) -> None:
    sets = draw_seeds(graph, sets=4, size=7, seed=3)
    assert all(graph.relevant[seeds].all() and len(set(seeds.tolist())) == 7 for seeds in sets)
    again = draw_seeds(graph, sets=4, size=7, seed=3)
    assert [seeds.tolist() for seeds in sets] == [seeds.tolist() for seeds in again]
    with pytest.raises(ValueError, match="ask for fewer"):
        draw_seeds(graph, size=10_000)


def test_tuned_on_one_part_shown_on_the_other(graph: WebGraph) -> None:
    found = tune(graph, sets=4, seed=2)
    here, _ = graph.split(0.5, 2)
    assert found.pig == estimate(here)
    assert found.tuning.judge == "guide"
    assert found.shown.judge == "truth"
    assert found.weight == found.tuning.best().value < 1
    assert found.shown.gain(found.weight).value > 0


def test_repeats_follow_the_rule_for_rediscovered_links(graph: WebGraph) -> None:
    pig, sets = estimate(graph), draw_seeds(graph, sets=2, size=2)
    assert (
        repeat(graph, pig, sets, (0.5,)).areas.tolist()
        != repeat(graph, pig, sets, (0.5,), rediscovery="max").areas.tolist()
    )
    for rule in ("first", "max"):
        many = repeat(graph, pig, sets, (1.0, 0.5), rediscovery=rule)
        one = sweep(graph, pig, sets[1], (1.0, 0.5), rediscovery=rule)
        assert many.areas[1].tolist() == one.frame["area_per_page"].tolist()
