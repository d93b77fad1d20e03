"""What reproduces: every table and figure of the papers, as published and as stored in ``results/``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from focuslab.experiments import results
from focuslab.experiments.reproduce import PAPERS, experiments, untested
from focuslab.experiments.reproduce.experiment import Experiment, Scale, stored_name

__all__ = ["Line", "overview"]

NOT_RUN = "not run"


class Line(NamedTuple):
    """One table or figure, or several that one experiment brings."""

    paper: str
    name: str
    """Of the experiment; empty where there is none."""
    shows: str
    published: str
    ours: str
    verdict: str
    why: str
    lesson: str
    how: str
    """Judge, rules, and when and how long it ran."""


def overview(where: Path | None = None) -> list[Line]:
    """All of them, paper by paper; where the paper's scale was not run, what the lesson's brought."""
    lines = []
    for paper in PAPERS:
        lines += [_line(paper, each, where) for each in experiments(paper)]
        lines += [
            Line(paper, "", one.shows, one.published, "", "cannot be tested", one.why, "", "")
            for one in untested(paper)
        ]
    return lines


def _line(paper: str, experiment: Experiment, where: Path | None) -> Line:
    scale = next((scale for scale in _scales() if _is_stored(experiment, scale, where)), None)
    told = (paper, experiment.name, experiment.shows)
    if scale is None:
        why = f"run focuslab reproduce {experiment.name} --scale paper"
        return Line(*told, "", "", NOT_RUN, why, experiment.lesson, "")
    rows = results.read(stored_name(experiment, scale), where)
    finding, about = experiment.finding(rows), rows.attrs
    ran = f"{about['scale']} scale, {about['date']}, {about['seconds']:,} s"
    how = f"Judge: {about['judge']}. Rules: {about['rules']}. {ran}."
    return Line(*told, finding.published, finding.ours, finding.verdict, finding.why, experiment.lesson, how)


def _scales() -> tuple[Scale, Scale]:
    return Scale("paper"), Scale("lesson")


def _is_stored(experiment: Experiment, scale: Scale, where: Path | None) -> bool:
    return stored_name(experiment, scale) in results.names(where)
