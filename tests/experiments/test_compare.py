"""Comparisons on a web small enough to know the answer, and the arithmetic of their tables."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuslab import metrics
from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import crawl
from focuslab.experiments import trials
from focuslab.experiments.compare import compare, summarise
from focuslab.experiments.significance import bootstrap_mean, holm, sign_flip_test
from focuslab.pages.parse import parse
from focuslab.strategies import make
from focuslab.types import Assessment, Example, Response, Task, Topic, Truth

PAGES, TOPICS = 120, ("tea", "jazz", "chess")


def address(number):
    return f"http://h{number % 7}.example/p{number}"


class TinyWeb:
    """Pages by number; page n is of topic n % 3, and most links stay within a topic."""

    def __init__(self):
        self.fetches = 0

    def links(self, number):
        rng = np.random.default_rng(number)
        near = (number + 3 * rng.integers(1, 12, size=4)) % PAGES
        return [*near, *rng.integers(PAGES, size=3)]

    def fetch(self, url):
        self.fetches += 1
        number = int(url.rpartition("p")[2])
        anchors = " ".join(f'<a href="{address(n)}">{TOPICS[n % 3]}</a>' for n in self.links(number))
        body = f"<title>{number}</title><body>all about {TOPICS[number % 3]} {anchors}</body>"
        return Response(url, 200, body.encode(), "text/html")

    def topics(self):
        return TOPICS

    def topic(self, name, seed=0):
        start = 3 * np.random.default_rng(seed).integers(PAGES // 3) + TOPICS.index(name)
        return Topic(name, (address(int(start)),), keywords=(name,))

    def examples(self, topic, count=400, seed=0):
        pages = [parse(self.fetch(address(n))) for n in range(40)]
        return [Example(replace(page, text=page.text[:20]), topic in page.text[:20]) for page in pages]

    def truth(self, topic):
        targets = frozenset(address(n) for n in range(PAGES) if n % 3 == TOPICS.index(topic))
        return Truth(targets, "the numbers")

    def __len__(self):
        return PAGES


CAP = {"host_cap": 2}


class Reader:
    """Guides by the first words of a page, and is wrong about every fifth page."""

    def __init__(self, name):
        self.name, self.asked, self.own = name, [], "its own"

    def assess(self, page):
        self.asked.append(page.url)
        right = self.name in page.text[:30]
        wrong = int(page.title) % 5 == 0
        return Assessment(0.9 if right != wrong else 0.1, right != wrong)

    def score_text(self, text, language=""):
        return float(self.name in text)


def setup(web, topic, seed):
    return Task(web.topic(topic, seed), Reader(topic))


@pytest.fixture(scope="module")
def result():
    return compare(["breadth_first"], TinyWeb(), seeds=(0, 1), budget=40, setup=setup, jobs=1)


# --- what is in it


def test_every_crawl_is_there(result):
    assert list(result.runs.columns) == ["strategy", "topic", "seed", "metric", "value"]
    names = ["best_first", "breadth_first", "random", "oracle"]
    assert list(result.runs.strategy.unique()) == names
    assert len(result.runs) == 4 * 3 * 2 * 4
    assert not result.runs.value.isna().any()


def test_a_run_is_what_a_lone_crawl_finds_beyond_its_seeds(result):
    web = TinyWeb()
    task = setup(web, "jazz", 1)
    truth, given = web.truth("jazz"), task.topic.seeds
    visits = crawl(task.topic, web, make("best_first", task), task.assessor, seed=1)
    hits = metrics.hits_by(CrawlLog.record(visits, 40 + len(given)).beyond(given), truth)
    total = len(truth) - sum(map(truth, given))
    assert len(hits) == 40
    assert total < len(truth)
    runs = result.runs.query("strategy == 'best_first' and topic == 'jazz' and seed == 1")
    values = runs.set_index("metric").value
    assert values["harvest"] == pytest.approx(hits.mean())
    assert values["coverage"] == pytest.approx(hits.sum() / total)
    assert values["area"] == pytest.approx(metrics.area(hits, total, normalised=True))
    curve = result.curves.query("strategy == 'best_first' and topic == 'jazz' and seed == 1")
    np.testing.assert_allclose(curve.harvest, metrics.harvest(hits))
    np.testing.assert_allclose(curve.coverage, metrics.coverage(hits, total))


def test_seeds_are_nobodys_finds(result):
    """A web of nothing but seeds and their links: chance must not start with what it was given."""
    assert result.settings["seeds_count"] is False
    first = result.curves.query("step == 1 and strategy == 'random'").harvest
    assert first.mean() < 1


def test_the_oracle_leads_and_chance_trails(result):
    means = result.summary.query("metric == 'harvest'").set_index("strategy")["mean"]
    assert means["oracle"] > means["best_first"] > means["random"]
    assert result.summary.query("strategy == 'oracle'").of_oracle.tolist() == [1.0] * 4


def test_settings_name_what_a_caption_needs(result):
    assert result.settings["judge"] == "the numbers"
    assert result.settings["seeds"] == (0, 1)
    assert result.settings["budget"] == 40
    assert result.settings["tie"]["best_first"] == "fifo"
    assert result.settings["rediscovery"]["best_first"] == "first"
    assert result.settings["ran_dry"] == 0


def test_any_number_of_processes_gives_the_same(result):
    twice = compare(["breadth_first"], TinyWeb(), seeds=(0, 1), budget=40, setup=setup, jobs=2)
    pd.testing.assert_frame_equal(twice.runs, result.runs)
    pd.testing.assert_frame_equal(twice.curves, result.curves)
    pd.testing.assert_frame_equal(twice.summary, result.summary)
    assert twice.settings == result.settings


def test_the_default_setup_trains_on_the_examples():
    found = compare(["best_first"], TinyWeb(), ["tea"], budget=40, jobs=1).summary
    means = found.query("metric == 'harvest'").set_index("strategy")["mean"]
    assert means["best_first"] > means["random"]


# --- work done once


def test_pages_are_fetched_once_however_many_crawls_come_by():
    web = TinyWeb()
    compare(["breadth_first"], web, seeds=(0, 1, 2), budget=100, setup=setup, jobs=1)
    assert web.fetches <= PAGES


def test_pages_are_assessed_once_for_a_topic():
    readers = []

    def watched(web, topic, seed):
        readers.append(Reader(topic))
        return Task(web.topic(topic, seed), readers[-1])

    compare(["breadth_first"], TinyWeb(), seeds=(0, 1), budget=50, setup=watched, jobs=1)
    assert len(readers) == len(TOPICS)
    assert all(len(reader.asked) == len(set(reader.asked)) for reader in readers)


def test_a_remembering_assessor_is_still_the_assessor():
    remembering = trials.Remembering(Reader("tea"))
    assert remembering.own == "its own"
    assert remembering.score_text("green tea") == 1.0


# --- ways to ask


def test_a_strategy_may_be_a_function_of_the_task():
    seen = []

    def factory(task):
        seen.append(task)
        return make("best_first", task)

    found = compare({"mine": factory}, TinyWeb(), ["tea"], budget=20, setup=setup, jobs=1)
    values = found.runs.query("metric == 'area'").set_index("strategy").value
    assert values["mine"] == values["best_first"]
    assert "truth" not in seen[0].extras


def test_the_guide_may_judge_and_then_knows_no_total():
    found = compare(["best_first"], TinyWeb(), ["tea"], budget=30, setup=setup, judge="guide", jobs=1)
    assert found.settings["judge"] == "the crawler's own classifier"
    assert found.runs.query("metric == 'coverage'").value.isna().all()
    assert found.runs.query("metric == 'harvest'").value.notna().all()


def test_a_cap_on_hosts_binds_everyone():
    found = compare(
        ["best_first"], TinyWeb(), ["tea"], budget=100, setup=setup, jobs=1, frontier=CAP, metrics=["pages"]
    )
    assert (found.runs.value <= 14).all()
    assert found.settings["ran_dry"] == found.settings["crawls"] == 3
    assert found.settings["host_cap"] == 2


def test_a_crawl_that_ran_dry_keeps_its_last_values():
    found = compare(["best_first"], TinyWeb(), ["tea"], budget=100, setup=setup, frontier=CAP, jobs=1)
    curve = found.curves.query("strategy == 'best_first'")
    assert curve.step.max() == 100
    assert curve.query("step >= 20").coverage.nunique() == 1
    assert curve.query("step >= 20").harvest.nunique() == 1


def test_curves_are_thinned_but_keep_their_ends(monkeypatch):
    monkeypatch.setattr("focuslab.experiments.compare.POINTS", 7)
    found = compare(["best_first"], TinyWeb(), ["tea"], budget=60, setup=setup, jobs=1)
    steps = found.curves.query("strategy == 'oracle'").step.tolist()
    assert len(steps) == 7
    assert steps[0] == 1
    assert steps[-1] == 60


def test_own_metrics():
    measure = {"second": lambda run: float(run.hits[1]), "never": lambda run: None}
    found = compare(["best_first"], TinyWeb(), ["tea"], budget=5, setup=setup, metrics=measure, jobs=1)
    assert set(found.summary.metric) == {"second", "never"}
    never = found.summary.query("metric == 'never'")
    assert (never.n == 0).all()
    assert never["mean"].isna().all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"strategies": "best_first"}, r"give a list, such as \['best_first'\]"),
        ({"strategies": ["clairvoyant"]}, r"no strategy named 'clairvoyant'; try .*best_first"),
        ({"baseline": "nobody"}, "no strategy named 'nobody'"),
        ({"topics": ["golf"]}, "no topic named 'golf'; try tea, jazz, chess"),
        ({"seeds": ()}, "at least one topic and one seed"),
        ({"budget": 0}, "budget=0"),
        ({"judge": "jury"}, "try truth, guide"),
        ({"metrics": ["charm"]}, "no metric named 'charm'; try harvest"),
    ],
)
def test_mistakes_are_told_before_anything_runs(arguments, message):
    web = TinyWeb()
    with pytest.raises(ValueError, match=message):
        compare(**({"strategies": ["best_first"], "web": web, "setup": setup} | arguments))
    assert web.fetches == 0


# --- the summary's arithmetic


def frame(values):
    """Values by strategy, a row per topic, a column per seed."""
    rows = [
        (strategy, f"t{topic}", seed, "harvest", value)
        for strategy, table in values.items()
        for topic, row in enumerate(table)
        for seed, value in enumerate(row)
    ]
    return pd.DataFrame(rows, columns=["strategy", "topic", "seed", "metric", "value"])


def test_with_several_topics_the_topic_is_the_unit():
    a, b = [[0.2, 0.4], [0.5, 0.7], [0.1, 0.1]], [[0.3, 0.5], [0.9, 0.9], [0.2, 0.4]]
    table = summarise(frame({"a": a, "b": b}), "a").set_index("strategy")
    gaps = np.mean(b, axis=1) - np.mean(a, axis=1)
    row = table.loc["b"]
    assert (row.unit, row.n) == ("topic", 3)
    assert row["mean"] == pytest.approx(np.mean(b))
    assert (row.low, row.high) == pytest.approx(bootstrap_mean(np.mean(b, axis=1)))
    assert row.difference == pytest.approx(gaps.mean())
    assert (row.difference_low, row.difference_high) == pytest.approx(bootstrap_mean(gaps))
    assert row.p == sign_flip_test(gaps) == 0.25
    assert row.gain == pytest.approx(np.mean(b) / np.mean(a) - 1)


def test_more_seeds_do_not_pass_for_more_topics():
    few = summarise(frame({"a": [[0.2], [0.5]], "b": [[0.3], [0.9]]}), "a")
    many = summarise(frame({"a": [[0.2] * 9, [0.5] * 9], "b": [[0.3] * 9, [0.9] * 9]}), "a")
    pd.testing.assert_frame_equal(few, many)


def test_with_one_topic_the_seed_is_the_unit():
    table = summarise(frame({"a": [[0.2, 0.4, 0.3]], "b": [[0.3, 0.5, 0.6]]}), "a")
    assert set(table.unit) == {"seed"}
    assert set(table.n) == {3}


def test_the_baseline_is_not_tested_against_itself():
    row = summarise(frame({"a": [[0.2], [0.4]], "b": [[0.3], [0.5]]}), "a").set_index("strategy").loc["a"]
    assert row[["difference", "difference_low", "gain", "p", "p_holm"]].isna().all()


def test_holm_counts_the_tested_only():
    rng = np.random.default_rng(0)
    values = {name: rng.random((6, 1)).tolist() for name in ("a", "b", "c", "oracle")}
    table = summarise(frame(values), "a", tested=("a", "b", "c")).set_index("strategy")
    assert math.isnan(table.p["oracle"])
    assert not math.isnan(table.difference["oracle"])
    assert table.p_holm[["b", "c"]].tolist() == pytest.approx(holm(table.p[["b", "c"]]).tolist())


def test_undefined_values_leave_their_pair():
    a, b = [[0.2], [math.nan], [0.4]], [[0.3], [0.9], [0.6]]
    row = summarise(frame({"a": a, "b": b}), "a").set_index("strategy").loc["b"]
    assert row.n == 3
    assert row.difference == pytest.approx(0.15)


def test_the_best_comes_first():
    table = summarise(frame({"a": [[0.2], [0.4]], "b": [[0.3], [0.5]]}), "a")
    assert table.strategy.tolist() == ["b", "a"]


def test_the_table_spells_out_the_summary(result):
    table = result.table("harvest", "area")
    assert list(table.columns) == ["harvest", "area"]
    best = result.summary.query("metric == 'harvest'").iloc[0]
    assert table.index[0] == best.strategy
    assert table.iloc[0, 0].startswith(f"{best['mean']:.2f} [{best.low:.2f}, {best.high:.2f}]")
    assert set(table.index) == set(result.runs.strategy)
