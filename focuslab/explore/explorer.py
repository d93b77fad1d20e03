"""``explore``: crawls of one topic, recorded and set side by side, to step through and to question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from focuslab import strategies as room
from focuslab.crawling.frontier import REDISCOVERIES, TIES
from focuslab.crawling.log import CrawlLog
from focuslab.crawling.loop import Crawl, crawl
from focuslab.experiments.compare import default_setup
from focuslab.experiments.metrics import GUIDE, hits_by
from focuslab.experiments.trials import Library, Remembering, Setup
from focuslab.explore.page_card import MOST_LINKS, MOST_WORDS, card, linked_from
from focuslab.explore.panel import Panel
from focuslab.explore.recording import Queue, Recording, record
from focuslab.explore.scene import scene
from focuslab.explore.still import still_of
from focuslab.explore.what_if import parameters, what_if
from focuslab.types import Truth, Web

__all__ = ["Explorer", "Plan", "explore"]

MOST = 4
"""Crawls side by side: more are too small to see from the last row."""
EMBEDDED = 20, 2
"""Words and links of each page that a page without Python keeps."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which crawls to make of a web."""

    topic: str
    strategies: tuple[str, ...]
    budget: int = 300
    seed: int = 0
    frontier: Mapping[str, Any] = field(default_factory=dict)


class Explorer(Panel):
    """Recorded crawls of one topic; a notebook shows it, `save` writes it as a page.

    Attributes
    ----------
    recordings : tuple of Recording
        The crawls, each with its ``log``.
    truth : Truth or None
        Who is relevant, where that is known.
    """

    kind = "explorer"

    def __init__(
        self,
        recordings: Sequence[Recording],
        truth: Truth | None = None,
        urls: Sequence[str] = (),
        bounds: Mapping[str, Sequence[bool]] | None = None,
        web: Web | None = None,
        plan: Plan | None = None,
        setup: Setup = default_setup,
    ) -> None:
        _check(recordings)
        self.recordings, self.truth, self.bounds = tuple(recordings), truth, dict(bounds or {})
        self._urls, self._web, self._plan, self._setup = urls, web, plan, setup
        self._inward = [linked_from(recording.visits) for recording in self.recordings]
        self.scene = self._scene({})

    def _scene(self, cards: Mapping[str, Any]) -> dict[str, Any]:
        told = scene(self.recordings, urls=self._urls, truth=self.truth, bounds=self.bounds, cards=cards)
        return told | {
            "parameters": [
                parameters(each.strategy) if each.strategy and each.visits else [] for each in self.recordings
            ],
            "choices": self._choices() if self._plan and self._web else None,
        }

    def _choices(self) -> dict[str, Any]:
        assert self._plan is not None
        assert self._web is not None
        asked = self._plan
        return {
            "topics": list(self._web.topics()),
            "strategies": [name for name in room.all_strategies() if name != "oracle"],
            "tie": TIES,
            "rediscovery": REDISCOVERIES,
            "most": MOST,
            "asked": {
                "topic": asked.topic,
                "strategies": list(asked.strategies),
                "budget": asked.budget,
                "seed": asked.seed,
                **{key: asked.frontier.get(key, "") for key in ("tie", "rediscovery", "host_cap")},
            },
        }

    def summary(self) -> str:
        """Topic, judge, what each crawl found, and where they parted."""
        head = f"{self.scene['topic'] or 'crawl'}, judged by {self.scene['judge']}"
        lines = [f"{head}: {len(self.recordings)} crawl{'s' if len(self.recordings) > 1 else ''}"]
        for each in self.recordings:
            hits = hits_by(each.log, self.truth or GUIDE)
            of = f" of {len(self.truth):,} ({hits.sum() / len(self.truth):.2f})" if self.truth else ""
            line = f"{each.name}: {hits.sum()} relevant of {len(each)} pages ({hits.mean():.2f})"
            lines.append(line + (f"; {hits.sum()}{of}" if of else ""))
        if self.scene["apart"]:
            lines.append(f"The crawls part at page {self.scene['apart']}.")
        return "\n".join(lines)

    def still(self) -> bytes:
        """The last step as a PNG."""
        return still_of(self.scene)

    def card(
        self, url: str, crawler: int = 0, most: int = MOST_WORDS, links: int = MOST_LINKS
    ) -> dict[str, Any]:
        """What there is to know of a fetched page."""
        recording = self.recordings[crawler]
        if not recording.visits:
            raise ValueError("only a log is left of this crawl, so the words of its pages are not known")
        visit = next((each for each in recording.visits if url in (each.response.url, each.link.url)), None)
        if visit is None:
            raise KeyError(f"{url} was not fetched in this crawl; log.frame.url lists what was")
        inward = self._inward[crawler].get(url, [])
        return card(visit.page, recording.assessor, inward, most, links)

    def what_if(self, step: int, changes: Mapping[str, Any], crawler: int = 0) -> Queue:
        """The queue after so many steps, had the parameters been others; see `focuslab.explore.what_if`."""
        return what_if(self.recordings[crawler], step, changes)

    def answer(self, ask: str, about: Mapping[str, Any]) -> dict[str, Any]:
        """A page's card, a queue under other parameters, or other crawls."""
        if ask == "card":
            return self.card(self.scene["urls"][int(about["page"])], int(about["crawler"]))
        if ask == "what_if":
            return _plain(self.what_if(int(about["step"]), about["changes"], int(about["crawler"])))
        if ask == "crawl":
            return self._again(about)
        return super().answer(ask, about)

    def _again(self, about: Mapping[str, Any]) -> dict[str, Any]:
        """Crawl anew in place of what is shown."""
        if self._web is None:
            raise ValueError("there is no web here to crawl again; call explore with one")
        rules = {name: about[name] for name in ("tie", "rediscovery", "host_cap") if about.get(name)}
        names = tuple(dict.fromkeys(name for name in about["strategies"] if name))
        plan = Plan(str(about["topic"]), names, int(about["budget"]), int(about["seed"]), rules)
        other = _of_web(self._web, plan, self._setup)
        self.__dict__.update(other.__dict__)
        return {"scene": self.scene}

    def to_html(self) -> str:
        """A page of its own; the words of each page are part of it, cut short."""
        live, self.scene = self.scene, self.portable()
        try:
            return super().to_html()
        finally:
            self.scene = live

    def portable(self) -> dict[str, Any]:
        """The scene for a page without Python: with cards, and without what only Python can answer."""
        cards = {
            visit.page.url: self.card(visit.page.url, number, *EMBEDDED)
            for number, recording in enumerate(self.recordings)
            for visit in recording.visits
        }
        return self._scene(cards) | {"parameters": [[] for _ in self.recordings], "choices": None}

    def save(self, path: str | Path) -> None:
        """Write the page, which works as a plain file with no network."""
        Path(path).write_text(self.to_html(), encoding="utf-8")


def explore(
    source: Web | CrawlLog | Crawl | Sequence[CrawlLog],
    topic: str = "",
    strategies: Sequence[str] = ("best_first",),
    *,
    budget: int = 300,
    seed: int = 0,
    frontier: Mapping[str, Any] | None = None,
    truth: Truth | None = None,
    setup: Setup = default_setup,
) -> Explorer:
    """See crawls go, page by page.

    Parameters
    ----------
    source : Web, CrawlLog, sequence of CrawlLog, or Crawl
        A web is crawled for the ``topic`` with each of the ``strategies``, between random and oracle. A crawl
        that was not begun, in memory or live, is run for ``budget`` pages. Of a log only what it holds is
        shown: no queue, no words.
    topic, strategies, budget, seed, frontier, setup
        What to crawl, as for `focuslab.compare`; seeds are pages like all others here, and count.
    truth : Truth, optional
        The judge of a log or of a crawl; a web has its own.

    Examples
    --------
    >>> explore(web, "baseball", ["best_first", "genre_enhanced"])    # doctest: +SKIP
    """
    if isinstance(source, CrawlLog):
        source = [source]
    if isinstance(source, Crawl):
        return Explorer([record(source, budget, **_made_with(source))], truth)
    if isinstance(source, Sequence) and not hasattr(source, "fetch"):
        return Explorer([Recording(name, log) for name, log in _named(source)], truth)
    return _of_web(source, Plan(topic, tuple(strategies), budget, seed, dict(frontier or {})), setup)  # type: ignore[arg-type]


def _made_with(source: Crawl) -> dict[str, Any]:
    return {"topic": source.topic, "strategy": source.strategy, "assessor": source.assessor}


def _named(logs: Sequence[CrawlLog]) -> list[tuple[str, CrawlLog]]:
    """Logs with the names of their strategies, numbered where these are the same."""
    names = [str(log.settings.get("strategy", "crawl")) for log in logs]
    again = [name if names.count(name) == 1 else f"{name} {place}" for place, name in enumerate(names, 1)]
    return list(zip(again, logs, strict=True))


def _of_web(web: Web, plan: Plan, setup: Setup) -> Explorer:
    if plan.topic not in web.topics():
        raise ValueError(f"no topic named {plan.topic!r}; try {', '.join(web.topics())}")
    if not 1 <= len(plan.strategies) <= MOST:
        raise ValueError(f"{len(plan.strategies)} strategies; give one to {MOST} to see them side by side")
    library, truth = Library(web), web.truth(plan.topic)
    task = setup(web, plan.topic, plan.seed)
    remembering = Remembering(task.assessor)
    task = replace(task, assessor=remembering)

    def run(name: str, **extras: Any) -> Recording:
        told = replace(task, extras={**task.extras, **extras})
        strategy = room.make(name, told)
        how: dict[str, Any] = {"seed": plan.seed, "frontier": plan.frontier, "parse": library.parse}
        visits = crawl(task.topic, library, strategy, remembering, **how)
        return record(visits, plan.budget, name, topic=task.topic, strategy=strategy, assessor=remembering)

    recordings = [run(name) for name in plan.strategies]
    limits = {"oracle": run("oracle", truth=truth), "random": run("random")}
    bounds = {name: hits_by(limit.log, truth).tolist() for name, limit in limits.items()}
    return Explorer(recordings, truth, getattr(web, "urls", ()), bounds, web, plan, setup)


def _check(recordings: Sequence[Recording]) -> None:
    if not 1 <= len(recordings) <= MOST:
        raise ValueError(f"{len(recordings)} crawls; give one to {MOST} to see them side by side")
    for recording in recordings:
        if not len(recording):
            failed = len(recording.log.failures)
            raise ValueError(
                f"the crawl {recording.name!r} fetched no page ({failed} links failed), so there is nothing "
                "to see; log.failures says why"
            )


def _plain(queue: Queue) -> dict[str, Any]:
    rows = [
        {
            "url": each.url,
            "score": each.score if np.isfinite(each.score) else None,
            "terms": dict(each.terms),
            "anchor": each.anchor,
        }
        for each in queue.best
    ]
    return {"best": rows, "sharing": queue.sharing, "waiting": queue.waiting}
