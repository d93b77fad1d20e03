"""Which strategies differ over many topics: mean ranks, and how far apart they must be."""

from __future__ import annotations

import math
from typing import NamedTuple

import pandas as pd
from scipy import stats

__all__ = ["Ranking", "groups", "rank"]


class Ranking(NamedTuple):
    """Mean ranks over units, 1 for the best, and what is needed to read them."""

    ranks: pd.Series
    """By strategy, best first."""
    units: int
    p: float
    """Of Friedman's test: the chance of ranks so unequal if all strategies were alike."""
    distance: float
    """Nemenyi's critical difference: ranks closer than this are not told apart."""


def rank(runs: pd.DataFrame, metric: str, without: tuple[str, ...] = ("random", "oracle")) -> Ranking:
    """Rank the strategies on every topic by a metric, the larger the better, and average the ranks.

    Parameters
    ----------
    runs : DataFrame
        As in ``Comparison.runs``. The seeds of a topic are averaged first; with a single topic the unit is
        the seed. Units where a strategy has no value are left out.
    without
        Strategies that do not compete: the bounds.

    References
    ----------
    Demšar, J. "Statistical comparisons of classifiers over multiple data sets." Journal of Machine Learning
    Research 7, 1-30, 2006.
    """
    unit = "topic" if runs["topic"].nunique() > 1 else "seed"
    rows = runs[(runs["metric"] == metric) & ~runs["strategy"].isin(without)]
    table = rows.pivot_table("value", unit, "strategy").dropna()
    units, field = table.shape
    if units < 2 or field < 3:
        raise ValueError(
            f"{field} strategies on {units} {unit}s cannot be ranked; give three or more, and two or more"
        )
    ranks = table.rank(axis=1, ascending=False).mean().sort_values(kind="stable")
    p = float(stats.friedmanchisquare(*(table[name] for name in table)).pvalue)
    return Ranking(ranks, units, p, critical_difference(field, units))


def critical_difference(field: int, units: int, level: float = 0.05) -> float:
    """Nemenyi's distance of mean ranks for so many strategies on so many units.

    >>> round(critical_difference(4, 14), 2)  # Demšar, section 3.2.2, has 1.25 with rounded tables
    1.25
    """
    q = stats.studentized_range.ppf(1 - level, field, math.inf) / math.sqrt(2)
    return float(q * math.sqrt(field * (field + 1) / (6 * units)))


def groups(ranking: Ranking) -> list[tuple[str, ...]]:
    """The widest runs of neighbours that are not told apart, best first; a strategy may be in several."""
    names = list(ranking.ranks.index)
    found: list[tuple[str, ...]] = []
    for place, name in enumerate(names):
        near = ranking.ranks.iloc[place:] - ranking.ranks[name] < ranking.distance
        group = tuple(names[place : place + int(near.sum())])
        if len(group) > 1 and not (found and set(group) <= set(found[-1])):
            found.append(group)
    return found
