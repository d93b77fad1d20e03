"""The value that a browser plays holds the numbers of the logs."""

from __future__ import annotations

import json

import pytest

from focuslab.experiments.metrics import hits_by
from focuslab.explore.explorer import Explorer
from focuslab.explore.recording import Candidate
from focuslab.explore.scene import first_divergence, parts_of


def test_every_number_is_the_logs(race: Explorer) -> None:
    scene = json.loads(json.dumps(race.scene))
    for told, recording in zip(scene["crawlers"], race.recordings, strict=True):
        frame = recording.log.frame
        assert [scene["urls"][str(page)] for page in told["pages"]] == frame.url.tolist()
        assert told["hits"] == "".join(map(str, map(int, hits_by(recording.log, race.truth))))
        for name in ("depth", "rank", "ties", "waiting", "relevance", "confidence"):
            assert told[name] == pytest.approx(frame[name].tolist(), rel=1e-5)
        assert len(told["queues"]) == len(frame) + 1
    assert scene["total"] == len(race.truth)
    assert scene["relevant"] == sorted(scene["relevant"])


def test_the_first_divergence_is_where_pages_differ(race: Explorer) -> None:
    orders = [recording.log.frame.url.tolist() for recording in race.recordings]
    apart = race.scene["apart"]
    assert len({tuple(order[: apart - 1]) for order in orders}) == 1
    assert len({order[apart - 1] for order in orders}) > 1
    assert first_divergence(race.recordings[:1]) is None


def test_the_parts_of_a_score_are_those_that_add_up() -> None:
    def rows(*terms: dict[str, float]) -> list[Candidate]:
        return [Candidate("", each.pop("score"), "", "", each) for each in terms]

    assert parts_of(
        rows({"score": 0.5, "R": 0.9, "a": 0.2, "b": 0.3}, {"score": 1, "R": 1, "a": 0.6, "b": 0.4})
    ) == [
        "a",
        "b",
    ]
    assert parts_of(rows({"score": 0.5, "R": 0.9})) == []
    assert parts_of([]) == []
