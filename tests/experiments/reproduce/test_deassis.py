"""De Assis et al.: what the experiments stand on, what they count, and the verdicts they come to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from focuslab.classifiers.term_sets import TermAssessor
from focuslab.experiments.reproduce import _deassis_best as best
from focuslab.experiments.reproduce import _deassis_f1 as f1
from focuslab.experiments.reproduce import _deassis_ground as standing
from focuslab.experiments.reproduce import _deassis_queue as queue
from focuslab.experiments.reproduce import _deassis_terms as terms
from focuslab.experiments.reproduce.deassis import EXPERIMENTS, UNTESTED
from focuslab.experiments.reproduce.experiment import Scale
from focuslab.pages.parse import parse

LESSON = Scale("lesson")
TOPIC = "database_syllabus"


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """The lesson on a smaller web."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standing, "web_of", lambda scale, language="en": _small(language))
        standing.ground.cache_clear()
        yield
        standing.ground.cache_clear()


def _small(language: str) -> dict[str, Any]:
    return {"pages": 1_200, "lists": True, "language": language}


@pytest.fixture(scope="module")
def web() -> standing.Ground:
    return standing.ground(LESSON)


def test_portals_are_home_pages_that_are_not_relevant(web: standing.Ground) -> None:
    for name, paper in standing.TOPICS.items():
        seeds = web.portals(name, 1)
        assert len(set(seeds.tolist())) == paper.seeds
        assert not web.relevant(name)[seeds].any()
        assert set(web.web.pages.role[web.number[seeds]].tolist()) == {0}
        assert web.portals(name, 1).tolist() == seeds.tolist() != web.portals(name, 2).tolist()


def test_f_is_what_the_terms_say_of_each_page(web: standing.Ground) -> None:
    topic = standing.task(TOPIC)
    found, judge = web.similarity(topic), TermAssessor(topic)
    some = np.flatnonzero(found > 0)[:20]
    assert len(some) == 20
    for place in some.tolist():
        page = parse(web.web.fetch(web.graph.urls[place]))
        assert found[place] == judge.similarity(page)["f"]


def test_relevant_pages_have_both_form_and_content(web: standing.Ground) -> None:
    both = web.of_form(TOPIC) & web.with_content(TOPIC)
    assert (web.relevant(TOPIC) <= both).all()
    assert web.of_form(TOPIC).sum() > web.relevant(TOPIC).sum() < web.with_content(TOPIC).sum()


def test_the_papers_rarity_is_met_at_its_scale() -> None:
    asked = dict(standing.RARE)
    assert asked["information_retrieval_syllabus"] * 20_000 == pytest.approx(15)
    for name in ("computer_science_jobs", "computer_equipment_sales"):
        assert asked[name] == pytest.approx(1 / standing.TOPICS[name].visited[1], rel=0.01)


def test_fewer_terms_are_the_first_ones() -> None:
    topic = standing.task(TOPIC)
    fewer = standing.with_terms(topic, 0.25, 0.5)
    assert fewer.genre_terms == topic.genre_terms[:4]
    assert fewer.content_terms == topic.content_terms[: round(len(topic.content_terms) / 2)]


def test_no_relevant_page_has_no_f1() -> None:
    assert np.isnan(standing.peak(np.array([0.5]), np.array([False]))).all()
    assert standing.peak(np.array([0.9, 0.4]), np.array([True, False])) == (100.0, 0.9)


def test_progress_is_measured_against_what_was_found() -> None:
    hits = np.zeros(40, np.bool_)
    hits[[0, 1, 2, 19]] = True
    found = queue._progress(hits)
    assert (found["at_5"], found["at_45"], found["at_50"], found["at_100"]) == (0.5, 0.75, 1.0, 1.0)
    assert (found["reach_50"], found["reach_100"]) == (0.05, 0.5)
    assert (found["visited"], found["per_relevant"]) == (40, 10.0)
    assert np.isnan(queue._progress(np.zeros(10, np.bool_))["at_50"])


def test_a_crawl_of_seed_hosts_stays_there(web: standing.Ground) -> None:
    inside = web.graph.host == web.graph.host[0]
    graph = queue._only(web.graph, inside)
    assert len(graph) == len(web.graph)
    assert inside[graph.indices].all()
    assert graph.links == inside[web.graph.indices].sum()
    frame = queue.seed_hosts(LESSON, TOPIC).set_index(["seeds", "limited"])
    assert (frame.xs(True, level="limited")["hosts"] <= standing.TOPICS[TOPIC].seeds).all()
    assert (
        frame.xs(True, level="limited")["visited"] < 0.5 * frame.xs(False, level="limited")["visited"]
    ).all()


def test_first_in_first_out_no_policy_of_siblings_changes_anything() -> None:
    """Our specification proves it: siblings stand side by side already."""
    rows = queue.policies(LESSON, TOPIC)
    fifo = rows[rows["tie"] == "fifo"].drop(columns="tie").set_index(["policy", "seeds"])
    lot = rows[rows["tie"] == "random"].drop(columns="tie").set_index(["policy", "seeds"])
    pd.testing.assert_frame_equal(fifo.loc["FS-2"], fifo.loc["plain"])
    assert not lot.loc["FS-2"].equals(lot.loc["plain"])


def test_other_lists_share_as_much_as_the_users_did() -> None:
    mine = [f"word {number}" for number in range(24)]
    more = [f"other {number}" for number in range(40)]
    list_ = best._like(mine, more, np.random.default_rng(0))
    assert len(list_) == len(set(list_)) == 24
    assert len({*mine} & {*list_}) / len({*mine} | {*list_}) == pytest.approx(best.OVERLAP, abs=0.03)


def test_an_expert_keeps_what_the_vocabulary_has() -> None:
    assert terms._known(("data", "data model", "midori page"), ["data model", "sql"]) == (
        "data",
        "data model",
    )


def test_fewer_terms_are_measured_in_ten_rows() -> None:
    rows = terms.fewer(LESSON, TOPIC)
    assert len(rows) == 10
    assert rows["published"].tolist() == list(terms.TABLES_7_8["DB"])
    assert rows["threshold"].iloc[3] > rows["threshold"].iloc[0]


def one_set_rows(two: float, one: float) -> pd.DataFrame:
    cells = [(topic, idf) for topic in standing.TOPICS for idf in ("collection", "1")]
    rows = [[*cell, sets, value, 0.4] for cell in cells for sets, value in (("two", two), ("one", one))]
    return pd.DataFrame(rows, columns=["topic", "idf", "sets", "best_f1", "threshold"])


@pytest.mark.parametrize(("two", "one", "verdict"), [(90.0, 70.0, "reproduces"), (70.0, 90.0, "contradicts")])
def test_the_verdict_on_one_set_follows_the_rows(two: float, one: float, verdict: str) -> None:
    assert f1.one_set_finding(one_set_rows(two, one)).verdict == verdict


@pytest.mark.parametrize(("siblings", "verdict"), [((0.5, 0.6), "reproduces"), ((0.05, 0.04), "contradicts")])
def test_the_verdict_on_policies_follows_the_rows(siblings: tuple[float, float], verdict: str) -> None:
    early = dict.fromkeys(queue.POLICY_NAMES, 0.1) | dict(zip(("FS-1", "FS-2"), siblings, strict=True))
    rows = [
        {"topic": TOPIC, "tie": tie, "policy": name, "at_15": value, "reach_90": 0.5}
        for tie in queue.TIES
        for name, value in early.items()
    ]
    assert queue.policies_finding(pd.DataFrame(rows)).verdict == verdict


def test_every_experiment_has_a_name_of_its_own_and_parts() -> None:
    names = [one.name for one in EXPERIMENTS]
    assert len(names) == len(set(names)) == 11
    assert all(one.parts(LESSON) and one.webs(LESSON) for one in EXPERIMENTS)
    assert all(one.why and one.published for one in UNTESTED)
