"""What a panel shows first, as a picture, for where scripts are off."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from PIL import Image

from focuslab.experiments.figure_style import GREY, headed, label_ends, styled, styles
from focuslab.experiments.plots import confusion_matrix
from focuslab.explore.layout import Map

__all__ = ["still_of", "still_of_confusion", "still_of_weights"]

FOUND = 4
"""Place of the colour of relevant pages in the palette: the fifth, which a race of four leaves free."""


@styled
def still_of(scene: Mapping[str, Any]) -> bytes:
    """A map for each crawler, and their coverage (or finds, where nobody knows the total) below.

    Above stands who found how much, below who judged: the picture is looked at without its cell.
    """
    crawlers = scene["crawlers"]
    figure = plt.figure(figsize=(13, 8.6), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(1.5, 1))  # type: ignore[misc]
    maps = above.subplots(1, len(crawlers), squeeze=False)[0]
    places = Map((), tuple(map(tuple, scene["hosts"]))).places
    for ax in maps:
        ax.axis("off")
    for ax, crawler in zip(maps, crawlers, strict=True):
        _draw_map(ax, scene, crawler, places)
    _draw_curves(below.subplots(), scene)
    headed(figure, _title(scene), _conditions(scene))
    return _png(figure)


def _title(scene: Mapping[str, Any]) -> str:
    finds = {crawler["name"]: int(_flags(crawler["hits"]).sum()) for crawler in scene["crawlers"]}
    told = ", ".join(f"{name} {found}" for name, found in sorted(finds.items(), key=lambda find: -find[1]))
    total = f" of {scene['total']:,}" if scene["total"] else ""
    return f"Relevant pages found{total}: {told}"


def _conditions(scene: Mapping[str, Any]) -> str:
    pages = max(len(crawler["hits"]) for crawler in scene["crawlers"])
    topic = f"Topic: {scene['topic']}. " if scene["topic"] else ""
    return f"{topic}Judge: {scene['judge']}. One set of seeds, which count as finds; budget {pages:,} pages."


def _draw_map(ax: Axes, scene: Mapping[str, Any], crawler: Mapping[str, Any], places: Any) -> None:
    fetched, hit = np.array(crawler["pages"]), _flags(crawler["hits"])
    dot, found = 14_000 / (len(places) + 2_000), scene["palette"][FOUND]

    def dots(pages: Any, size: float, **look: Any) -> None:
        ax.scatter(places[pages, 0], places[pages, 1], s=size * dot, **look)

    dots(slice(None), 1, color="0.88", linewidths=0)
    dots(scene["relevant"] or [], 1, facecolors="none", edgecolors=found, linewidths=0.4)
    dots(fetched[~hit], 3, color="0.3", linewidths=0)
    dots(fetched[hit], 6, color=found, linewidths=0)
    ax.set_title(
        f"{crawler['marker']} {crawler['name']}\n{hit.sum()} relevant of {len(hit)}", color=crawler["color"]
    )
    ax.set_aspect("equal")


def _draw_curves(ax: Axes, scene: Mapping[str, Any]) -> None:
    curves = {crawler["name"]: crawler["hits"] for crawler in scene["crawlers"]} | scene["bounds"]
    looks = styles(crawler["name"] for crawler in scene["crawlers"])
    lines = {}
    for name, hits in curves.items():
        found = np.cumsum(_flags(hits)) / (scene["total"] or 1)
        look = looks[name].line(len(found)) if name in looks else {"color": GREY}
        (lines[name],) = ax.plot(np.arange(1, len(found) + 1), found, **look)
    ax.set(xlabel="pages fetched", ylabel="coverage" if scene["total"] else "relevant to the guide")
    label_ends(ax, lines, apart=0.1)


@styled
def still_of_weights(scene: Mapping[str, Any]) -> bytes:
    """Coverage at the weight beside best-first, and the area for every weight on both halves of the hosts."""
    told, swept = scene["first"], scene["sweep"]
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 4.6), layout="constrained")
    fetched = np.linspace(0, told["pages"], len(told["curve"]))
    _draw_pair(left, fetched, {"best-first": told["base"], f"w_R {told['w_r']:.2f}": told["curve"]})
    left.set(xlabel="pages fetched", ylabel="coverage")
    rising = np.argsort(swept["weights"])
    halves = {"P_IG counted": swept["tuned"], "held out": swept["held_out"]}
    areas = {name: np.array(half)[rising] for name, half in halves.items()}
    _draw_pair(right, np.array(swept["weights"])[rising], areas, 2)
    right.axvline(told["w_r"], color=GREY, linewidth=1.5)
    right.set(xlabel="w_R, weight of relevance", ylabel="area per page")
    asked = f"Graph: {scene['graphs'][0]}. Judge: {scene['judges'][0]}; rediscovery: {scene['rules'][0]}."
    headed(figure, "Every weight is a crawl of the whole web", asked)
    return _png(figure)


def _draw_pair(ax: Axes, x: Any, curves: Mapping[str, Any], first: int = 0) -> None:
    look = zip(sns.color_palette("colorblind")[first:], ((0, (6, 3)), "-"), strict=False)
    lines = {
        name: ax.plot(x, y, color=color, linestyle=dashes, linewidth=2.4)[0]
        for (name, y), (color, dashes) in zip(curves.items(), look, strict=False)
    }
    label_ends(ax, lines, apart=0.1)


@styled
def still_of_confusion(scene: Mapping[str, Any]) -> bytes:
    """The matrix at the usual threshold."""
    labels, rows = scene["labels"], scene["rows"]
    found = [(row["truth"], row["found"]) for row in rows]
    counts = [[found.count((truth, taken)) for taken in labels] for truth in labels]
    ax = confusion_matrix(np.array(counts), labels)
    headed(ax, "Which pages are behind each number?", f"Judge: the labels. {scene['title'].capitalize()}.")
    return _png(ax.figure)


def _flags(bits: str) -> Any:
    return np.array([bit == "1" for bit in bits], dtype=bool)


def _png(figure: Any) -> bytes:
    """The figure in 64 colours, a third of the size of all colours, and as good to the eye."""
    drawn, small = BytesIO(), BytesIO()
    figure.savefig(drawn, format="png", dpi=80, bbox_inches="tight")
    plt.close(figure)
    Image.open(drawn).convert("RGB").quantize(64).save(small, format="png", optimize=True)
    return small.getvalue()
