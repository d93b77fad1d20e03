"""UCrawler: link and content scores that learn from each other."""

from __future__ import annotations

from focuslab.experiments.reproduce.experiment import Experiment, Untested

EXPERIMENTS: tuple[Experiment, ...] = ()
UNTESTED: tuple[Untested, ...] = ()
