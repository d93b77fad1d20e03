"""How sure a comparison can be: intervals by resampling, a paired test, its correction, mean ranks.

All are free of assumptions about the shape of the values, and repeatable: chance comes in as a seed.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

__all__ = [
    "Interval",
    "Ranking",
    "bootstrap_band",
    "bootstrap_mean",
    "groups",
    "holm",
    "rank",
    "sign_flip_test",
]

EXACT = 14
"""Up to so many pairs all 2^n sign patterns are tried; beyond, a sample of them."""


class Interval(NamedTuple):
    """The two ends; not a number (nan) where a single value cannot tell how much it varies."""

    low: float
    high: float


def bootstrap_mean(values: ArrayLike, level: float = 0.95, draws: int = 10_000, seed: int = 0) -> Interval:
    """Percentile bootstrap interval of a mean, over whatever independent units the values stand for.

    With few units (under ten or so) such intervals are known to be too narrow: read them as a lower bound
    of the doubt.

    References
    ----------
    Efron, B. and Tibshirani, R. J. "An Introduction to the Bootstrap." Chapman & Hall, 1993, chapter 13.

    Examples
    --------
    >>> low, high = bootstrap_mean([0.1, 0.2, 0.3, 0.4])
    >>> low < 0.25 < high
    True
    """
    sample = np.asarray(values, dtype=float)
    if len(sample) < 2:
        return Interval(math.nan, math.nan)
    rows = np.random.default_rng(seed).integers(len(sample), size=(draws, len(sample)))
    tail = (1 - level) / 2
    low, high = np.quantile(sample[rows].mean(axis=1), [tail, 1 - tail])
    return Interval(float(low), float(high))


def bootstrap_band(
    rows: ArrayLike, level: float = 0.95, draws: int = 2_000, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Ends of the bootstrap interval at each point of a mean curve, one row a unit; None for a single row.

    Whole rows are drawn. The band holds at each point by itself, not for the curve as a whole.
    """
    table = np.asarray(rows, dtype=float)
    units, tail = len(table), (1 - level) / 2
    if units < 2:
        return None
    # how often each row is drawn, which is all that a mean needs to know
    counts = np.random.default_rng(seed).multinomial(units, np.full(units, 1 / units), size=draws)
    low, high = np.quantile(counts @ table / units, [tail, 1 - tail], axis=0)
    return low, high


def sign_flip_test(differences: ArrayLike, draws: int = 10_000, seed: int = 0) -> float:
    """Two-sided p-value of paired differences, by flipping their signs.

    If two crawlers were alike, each difference could as well have had the other sign. The p-value is the
    share of sign patterns whose mean is at least as far from 0 as the one seen. It tests the mean that the
    table shows, with its magnitudes; Wilcoxon's test would rank them, drop zeros, and test something else.
    No p-value can fall below 2 / 2^n: five pairs cannot reach 0.05.

    References
    ----------
    Fisher, R. A. "The Design of Experiments." 1935, section 21.
    Smucker, M. D., Allan, J. and Carterette, B. "A comparison of statistical significance tests for
    information retrieval evaluation." CIKM 2007, 623-632. doi:10.1145/1321440.1321528

    Examples
    --------
    >>> sign_flip_test([1, 2, 3])
    0.25
    """
    pairs = np.asarray(differences, dtype=float)
    if len(pairs) < 2:
        return math.nan
    exact = len(pairs) <= EXACT
    sums = np.abs(_signs(len(pairs), draws, seed) @ pairs)
    # a hair less than the sum seen, since the same terms may add up differently in another order
    as_far = int((sums >= abs(pairs.sum()) - 1e-9 * np.abs(pairs).sum()).sum())
    # the pattern that was seen counts among those that were drawn
    return as_far / len(sums) if exact else (as_far + 1) / (len(sums) + 1)


def _signs(pairs: int, draws: int, seed: int) -> NDArray[np.float64]:
    if pairs <= EXACT:
        bits = (np.arange(2**pairs)[:, None] >> np.arange(pairs)) & 1
    else:
        bits = np.random.default_rng(seed).integers(2, size=(draws, pairs))
    return np.asarray(2 * bits - 1, dtype=np.float64)


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """P-values corrected for their number by Holm's step-down rule; nan stays nan and does not count.

    References
    ----------
    Holm, S. "A simple sequentially rejective multiple test procedure." Scandinavian Journal of Statistics
    6(2), 65-70, 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    raw = np.asarray(p_values, dtype=float)
    corrected = np.full(len(raw), math.nan)
    order = [int(place) for place in np.argsort(raw, kind="stable") if not math.isnan(raw[place])]
    if order:
        steps = raw[order] * np.arange(len(order), 0, -1)
        corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


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
