"""The leaderboard at the scale of the papers: every strategy, 30 topics, 3 sets of seeds, 10,000 fetches.

The built-in web has the 42,447 pages of Qian et al. and 2.7 M links. Reading it, training the classifiers,
tuning the genre-enhanced crawler, all crawls and all tables are included. The last JSON line has ``minutes``
and ``peak_gb``: the largest sizes of this process and of the workers added up; what they share counts twice.

    python benchmarks/speed/paper_scale.py                          # all of it
    python benchmarks/speed/paper_scale.py --topics 2               # a part, to see where time goes
    python benchmarks/speed/paper_scale.py --same --topics 3 --seeds 1   # and by the loop: the same order?

``user_minutes`` is processor time of all processes together: trust it where others use the machine too.
"""

from __future__ import annotations

import argparse
import json
import resource
import time

import pandas as pd
from joblib.externals.loky import get_reusable_executor

from focuslab import webs
from focuslab.experiments.compare import BOUNDS, Comparison, Workers, compare
from focuslab.experiments.leaderboard import METRICS, PreAnalysed, entrants

PAGES, TOPICS, SEEDS, FETCHES = 42_447, 30, 3, 10_000


def main() -> None:
    """Crawl and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--topics", type=int, default=TOPICS)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--fetches", type=int, default=FETCHES)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--same", action="store_true", help="crawl by the loop too, and compare every step")
    options = parser.parse_args()
    begin = time.perf_counter()
    found = run(options, Workers(options.jobs))
    minutes = (time.perf_counter() - begin) / 60
    get_reusable_executor().shutdown(wait=True)  # so that the system counts the workers' time
    result = {
        "pages": options.pages,
        "strategies": int(found.runs["strategy"].nunique()),
        "topics": options.topics,
        "seeds": options.seeds,
        "fetches": options.fetches,
        "crawls": found.settings["crawls"],
        "user_minutes": round(_user() / 60, 2),
        "minutes": round(minutes, 2),
        "peak_gb": round(_peak(options.jobs), 2),
    }
    if options.same:
        result |= {"identical": _same(found, run(options, Workers(options.jobs, kernels=False)))}
    print(json.dumps(result))


def run(options: argparse.Namespace, by: Workers) -> Comparison:
    """The leaderboard with another budget than its own."""
    web = webs.synthetic(pages=options.pages)
    topics, setup = web.topics()[: options.topics], PreAnalysed()
    rules = {"metrics": METRICS, "setup": setup, "jobs": by, "bounds": BOUNDS}
    return compare(entrants(), web, topics, range(options.seeds), options.fetches, **rules)


def _same(one: Comparison, other: Comparison) -> bool:
    """Harvest and coverage at every step kept, and every metric, bit by bit."""
    for table in ("runs", "curves"):
        pd.testing.assert_frame_equal(getattr(one, table), getattr(other, table), check_exact=True)
    return True


def _user() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(kind).ru_utime for kind in kinds)


def _peak(jobs: int) -> float:
    own, largest = (
        resource.getrusage(kind).ru_maxrss for kind in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return (own + jobs * largest * (jobs > 1)) / 1e6


if __name__ == "__main__":
    main()
