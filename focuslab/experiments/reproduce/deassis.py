"""De Assis et al.: a genre-aware approach to focused crawling."""

from __future__ import annotations

from focuslab.experiments.reproduce.experiment import Experiment, Untested

EXPERIMENTS: tuple[Experiment, ...] = ()
UNTESTED: tuple[Untested, ...] = ()
