"""The crawl loop as a picture, with the steps a lesson is about filled in."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from focuslab.experiments.figure_style import GREY

__all__ = ["BOXES", "the_loop"]

BOXES = {
    "frontier": (0, 2, "Frontier"),
    "fetcher": (1, 2, "Fetcher"),
    "parse": (2, 2, "parse"),
    "strategy": (0, 1, "Strategy"),
    "visit": (1, 1, "Visit"),
    "assessor": (2, 1, "Assessor"),
    "truth": (0, 0, "truth"),
    "metrics": (1, 0, "metrics"),
    "log": (2, 0, "CrawlLog"),
}
"""Where each box stands, in columns and rows."""

ARROWS = (
    ("frontier", "fetcher", "Link"),
    ("fetcher", "parse", "Response"),
    ("parse", "assessor", "Page"),
    ("assessor", "visit", ""),
    ("visit", "strategy", ""),
    ("strategy", "frontier", "scores"),
    ("visit", "log", ""),
    ("log", "metrics", ""),
    ("truth", "metrics", ""),
)
WIDTH, HEIGHT, WIDER, HIGHER = 1.15, 0.52, 2.15, 1.0
DARK = "#0b5fa5"


def the_loop(*here: str) -> Axes:
    """Draw the loop; ``here`` names the boxes that the lesson is about."""
    if unknown := [name for name in here if name not in BOXES]:
        raise ValueError(f"no box named {unknown[0]!r} in the loop; try {', '.join(BOXES)}")
    ax = plt.subplots(figsize=(6.6, 3.1))[1]
    for name, (column, row, label) in BOXES.items():
        _box(ax, column * WIDER, row * HIGHER, label, name in here)
    for start, end, label in ARROWS:
        _arrow(ax, start, end, label)
    ax.set(xlim=(-0.8, 2 * WIDER + 0.8), ylim=(-0.4, 2 * HIGHER + 0.4))
    ax.axis("off")
    ax.set_title("Where this lesson is in the crawl loop", loc="left", fontsize=12, fontweight="bold")
    return ax


def _box(ax: Axes, x: float, y: float, label: str, chosen: bool) -> None:
    look: dict[str, Any] = {"facecolor": DARK if chosen else "white", "edgecolor": DARK if chosen else GREY}
    ax.add_patch(Rectangle((x - WIDTH / 2, y - HEIGHT / 2), WIDTH, HEIGHT, linewidth=1.5, **look))
    ink: dict[str, Any] = {"color": "white", "fontweight": "bold"} if chosen else {"color": "0.15"}
    ax.text(x, y, label, ha="center", va="center", fontsize=13, **ink)


def _arrow(ax: Axes, start: str, end: str, label: str) -> None:
    (x, y, _), (to_x, to_y, _) = BOXES[start], BOXES[end]
    across, down = to_x - x, to_y - y
    edge, reach = (WIDTH / 2 + 0.03, HEIGHT / 2 + 0.03)
    begin = (x * WIDER + across * edge, y * HIGHER + down * reach)
    finish = (to_x * WIDER - across * edge, to_y * HIGHER - down * reach)
    ax.annotate("", finish, begin, arrowprops={"arrowstyle": "-|>", "color": GREY, "linewidth": 1.5})
    middle = ((begin[0] + finish[0]) / 2, (begin[1] + finish[1]) / 2)
    aside: dict[str, Any] = (
        {"xytext": (0, 4), "ha": "center"} if across else {"xytext": (6, -4), "ha": "left"}
    )
    ax.annotate(label, middle, textcoords="offset points", fontsize=10, color=GREY, **aside)
