from __future__ import annotations

import pytest

from focuslab.experiments.formulas import drawn


@pytest.mark.parametrize("text", ["`$x$` is code", "```\n$$a$$\n```", "from $5 to $6", "a $ b $ c"])
def test_dollars_that_are_no_formula_stay(text):
    assert drawn(text) == text


def test_formulas_become_what_a_browser_draws_without_a_network():
    one = drawn("The weight $w_R$ and\n\n$$S = w_R R$$\n\nso.")
    assert one.count("<math ") == 2
    assert "$" not in one
    assert 'display="block"' in one
    assert one.endswith("so.")
