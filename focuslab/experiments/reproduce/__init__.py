"""The published experiments, run again: one paper, one file.

``focuslab reproduce`` runs them and `focuslab.experiments.results` keeps what comes out. A paper's file has
``EXPERIMENTS``, in the order of its tables and figures. It may import what its room may; it must not know how
lessons or the report show what came out.
"""

from __future__ import annotations

from importlib import import_module

from focuslab.experiments.reproduce.experiment import Experiment

__all__ = ["PAPERS", "experiments"]

PAPERS = ("qian", "wang", "ucrawler", "deassis", "guan")


def experiments(paper: str) -> tuple[Experiment, ...]:
    """The experiments of a paper."""
    if paper not in PAPERS:
        raise ValueError(f"no paper named {paper!r}; try {', '.join(PAPERS)}")
    found: tuple[Experiment, ...] = import_module(f"{__name__}.{paper}").EXPERIMENTS
    return found
