"""The folder of a live crawl: its settings, its record, and what is made of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pandas as pd

from focuslab.classifiers.training.model_file import load_model
from focuslab.classifiers.training.topic_file import Examples, TopicFile
from focuslab.crawling.live.settings import Settings
from focuslab.crawling.loop import Failure
from focuslab.fetchers import warc
from focuslab.types import Topic

__all__ = ["Folder"]

VERSION = 1


class Folder:
    """Where everything of one live crawl is."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.plan = self.path / "crawl.json"
        self.record = self.path / "crawl.warc.gz"
        self.examples = self.path / "examples.warc.gz"
        self.model = self.path / "model.npz"
        self.parts = self.path / "parts"
        self.log = self.path / "log.parquet"
        self.status = self.path / "status.json"
        self.skipped = self.path / "skipped.csv"
        self.report = self.path / "report.html"

    def create(self, topic: TopicFile, settings: Settings) -> None:
        """Write down what the crawl is to do; a folder with anything in it is left alone."""
        if self.plan.exists():
            raise ValueError(
                f"{self.path} holds a crawl already; go on with --resume {self.path}, or give another --out"
            )
        if self.path.is_dir() and any(self.path.iterdir()):
            raise ValueError(f"{self.path} is not empty and no crawl is in it; give another --out")
        self.path.mkdir(parents=True, exist_ok=True)
        self.write_plan(topic, settings)

    def write_plan(self, topic: TopicFile, settings: Settings) -> None:
        """Write down what the crawl is to do, at its start or when it is taken up in another way."""
        plan = {"version": VERSION, **asdict(topic), "settings": asdict(settings)}
        text = json.dumps(plan, indent=1, ensure_ascii=False)
        whole = self.plan.with_suffix(".part")
        whole.write_text(text, encoding="utf-8")
        whole.replace(self.plan)

    def load(self) -> tuple[TopicFile, Settings]:
        """What `create` wrote."""
        try:
            plan = json.loads(self.plan.read_text(encoding="utf-8"))
            topic = Topic(**_tuples(plan["topic"]))
            examples = Examples(**_tuples(plan["examples"]))
            known = {field.name for field in fields(Settings)}
            settings = {name: value for name, value in plan["settings"].items() if name in known}
            return TopicFile(topic, examples, plan.get("threshold")), Settings(**_tuples(settings))
        except FileNotFoundError:
            raise ValueError(
                f"no crawl to resume in {self.path}; name the folder that was given as --out"
            ) from None
        except (ValueError, KeyError, TypeError) as problem:
            raise ValueError(
                f"{self.plan} is damaged ({problem}); its record {self.record} is whole"
            ) from None

    def keep_model(self, file: str | Path) -> None:
        """Copy a model that ``focuslab train`` wrote, so that a resumed crawl judges by the same."""
        load_model(file)
        part = self.model.with_suffix(".part")
        part.write_bytes(Path(file).read_bytes())
        part.replace(self.model)

    def discard(self) -> None:
        """Remove what a crawl without any page has left; one with a page is never touched."""
        if self.record.exists() and any(entry.response.ok for entry in warc.read(self.record)):
            return
        made = [
            self.plan,
            self.record,
            self.examples,
            self.model,
            self.log,
            self.status,
            self.skipped,
            self.report,
        ]
        for path in (*made, *warc.series(self.record)[1:], *self.path.glob("history.sqlite*")):
            path.unlink(missing_ok=True)
        if not any(self.path.iterdir()):
            self.path.rmdir()

    def write_skipped(self, failures: Iterable[Failure]) -> None:
        """The skip log: what was tried and brought no page, and why."""
        rows = [(f.link.url, f.link.source, f.status, f.reason.partition(":")[0], f.reason) for f in failures]
        frame = pd.DataFrame(rows, columns=["url", "source", "status", "reason", "detail"])
        frame.to_csv(self.skipped, index=False, errors="replace")


def _tuples(values: dict[str, Any]) -> dict[str, Any]:
    """JSON knows no tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
