"""What the naive Bayes experiments count."""

from __future__ import annotations

import pandas as pd

from focuslab.experiments.reproduce import wang
from focuslab.types import Truth


def test_a_copy_and_a_calendar_are_wasted_fetches_and_a_page_is_found_once() -> None:
    good = "http://a.example/1"
    urls = [good, f"{good}?sid=00000a", "http://a.example/calendar/2007-01", "http://b.example/", good]
    assert wang._wasted(urls, Truth(frozenset({good}))) == (5, 0.2, 0.2, 2, 0.2)


def test_curves_are_stored_at_the_nearest_step() -> None:
    steps = [1, 40, 120, 400]
    curves = pd.DataFrame({"strategy": "kernel", "step": steps * 2, "harvest": [0.5] * 4 + [0.7] * 4})
    found = wang._at_steps(curves.assign(coverage=0.1), 400)
    assert found["step"].tolist() == [40, 120, 400]
    assert found["harvest"].tolist() == [0.6] * 3
