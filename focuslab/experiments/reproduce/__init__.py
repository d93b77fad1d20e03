"""The published experiments, run again: one paper, one file.

``focuslab reproduce`` runs them and `focuslab.experiments.results` keeps what comes out. A paper's file has
``EXPERIMENTS``, in the order of its tables and figures, and ``UNTESTED``, what it shows besides. It may
import what its room may; it must not know how lessons or the report show what came out.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from focuslab.experiments.reproduce.experiment import Experiment, Untested

__all__ = ["PAPERS", "experiments", "untested"]

PAPERS = {
    "qian": "Qian, Suebchua and Yamana: Enhancing focused crawler through genre detection",
    "wang": "Wang, Chen, Zou, Wang and Dai: A focused crawler based on naive Bayes classifier",
    "ucrawler": "Wang and Yu: UCrawler, a learning-based web crawler using a URL knowledge base",
    "deassis": "De Assis, Laender, Gonçalves and da Silva: A genre-aware approach to focused crawling",
    "guan": "Guan, Wang, Chen, Bu and Wang: Guide focused crawler efficiently and effectively using on-line "
    "topical importance estimation",
}


def experiments(paper: str) -> tuple[Experiment, ...]:
    """The experiments of a paper."""
    found: tuple[Experiment, ...] = _module(paper).EXPERIMENTS
    return found


def untested(paper: str) -> tuple[Untested, ...]:
    """Tables and figures of a paper that no experiment brings, and why."""
    found: tuple[Untested, ...] = _module(paper).UNTESTED
    return found


def _module(paper: str) -> Any:
    if paper not in PAPERS:
        raise ValueError(f"no paper named {paper!r}; try {', '.join(PAPERS)}")
    return import_module(f"{__name__}.{paper}")
