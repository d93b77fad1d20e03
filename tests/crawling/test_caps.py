"""Caps of hosts and domains."""

from __future__ import annotations

from focuslab.crawling.caps import Caps
from focuslab.crawling.frontier import Frontier
from focuslab.pages.urls import host, registered_domain
from focuslab.types import Link


def test_domains_have_caps_of_their_own():
    frontier = Frontier(domain_cap=2)
    for n in range(5):
        frontier.push(Link(f"http://h{n}.site.example/"), 1.0)
    frontier.push(Link("http://other.example/"), 0.5)
    popped = [chosen.link.url for chosen in iter(frontier.pop, None)]
    assert [registered_domain(address) for address in popped] == ["site.example"] * 2 + ["other.example"]
    assert frontier.capped == 3


def test_dead_pages_are_forgiven_but_not_without_end():
    caps = Caps(host, 3, None)
    asked = 0
    while caps.has_room("http://a.example/"):
        caps.count("http://a.example/")
        caps.refund("http://a.example/")
        asked += 1
    assert asked == 6
