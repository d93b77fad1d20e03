"""The leaderboard, on a small web; and the ranks of strategies, by hand."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from focuslab import cli, plots, webs
from focuslab.experiments.compare import Comparison, Workers, compare, summarise
from focuslab.experiments.figure_style import caption_of
from focuslab.experiments.leaderboard import METRICS, PreAnalysed, entrants, leaderboard, microseconds
from focuslab.experiments.significance import Ranking, groups, rank
from focuslab.graphs.graph import WebGraph
from focuslab.graphs.read_web import read, seeds_of
from focuslab.strategies import all_strategies

mpl.use("Agg")
PAGES, TOPICS = 400, ("baseball", "gaming")
EXTRA = {"best_first_max", "genre_enhanced_max", "naive_bayes_100_apart"}


@pytest.fixture(scope="module")
def found() -> Comparison:
    return leaderboard(webs.synthetic(PAGES), TOPICS, seeds=(7,), jobs=1)


def test_a_reading_gives_the_same(found: Comparison, tmp_path: Path) -> None:
    web = webs.synthetic(PAGES)
    kept = read(web, tmp_path, seeds_of(web, TOPICS, (7,)), jobs=1)
    pd.testing.assert_frame_equal(leaderboard(kept, TOPICS, seeds=(7,), jobs=1).runs, found.runs)


def test_a_graph_has_no_pages_to_look_at() -> None:
    graph = WebGraph.from_edges([0, 1], [1, 0], [0.9, 0.8], truth=[True, False])
    with pytest.raises(ValueError, match="looks at pages, and a graph has none; give the web or a reading"):
        leaderboard(graph, jobs=1)  # type: ignore[arg-type]


def test_every_strategy_is_there_between_the_bounds(found: Comparison) -> None:
    assert set(found.runs["strategy"]) == set(all_strategies()) | EXTRA
    area = found.summary[found.summary["metric"] == "area"].set_index("strategy")["mean"]
    assert area["oracle"] >= area.drop("oracle").max()
    assert found.settings["budget"] == PAGES // 10
    assert not found.runs["value"].isna().any()


def test_all_compete_under_one_host_rule_and_the_papers_own_is_a_row_of_its_name(found: Comparison) -> None:
    apart = dict(found.settings["hosts_apart"])
    assert apart.pop("naive_bayes_100_apart") == 100
    assert set(apart.values()) == {1}
    said = caption_of(found.settings)
    assert "hosts apart: 1, but 100 for naive_bayes_100_apart" in said
    assert "no cap on pages a host" in said
    assert "seeds are not counted" in said


def test_harvest_at_a_share_of_the_web_is_read_off_the_curve(found: Comparison) -> None:
    curves = found.curves.set_index(["strategy", "topic", "step"])["harvest"]
    runs = found.runs.set_index(["strategy", "topic", "metric"])["value"]
    for name in ("best_first", "adaptive", "otie"):
        for metric, step in (("harvest_1", 4), ("harvest_5", 20), ("harvest_10", 40)):
            assert runs[name, "gaming", metric] == pytest.approx(curves[name, "gaming", step])


def test_kernels_and_the_loop_count_the_same_requests_and_bytes() -> None:
    web = webs.synthetic(PAGES)
    both = [
        compare(["otie"], web, TOPICS[:1], budget=40, metrics=METRICS, jobs=Workers(1, kernels=kernels)).runs
        for kernels in (True, False)
    ]
    pd.testing.assert_frame_equal(*both)


def test_where_links_are_dead_requests_are_more_than_pages() -> None:
    web = webs.synthetic(PAGES, dirt=True)
    asked = {"metrics": ["pages", "requests"], "jobs": Workers(1, kernels=False), "bounds": ()}
    runs = compare(["best_first"], web, TOPICS[:1], budget=150, **asked).runs
    values = runs[runs["strategy"] == "best_first"].set_index("metric")["value"]
    assert values["requests"] > values["pages"]


def test_the_pre_analysis_leaves_a_table_and_a_weight_for_each_rule() -> None:
    task = PreAnalysed(sets=2)(webs.synthetic(PAGES), "gaming", 7)
    assert set(task.extras["w_r"]) == {"first", "max"}
    strategy = entrants()["genre_enhanced_max"](task)  # type: ignore[operator]
    assert strategy.w_r == task.extras["w_r"]["max"]
    assert strategy.pig is task.extras["pig"]


def test_time_is_told_for_each_strategy_asked_for() -> None:
    found = microseconds(webs.synthetic(200), "gaming", names=["best_first", "adaptive"], pages=20)
    assert list(found.index) == ["reading and judging", "best_first", "adaptive"]
    assert (found > 0).all()


# --- ranks


def runs_of(values: dict[str, list[float]]) -> pd.DataFrame:
    rows = [
        {"strategy": name, "topic": f"t{place}", "seed": 0, "metric": "area", "value": value}
        for name, each in values.items()
        for place, value in enumerate(each)
    ]
    return pd.DataFrame(rows)


def test_ranks_are_means_over_topics_and_bounds_do_not_compete() -> None:
    runs = runs_of({"a": [3, 3, 3], "b": [2, 2, 2], "c": [1, 1, 2], "oracle": [9, 9, 9]})
    ranking = rank(runs, "area")
    assert ranking.ranks.round(3).to_dict() == {"a": 1.0, "b": 2.167, "c": 2.833}
    assert ranking.units == 3


def test_two_strategies_cannot_be_ranked() -> None:
    with pytest.raises(ValueError, match="2 strategies on 3 topics cannot be ranked"):
        rank(runs_of({"a": [3, 3, 3], "b": [2, 2, 2]}), "area")


def test_groups_are_the_widest_runs_of_neighbours() -> None:
    ranking = Ranking(pd.Series({"a": 1.0, "b": 1.5, "c": 2.4, "d": 4.0}), 9, 0.0, 1.0)
    assert groups(ranking) == [("a", "b"), ("b", "c")]


def test_a_group_holds_just_the_pairs_that_are_close() -> None:
    rng = np.random.default_rng(3)
    ranking = Ranking(pd.Series(dict(zip("abcdefgh", np.sort(rng.random(8) * 8), strict=True))), 9, 0.0, 2.0)
    joined = {pair for group in groups(ranking) for pair in combinations(group, 2)}
    for one, other in combinations(ranking.ranks.index, 2):
        assert ((one, other) in joined) == (ranking.ranks[other] - ranking.ranks[one] < 2.0)


def test_the_figure_shows_ranks_bars_and_conditions() -> None:
    names = {name: list(np.random.default_rng(place).random(8)) for place, name in enumerate("abc")}
    runs = runs_of(names | {"z": [2.0] * 8, "oracle": [3.0] * 8})
    settings = {"judge": "the labels", "baseline": "a", "seeds": (0,), "budget": 9}
    ax = plots.critical_difference(Comparison(runs, runs, summarise(runs, "a"), settings))
    assert next(label.get_text() for label in ax.get_yticklabels()) == "z"
    assert "oracle" not in [label.get_text() for label in ax.get_yticklabels()]
    said = " ".join(text.get_text().replace("\n", " ") for text in ax.texts)
    assert "the labels" in said
    assert "Nemenyi" in said


# --- on the command line


def test_compare_all_writes_a_folder_for_each_cap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["compare", "--all", "--pages", "200", "--topics", "2", "--jobs", "1", "--out", str(tmp_path)]
    assert cli.main(asked) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cap_10", "cap_100", "no_cap"]
    assert (tmp_path / "cap_10" / "ranks.png").stat().st_size > 1_000
    capped = pd.read_parquet(tmp_path / "cap_10" / "runs.parquet")
    assert "adaptive" in set(capped["strategy"])
    assert "At most 10 pages of a site" in capsys.readouterr().out


def test_either_a_file_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compare"]) == 2
    assert "give either a YAML file, or --all or --web" in capsys.readouterr().err
