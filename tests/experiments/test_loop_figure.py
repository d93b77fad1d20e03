from __future__ import annotations

import matplotlib as mpl
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.colors import to_hex

from focuslab.experiments.loop_figure import BOXES, DARK, the_loop


def test_the_steps_of_a_lesson_are_filled_in():
    ax = the_loop("parse", "assessor")
    filled = [to_hex(box.get_facecolor()) == DARK for box in ax.patches if box.get_height() == 0.52]
    assert filled == [name in ("parse", "assessor") for name in BOXES]
    assert {label for *_, label in BOXES.values()} <= {text.get_text() for text in ax.texts}
    plt.close("all")


def test_a_step_that_is_not_there_names_those_that_are():
    with pytest.raises(ValueError, match=r"no box named 'queue'.*frontier"):
        the_loop("queue")
