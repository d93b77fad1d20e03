"""The same work on a Dask cluster; ``distributed`` is an extra, and nothing else of the lab needs it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


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


def on_cluster(
    client: Any, work: Callable[[Any, Item], Result], shared: Any, items: Iterable[Item]
) -> Iterator[Result]:
    """``work(shared, item)`` for every item, in their order.

    ``shared`` goes to each worker once. It is the result of a task, not scattered data: if the workers that
    hold it die, the scheduler makes it again, as it does with every other lost piece of work.
    """
    held = client.submit(_itself, shared, pure=False)
    futures = [client.submit(work, held, item, pure=False) for item in items]
    try:
        while futures:
            yield futures[0].result()
            futures.pop(0)
    finally:
        client.cancel(futures)


def _itself(value: Any) -> Any:
    return value
