"""Comparisons and samples where nobody knows the truth: three judges, or people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from focuslab import webs
from focuslab.classifiers.assessor import train_classifiers
from focuslab.classifiers.training.labels import Labelling, read_labels
from focuslab.classifiers.training.topic_file import Examples, TopicFile
from focuslab.cli import main
from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import crawl
from focuslab.experiments.compare import compare
from focuslab.experiments.sample import Sample, wilson
from focuslab.strategies import make
from focuslab.types import Task, Topic
from focuslab.webs.file_server import FileServer, serve_files
from focuslab.webs.small_crawl import CRAWL, linked, small_crawl

NAME = "baseball"


@pytest.fixture(scope="module")
def web() -> webs.SyntheticWeb:
    return webs.synthetic(pages=600, seed=7)


def told(web: webs.SyntheticWeb) -> dict[str, object]:
    """The topic as a person would write it down who knows a few pages."""
    truth, found = web.truth(NAME), web.topic(NAME)
    urls = {wanted: [url for url in web.urls if truth(url) is wanted][:40] for wanted in (True, False)}
    return {
        "name": NAME,
        "keywords": list(found.keywords),
        "seeds": list(found.seeds),
        "examples": {"relevant": urls[True], "irrelevant": urls[False]},
    }


@pytest.fixture(scope="module")
def topic(web: webs.SyntheticWeb) -> TopicFile:
    written = told(web)
    known: dict[str, list[str]] = written["examples"]  # type: ignore[assignment]
    named = Topic(NAME, web.topic(NAME).seeds, web.topic(NAME).keywords)
    return TopicFile(named, Examples((), tuple(known["relevant"]), tuple(known["irrelevant"])))


@pytest.fixture(scope="module")
def server(web: webs.SyntheticWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FileServer]:
    stored = small_crawl(web, linked(web, web.urls, 0.9), tmp_path_factory.mktemp("data"))
    with serve_files(stored) as served:
        yield served


def test_strategies_are_compared_by_a_majority_and_share_what_was_fetched(
    server: FileServer, topic: TopicFile, tmp_path: Path
) -> None:
    archived = webs.common_crawl(CRAWL, [topic], data=server.url, server=server.url, cache=tmp_path)
    entrants = ["best_first", "breadth_first", "adaptive"]
    found = compare(entrants, archived, budget=60, judge="majority", jobs=1, metrics=["harvest", "captured"])
    asked = len(server.asked)
    assert asked == len(set(server.asked))
    assert "oracle" not in set(found.runs.strategy)
    assert found.settings["judge"] == "a majority of three classifiers that the guide never saw"
    assert 0.5 < found.settings["agreement"] <= 1
    assert 0.8 < found.settings["captured"] < 1
    again = compare(entrants, archived, budget=60, judge="majority", jobs=1, metrics=["harvest", "captured"])
    assert again.runs.equals(found.runs)
    assert len(server.asked) == asked


def test_the_majority_is_mostly_right(web: webs.SyntheticWeb) -> None:
    """On a web whose truth is known, harvest by the one and by the other are close."""
    strategies = ["best_first", "breadth_first"]
    kwargs = {"topics": [NAME], "budget": 80, "jobs": 1, "metrics": ["harvest"], "bounds": ()}
    by_truth = compare(strategies, web, **kwargs).runs.set_index("strategy").value
    by_majority = compare(strategies, web, judge="majority", **kwargs).runs.set_index("strategy").value
    assert (by_truth - by_majority).abs().max() < 0.15


def test_a_guide_that_saw_everything_leaves_nothing_to_judge_by(
    server: FileServer, topic: TopicFile, tmp_path: Path
) -> None:
    archived = webs.common_crawl(CRAWL, [topic], data=server.url, server=server.url, cache=tmp_path)

    def greedy(web: webs.ArchivedWeb, name: str, seed: int) -> Task:
        seen = [*web.examples(name, seed=0), *web.examples(name, seed=1)]
        return Task(web.topic(name), train_classifiers(seen), seen)

    with pytest.raises(ValueError, match="the guide saw all examples of 'baseball'"):
        compare(["best_first"], archived, budget=5, judge="majority", jobs=1, setup=greedy)


def test_the_command_compares_on_an_archive(
    server: FileServer, web: webs.SyntheticWeb, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "topic.yaml").write_text(yaml.safe_dump(told(web)))
    name = f"common-crawl:{CRAWL}?data={server.url}&server={server.url}&cache={tmp_path / 'kept'}"
    experiment = {
        "web": {"name": name, "topics": [str(tmp_path / "topic.yaml")]},
        "strategies": ["best_first", "breadth_first"],
        "budget": 30,
        "judge": "majority",
        "metrics": ["harvest"],
    }
    (tmp_path / "experiment.yaml").write_text(yaml.safe_dump(experiment))
    command = ["compare", str(tmp_path / "experiment.yaml"), "--out", str(tmp_path / "out"), "--jobs", "1"]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "of the addresses that were tried; judged by a majority of three" in said
    settings = json.loads((tmp_path / "out" / "settings.json").read_text())
    assert settings["captured"] < 1
    assert (tmp_path / "out" / "harvest.png").stat().st_size > 1_000


# By hand


@pytest.fixture(scope="module")
def logs(web: webs.SyntheticWeb) -> dict[str, CrawlLog]:
    examples = web.examples(NAME)
    task = Task(web.topic(NAME), train_classifiers(examples, web.topic(NAME)), examples)
    return {
        name: CrawlLog.record(crawl(task.topic, web, make(name, task), task.assessor), 120)
        for name in ("best_first", "breadth_first")
    }


def test_a_sample_is_drawn_from_each_crawl_and_labelled_blind(
    logs: dict[str, CrawlLog], tmp_path: Path
) -> None:
    sample = Sample.draw(logs, each=30, seed=3)
    assert {name: len(urls) for name, urls in sample.drawn.items()} == dict.fromkeys(logs, 30)
    assert sample == Sample.draw(logs, each=30, seed=3) != Sample.draw(logs, each=30, seed=4)
    sample.write(tmp_path / "to_label.csv")
    lines = (tmp_path / "to_label.csv").read_text().splitlines()
    assert lines[0] == "url,label"
    assert sorted(line.removesuffix(",") for line in lines[1:]) == sorted(sample.urls)
    first = [sum(url in urls for url in sample.urls[:20]) for urls in sample.drawn.values()]
    assert min(first) > 2  # neither crawl comes first


def test_harvest_has_an_interval_that_holds_what_is_true(
    web: webs.SyntheticWeb, logs: dict[str, CrawlLog], tmp_path: Path
) -> None:
    truth = web.truth(NAME)
    inside = 0
    for seed in range(40):
        sample = Sample.draw(logs, each=40, seed=seed)
        labels = [Labelling(url, "relevant" if truth(url) else "other") for url in sample.urls]
        found = sample.harvest(labels)
        for name, log in logs.items():
            true = sum(map(truth, log.frame.url)) / len(log)
            inside += found.low[name] <= true <= found.high[name]
    assert inside >= 0.95 * 80
    (tmp_path / "labels.csv").write_text("url,label\n" + "".join(f"{u},{x}\n" for u, x, _ in labels[:50]))
    part = sample.harvest(read_labels(tmp_path / "labels.csv"))
    assert part.unlabelled.sum() > 0
    assert (part.labelled + part.unlabelled == 40).all()


def test_labels_of_other_pages_and_empty_crawls_are_refused(logs: dict[str, CrawlLog]) -> None:
    sample = Sample.draw(logs, each=5)
    with pytest.raises(ValueError, match="none of the labels is of a page in this sample"):
        sample.harvest([Labelling("http://elsewhere.example/", "relevant")])
    with pytest.raises(ValueError, match="nothing to draw from empty"):
        Sample.draw({"empty": CrawlLog([], {})})


def test_wilson_is_never_outside_a_share() -> None:
    for trials in range(1, 30):
        for hits in range(trials + 1):
            low, high = wilson(hits, trials)
            assert 0 <= low <= hits / trials + 1e-9
            assert hits / trials - 1e-9 <= high <= 1
