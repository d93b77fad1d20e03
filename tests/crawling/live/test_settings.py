"""What decides how a live crawl goes."""

from __future__ import annotations

import pytest

from focuslab.crawling.live.settings import BOUNDS, CHANGEABLE, Settings


@pytest.mark.parametrize(
    "bad", [{"budget": 0}, {"width": 0}, {"delay": -1}, {"max_depth": -1}, {"max_bytes": 0}]
)
def test_settings_that_cannot_be(bad: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(bad))} is -?[01]; it must be"):
        Settings(**bad)


def test_only_what_leaves_the_past_alone_may_change() -> None:
    assert Settings().changed(budget=5).budget == 5
    assert BOUNDS < CHANGEABLE
    with pytest.raises(ValueError, match="seed, strategy cannot change when a crawl is resumed"):
        Settings().changed(strategy="otie", seed=1, budget=2)
