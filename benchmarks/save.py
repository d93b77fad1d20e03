"""Run a benchmark and keep what it prints, or a part of it, as a result that a notebook can read.

``python benchmarks/save.py genre=genre.by_host --judge "the labels" --rules "five folds" -- FILE OPTIONS``
runs the benchmark after ``--``, takes the last line it prints, which is JSON, goes down to the part named
(keys joined by dots; nothing for the whole), and writes ``results/genre.csv`` and ``.json``. Several pairs
keep several tables of one run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from typing import Any

import pandas as pd

from focuslab.experiments import results


def table(found: Any) -> pd.DataFrame:
    """Records as rows; of a dictionary each key becomes a row, a list in it several columns."""
    rows = (
        found if isinstance(found, list) else [{"name": key, **named(value)} for key, value in found.items()]
    )
    return pd.json_normalize([numbered(row) for row in rows])


def named(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {"value": value}


def numbered(row: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in row.items():
        flat |= (
            {f"{key}_{n}": one for n, one in enumerate(value)} if isinstance(value, list) else {key: value}
        )
    return flat


def part(found: Any, path: str) -> Any:
    for key in filter(None, path.split(".")):
        found = found[key]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Run a benchmark and keep what it prints as a result.")
    parser.add_argument("tables", nargs="+", metavar="NAME=part", help="what to keep, and under which name")
    parser.add_argument("--judge", required=True)
    parser.add_argument("--rules", required=True)
    parser.add_argument("--seeds", default="0")
    split = sys.argv.index("--")
    asked, command = parser.parse_args(sys.argv[1:split]), sys.argv[split + 1 :]
    start = time.perf_counter()
    printed = subprocess.run([sys.executable, *command], check=True, stdout=subprocess.PIPE, text=True).stdout
    seconds = time.perf_counter() - start
    found = json.loads(printed.strip().splitlines()[-1])
    how = {"command": " ".join(["python", *command]), "judge": asked.judge, "rules": asked.rules}
    how |= {"seeds": asked.seeds, "seconds": round(seconds), "date": datetime.now(UTC).date().isoformat()}
    for name, _, path in (one.partition("=") for one in asked.tables):
        print(results.write(name, table(part(found, path)), how))


if __name__ == "__main__":
    main()
