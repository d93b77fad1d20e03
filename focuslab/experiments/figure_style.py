"""How every figure looks: readable from the last row, in grey as in colour, its conditions written below."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

__all__ = [
    "BOUNDS",
    "Style",
    "axes_or_new",
    "caption_of",
    "headed",
    "label_ends",
    "styled",
    "styles",
    "write_below",
]

BOUNDS = {"oracle": "oracle", "ideal": "ideal order", "random": "random", "chance": "chance"}
"""Curves that are there for orientation, and what they are called in a figure."""

DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (6, 1.5, 1, 1.5)))
MARKERS = {"o": "●", "s": "■", "^": "▲", "D": "◆", "X": "✖"}
COLORS = (0, 1, 2, 3, 4, 5, 9)
"""Places in seaborn's colour-blind palette; its yellow, pink and grey are too pale for letters."""
GREY = "0.35"
PLACES = (
    "best_first",
    "breadth_first",
    "otie",
    "link_context",
    "shark_search",
    "genre_enhanced",
    "adaptive",
    "naive_bayes",
    "ucrawler",
    "opic",
    "pagerank",
    "genre_aware",
    "svm_guided",
    "fish_search",
    "cosine_best_first",
)
"""Each strategy has its place in the palette, and so one colour and one marker in every figure."""
SHORT = {"bfs": "breadth_first", "genre": "genre_enhanced", "nb": "naive_bayes", "svm": "svm_guided"}
"""What a label may begin with instead of the strategy's name."""

P = ParamSpec("P")
T = TypeVar("T")


class Style(NamedTuple):
    """Colour, dashes and marker of a line: any one of them tells it from its neighbours."""

    color: Any
    linestyle: Any
    marker: str

    def line(self, points: int) -> dict[str, Any]:
        """The keywords of `Axes.plot`, with a few markers on a line of so many points."""
        return {**self._asdict(), "markevery": max(1, points // 8), "markersize": 7, "linewidth": 2.4}


def styled(figure: Callable[P, T]) -> Callable[P, T]:
    """Draw with large letters on a quiet grid, and leave the reader's own settings as they were."""

    @wraps(figure)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> T:
        with sns.axes_style("whitegrid"), sns.plotting_context("talk", font_scale=0.85):
            return figure(*args, **kwargs)

    return drawn


def styles(names: Iterable[str]) -> dict[str, Style]:
    """A style for each name: the same for a strategy in every figure, thin and grey for the bounds.

    A label that begins with a strategy's name (``naive_bayes_100_apart``, ``genre, largest``) is a variant of
    it: its colour and marker with other dashes. Any other name takes the next free place.
    """
    found, used, free = {}, Counter[str](), len(PLACES)
    for name in (name for name in names if name not in BOUNDS):
        known = _strategy_of(name)
        place = PLACES.index(known) if known else free
        found[name] = _look(place, used[known] if known else 0)
        used[known] += 1
        free += not known
    upper, lower = Style(GREY, (0, (8, 3)), ""), Style(GREY, (0, (1, 2)), "")
    return found | {"oracle": upper, "ideal": upper, "random": lower, "chance": lower}


def _strategy_of(label: str) -> str:
    """The strategy that a label begins with, or nothing."""
    plain = re.sub(r"\W+", "_", label.lower())
    whole = [name for name in PLACES if plain.startswith((name, name.replace("_", "")))]
    short = [name for start, name in SHORT.items() if plain.partition("_")[0] == start]
    return max(whole, key=len) if whole else "".join(short)


def _look(place: int, variant: int = 0) -> Style:
    """4 dashes, 5 markers and 7 colours have no common factor: a pair comes back after 20 places."""
    color = sns.color_palette("colorblind")[COLORS[place % len(COLORS)]]
    marker = list(MARKERS)[place % len(MARKERS)]
    return Style(color, DASHES[(place + variant) % len(DASHES)], marker)


def axes_or_new(ax: Axes | None, width: float = 9.0, height: float = 5.0) -> Axes:
    """The axes given, or those of a new figure."""
    if ax is not None:
        return ax
    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def label_ends(ax: Axes, lines: Mapping[str, Line2D], apart: float = 0.085) -> None:
    """Name each line at its right end, outside the data, names moved apart where lines end together."""
    bottom, top = ax.get_ylim()
    wanted = {name: (_last(line)[1] - bottom) / (top - bottom) for name, line in lines.items()}
    for name, height in zip(
        sorted(wanted, key=wanted.__getitem__), _spread(wanted.values(), apart), strict=True
    ):
        end, color = _last(lines[name]), lines[name].get_color()
        leader: dict[str, Any] = {
            "arrowstyle": "-",
            "color": color,
            "linewidth": 1,
            "relpos": (0, 0.5),
            "shrinkA": 2,
            "shrinkB": 2,
        }
        place: dict[str, Any] = {
            "xytext": (1.03, height),
            "textcoords": "axes fraction",
            "va": "center",
            "ha": "left",
        }
        text = f"{MARKERS.get(str(lines[name].get_marker()), '')} {BOUNDS.get(name, name)}".strip()
        ax.annotate(text, end, color=_ink(color), arrowprops=leader, annotation_clip=False, **place)


def _ink(color: Any) -> tuple[float, ...]:
    """A colour dark enough for letters."""
    return tuple(0.75 * part for part in to_rgb(color))


def _last(line: Line2D) -> tuple[float, float]:
    x, y = (np.asarray(values, dtype=float) for values in line.get_data())
    return float(x[-1]), float(y[-1])


def _spread(heights: Iterable[float], apart: float) -> list[float]:
    """The heights in rising order, at least ``apart`` from each other and as near as can be to their own."""
    placed: list[list[float]] = []  # groups of neighbours that had to move, each with its own heights
    for height in sorted(heights):
        placed.append([height])
        while len(placed) > 1 and _foot(placed[-1], apart) < _head(placed[-2], apart) + apart:
            last = placed.pop()
            placed[-1] += last
    return [_foot(group, apart) + i * apart for group in placed for i in range(len(group))]


def _foot(group: list[float], apart: float) -> float:
    return float(np.mean(group)) - apart * (len(group) - 1) / 2


def _head(group: list[float], apart: float) -> float:
    return float(np.mean(group)) + apart * (len(group) - 1) / 2


def write_below(ax: Axes, caption: str) -> None:
    """A caption line under the axes, small and grey."""
    if caption:
        below = ax.xaxis.label.get_fontsize()
        inches = ax.get_window_extent().width / ax.figure.dpi
        width = max(40, int(inches * 12))
        text = "\n".join(textwrap.wrap(caption, width))
        place: dict[str, Any] = {
            "xytext": (0, -4 * below),
            "textcoords": "offset points",
            "va": "top",
            "ha": "left",
        }
        ax.annotate(text, (0, 0), xycoords="axes fraction", fontsize=10, color=GREY, **place)


def headed(drawn: Axes | Figure, title: str, below: str = "") -> Axes | Figure:
    """Say above a figure what there is to see, and below it who judged and by which rules.

    Crawl figures write the lower line themselves; where nothing is judged it says what was counted. What is
    given comes back, so that a call may stand around the figure's own.
    """
    if isinstance(drawn, Axes):
        wide = drawn.get_window_extent().width / drawn.figure.dpi
        drawn.set_title("")  # a name in the middle would lie under it
        drawn.set_title(_lines(title, 7.5 * wide), loc="left", fontsize=15, fontweight="bold", pad=12)
        write_below(drawn, below)
    else:
        wide = drawn.get_figwidth()
        drawn.suptitle(
            _lines(title, 7.5 * wide), x=0.01, ha="left", fontsize=15, fontweight="bold", y=1.0, va="bottom"
        )
        note = "\n".join(textwrap.wrap(below, int(12 * wide)))
        drawn.text(0.01, -0.02, note, fontsize=10, color=GREY, va="top", ha="left")
    return drawn


def _lines(text: str, width: float) -> str:
    return "\n".join(textwrap.wrap(text, max(30, int(width))))


def caption_of(settings: Mapping[str, Any]) -> str:
    """Under what conditions crawls were made: judge, ties, rediscovery, hosts, caps, seeds, budget."""
    parts = [f"Judge: {settings['judge']}"] if settings.get("judge") else []
    rules = {"ties": settings.get("tie"), "rediscovery": settings.get("rediscovery")}
    parts += [f"{name}: {_rule(rule)}" for name, rule in rules.items() if rule]
    if settings.get("hosts_apart"):
        parts.append(f"hosts apart: {_rule(settings['hosts_apart'])}")
    if "host_cap" in settings:
        cap = settings["host_cap"]
        parts.append(f"at most {cap:,} pages a host" if cap else "no cap on pages a host")
    if settings.get("topics"):
        parts.append(_count(len(settings["topics"]), "topic"))
    if settings.get("seeds"):
        parts.append(f"{'seed' if len(settings['seeds']) == 1 else 'seeds'} {_some(settings['seeds'])}")
    parts += [f"budget {settings['budget']:,} pages"] if settings.get("budget") else []
    if "seeds_count" in settings:
        parts.append("seeds count as finds" if settings["seeds_count"] else "seeds are not counted")
    if settings.get("ran_dry"):
        parts.append(f"{settings['ran_dry']} of {settings['crawls']} crawls ran dry before the budget")
    return "; ".join(parts) + "." if parts else ""


def _rule(rules: Any) -> str:
    """One rule if all strategies share it, else the common one and who differs."""
    if not isinstance(rules, Mapping):
        return str(rules)
    values = list(rules.values())
    common = max(dict.fromkeys(values), key=values.count)
    others: dict[Any, list[str]] = {}
    for name, rule in rules.items():
        others.setdefault(rule, []).append(name.replace(",", ""))
    told = [f"{rule} for {', '.join(names)}" for rule, names in others.items() if rule != common]
    return f"{common}, but {' and '.join(told)}" if told else str(common)


def _some(seeds: Iterable[int]) -> str:
    listed = [str(seed) for seed in seeds]
    return ", ".join(listed) if len(listed) <= 5 else f"{listed[0]} … {listed[-1]} ({len(listed)})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
