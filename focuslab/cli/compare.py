"""``focuslab compare``: run the comparison that a YAML file describes, or the leaderboard."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focuslab.cli import Subparsers, say

if TYPE_CHECKING:
    from focuslab.experiments.compare import Comparison
    from focuslab.types import Web

OTHER = "other"
"""The label of pages that are no topic's."""


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("compare", help="compare strategies as a YAML file describes it, or all")
    command.add_argument(
        "experiment",
        type=Path,
        nargs="?",
        help="YAML file; experiments/experiment_file.py shows one",
    )
    command.add_argument("--all", action="store_true", help="the leaderboard: every strategy, every topic")
    command.add_argument(
        "--web",
        help="the leaderboard on: synthetic (default), webkb, wikischools, or an archive (.warc.gz …)",
    )
    command.add_argument("--labels", type=Path, help="for an archive: CSV of url,label (what its crawl said)")
    command.add_argument("--pages", type=int, help="with --all: pages of the built-in web (5000)")
    command.add_argument("--topics", type=int, help="with --all: only so many topics (all)")
    command.add_argument("--seeds", type=int, default=1, help="with --all: repeats of each topic (1)")
    command.add_argument("--out", type=Path, default=Path("comparison"), help="folder to write (comparison)")
    command.add_argument("--jobs", type=int, help="processes (all cores)")
    command.add_argument("--cluster", help="address of a Dask scheduler, such as tcp://10.0.0.1:8786")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write runs, curves and summary as Parquet, the settings as JSON, and figures."""
    if bool(options.all or options.web) == (options.experiment is not None):
        raise ValueError("give either a YAML file, or --all or --web for the leaderboard")
    if options.out.is_dir() and any(options.out.iterdir()):
        raise ValueError(f"{options.out} is not empty; choose another --out, or remove it")
    return _run_file(options) if options.experiment else _run_all(options)


def _run_file(options: argparse.Namespace) -> int:
    from focuslab.experiments.compare import Workers, compare
    from focuslab.experiments.experiment_file import (
        COMPARISON,
        read_experiment,
        seeds_of,
        strategies_of,
        web_of,
    )

    told = read_experiment(options.experiment, COMPARISON)
    entrants, web = strategies_of(told.pop("strategies", None)), web_of(told.pop("web", None))
    told["seeds"] = seeds_of(told.get("seeds", 1))
    cap = told.pop("host_cap", None)
    rules = {} if cap is None else {"host_cap": cap}
    found = compare(entrants, web, **told, jobs=Workers(options.jobs, options.cluster), frontier=rules)
    _write(found, options.out)
    shown = found.summary[["metric", "strategy", "mean", "low", "high", "p_holm"]]
    say(shown.round(3).to_string(index=False))
    if "captured" in found.settings:
        share, judge = found.settings["captured"], found.settings["judge"]
        say(f"the archive has {share:.1%} of the addresses that were tried; judged by {judge}")
    say(f"{found.settings['crawls']} crawls; tables and figures are in {options.out}")
    return 0


def _run_all(options: argparse.Namespace) -> int:
    """A folder for each cap on the pages of a site."""
    from focuslab.experiments import plots
    from focuslab.experiments.compare import Workers
    from focuslab.experiments.experiment_file import save_figure
    from focuslab.experiments.leaderboard import CAPS, leaderboard

    web = _web(options)
    topics = [topic for topic in web.topics() if topic != OTHER][: options.topics]
    seeds = range(options.seeds)
    for cap in CAPS:
        found = leaderboard(web, topics, seeds, cap, Workers(options.jobs, options.cluster))
        out = options.out / (f"cap_{cap}" if cap else "no_cap")
        _write(found, out)
        if len(topics) * len(seeds) > 1:
            save_figure(plots.critical_difference(found, "area"), out / "ranks.png")
        say(f"{f'At most {cap} pages' if cap else 'Any number of pages'} of a site:")
        say(found.table().to_string())
    say(f"tables and figures are in {options.out}; * differs from best_first, Holm p < 0.05")
    return 0


def _web(options: argparse.Namespace) -> Web:
    """A web of the lab by name, or an archive by its path."""
    from focuslab import webs
    from focuslab.experiments.experiment_file import web_of

    name = options.web or "synthetic"
    if not Path(name).exists():
        return web_of({"name": name} | ({"pages": options.pages} if options.pages else {}))
    if options.labels:
        return webs.archive(name, options.labels)
    labels, seeds = _as_the_crawl_said(Path(name), options.out)
    say("note: relevant is what the crawl called so; --labels takes the word of a person")
    return webs.archive(name, labels, seeds)


def _as_the_crawl_said(archive: Path, out: Path) -> tuple[Path, tuple[str, ...]]:
    """What the crawl that made an archive said of its pages, as a table of labels, and its seeds."""
    from focuslab.crawling.live.folder import Folder
    from focuslab.crawling.log import CrawlLog

    folder = Folder(archive if archive.is_dir() else archive.parent)
    if not folder.log.exists():
        raise ValueError(
            f"nobody said which pages of {archive} are relevant; give --labels, a CSV of url,label"
        )
    topic = folder.load()[0].topic
    pages = CrawlLog.from_parquet(folder.log).frame
    out.mkdir(parents=True, exist_ok=True)
    labels = pages.relevant.map({True: topic.name, False: OTHER})
    pages[["url"]].assign(label=labels).to_csv(out / "labels.csv", index=False)
    return out / "labels.csv", topic.seeds


def _write(found: Comparison, out: Path) -> None:
    import json

    from focuslab.experiments import plots
    from focuslab.experiments.experiment_file import save_figure

    out.mkdir(parents=True, exist_ok=True)
    for name in ("runs", "curves", "summary"):
        getattr(found, name).to_parquet(out / f"{name}.parquet")
    (out / "settings.json").write_text(json.dumps(found.settings, indent=1))
    save_figure(plots.harvest_curve(found), out / "harvest.png")
    save_figure(plots.bars(found, found.summary["metric"].iloc[0]), out / "bars.png")
