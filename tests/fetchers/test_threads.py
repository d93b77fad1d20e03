"""A crew of threads: what one raises is raised where the crawl is."""

from __future__ import annotations

import pytest
from tiny import url

from focuslab.crawling.flight import Flight
from focuslab.crawling.frontier import Frontier
from focuslab.fetchers.recorder import FullError
from focuslab.fetchers.threads import Threads
from focuslab.types import Link, Response


def test_what_a_thread_raises_is_raised_where_the_crawl_is():
    class Broken:
        def fetch(self, address: str) -> Response:
            raise FullError("full")

    frontier = Frontier()
    frontier.push(Link(url("s")), 1.0)
    flight = Flight(Threads(Broken(), 2), frontier, 2)
    with pytest.raises(FullError, match="full"):
        flight.next()
