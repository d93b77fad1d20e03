"""One function per figure: takes logs, frames or a Comparison, returns matplotlib Axes.

Every crawl curve shows the bounds it lies between, and every crawl figure says below who judged and by which
rules the crawls were made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from focuslab.crawling.log import CrawlLog
from focuslab.experiments import metrics
from focuslab.experiments.compare import Comparison
from focuslab.experiments.figure_style import (
    BOUNDS,
    GREY,
    axes_or_new,
    caption_of,
    headed,
    label_ends,
    styled,
    styles,
    write_below,
)
from focuslab.experiments.loop_figure import the_loop
from focuslab.experiments.significance import bootstrap_band, groups, rank
from focuslab.types import GENRES

if TYPE_CHECKING:
    from focuslab.classifiers.validation import Validation
    from focuslab.experiments.weight_sweep import Repeats, Sweep
    from focuslab.features.pig import PigTable

__all__ = [
    "bars",
    "confusion_matrix",
    "coverage_curve",
    "critical_difference",
    "curves",
    "differences",
    "genre_of_hosts",
    "harvest_curve",
    "headed",
    "log_curves",
    "pig_table",
    "the_loop",
    "web_sketch",
    "weight_sweep",
]

POINTS = 500
HATCHES = ("", "//", "..", "xx", "--", "\\\\", "oo")
TITLES = {
    "harvest": "harvest (relevant / fetched)",
    "coverage": "coverage (found / all relevant)",
    "area": "area under coverage / budget",
    "harvest_1": "harvest after 1 % of the web",
    "harvest_5": "harvest after 5 % of the web",
    "harvest_10": "harvest after 10 % of the web",
    "hosts": "hosts visited",
    "pages": "pages fetched",
    "visited_per_relevant": "pages fetched per relevant page",
    "share_visited_to_90": "share of visits to 90 % of what was found",
}
Logs = Mapping[str, CrawlLog]


def harvest_curve(
    crawls: Comparison | Logs | CrawlLog,
    judge: metrics.Judge | None = None,
    total: int | None = None,
    pages: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Harvest against pages fetched, between its bounds.

    Parameters
    ----------
    crawls
        A Comparison, a log, or logs by name.
    judge, total, pages
        For logs: who judges, how many pages are relevant (a Truth knows) and how many there are; see
        `log_curves`.
    """
    return _crawl_figure(crawls, "harvest", judge, total, pages, ax)


def coverage_curve(
    crawls: Comparison | Logs | CrawlLog,
    judge: metrics.Judge | None = None,
    total: int | None = None,
    pages: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Coverage against pages fetched, between its bounds; the same arguments as `harvest_curve`."""
    return _crawl_figure(crawls, "coverage", judge, total, pages, ax)


def _crawl_figure(
    crawls: Comparison | Logs | CrawlLog,
    value: str,
    judge: metrics.Judge | None,
    total: int | None,
    pages: int | None,
    ax: Axes | None,
) -> Axes:
    if isinstance(crawls, Comparison):
        return curves(crawls.curves, value, caption_of(crawls.settings), ax)
    if judge is None:
        raise ValueError(
            f"who judges? Give judge=web.truth(topic), or judge={metrics.GUIDE!r} for the crawler itself"
        )
    logs = {crawls.settings.get("strategy", "crawl"): crawls} if isinstance(crawls, CrawlLog) else crawls
    frame = log_curves(logs, judge, total, pages)
    if frame[value].isna().all():
        raise ValueError(f"{value} needs the number of relevant pages; give total=, or a Truth as judge")
    return curves(frame, value, caption_of(_settings(logs, judge)), ax)


def log_curves(
    logs: Logs, judge: metrics.Judge, total: int | None = None, pages: int | None = None
) -> pd.DataFrame:
    """Harvest and coverage of logs as a tidy frame, with their bounds.

    The bounds are those of any order of the pages: ``ideal`` (all relevant pages first) where ``total`` is
    known, and ``chance`` (any page as likely as any other) where ``pages`` is known as well. The crawls
    named oracle and random, which must follow links, take their place where they are among the logs.
    """
    if total is None and not isinstance(judge, str) and hasattr(judge, "__len__"):
        total = len(judge)
    hits: dict[str, Any] = {name: metrics.hits_by(log, judge) for name, log in logs.items()}
    longest = max((len(found) for found in hits.values()), default=0)
    if not longest:
        raise ValueError("these crawls fetched nothing, so there is no curve to draw; look at log.failures")
    if total is not None and "oracle" not in hits:
        hits["ideal"] = metrics.ideal(longest, total)
    if total is not None and pages is not None and "random" not in hits:
        hits["chance"] = metrics.chance(min(longest, pages), total, pages)
    return pd.concat([_tidy(name, found, total) for name, found in hits.items()], ignore_index=True)


def _tidy(name: str, hits: Any, total: int | None) -> pd.DataFrame:
    steps = np.unique(np.linspace(1, len(hits), min(POINTS, len(hits))).round().astype(int))
    harvest, coverage = metrics.harvest(hits), None if total is None else metrics.coverage(hits, total)
    values = {
        key: np.nan if c is None else c[steps - 1]
        for key, c in (("harvest", harvest), ("coverage", coverage))
    }
    return pd.DataFrame({"strategy": name, "topic": "", "seed": 0, "step": steps, **values})


def _settings(logs: Logs, judge: metrics.Judge) -> dict[str, Any]:
    said = {name: log.settings for name, log in logs.items() if log.settings}
    rules = {key: {n: s[key] for n, s in said.items() if key in s} for key in ("tie", "rediscovery")}
    return {
        "judge": metrics.judge_name(judge),
        **rules,
        "seeds": tuple(dict.fromkeys(s["seed"] for s in said.values() if "seed" in s)),
        "budget": max(len(log) for log in logs.values()),
    }


@styled
def curves(frame: pd.DataFrame, value: str = "harvest", caption: str = "", ax: Axes | None = None) -> Axes:
    """Mean of ``value`` at each step, a line a strategy, with a 95 % band where there are repeats.

    Parameters
    ----------
    frame : DataFrame
        Columns strategy, topic, seed, step and ``value``, as in ``Comparison.curves``. The band resamples
        topics (their seeds averaged), or seeds where there is a single topic.
    """
    names, lines = frame["strategy"].unique(), {}
    ax, looks = axes_or_new(ax, height=max(5.2, 2.0 + 0.5 * len(names))), styles(names)
    for name, rows in frame.dropna(subset=[value]).groupby("strategy", sort=False):
        unit = "topic" if rows["topic"].nunique() > 1 else "seed"
        table = rows.pivot_table(value, unit, "step").dropna(axis="columns")
        band, look = bootstrap_band(table), looks[str(name)]
        if band is not None and name not in BOUNDS:
            ax.fill_between(table.columns, *band, color=look.color, alpha=0.15, linewidth=0)
            caption = f"{caption} Band: 95 % bootstrap over {unit}s." if "Band:" not in caption else caption
        (lines[str(name)],) = ax.plot(table.columns, table.mean(), **look.line(len(table.columns)))
    ax.set(xlabel="pages fetched", ylabel=TITLES.get(value, value), xlim=(0, frame["step"].max()))
    ax.set_ylim(0, 1.04 * max(np.nanmax(line.get_ydata()) for line in lines.values()) or 1)
    if value in ("harvest", "coverage"):
        ax.yaxis.set_major_formatter(PercentFormatter(1))
    label_ends(ax, lines)
    write_below(ax, caption.strip())
    sns.despine(ax=ax)
    return ax


@styled
def bars(comparison: Comparison, metric: str = "harvest", ax: Axes | None = None) -> Axes:
    """Mean of a metric by strategy with its 95 % interval, best on top, the bounds in grey.

    A star marks a difference to the baseline whose corrected p-value is below 0.05.
    """
    rows = _rows(comparison, metric)
    ax = axes_or_new(ax, height=1.8 + 0.5 * len(rows))
    looks = styles(rows["strategy"])
    fills = ["0.8" if name in BOUNDS else looks[name].color for name in rows["strategy"]]
    ax.barh(rows["strategy"], rows["mean"], color=fills, height=0.65)
    ax.errorbar(
        rows["mean"], rows["strategy"], xerr=_arms(rows, "mean", "low", "high"), fmt="none", **INTERVAL
    )
    ends = rows[["mean", "high"]].max(axis=1).fillna(0)
    for place, (end, mean, p) in enumerate(zip(ends, rows["mean"], rows["p_holm"], strict=True)):
        said = f"{mean:.3g}{' *' if p < 0.05 else ''}"
        ax.annotate(said, (end, place), (6, 0), textcoords="offset points", va="center")
    ax.margins(x=0.18)
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.set(xlabel=TITLES.get(metric, metric), ylabel="")
    _finish(
        ax,
        comparison,
        f"Lines: 95 % bootstrap over {rows['unit'].iloc[0]}s; * differs from {{}}, Holm p < 0.05.",
    )
    return ax


@styled
def differences(comparison: Comparison, metric: str = "harvest", ax: Axes | None = None) -> Axes:
    """Paired difference of each strategy to the baseline with its 95 % interval; bounds are left out."""
    rows = _rows(comparison, metric)
    rows = rows[rows["difference"].notna() & ~rows["strategy"].isin(list(BOUNDS))]
    ax = axes_or_new(ax, height=2.2 + 0.5 * len(rows))
    ax.axvline(0, color=GREY, linewidth=1.5)
    arms = _arms(rows, "difference", "difference_low", "difference_high")
    ax.errorbar(rows["difference"], rows["strategy"], xerr=arms, fmt="none", **INTERVAL)
    _dots(ax, rows["difference"], rows["strategy"])
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.set(xlabel=f"{metric}: difference to {comparison.settings['baseline']}", ylabel="")
    _finish(ax, comparison, f"Lines: 95 % paired bootstrap over {comparison.summary['unit'].iloc[0]}s.")
    return ax


@styled
def critical_difference(comparison: Comparison, metric: str = "area", ax: Axes | None = None) -> Axes:
    """Mean rank of each strategy over topics, 1 for the best; a bar joins those that are not told apart.

    Nemenyi's test at 5 %, after Friedman's (`focuslab.experiments.significance`); the bounds do not compete.
    """
    found = rank(comparison.runs, metric)
    names, joined = list(found.ranks.index), groups(found)
    ax = axes_or_new(ax, 9 + 0.3 * len(joined), 1.8 + 0.42 * len(names))
    _dots(ax, found.ranks, names)
    worst = float(found.ranks.iloc[-1])
    for place, group in enumerate(joined):
        across = worst + 0.4 * (place + 1)
        ends = [names.index(group[0]) - 0.25, names.index(group[-1]) + 0.25]
        ax.plot([across, across], ends, color=GREY, linewidth=5, solid_capstyle="butt")
    ax.set_yticks(range(len(names)), names)
    ax.set(xlabel=f"mean rank by {TITLES.get(metric, metric)}, 1 is best", ylabel="")
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlim(0.5, worst + 0.4 * len(joined) + 0.8)
    ax.set_xticks([1, *range(5, int(worst) + 1, 5)] if worst > 6 else range(1, int(worst) + 1))
    ax.annotate("not told apart", (worst + 0.4, -0.45), color=GREY, fontsize=11)  # the bars are no ranks
    units = comparison.summary["unit"].iloc[0]
    told = f"Bars join ranks closer than {found.distance:.2f} (Nemenyi, 5 %, {found.units} {units}s)."
    _finish(ax, comparison, f"{told} Friedman p = {found.p:.1g}.")
    return ax


def _dots(ax: Axes, values: Iterable[float], names: Iterable[str]) -> None:
    """A marker a row, each strategy's own."""
    looks = styles(names := list(names))
    for place, (value, name) in enumerate(zip(values, names, strict=True)):
        ax.plot(value, place, looks[name].marker, markersize=9, color=looks[name].color)


INTERVAL: dict[str, Any] = {"ecolor": "0.15", "elinewidth": 2, "capsize": 5}


def _rows(comparison: Comparison, metric: str) -> pd.DataFrame:
    rows = comparison.summary[comparison.summary["metric"] == metric]
    if rows.empty:
        raise ValueError(
            f"no metric named {metric!r} here; try {', '.join(comparison.summary['metric'].unique())}"
        )
    return rows.iloc[::-1]  # the last bar is drawn on top


def _arms(rows: pd.DataFrame, middle: str, low: str, high: str) -> np.ndarray:
    """Lengths of the interval's two arms, none where there is no interval."""
    arms = np.array([rows[middle] - rows[low], rows[high] - rows[middle]], dtype=float)
    return np.clip(np.nan_to_num(arms), 0, None)


def _finish(ax: Axes, comparison: Comparison, note: str) -> None:
    ax.grid(visible=False, axis="y")
    sns.despine(ax=ax, left=True)
    write_below(ax, f"{caption_of(comparison.settings)} {note.format(comparison.settings['baseline'])}")


@styled
def confusion_matrix(
    table: Validation | pd.DataFrame | np.ndarray, labels: Sequence[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Counts by true label (rows) and predicted label (columns), shaded by the share of each row."""
    names = labels or getattr(table, "labels", None) or list(getattr(table, "columns", ()))
    counts = np.asarray(getattr(table, "confusion", table))
    with np.errstate(invalid="ignore"):
        shares = np.nan_to_num(counts / counts.sum(axis=1, keepdims=True))
    ax = axes_or_new(ax, max(6.5, 2.5 + 0.9 * len(counts)), max(4.5, 1.8 + 0.75 * len(counts)))
    _shaded(shares, counts, "d", "share of the true label", ax)
    ax.set(xlabel="predicted", ylabel="true")
    ax.set_xticklabels(names or ax.get_xticklabels(), rotation=0)
    ax.set_yticklabels(names or ax.get_yticklabels(), rotation=0)
    return ax


def _shaded(shares: Any, written: Any, how: str, label: str, ax: Axes) -> None:
    """Cells as dark as their share, with what is written in them."""
    bar = {"format": PercentFormatter(1), "label": label}
    sns.heatmap(shares, annot=written, fmt=how, cmap="Blues", vmin=0, vmax=1, ax=ax, cbar_kws=bar)


@styled
def pig_table(table: PigTable | pd.DataFrame, ax: Axes | None = None) -> Axes:
    """P_IG: how often links lead to relevant pages, by the genre and relevance of their source."""
    frame = table if isinstance(table, pd.DataFrame) else table.to_frame()
    genres, sources = frame["genre"].unique(), frame["source"].unique()
    shares = frame.pivot_table("probability", "genre", "source", sort=False).loc[genres, sources]
    ax = axes_or_new(ax, 6.5, 1.6 + 0.6 * len(shares))
    _shaded(shares, True, ".1%", "links to relevant pages", ax)
    ax.set(xlabel="source page", ylabel="genre of the source")
    ax.tick_params(axis="y", rotation=0)
    return ax


@styled
def weight_sweep(sweep: Sweep | Repeats | pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Area under coverage against the weight of relevance w_R, the best one ringed; w_R = 1 is best-first.

    A frame needs the columns weight and area_per_page; rows of equal weight are repeats and give a band.
    """
    frame = sweep if isinstance(sweep, pd.DataFrame) else sweep.frame
    column, color = "area_per_page", styles(["genre_enhanced"])["genre_enhanced"].color
    ax, means = axes_or_new(ax), frame.groupby("weight")[column].mean()
    repeats = frame.assign(repeat=frame.groupby("weight").cumcount()).pivot_table(column, "repeat", "weight")
    band = bootstrap_band(repeats)
    if band is not None:
        ax.fill_between(means.index, *band, color=color, alpha=0.2, linewidth=0)
    ax.plot(means.index, means, "o-", color=color, markersize=6)
    # ties go to the larger weight
    best = max(means.index, key=lambda weight: (means[weight], weight))
    ax.plot(
        best,
        means[best],
        "o",
        markersize=16,
        markerfacecolor="none",
        markeredgecolor="0.1",
        markeredgewidth=2,
    )
    ax.annotate(f"best: {best:g}", (best, means[best]), (0, 16), textcoords="offset points", ha="center")
    if 1.0 in means.index:
        ax.axhline(means[1.0], color=GREY, linestyle=(0, (1, 2)))
        nearest = (means - means[1.0]).abs().rolling(5).min()  # a label is about five weights wide
        start = means.index[max(int(np.nanargmax(nearest)) - 4, 0)] if len(means) > 5 else means.index.min()
        ax.annotate("best-first", (start, means[1.0]), (0, 4), textcoords="offset points", color=GREY)
    ax.margins(y=0.18)
    ax.set(xlabel="weight of relevance $w_R$ (the rest is the genre's)", ylabel="area under coverage / pages")
    note = "" if band is None else f" Band: 95 % bootstrap over {len(repeats)} sets of seeds."
    judge = getattr(sweep, "judge", "")
    write_below(ax, (f"Judge: {metrics.judge_name(judge)}." if judge else "") + note)
    sns.despine(ax=ax)
    return ax


@styled
def genre_of_hosts(frame: pd.DataFrame | CrawlLog, top: int = 12, ax: Axes | None = None) -> Axes:
    """Pages by host and genre for the ``top`` largest hosts: which kind of site a crawl lived on."""
    pages = frame.frame if isinstance(frame, CrawlLog) else frame
    counts = _in_order(pages.groupby(["host", "genre"]).size().unstack(fill_value=0))
    order = counts.sum(axis=1).sort_values(ascending=False, kind="stable").index[:top][::-1]
    ax, left = axes_or_new(ax, height=1.8 + 0.42 * len(order)), np.zeros(len(order))
    for place, genre in enumerate(counts.columns):
        look = {"color": sns.color_palette("colorblind")[place % 10], "hatch": HATCHES[place % len(HATCHES)]}
        ax.barh(order, counts.loc[order, genre], left=left, label=genre or "none", edgecolor="white", **look)
        left += counts.loc[order, genre].to_numpy()
    ax.legend(title="genre", loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    ax.set(xlabel="pages", ylabel="")
    ax.grid(visible=False, axis="y")
    sns.despine(ax=ax, left=True)
    return ax


def _in_order(table: pd.DataFrame) -> pd.DataFrame:
    """Columns in the order that genres have everywhere, unknown ones last."""
    places = {genre: place for place, genre in enumerate(GENRES)}
    return table[sorted(table.columns, key=lambda genre: places.get(str(genre), len(places)))]


@styled
def web_sketch(pages: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """A web at a glance: pages (and hosts) by topic and genre, from a frame with host, genre and topic."""
    groups = pages.groupby(["topic", "genre"])
    counts = _in_order(groups.size().unstack(fill_value=0))
    hosts = _in_order(groups["host"].nunique().unstack(fill_value=0))
    words = counts.map("{:,}".format) + "\n(" + hosts.map("{:,}".format) + ")"
    ax = axes_or_new(ax, 3 + 1.1 * len(counts.columns), 1.6 + 0.8 * len(counts))
    sns.heatmap(
        counts,
        annot=words,
        fmt="",
        cmap="Blues",
        vmin=0,
        ax=ax,
        annot_kws={"fontsize": 11},
        cbar_kws={"label": "pages (hosts)"},
    )
    ax.set(xlabel="genre", ylabel="topic")
    ax.tick_params(axis="y", rotation=0)
    return ax
