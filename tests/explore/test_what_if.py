"""Under the same parameters the queue is the recorded one; under others, that of the other strategy."""

from __future__ import annotations

from typing import Any

import pytest

from focuslab import strategies
from focuslab.crawling.loop import crawl
from focuslab.experiments.compare import default_setup
from focuslab.explore.explorer import Explorer
from focuslab.explore.recording import record
from focuslab.explore.what_if import parameters, what_if

NAMES = ("adaptive", "best_first", "genre_aware", "genre_enhanced", "naive_bayes", "opic", "otie", "ucrawler")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_changed_is_the_same_queue(name: str, web: Any) -> None:
    task = default_setup(web, "baseball", 0)
    strategy = strategies.make(name, task)
    visits = crawl(task.topic, web, strategy, task.assessor, seed=3)
    kept = record(visits, 30, topic=task.topic, strategy=strategy, assessor=task.assessor)
    for step in (0, 1, 17, 30):
        asked = what_if(kept, step, {})
        assert [(c.url, c.score) for c in asked.best] == [(c.url, c.score) for c in kept.queues[step].best]


def test_all_weight_on_relevance_is_best_first(race: Explorer) -> None:
    for step in (12, 25, 40):
        asked = race.what_if(step, {"w_r": 1.0}, crawler=1)
        visits = {visit.page.url: visit for visit in race.recordings[1].visits[:step]}
        assert [c.score for c in asked.best] == [visits[c.source].assessment.relevance for c in asked.best]


def test_the_tie_rule_can_be_asked_for(race: Explorer) -> None:
    step = next(at for at, queue in enumerate(race.recordings[0].queues) if at > 10 and queue.sharing > 5)
    first = race.what_if(step, {"tie": "fifo"}).best[0]
    last = race.what_if(step, {"tie": "lifo"}).best[0]
    assert first.score == last.score
    assert first.url != last.url


def test_the_strategy_itself_stays_as_it_was(race: Explorer) -> None:
    race.what_if(5, {"w_r": 0.1}, crawler=1)
    assert race.recordings[1].strategy.w_r == 0.95
    assert parameters(race.recordings[1].strategy)[0]["value"] == 0.95


def test_what_cannot_be_asked_is_one_sentence(race: Explorer) -> None:
    with pytest.raises(ValueError, match="no parameter 'w_x'; try w_r, tie, rediscovery"):
        race.what_if(5, {"w_x": 0.1}, crawler=1)
    with pytest.raises(ValueError, match="step 999 is not in this crawl"):
        race.what_if(999, {})
    with pytest.raises(ValueError, match="x\\^2 is no odd function"):
        race.what_if(5, {"d": 2}, crawler=2)
