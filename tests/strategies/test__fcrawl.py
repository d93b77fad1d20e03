"""The queue of de Assis et al.: its policies, as the paper tells them apart."""

from __future__ import annotations

import pytest
from tiny import TinyAssessor, TinyWeb, name, topic

from focuslab.crawling.loop import crawl
from focuslab.strategies._fcrawl import POLICIES, FCrawl
from focuslab.types import Page

WEB = {"s": "a b c", "a": "a/1", "b": "b/1", "c": "", "a/1": "", "b/1": ""}
FIT = {"s": 0.0, "a": 0.9, "b": 0.1}


class Given(FCrawl):
    name = "given"

    def similarity(self, page: Page) -> dict[str, float]:
        return {"f": FIT.get(name(page.url), 0.0)}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("plain", "s a b c a/1 b/1"),
        ("PS", "s a a/1 b b/1 c"),
        ("FS-1", "s a b c a/1 b/1"),
        ("FS-2", "s a b c a/1 b/1"),
        ("PFS-2", "s a b c a/1 b/1"),
    ],
)
def test_the_order_by_hand(policy: str, expected: str) -> None:
    visits = crawl(topic("s"), TinyWeb(WEB), Given(policy), TinyAssessor({}), frontier={"tie": "fifo"})
    assert [name(visit.page.url) for visit in visits] == expected.split()


def test_siblings_get_the_score_of_the_page_beside_them() -> None:
    run = crawl(topic("s"), TinyWeb(WEB), Given("FS-2"), TinyAssessor({}), frontier={"tie": "fifo"})
    scores = {name(visit.page.url): visit.score for visit in run}
    assert (scores["b"], scores["c"], scores["a/1"]) == (0.9, 0.9, 0.0)  # b says 0.1: no change in FS-2


@pytest.mark.parametrize("setting", [{"policy": "FS-9"}, {"siblings": "some"}, {"change": "add"}])
def test_unknown_settings_list_the_known(setting: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="; try "):
        crawl(topic("s"), TinyWeb(WEB), Given(**setting), TinyAssessor({}))
    assert set(POLICIES) > {"plain"}
