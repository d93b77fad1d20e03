"""Order, ties, rediscovery, host rules: the Frontier against a plain sorted list."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuslab.crawling.frontier import REDISCOVERIES, TIES, Frontier
from focuslab.types import Link


def url(name: str, host: str = "a") -> str:
    return f"http://{host}.example/{name}"


def drain(frontier: Frontier) -> list[str]:
    order = []
    while (chosen := frontier.pop()) is not None:
        order.append(chosen.link.url.rpartition("/")[2])
    return order


def filled(entries: str, **settings: object) -> Frontier:
    """Entries such as 'a1.9A': name, score, host in upper case."""
    frontier = Frontier(**settings)  # type: ignore[arg-type]
    for entry in entries.split():
        name, score, host = entry[:2], float(entry[2:-1]), entry[-1].lower()
        frontier.push(Link(url(name, host)), score)
    return frontier


@pytest.mark.parametrize(("tie", "order"), [("fifo", "abc"), ("lifo", "cba")])
def test_equal_scores_go_by_the_tie_rule(tie: str, order: str) -> None:
    frontier = Frontier(tie=tie)
    for name in "abc":
        frontier.push(Link(url(name)), 0.5)
    assert drain(frontier) == list(order)


def test_random_ties_are_a_function_of_the_seed() -> None:
    def order(seed: int) -> list[str]:
        frontier = Frontier(tie="random", rng=np.random.default_rng(seed))
        for name in "abcdefghij":
            frontier.push(Link(url(name)), 0.5)
        return drain(frontier)

    assert order(1) == order(1)
    assert order(1) != order(2)
    assert sorted(order(1)) == list("abcdefghij")


@pytest.mark.parametrize(("rule", "order"), [("first", "ab"), ("max", "ba"), ("last", "ba")])
def test_a_better_rediscovery(rule: str, order: str) -> None:
    frontier = Frontier(rediscovery=rule)
    frontier.push(Link(url("a")), 0.5)
    frontier.push(Link(url("b")), 0.2)
    frontier.push(Link(url("b"), anchor="again"), 0.9, 7)
    assert drain(frontier) == list(order)


def test_max_keeps_the_larger_and_last_takes_the_newer() -> None:
    for rule, order in (("max", "ab"), ("last", "ba")):
        frontier = Frontier(rediscovery=rule)
        frontier.push(Link(url("a")), 0.9)
        frontier.push(Link(url("b")), 0.5)
        frontier.push(Link(url("a")), 0.1)
        assert drain(frontier) == list(order)


def test_a_rediscovered_link_tells_the_story_of_the_score_it_has() -> None:
    frontier = Frontier(rediscovery="max")
    frontier.push(Link(url("b"), "first", source="p"), 0.2, 1, {"R": 0.2})
    frontier.push(Link(url("b"), "second", source="q"), 0.9, 5, {"R": 0.9})
    chosen = frontier.pop()
    assert chosen is not None
    assert (chosen.link.source, chosen.depth, chosen.terms) == ("q", 5, {"R": 0.9})


def test_a_popped_link_never_returns() -> None:
    frontier = Frontier(rediscovery="last")
    frontier.push(Link(url("a")), 0.5)
    assert drain(frontier) == ["a"]
    frontier.push(Link(url("a")), 0.9)
    frontier.rescore(url("a"), 0.9)
    assert drain(frontier) == []


def test_seeds_stay_before_everything_else() -> None:
    frontier = Frontier(rediscovery="last")
    frontier.push(Link(url("s")), math.inf)
    frontier.push(Link(url("a")), 1e9)
    frontier.push(Link(url("s")), 0.0)
    frontier.rescore(url("s"), 0.0)
    assert drain(frontier) == ["s", "a"]


def test_a_rescored_link_keeps_its_place_among_equals() -> None:
    frontier = Frontier()
    for name, score in (("a", 0.1), ("b", 0.5), ("c", 0.5)):
        frontier.push(Link(url(name)), score)
    frontier.rescore(url("a"), 0.5)
    assert drain(frontier) == ["a", "b", "c"]


def test_pop_says_how_crowded_it_was() -> None:
    frontier = filled("a1.9A a2.9A a3.1A")
    chosen = frontier.pop()
    assert chosen is not None
    assert (chosen.rank, chosen.ties, chosen.waiting) == (1, 1, 2)


def test_w11_any_k_in_a_row_come_from_k_hosts() -> None:
    entries = "a1.9A a2.8A b1.7B c1.7C a3.6A b2.5B"
    spread = filled(entries, hosts_apart=3)
    assert drain(spread) == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert spread.violations == 1
    plain = filled(entries, hosts_apart=1)
    assert drain(plain) == ["a1", "a2", "b1", "c1", "a3", "b2"]
    assert plain.violations == 0


def test_a_starved_frontier_relaxes_to_the_host_that_rested_longest() -> None:
    frontier = filled("a1.9A b1.8B a2.7A b2.6B", hosts_apart=5)
    assert drain(frontier) == ["a1", "b1", "a2", "b2"]
    assert frontier.violations == 2


def test_host_caps_drop_what_is_over_and_a_failure_gives_the_place_back() -> None:
    frontier = filled("a1.9A a2.8A a3.7A b1.1B", host_cap=2)
    assert frontier.pop() is not None
    frontier.refund(url("a1", "a"))
    assert drain(frontier) == ["a2", "a3", "b1"]
    capped = filled("a1.9A a2.8A a3.7A b1.1B", host_cap=2)
    assert drain(capped) == ["a1", "a2", "b1"]
    assert capped.capped == 1


def test_the_cap_can_count_registered_domains() -> None:
    frontier = Frontier(host_cap=1, site="domain")
    frontier.push(Link("http://one.site.example/"), 0.9)
    frontier.push(Link("http://two.site.example/"), 0.8)
    frontier.push(Link("http://other.example/"), 0.1)
    assert len(drain(frontier)) == 2


def test_a_closed_url_is_never_given_out() -> None:
    frontier = filled("a1.9A a2.8A")
    frontier.close(url("a1", "a"))
    frontier.push(Link(url("a1", "a")), 1.0)
    assert drain(frontier) == ["a2"]


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match=r"no tie named 'lucky'; try fifo, lifo, random"):
        Frontier(tie="lucky")
    with pytest.raises(ValueError, match="not a number"):
        Frontier().push(Link(url("a")), math.nan)
    with pytest.raises(ValueError, match="needs rng="):
        Frontier(tie="random")
    with pytest.raises(ValueError, match="hosts_apart is 0"):
        Frontier(hosts_apart=0)


operations = st.lists(
    st.one_of(
        st.tuples(st.just("push"), st.integers(0, 12), st.integers(0, 4)),
        st.tuples(st.just("rescore"), st.integers(0, 12), st.integers(0, 4)),
        st.tuples(st.just("pop"), st.just(0), st.just(0)),
    ),
    max_size=80,
)


@given(operations, st.sampled_from(TIES), st.sampled_from(REDISCOVERIES))
def test_the_heap_agrees_with_a_sorted_list(steps: list, tie: str, rule: str) -> None:
    frontier = Frontier(tie=tie, rediscovery=rule, rng=np.random.default_rng(0))
    lots = np.random.default_rng(0)
    model: dict[str, list[float]] = {}  # url -> [score, tie key]
    gone: set[str] = set()
    found = 0
    for what, page, score in steps:
        name = url(str(page))
        if what == "push":
            frontier.push(Link(name), score / 4)
            if name in model:
                old = model[name][0]
                model[name][0] = {"first": old, "max": max(old, score / 4), "last": score / 4}[rule]
            elif name not in gone:
                key = {"fifo": found, "lifo": -found, "random": lots.random() if tie == "random" else 0}[tie]
                model[name] = [score / 4, key]
                found += 1
        elif what == "rescore":
            frontier.rescore(name, score / 4)
            if name in model:
                model[name][0] = score / 4
        else:
            chosen = frontier.pop()
            best = min(model, key=lambda u: (-model[u][0], model[u][1]), default=None)
            assert (chosen and chosen.link.url) == best
            if best is not None:
                equal = sum(1 for score, _ in model.values() if score == model[best][0]) - 1
                assert chosen is not None
                assert chosen.ties == equal
                del model[best]
                gone.add(best)
        assert len(frontier) == len(model)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=60),
    st.integers(1, 6),
)
def test_host_spreading_agrees_with_a_scan(entries: list[tuple[int, int]], apart: int) -> None:
    frontier = Frontier(hosts_apart=apart)
    waiting = []
    for number, (score, host) in enumerate(entries):
        frontier.push(Link(url(str(number), f"h{host}")), score)
        waiting.append((-score, number, f"h{host}"))
    recent: list[str] = []
    last: dict[str, int] = {}
    violations = 0
    for step in range(len(entries)):
        resting = recent[-(apart - 1) :] if apart > 1 else []
        free = [item for item in waiting if item[2] not in resting]
        violations += not free
        best = min(free) if free else min(waiting, key=lambda item: (last[item[2]], item))
        waiting.remove(best)
        recent.append(best[2])
        last[best[2]] = step
        chosen = frontier.pop()
        assert chosen is not None
        assert chosen.link.url == url(str(best[1]), best[2])
    assert frontier.pop() is None
    assert frontier.violations == violations


def test_many_new_scores_do_not_fill_the_heap() -> None:
    frontier = filled("a1.5A a2.4A")
    for step in range(20_000):
        frontier.rescore(url("a1", "a"), step / 20_000)
    assert len(frontier._heap) < 2_000
    assert drain(frontier) == ["a1", "a2"]
