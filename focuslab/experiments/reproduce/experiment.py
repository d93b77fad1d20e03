"""What a published experiment is here: parts that run apart, and a verdict on what came of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import pandas as pd
from tqdm import tqdm

from focuslab.experiments import results
from focuslab.experiments.reproduce import _ground
from focuslab.graphs.spread import Workers, spread

__all__ = ["VERDICTS", "Experiment", "Finding", "Part", "Scale", "Untested", "reproduce", "stored_name"]

VERDICTS = ("reproduces", "order only", "contradicts", "cannot be tested")
Part = Mapping[str, Any]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Scale:
    """How large: as in a lesson, in seconds, or as in the paper."""

    name: Literal["lesson", "paper"] = "lesson"

    def __post_init__(self) -> None:
        if self.name not in ("lesson", "paper"):
            raise ValueError(f"no scale named {self.name!r}; try lesson, paper")

    def pick(self, lesson: Value, paper: Value) -> Value:
        """One of two values, by scale."""
        return lesson if self.name == "lesson" else paper


class Finding(NamedTuple):
    """What was published, what came out here, and how the two compare."""

    published: str
    ours: str
    verdict: str
    why: str


class Untested(NamedTuple):
    """A table or figure that no experiment brings."""

    shows: str
    published: str
    why: str


def none(scale: Scale) -> Sequence[Part]:
    """No webs, or no parts: for an experiment that needs none."""
    return ()


@dataclass(frozen=True, slots=True)
class Experiment:
    """A table or figure of a paper.

    Attributes
    ----------
    name : str
        ``<paper>/<table or figure>``; its results are stored under it.
    shows : str
        What the paper's table or figure shows.
    judge, rules : str
        Who calls pages relevant; ties, rediscovery, caps, seeds, and what else a caption must say.
    lesson : str
        The notebook that discusses it.
    parts : callable
        The parts of a scale, as keyword arguments of ``run``; they become the first columns of the rows.
    run : callable
        (scale, **part) -> rows of one part. It depends on its arguments only, so any part can be checked
        alone.
    finding : callable
        Rows of all parts -> the verdict.
    webs : callable
        The built-in webs of a scale that are read as a whole, as arguments of `_ground.reading`; they are
        read once, by all cores, before the parts run.
    """

    name: str
    shows: str
    judge: str
    rules: str
    lesson: str
    parts: Callable[[Scale], Sequence[Part]]
    run: Callable[..., pd.DataFrame]
    finding: Callable[[pd.DataFrame], Finding]
    webs: Callable[[Scale], Sequence[Part]] = none

    def rows(self, scale: Scale, part: Part) -> pd.DataFrame:
        """What one part brings, with its names in front."""
        frame = self.run(scale, **part)
        for place, (key, value) in enumerate(part.items()):
            frame.insert(place, key, value)
        return frame


class _Job(NamedTuple):
    experiment: Experiment
    scale: Scale
    shelf: Path


def stored_name(experiment: Experiment, scale: Scale) -> str:
    """The name of its results: those of the paper's scale go by the name of the experiment."""
    return experiment.name if scale.name == "paper" else f"{scale.name}/{experiment.name}"


def reproduce(
    chosen: Sequence[Experiment],
    scale: Scale,
    *,
    where: Path | None = None,
    jobs: int | None = None,
    command: str = "focuslab reproduce",
    today: str = "",
) -> Iterator[tuple[Experiment, pd.DataFrame, float]]:
    """Run experiments one after another, their parts on all cores, and store what comes out.

    Yields
    ------
    experiment, rows, seconds
        As each is done; one that is stored is not lost if a later one fails. One without parts, as where
        its data are not on this machine, is passed over.
    """
    todo = [(one, list(one.parts(scale))) for one in chosen]
    bar = tqdm(total=sum(len(parts) for _, parts in todo), unit="part", leave=False)
    with bar, _ground.shelf() as shelf:
        for experiment, parts in filter(itemgetter(1), todo):
            bar.set_description(experiment.name)
            begin, frames = time.perf_counter(), []
            for web in experiment.webs(scale):
                _ground.reading(jobs=jobs, **web)
            for frame in spread(_rows, _Job(experiment, scale, shelf), parts, Workers(jobs)):
                frames.append(frame)
                bar.update()
            rows, seconds = pd.concat(frames, ignore_index=True), time.perf_counter() - begin
            how = {
                "command": command,
                "shows": experiment.shows,
                "judge": experiment.judge,
                "rules": experiment.rules,
                "scale": scale.name,
                "date": today or date.today().isoformat(),
                "seconds": round(seconds),
            }
            results.write(stored_name(experiment, scale), rows, how, where)
            yield experiment, rows, seconds


def _rows(job: _Job, part: Part) -> pd.DataFrame:
    with _ground.shelf(job.shelf):
        return job.experiment.rows(job.scale, part)
