"""The same work in this process, on all cores, or on a Dask cluster; the result is the same to the last bit.

``distributed`` is an extra, and nothing else of the lab needs it.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import joblib

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")
Work = Callable[[Shared, Item], Result]


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does the work: no choice here changes what comes out, only how soon.

    Attributes
    ----------
    jobs : int, optional
        Processes; all cores if not given. One works right here.
    cluster : str or distributed.Client, optional
        Address of a Dask scheduler, such as ``"tcp://10.0.0.1:8786"``, or a client of one: its workers take
        the place of the processes. Without it, the client that is active, if any. See CLUSTER.md.
    kernels : bool
        Let compiled kernels crawl where they can; without them the crawl loop visits the same pages.
    """

    jobs: int | None = None
    cluster: Any = None
    kernels: bool = True

    @classmethod
    def of(cls, given: int | Workers | None) -> Workers:
        """What was meant, where a number of processes is enough to say."""
        return given if isinstance(given, Workers) else cls(given)


# joblib replaces processes that have grown, as those that remember pages do: that is no news
warnings.filterwarnings("ignore", message="A worker stopped while some jobs")

_unpacking = Lock()
"""The threads of one worker share what they work on."""


def spread(
    work: Work[Shared, Item, Result],
    shared: Shared,
    items: Sequence[Item],
    by: Workers,
) -> Iterator[Result]:
    """``work(shared, item)`` for every item, in their order whoever finishes first.

    Parameters
    ----------
    work : callable
        A function of a module, so that other processes find it.
    shared : object
        Goes to each worker once, and stays there for all of its items.
    items : sequence
        What there is to do.
    by : Workers
        Who does it.
    """
    with connected(by.cluster) as client:
        workers = min(by.jobs or joblib.cpu_count(), len(items))
        if client is None and workers < 2:
            yield from (work(shared, item) for item in items)
            return
        packed = pickle.dumps(joblib.wrap_non_picklable_objects((work, shared), keep_wrapper=False))
        run = _on_processes(packed, items, workers) if client is None else _on_cluster(packed, items, client)
        yield from run


@contextmanager
def connected(cluster: Any = None) -> Iterator[Any]:
    """The client of this address, this very client, or the active one; None where there is none.

    Only a client that was opened here is closed afterwards.
    """
    if not isinstance(cluster, str):
        yield _active_client() if cluster is None else cluster
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise ValueError("cluster= needs Dask, which is not installed; install focuslab[cluster]") from error
    with Client(cluster, set_as_default=False) as client:
        yield client


def _active_client() -> Any:
    """Nobody has an active client who has not imported Dask."""
    if "distributed" not in sys.modules:
        return None
    from distributed import default_client

    try:
        return default_client()
    except ValueError:
        return None


def _on_processes(packed: bytes, items: Sequence[Any], workers: int) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shared"  # written once and read once by each process
        path.write_bytes(packed)
        pool = joblib.Parallel(workers, return_as="generator")
        yield from pool(joblib.delayed(_from_file)(str(path), item) for item in items)


def _from_file(path: str, item: Any) -> Any:
    work, shared = _opened(path)
    return work(shared, item)


@lru_cache(maxsize=1)
def _opened(path: str) -> tuple[Any, Any]:
    work, shared = pickle.loads(Path(path).read_bytes())
    return work, shared


def _on_cluster(packed: bytes, items: Sequence[Any], client: Any) -> Iterator[Any]:
    """``packed`` is the result of a task, not scattered data: if the workers that hold it die, the scheduler
    makes it again, as it does with every other lost piece of work."""
    held = client.submit(bytes, packed, pure=False)
    futures = [client.submit(_from_bytes, held, item, pure=False) for item in items]
    try:
        while futures:
            yield futures[0].result()
            futures.pop(0)
    finally:
        client.cancel(futures)


def _from_bytes(packed: bytes, item: Any) -> Any:
    with _unpacking:
        work, shared = _unpacked(packed)
    return work(shared, item)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> tuple[Any, Any]:
    work, shared = pickle.loads(packed)
    return work, shared
