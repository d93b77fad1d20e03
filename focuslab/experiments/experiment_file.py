"""An experiment as a small YAML file, for ``focuslab compare`` and ``focuslab simulate``.

A comparison::

    web: {name: synthetic, pages: 2000, seed: 7}      # or webkb, wikischools; only a name will do
    topics: [baseball, gaming]                        # leave out for all
    strategies:                                       # names, or labels with parameters
      breadth_first:
      half: {name: genre_enhanced, w_r: 0.5}
    seeds: 3                                          # how many, or a list
    budget: 500

The web may be an archive of the real one, on which nobody knows the truth::

    web: {name: "common-crawl:CC-MAIN-2026-43", topics: [astronomy, chess]}
    judge: majority

and, if wanted, ``baseline``, ``metrics``, ``judge`` and ``host_cap`` as `compare` has them.

A simulation of the weight sweep::

    graph: graphs/baseball                            # a folder that graph.save wrote, or web: and topic:
    weights: [1, 0.95, 0.9]                           # leave out for twenty, as in the paper
    sets: 10                                          # of seeds, drawn by lot
    size: 7                                           # seeds in a set
    judge: truth                                      # or guide
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from focuslab import strategies, webs
from focuslab.types import Strategy, Task, Web

__all__ = [
    "COMPARISON",
    "SIMULATION",
    "Made",
    "read_experiment",
    "save_figure",
    "seeds_of",
    "strategies_of",
    "web_of",
]

COMPARISON = frozenset(
    ("web", "topics", "strategies", "seeds", "budget", "baseline", "metrics", "judge", "host_cap")
)
SIMULATION = frozenset(("web", "topic", "graph", "weights", "sets", "size", "judge", "seed"))
WEBS = ("synthetic", "webkb", "wikischools", "archive", "folder", "table")
ARCHIVES = ("common-crawl:", "wayback:")


class Made:
    """A strategy with parameters, to be built for a task; unlike a lambda it can travel."""

    def __init__(self, name: str, parameters: Mapping[str, Any]) -> None:
        self.name, self.parameters = name, dict(parameters)

    def __call__(self, task: Task) -> Strategy:
        return strategies.make(self.name, task, **self.parameters)


def read_experiment(path: Path, allowed: frozenset[str]) -> dict[str, Any]:
    """The fields of an experiment file, all of them known."""
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise ValueError(
            f"{path} is not YAML ({error}); see focuslab.experiments.experiment_file for an example"
        ) from error
    if not isinstance(found, dict):
        raise ValueError(f"{path} holds no fields; begin with web: and strategies:")
    unknown = [str(name) for name in found if name not in allowed]
    if unknown:
        raise ValueError(f"no field named {unknown[0]!r} in {path}; try {', '.join(sorted(allowed))}")
    return found


def web_of(told: Any) -> Web:
    """The web that ``name`` or ``{name: …, option: …}`` stands for; the built-in one if nothing is told."""
    options = {"name": told} if isinstance(told, str) else dict(told or {"name": "synthetic"})
    name = options.pop("name", "")
    if name.startswith(ARCHIVES):
        return webs.archived(name, **options)
    if name not in WEBS:
        raise ValueError(f"no web named {name!r}; try {', '.join((*WEBS, *ARCHIVES))}")
    try:
        web: Web = getattr(webs, name)(**options)
    except TypeError as error:
        raise ValueError(f"the web {name} cannot be made of {options}: {error}") from error
    return web


def strategies_of(told: Any) -> dict[str, str | Made]:
    """Strategies by label, from a list of names or a mapping of labels to parameters."""
    if isinstance(told, list):
        return {str(name): str(name) for name in told}
    if not isinstance(told, dict) or not told:
        raise ValueError("strategies are missing; give a list of names, such as [best_first, otie]")
    return {str(label): _maker(str(label), parameters or {}) for label, parameters in told.items()}


def _maker(label: str, parameters: Any) -> str | Made:
    if not isinstance(parameters, dict):
        raise ValueError(f"strategy {label!r} has {parameters!r}; give parameters, such as {{w_r: 0.5}}")
    rest = {key: value for key, value in parameters.items() if key != "name"}
    name = str(parameters.get("name", label))
    if name not in strategies.all_strategies():
        raise ValueError(f"no strategy named {name!r}; try {', '.join(strategies.all_strategies())}")
    return Made(name, rest) if rest else name


def save_figure(axes: Axes, path: Path) -> None:
    """Write the figure that these axes are part of."""
    figure = axes.figure
    assert isinstance(figure, Figure)
    figure.savefig(path, bbox_inches="tight")


def seeds_of(told: Any) -> tuple[int, ...]:
    """Seeds from how many there are, or from a list."""
    return tuple(range(told)) if isinstance(told, int) else tuple(int(seed) for seed in told)
