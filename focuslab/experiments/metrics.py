"""What a crawl achieved: pure functions on its hits, one per fetch and in order.

A hit is True where the judge calls the fetched page relevant; ``total`` (K) is how many relevant pages there
are. A number that has no meaning is None, never 0: coverage when there is nothing to find, harvest of an
empty crawl. Who judges is a choice, and `hits_by` is where it is made: the truth, or the guide itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from focuslab.types import Truth

__all__ = [
    "GUIDE",
    "AtThreshold",
    "area",
    "at_thresholds",
    "average",
    "best_f1",
    "chance",
    "coverage",
    "f1",
    "f1_of_counts",
    "harvest",
    "hits_by",
    "hosts",
    "ideal",
    "judge_name",
    "precision_at_k",
    "relative_gain",
    "relevant_against_visited",
    "share_of",
    "share_visited_to_reach",
    "target_recall",
    "visited_per_relevant",
    "visits_to_kth",
]

Floats = NDArray[np.float64]
Judge: TypeAlias = Truth | Callable[[str], bool] | str

GUIDE = "guide"
"""The judge that is the crawler's own classifier: Qian's published numbers are of this kind."""


def hits_by(log: Any, judge: Judge) -> NDArray[np.bool_]:
    """Who judges, page by page.

    Parameters
    ----------
    log
        A CrawlLog, its frame, or the fetched URLs in order.
    judge
        A Truth (or any function of a URL), or `GUIDE`: what the crawler's classifier said at the time, which
        only a log or a frame knows.

    Notes
    -----
    A URL that was reached twice, such as through a redirect, is a hit the first time only (our choice):
    otherwise coverage could pass 1.

    Examples
    --------
    >>> hits_by(["http://a.test/", "http://b.test/"], Truth(frozenset({"http://b.test/"}))).tolist()
    [False, True]
    """
    if isinstance(judge, str) and judge != GUIDE:
        raise ValueError(f"no judge named {judge!r}; give a Truth such as web.truth(topic), or {GUIDE!r}")
    frame = getattr(log, "frame", log)
    urls = list(frame["url"]) if hasattr(frame, "columns") else list(frame)
    found = _guided(frame) if isinstance(judge, str) else [judge(url) for url in urls]
    return np.asarray(found, dtype=bool) & _fresh(urls)


def judge_name(judge: Judge) -> str:
    """How a caption names the judge; a reader must see when the crawler judged itself."""
    if isinstance(judge, str):
        return "the crawler's own classifier" if judge == GUIDE else judge
    return str(getattr(judge, "name", getattr(judge, "__name__", type(judge).__name__)))


def _guided(frame: Any) -> list[bool]:
    if not hasattr(frame, "columns"):
        raise ValueError(
            "bare URLs do not tell what the guide thought of them; give the CrawlLog or its frame"
        )
    return list(frame["relevant"])


def _fresh(names: Iterable[Hashable]) -> NDArray[np.bool_]:
    """True where a name appears for the first time."""
    return ~pd.Series(list(names), dtype=object).duplicated().to_numpy()


def harvest(hits: ArrayLike) -> Floats | None:
    """Relevant pages per page fetched, after each fetch (the precision of UCrawler is the same number).

    >>> harvest([1, 0, 1, 1]).round(2).tolist()
    [1.0, 0.5, 0.67, 0.75]
    """
    found = _found(hits)
    return found / np.arange(1, len(found) + 1) if len(found) else None


def coverage(hits: ArrayLike, total: int) -> Floats | None:
    """Share of all ``total`` relevant pages found, after each fetch.

    >>> coverage([1, 0, 1, 1], 4).tolist()
    [0.25, 0.25, 0.5, 0.75]
    """
    found = _found(hits)
    if total < 0 or (len(found) and found[-1] > total + 1e-9):
        raise ValueError(
            f"total={total} cannot be less than the {found[-1] if len(found) else 0:g} pages found"
        )
    return found / total if total else None


def area(hits: ArrayLike, total: int, method: str = "sum", normalised: bool = False) -> float | None:
    """Area under coverage.

    Parameters
    ----------
    method
        ``"sum"`` adds the coverage after each fetch, as Qian et al. count it; ``"trapezoid"`` joins the
        points by straight lines from (0, 0).
    normalised
        Divide by the number of fetches, which makes crawls of different length comparable.

    Examples
    --------
    >>> round(area([1, 0, 1, 1, 0], 3), 4), round(area([1, 0, 1, 1, 0], 3, "trapezoid"), 4)
    (3.3333, 2.8333)
    """
    if method not in ("sum", "trapezoid"):
        raise ValueError(f"no area method named {method!r}; try sum, trapezoid")
    curve = coverage(hits, total)
    if curve is None or (normalised and not len(curve)):
        return None
    # the trapezoids from (0, 0) hold all but half of the last step
    size = float(curve.sum() - (curve[-1:].sum() / 2 if method == "trapezoid" else 0))
    return size / len(curve) if normalised else size


def target_recall(urls: Iterable[str], targets: Iterable[str]) -> float | None:
    """Share of known targets among the pages fetched: |fetched ∩ targets| / |targets|."""
    wanted = targets.targets if isinstance(targets, Truth) else frozenset(targets)
    return len(wanted.intersection(urls)) / len(wanted) if wanted else None


class AtThreshold(NamedTuple):
    """Quality of the set of visited pages that score at or above a threshold."""

    threshold: float
    precision: float | None
    recall: float | None
    f1: float | None


def at_thresholds(
    scores: ArrayLike, truth: ArrayLike, total: int, thresholds: Iterable[float] | None = None
) -> list[AtThreshold]:
    """Precision, recall and F1 over visited pages, retrieved when ``score >= threshold``.

    Recall is against all ``total`` relevant pages, so what was never visited counts as missed. Without
    ``thresholds`` every distinct score is tried, lowest first.
    """
    values, right = np.asarray(scores, dtype=float), np.asarray(truth, dtype=bool)
    if values.shape != right.shape:
        raise ValueError(f"{len(values)} scores for {len(right)} judged pages; give one score for each page")
    if right.sum() > total:
        raise ValueError(f"total={total} cannot be less than the {right.sum()} relevant pages visited")
    cuts = np.unique(values) if thresholds is None else np.asarray(list(thresholds), dtype=float)
    order = np.argsort(values)
    # tail[i]: relevant pages among those from the i-th lowest score up
    tail = np.concatenate([np.cumsum(right[order][::-1])[::-1], [0]])
    starts = np.searchsorted(values[order], cuts, side="left")
    return [
        _at(float(t), int(tail[i]), len(values) - int(i), total) for t, i in zip(cuts, starts, strict=True)
    ]


def _at(threshold: float, hits: int, retrieved: int, relevant: int) -> AtThreshold:
    precision, recall = share_of(hits, retrieved), share_of(hits, relevant)
    return AtThreshold(threshold, precision, recall, f1_of_counts(hits, retrieved, relevant))


def best_f1(scores: ArrayLike, truth: ArrayLike, total: int) -> AtThreshold | None:
    """The threshold of highest F1, the highest such threshold if several tie (our choice)."""
    rows = [row for row in at_thresholds(scores, truth, total) if row.f1 is not None]
    return max(rows, key=lambda row: (row.f1, row.threshold), default=None)


def f1_of_counts(hits: int, retrieved: int, relevant: int) -> float | None:
    """F1 = 2·tp / (retrieved + relevant), which also holds where precision alone is undefined."""
    return 2 * hits / (retrieved + relevant) if retrieved + relevant else None


def f1(precision: float, recall: float) -> float:
    """Harmonic mean of precision and recall; 0 when both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def relevant_against_visited(hits: ArrayLike) -> tuple[Floats, Floats] | None:
    """Shares (visited, relevant) after each fetch, from (0, 0), of what this crawl had found by its end."""
    found = _found(hits)
    if not len(found) or not found[-1]:
        return None
    return np.linspace(0, 1, len(found) + 1), np.concatenate([[0.0], found / found[-1]])


def share_visited_to_reach(hits: ArrayLike, share: float) -> float | None:
    """Smallest share of the visits that held ``share`` of the relevant pages found by the end.

    >>> share_visited_to_reach([1, 1, 0, 1, 0, 0, 1, 0], 0.9)
    0.875
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share={share} is not in [0, 1]; 0.9 stands for 90 %")
    found = _found(hits)
    if not len(found) or not found[-1]:
        return None
    # the small number: 0.7 of 10 pages are 7, although 0.7 * 10 is a little more in floating point
    return (visits_to_kth(hits, math.ceil(share * found[-1] - 1e-9)) or 0) / len(found)


def visits_to_kth(hits: ArrayLike, k: int) -> int | None:
    """Visits needed for the k-th relevant page; 0 for k=0, None if there are not so many."""
    if k < 0:
        raise ValueError(f"k={k} is negative; count relevant pages from 1")
    places = np.flatnonzero(np.asarray(hits, dtype=bool))
    if k > len(places):
        return None
    return int(places[k - 1]) + 1 if k else 0


def visited_per_relevant(hits: ArrayLike, k: int | None = None) -> float | None:
    """Cost of one relevant page: visits per relevant page, or visits to the k-th one divided by k.

    De Assis et al. do not say which of the two their Table 5 holds, so both are here.
    """
    if k is None:
        found = np.asarray(hits, dtype=bool)
        return share_of(len(found), int(found.sum()))
    visits = visits_to_kth(hits, k)
    return None if visits is None else share_of(visits, k)


def precision_at_k(hits: ArrayLike, k: int) -> float | None:
    """Share of relevant pages among the first k; a crawl that ended earlier missed the rest (our choice)."""
    if k < 1:
        raise ValueError(f"k={k} is not positive; P@k needs at least one page")
    found = np.asarray(hits, dtype=float)
    return float(found[:k].sum()) / k if len(found) else None


def hosts(names: Iterable[Hashable]) -> NDArray[np.int64]:
    """Distinct hosts after each fetch, from the host of each page (the log's column ``host``).

    >>> hosts("aabac").tolist()
    [1, 1, 2, 2, 3]
    """
    return np.cumsum(_fresh(names), dtype=np.int64)


def average(curves: Sequence[ArrayLike | None], short: str = "cut") -> Floats | None:
    """Mean over topics at equal n; undefined curves (None) are left out.

    Parameters
    ----------
    short
        What a curve shorter than others does: ``"cut"`` ends the mean where the shortest ends, so that every
        point averages the same topics; ``"hold"`` keeps its last value, as fits a crawl that ran dry.
    """
    if short not in ("cut", "hold"):
        raise ValueError(f"no way {short!r} to treat short curves; try cut, hold")
    rows = [np.asarray(curve, dtype=float) for curve in curves if curve is not None]
    rows = [row for row in rows if len(row)]
    if not rows:
        return None
    length = (min if short == "cut" else max)(len(row) for row in rows)
    return np.mean([hold(row, length) for row in rows], axis=0)


def hold(curve: Floats, length: int) -> Floats:
    """The curve cut to ``length``, or kept at its last value up to it."""
    return np.concatenate([curve[:length], np.full(max(0, length - len(curve)), curve[-1])])


def ideal(visits: int, total: int) -> NDArray[np.bool_]:
    """Hits of the best order there can be: every relevant page first. No crawl on links need reach it."""
    return np.arange(visits) < total


def chance(visits: int, total: int, pages: int) -> Floats:
    """Expected hits of fetching in random order from all ``pages``: K/N each, good for any curve here."""
    if not 0 <= total <= pages or visits > pages:
        raise ValueError(f"{pages} pages cannot hold {total} relevant ones and be visited {visits} times")
    return np.full(visits, total / pages if pages else 0.0)


def share_of(value: float, whole: float | None) -> float | None:
    """Part of a whole, such as an area as a share of the oracle's; None if there is no whole."""
    return value / whole if whole else None


def relative_gain(value: float, baseline: float) -> float | None:
    """How much better than the baseline, as a share of it.

    >>> round(relative_gain(78.8, 71.8), 6)
    0.097493
    """
    return value / baseline - 1 if baseline else None


def _found(hits: ArrayLike) -> Floats:
    """Relevant pages after each fetch; expected hits (fractions) are as welcome as real ones."""
    steps = np.asarray(hits, dtype=float)
    if steps.ndim != 1:
        raise ValueError(f"hits of shape {steps.shape}; give one True or False for each fetch, in order")
    return np.cumsum(steps)
