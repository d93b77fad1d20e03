"""How long one reading of a web takes, how large it is, and how that grows with pages, links and topics.

Prints a JSON line for each size of the built-in web, and a last one: seconds for 42,447 pages, and for 1 M.
What a million pages take is extrapolated from the larger half of the sizes unless ``--pages`` names it.

    python benchmarks/speed/reading.py                    # 5,000 to 42,447 pages
    python benchmarks/speed/reading.py --figures          # links and topics too, and a figure

``user_s`` is processor time of all processes together: trust it where others use the machine too.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from joblib.externals.loky import get_reusable_executor

PAPER = 42_447
SIZES = (5_000, 10_000, 20_000, PAPER)
MIDDLE, LINKS, TOPICS = 10_000, (20, 40, 63, 100), (1, 4, 10, 30)
"""Pages of the web whose links and topics are varied, and how."""
FIGURE = Path(__file__).parent.parent / "figures" / "reading.svg"


def main() -> None:
    """Each size in a process of its own, so that its memory is its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pages", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--links", type=float, default=63.0, help="links a page")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--topics", type=int, default=2, help="topics judged after reading, at least 1")
    parser.add_argument("--figures", action="store_true")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.links, options.jobs, options.topics)))
        return
    table = _measured(options, pages=options.pages)
    per_page = (table["seconds"] / table["pages"]).tail((len(table) + 1) // 2).mean()
    user = (table["user_s"] / table["pages"]).tail((len(table) + 1) // 2).mean()
    if options.figures:
        by_links = _measured(options, links=LINKS)
        draw({"pages": table, "links_a_page": by_links, "topics": _measured(options, topics=TOPICS)})
    print(
        json.dumps(
            {
                "seconds_42447": _at(table, PAPER),
                "million_pages_minutes": round(1e6 * per_page / 60, 1),
                "million_pages_user_minutes": round(1e6 * user / 60, 1),
                "million_pages_gb_on_disk": round((table["gb"] / table["pages"]).iloc[-1] * 1e6, 1),
                "million_measured": bool((table["pages"] >= 1_000_000).any()),
            }
        )
    )


def _at(table: pd.DataFrame, pages: int) -> float | None:
    found = table.loc[table["pages"] == pages, "seconds"]
    return None if found.empty else float(found.iloc[0])


def _measured(
    options: argparse.Namespace,
    pages: Sequence[int] = (MIDDLE,),
    links: Sequence[float] = (),
    topics: Sequence[int] = (),
) -> pd.DataFrame:
    """A row for each, in a process of its own."""
    several = product(pages, links or (options.links,), topics or (options.topics,))
    return pd.DataFrame([_apart(*asked, options.jobs) for asked in several])


def _apart(pages: int, links: float, topics: int, jobs: int) -> dict[str, Any]:
    asked = ["--one", str(pages), "--links", str(links), "--topics", str(topics), "--jobs", str(jobs)]
    said = subprocess.run([sys.executable, __file__, *asked], check=True, capture_output=True, text=True)
    line = said.stdout.splitlines()[-1]
    print(line, flush=True)
    found: dict[str, Any] = json.loads(line)
    return found


def measure(pages: int, links: float, jobs: int, topics: int) -> dict[str, Any]:
    """Read a built-in web and judge its pages and links for some topics."""
    from focuslab import webs
    from focuslab.experiments.compare import default_setup
    from focuslab.graphs.judging import Judged
    from focuslab.graphs.read_web import read

    web = webs.synthetic(pages=pages, links_per_page=links)
    with tempfile.TemporaryDirectory() as folder:
        before, begin = _user(), time.perf_counter()
        reading = read(web, folder, jobs=jobs)
        seconds = time.perf_counter() - begin
        user = _user() - before
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        judged = []
        for topic in web.topics()[:topics]:
            task = default_setup(web, topic, 0)
            start = time.process_time()
            found = Judged.of(reading, task.assessor)
            found.text_scores(task.assessor, "context")
            judged.append(time.process_time() - start)
        return {
            "pages": reading.pages,
            "links": reading.about["links"],
            "links_a_page": round(reading.about["links"] / reading.pages, 1),
            "topics": topics,
            "seconds": round(seconds, 1),
            "user_s": round(user, 1),
            "gb": round(size / 1e9, 3),
            "judge_s": round(sum(judged), 2),
            "judge_topic_s": round(min(judged), 2),
            "peak_gb": round(_peak(), 2),
        }


def _user() -> float:
    """Processor time of this process and of its workers, which are sent home so that they are counted."""
    get_reusable_executor().shutdown(wait=True)
    return time.process_time() + resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def _peak() -> float:
    """The largest process, in GB."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(kind).ru_maxrss for kind in kinds) / 1e6


def draw(tables: dict[str, pd.DataFrame]) -> None:
    """Time and memory against pages, links and topics."""
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "reading"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(10, 5), layout="constrained", sharex="col")
    kinds = {"user_s": ("o-", "reading"), "judge_s": ("s--", "judging")}
    sizes = {"peak_gb": ("o-", "largest process"), "gb": ("s--", "on disk")}
    for column, (along, table) in enumerate(tables.items()):
        for row, (shown, unit) in enumerate(((kinds, "processor seconds"), (sizes, "GB"))):
            axis = axes[row, column]
            for name, (line, label) in shown.items():
                axis.plot(table[along], table[name], line, label=label, color="0.2" if line == "o-" else "C0")
            axis.set(ylabel=unit, ylim=(0, None), xlim=(0, None))
        axes[0, column].set_title(f"against {along.replace('_', ' ')}")
        axes[1, column].set_xlabel(along.replace("_", " "))
    axes[0, 0].legend()
    axes[1, 0].legend()
    FIGURE.parent.mkdir(exist_ok=True)
    figure.savefig(FIGURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
