"""The same comparison on a real Dask cluster of two processes, even when one of them dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from focuslab import webs
from focuslab.experiments.compare import Comparison, compare, default_setup
from focuslab.graphs.spread import Workers, connected
from focuslab.types import Task

distributed = pytest.importorskip("distributed", reason="needs focuslab[cluster]")

TOPICS = ("baseball", "gaming", "movie")


def run(**how: Any) -> Comparison:
    web = webs.synthetic(pages=500, seed=3)
    return compare(["breadth_first", "otie", "ucrawler"], web, TOPICS, (0, 1), budget=60, **how)


def same(one: Comparison, other: Comparison) -> None:
    for table in ("runs", "curves", "summary"):
        pd.testing.assert_frame_equal(getattr(one, table), getattr(other, table), check_exact=True)
    assert one.settings == other.settings


@pytest.fixture(scope="module")
def alone() -> Comparison:
    return run(jobs=1)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def test_processes_and_a_cluster_give_the_same(alone: Comparison, client: Any) -> None:
    same(run(jobs=2), alone)
    same(run(jobs=Workers(cluster=client)), alone)


def test_an_address_will_do(alone: Comparison, client: Any) -> None:
    same(run(jobs=Workers(cluster=client.scheduler.address)), alone)


def test_the_active_client_is_used(client: Any) -> None:
    with connected() as nobody:
        assert nobody is None
    with distributed.Client(client.scheduler.address) as active, connected() as found:
        assert found is active
    with connected(client) as given:
        assert given is client
    assert client.status == "running"


class DeadlySetup:
    """Kills the worker that comes first to the second topic, once."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __call__(self, web: Any, topic: str, seed: int) -> Task:
        if topic == TOPICS[1] and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return default_setup(web, topic, seed)


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is for POSIX")
def test_a_worker_that_dies_costs_time_only(alone: Comparison, client: Any, tmp_path: Path) -> None:
    mark = tmp_path / "died"
    same(run(jobs=Workers(cluster=client), setup=DeadlySetup(mark)), alone)
    assert mark.exists()


def test_a_mistake_on_a_worker_reaches_the_caller(client: Any) -> None:
    def broken(web: Any, topic: str, seed: int) -> Task:
        raise ValueError(f"no examples of {topic}")

    with pytest.raises(ValueError, match="no examples of baseball"):
        run(jobs=Workers(cluster=client), setup=broken)
