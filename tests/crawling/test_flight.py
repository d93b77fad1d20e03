"""Many fetches at a time: hosts that rest hold up nobody; a crew may be elsewhere."""

from __future__ import annotations

import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab.crawling.frontier import Frontier
from focuslab.crawling.loop import crawl
from focuslab.fetchers.polite import Polite
from focuslab.pages.urls import host
from focuslab.strategies.breadth_first import BreadthFirst
from focuslab.types import Link, Response

WEB = {"s": "a/1 a/2 a/3 b/1 b/2 c/1", **dict.fromkeys(["a/1", "a/2", "a/3", "b/1", "b/2", "c/1"], "")}


@given(st.data(), st.sampled_from([1, 2, 3]))
def test_held_sites_give_nothing_and_no_link_is_lost(data, hosts_apart):
    frontier = Frontier(hosts_apart=hosts_apart)
    links = [f"http://{site}.example/{n}" for site in "abc" for n in range(4)]
    for address in links:
        frontier.push(Link(address), data.draw(st.sampled_from([0.1, 0.5, 0.9])))
    held: set[str] = set()
    given_out: list[str] = []
    for _ in range(30):
        action = data.draw(st.sampled_from(["pop", "hold", "release", "take", "close", "rescore"]))
        address = data.draw(st.sampled_from(links))
        if action == "hold":
            frontier.hold(address)
            held.add(host(address))
        elif action == "release":
            frontier.release(address)
            held.discard(host(address))
        elif action == "close" and address in frontier:
            frontier.close(address)
            given_out.append(address)
        elif action == "rescore":
            frontier.rescore(address, data.draw(st.sampled_from([0.2, 0.8])))
        else:
            chosen = frontier.pop() if action == "pop" else frontier.take(address)
            assert chosen is None or action == "take" or host(chosen.link.url) not in held
            given_out += [chosen.link.url] if chosen else []
    for address in links:
        frontier.release(address)
    while (chosen := frontier.pop()) is not None:
        given_out.append(chosen.link.url)
    assert sorted(given_out) == sorted(links)


def test_links_too_far_from_a_seed_are_counted():
    frontier = Frontier(max_depth=1)
    frontier.push(Link("http://a.example/"), 1.0, depth=2)
    assert (len(frontier), frontier.too_deep) == (0, 1)
    frontier.push(Link("http://a.example/"), 1.0, depth=1)
    assert len(frontier) == 1


class Times(TinyWeb):
    """Remembers when each page was asked for."""

    def __init__(self) -> None:
        super().__init__(WEB)
        self.when: list[tuple[str, float]] = []

    def fetch(self, address: str) -> Response:
        self.when.append((name(address), time.monotonic()))
        return super().fetch(address)


def test_while_a_host_rests_the_others_go_first():
    web = Times()
    polite = Polite(web, delay=0.3, robots=False)
    visits = crawl(topic("s"), polite, BreadthFirst(), TinyAssessor({}), width=2)
    order = [name(visit.page.url) for visit in visits]
    assert sorted(order) == sorted(WEB)
    assert {host(url(page)) for page in order[1:4]} == {f"{site}.example" for site in "abc"}
    for site in "ab":
        starts = [moment for page, moment in web.when if page.startswith(f"{site}/")]
        assert all(later - earlier > 0.29 for earlier, later in pairwise(starts))


def test_hosts_that_want_hours_end_as_failures_not_as_a_wait():
    busy = Response(url("a/1"), 429, headers={"retry-after": "36000"})
    web = TinyWeb({"s": "a/1 a/2 a/3 b/1", "b/1": ""}, {"a/1": busy, "a/2": busy, "a/3": busy})
    polite = Polite(web, delay=0, robots=False, patience=0.1)
    visits = crawl(topic("s"), polite, BreadthFirst(), TinyAssessor({}), width=4)
    assert sorted(name(visit.page.url) for visit in visits) == ["b/1", "s"]
    reasons = [failure.reason.partition(":")[0] for failure in visits.failures]
    assert reasons == ["status 429", "back-off", "back-off"]


# ---------------------------------------------------------------- in a process of its own
