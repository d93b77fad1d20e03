"""Figures are checked by what they show: lines, bounds, labels and captions, not by pixels."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt

from focuslab import metrics, plots
from focuslab.crawling.log import CrawlLog
from focuslab.experiments.compare import Comparison, summarise
from focuslab.experiments.figure_style import styles
from focuslab.features.pig import PUBLISHED
from focuslab.types import GENRES, Truth

NAMES = ("best_first", "otie", "random", "oracle")
SETTINGS = {
    "judge": "the labels",
    "tie": dict.fromkeys(NAMES, "fifo"),
    "rediscovery": dict.fromkeys(NAMES, "first") | {"otie": "max"},
    "topics": ("tea", "jazz", "chess"),
    "seeds": (0, 1),
    "budget": 30,
    "baseline": "best_first",
    "crawls": 24,
    "ran_dry": 0,
}


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def make_comparison(topics=SETTINGS["topics"], seeds=(0, 1), names=NAMES):
    rng, runs, curves = np.random.default_rng(0), [], []
    for topic in topics:
        for seed in seeds:
            for place, name in enumerate(names):
                hits = rng.random(30) < 0.2 + 0.2 * place
                values = {"harvest": metrics.harvest(hits), "coverage": metrics.coverage(hits, 40)}
                key = {"strategy": name, "topic": topic, "seed": seed}
                curves.append(pd.DataFrame({**key, "step": np.arange(1, 31), **values}))
                runs.append({**key, "metric": "harvest", "value": hits.mean()})
    frame = pd.DataFrame(runs)
    return Comparison(
        frame, pd.concat(curves, ignore_index=True), summarise(frame, "best_first", NAMES[:2]), SETTINGS
    )


@pytest.fixture
def comparison():
    return make_comparison()


def texts(ax):
    return [text.get_text() for text in ax.texts]


def written(ax):
    return " ".join(" ".join(texts(ax)).split())


def a_log(relevant="1101"):
    pages = [f"http://h.example/{i}" for i in range(len(relevant))]
    rows = [
        {"url": u, "host": "h.example", "relevant": r == "1", "genre": "Blog"}
        for u, r in zip(pages, relevant, strict=True)
    ]
    return CrawlLog(rows, {"strategy": "best_first", "seed": 3, "tie": "fifo", "rediscovery": "first"})


TRUTH = Truth(frozenset(f"http://h.example/{i}" for i in (0, 2, 9)), "the labels")


# --- crawl curves


@pytest.mark.parametrize(
    ("figure", "value"), [(plots.harvest_curve, "harvest"), (plots.coverage_curve, "coverage")]
)
def test_a_line_for_each_strategy_is_the_mean_over_topics(comparison, figure, value):
    ax = figure(comparison)
    assert len(ax.lines) == 4
    expected = comparison.curves.query("strategy == 'otie'").groupby("step")[value].mean()
    np.testing.assert_allclose(ax.lines[1].get_ydata(), expected)
    assert value in ax.get_ylabel()
    assert ax.get_xlabel() == "pages fetched"


def test_bounds_and_strategies_are_named_at_their_ends(comparison):
    words = written(plots.harvest_curve(comparison))
    assert all(name in words for name in NAMES)


def test_the_caption_names_the_conditions(comparison):
    words = written(plots.harvest_curve(comparison))
    assert (
        "Judge: the labels; ties: fifo; rediscovery: first, but max for otie; 3 topics; seeds 0, 1" in words
    )
    assert "budget 30 pages" in words
    assert "95 % bootstrap over topics" in words


def test_there_is_a_band_only_where_there_are_repeats(comparison):
    assert len(plots.harvest_curve(comparison).collections) == 2
    lone = plots.harvest_curve(make_comparison(topics=("tea",), seeds=(0,)))
    assert len(lone.collections) == 0
    assert "Band" not in written(lone)
    assert "over seeds" in written(plots.harvest_curve(make_comparison(topics=("tea",))))


def test_logs_get_their_bounds_from_the_truth():
    ax = plots.coverage_curve({"best_first": a_log()}, TRUTH, pages=10)
    crawl, ideal, chance = (line.get_ydata() for line in ax.lines)
    np.testing.assert_allclose(crawl, [1 / 3, 1 / 3, 2 / 3, 2 / 3])
    np.testing.assert_allclose(ideal, [1 / 3, 2 / 3, 1, 1])
    np.testing.assert_allclose(chance, [0.1, 0.2, 0.3, 0.4])
    assert "ideal order" in written(ax)
    assert "seed 3" in written(ax)


def test_crawls_named_as_bounds_take_the_place_of_the_orders():
    frame = plots.log_curves({"best_first": a_log(), "oracle": a_log(), "random": a_log()}, TRUTH, pages=10)
    assert set(frame.strategy) == {"best_first", "oracle", "random"}


def test_a_self_judged_crawl_says_so():
    ax = plots.harvest_curve(a_log("1101"), metrics.GUIDE)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [1, 1, 2 / 3, 3 / 4])
    assert "the crawler's own classifier" in written(ax)
    assert len(plots.harvest_curve(a_log("1101"), metrics.GUIDE, total=5, pages=50).lines) == 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plots.harvest_curve(a_log()), "who judges"),
        (lambda: plots.coverage_curve(a_log(), metrics.GUIDE), "give total="),
        (lambda: plots.harvest_curve(a_log(""), TRUTH), "fetched nothing"),
        (lambda: plots.bars(make_comparison(), "charm"), "try harvest"),
    ],
)
def test_mistakes_are_told_with_their_remedy(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_long_logs_are_thinned_and_keep_their_ends():
    steps = plots.log_curves({"x": a_log("10" * 2_000)}, lambda url: True).step
    assert len(steps) <= 500
    assert (steps.min(), steps.max()) == (1, 4_000)


def test_figures_leave_the_readers_settings_alone(comparison):
    before = dict(mpl.rcParams)
    plots.harvest_curve(comparison)
    assert dict(mpl.rcParams) == before


def test_figures_draw_into_given_axes(comparison):
    _, axes = plt.subplots(1, 2)
    assert plots.harvest_curve(comparison, ax=axes[0]) is axes[0]
    assert plots.bars(comparison, ax=axes[1]) is axes[1]


# --- tables


def test_bars_show_means_best_on_top_with_intervals(comparison):
    ax = plots.bars(comparison)
    table = comparison.summary.set_index("strategy")
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names[::-1] == comparison.summary.strategy.tolist()
    np.testing.assert_allclose([bar.get_width() for bar in ax.patches], table["mean"][names])
    (arms,) = ax.collections
    np.testing.assert_allclose([piece[0, 0] for piece in arms.get_segments()], table.low[names])
    assert "Holm" in written(ax)


def test_a_star_only_where_the_corrected_p_is_small(comparison):
    summary = comparison.summary.assign(p_holm=[0.2, 0.01, np.nan, np.nan])
    ax = plots.bars(Comparison(comparison.runs, comparison.curves, summary, SETTINGS))
    assert sum(text.endswith("*") for text in texts(ax)) == 1


def test_differences_leave_out_the_baseline_and_the_bounds(comparison):
    ax = plots.differences(comparison)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["otie"]
    assert "difference to best_first" in ax.get_xlabel()


def test_bars_of_a_single_run_have_no_interval():
    ax = plots.bars(make_comparison(topics=("tea",), seeds=(0,)))
    ax.figure.canvas.draw()
    assert len(ax.patches) == 4


def test_confusion_matrix_shows_counts_and_labels():
    ax = plots.confusion_matrix(np.array([[8, 2], [1, 9]]), ["Blog", "News"])
    assert texts(ax) == ["8", "2", "1", "9"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["Blog", "News"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted", "true")


def test_confusion_matrix_with_a_label_that_never_occurs():
    assert texts(plots.confusion_matrix(np.array([[0, 0], [1, 9]]), ["Blog", "News"])) == ["0", "0", "1", "9"]


def test_pig_table_shows_the_published_percentages():
    ax = plots.pig_table(PUBLISHED["gaming"])
    assert {"89.2%", "10.9%", "82.9%"} <= set(texts(ax))


def test_weight_sweep_rings_the_best_weight_and_ties_go_to_the_larger():
    frame = pd.DataFrame({"weight": [1.0, 0.9, 0.8, 0.7], "area_per_page": [0.5, 0.7, 0.7, 0.6]})
    ax = plots.weight_sweep(frame)
    assert "best: 0.9" in texts(ax)
    assert len(ax.collections) == 0
    assert len(plots.weight_sweep(pd.concat([frame, frame])).collections) == 1


def test_genre_of_hosts_stacks_pages_of_the_largest_hosts():
    frame = pd.DataFrame(
        {"host": ["a", "a", "b", "a", "c", "b"], "genre": ["Blog", "News", "News", "Blog", "Blog", "News"]}
    )
    ax = plots.genre_of_hosts(frame, top=2)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["b", "a"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["News", "Blog"]
    assert sum(bar.get_width() for bar in ax.patches) == 5


def test_web_sketch_counts_pages_and_hosts():
    frame = pd.DataFrame({"host": ["a", "a", "b"], "genre": ["Blog", "Blog", "News"], "topic": ["tea"] * 3})
    ax = plots.web_sketch(frame)
    assert texts(ax) == ["1\n(1)", "2\n(1)"]
    assert [label.get_text() for label in ax.get_xticklabels()] == sorted(["Blog", "News"], key=GENRES.index)


# --- one look for a strategy, one heading for a figure


def test_a_strategy_looks_the_same_in_every_company():
    alone, late = styles(["otie"])["otie"], styles(["x", "best_first", "y", "otie"])["otie"]
    assert alone == late
    assert styles(["BFS"])["BFS"] == styles(["breadth_first"])["breadth_first"]


def test_a_variant_has_the_colour_and_marker_of_its_strategy_and_other_dashes():
    names = ["naive_bayes", "naive_bayes_100_apart", "NB kernel"]
    looks = [styles(names)[name] for name in names]
    assert len({(look.color, look.marker) for look in looks}) == 1
    assert len({str(look.linestyle) for look in looks}) == 3


def test_a_heading_says_what_to_see_and_below_it_who_judged(comparison):
    ax = plots.harvest_curve(comparison)
    assert plots.headed(ax, "OTIE finds more", "Judge: nobody.") is ax
    assert ax.get_title(loc="left") == "OTIE finds more"
    assert "Judge: nobody." in written(ax)
    figure = plots.headed(ax.figure, "Both", "Judge: the labels.")
    assert figure.get_suptitle() == "Both"
    assert "Judge: the labels." in [text.get_text() for text in figure.texts]
