"""Best-first by the cosine of the page."""

from __future__ import annotations

import numpy as np
import pytest
from tiny import TinyAssessor
from tiny_visits import links, started, visit

from focuslab.strategies.cosine_best_first import CosineBestFirst
from focuslab.strategies.fish_search import FishSearch
from focuslab.strategies.shark_search import SharkSearch
from focuslab.types import Example, Page, Task, Topic


def test_best_first_scores_by_the_cosine_of_the_page() -> None:
    strategy = started(CosineBestFirst({"movie": 1, "film": 0.5}))
    proposals = list(strategy.propose(visit("movie movie stock", *links("ab"))))
    assert [p.score for p in proposals] == pytest.approx([0.8, 0.8])


@pytest.mark.parametrize("kind", [FishSearch, SharkSearch, CosineBestFirst])
def test_examples_stand_in_for_keywords(kind: type) -> None:
    examples = (
        Example(Page("http://a.example/", text="film film"), True),
        Example(Page("http://b.example/", text="stock"), False),
    )
    bare = Topic("bare", ("http://s.example/",))
    strategy = kind.from_task(Task(bare, TinyAssessor({}), examples))
    strategy.start(bare, np.random.default_rng(0))
    on, off = (
        next(iter(strategy.propose(visit(text, *links("a"), terms={"inherited": 0.2})))).score
        for text in ("film", "stock")
    )
    assert on > off


@pytest.mark.parametrize("kind", [FishSearch, SharkSearch, CosineBestFirst])
def test_without_words_they_refuse(kind: type) -> None:
    with pytest.raises(ValueError, match="topic 'bare' has no keywords"):
        kind().start(Topic("bare"), np.random.default_rng(0))
