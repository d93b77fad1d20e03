"""Crawls of the real web: polite, recorded, and resumable at any moment.

::

    from focuslab import live
    log = live.crawl("topic.yaml", seeds=["http://www.example.com/"], out="crawl", budget=500)
    log.frame.query("relevant")
    log = live.resume("crawl", budget=1000)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from focuslab import strategies
from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.training.model_file import load_model
from focuslab.classifiers.training.topic_file import Examples, TopicFile, read_topic, topic_names
from focuslab.crawling.live.folder import Folder
from focuslab.crawling.live.limits import CTRL_C, SIGTERM
from focuslab.crawling.live.run import Run
from focuslab.crawling.live.settings import Settings
from focuslab.crawling.live.watch import Watch
from focuslab.crawling.log import CrawlLog
from focuslab.fetchers import browser
from focuslab.fetchers.archives.named import settled
from focuslab.fetchers.archives.service import UnreachableError
from focuslab.pages.urls import canonical
from focuslab.types import Assessor, Example, Topic

__all__ = ["CTRL_C", "SIGTERM", "Settings", "crawl", "resume"]

DEFAULT = Settings().strategy
ALL_KNOWING = ("oracle",)
"""Strategies that need the truth."""


def crawl(
    topic: str | Path | TopicFile,
    seeds: Iterable[str] = (),
    out: str | Path = "crawl",
    *,
    assessor: Assessor | str | Path | None = None,
    examples: Iterable[Example] = (),
    watch: Watch | None = None,
    **settings: Any,
) -> CrawlLog:
    """Crawl the web for a topic, and keep everything in a folder.

    Parameters
    ----------
    topic : path, name or TopicFile
        See `focuslab.classifiers.training.topic_file`: example pages or terms say what is wanted.
    seeds : iterable of str
        Where to start, besides the seeds the topic's file names.
    out : path
        The folder of the crawl: its record ``crawl.warc.gz``, ``history.sqlite``, and at the end
        ``log.parquet``, ``skipped.csv`` and ``report.html``.
    assessor, examples
        Judge pages by this instead of what the topic's file names: a model that ``focuslab train`` wrote,
        which is copied into the folder, or any assessor. (To resume, give an assessor again.)
    watch : Watch, optional
        Who is told how it goes; default: a line at a terminal, a curve in a notebook.
    **settings
        See `Settings`: budget, strategy, width, delay, contact and others.

    Returns
    -------
    CrawlLog
        One row per page; ``log.settings["stopped"]`` says why the crawl ended. Ctrl-C ends it cleanly.
    """
    named = _topic(topic, assessor)
    chosen = Settings(**_plain(settings))
    _check_strategy(chosen)
    if chosen.browser:
        browser.check()
    chosen = replace(chosen, web=settled(chosen.web))
    named = replace(named, topic=replace(named.topic, seeds=_seeds(seeds, named, chosen)))
    folder = Folder(out)
    folder.create(named, chosen)
    try:
        judge = _judge(folder, assessor)
        return Run(folder, named, chosen, judge, list(examples), watch or Watch()).run()
    except (ValueError, UnreachableError):
        folder.discard()  # if it holds no page, so that it is free for the next try
        raise


def resume(
    out: str | Path,
    *,
    assessor: Assessor | str | Path | None = None,
    examples: Iterable[Example] = (),
    watch: Watch | None = None,
    **changes: Any,
) -> CrawlLog:
    """Go on with a crawl that was stopped, in whatever way.

    ``changes`` may raise its budget, for example, or change its caps and scope; a model given as ``assessor``
    judges the pages that are there anew. What is there stays: a smaller budget takes nothing away.
    """
    folder = Folder(out)
    topic, before = folder.load()
    settings = before.changed(**_plain(changes))
    if isinstance(assessor, str | Path):
        settings = replace(settings, reordered=True)
    judge = _judge(folder, assessor)
    if settings != before:
        folder.write_plan(topic, settings)
    return Run(folder, topic, settings, judge, list(examples), watch or Watch()).run()


def _plain(settings: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()}


def _topic(topic: str | Path | TopicFile, assessor: Assessor | str | Path | None) -> TopicFile:
    """What is wanted; where a judge is given, the topic need be no more than a name."""
    if isinstance(topic, TopicFile):
        return topic
    if (
        assessor is not None
        and isinstance(topic, str)
        and not Path(topic).suffix
        and topic not in topic_names()
    ):
        return TopicFile(Topic(str(topic)), Examples())
    return read_topic(topic)


def _judge(folder: Folder, given: Assessor | str | Path | None) -> Assessor | None:
    """Who judges pages: what was given, or the model in the crawl's folder; None: what the topic names."""
    if isinstance(given, str | Path):
        folder.keep_model(given)
        given = None
    if given is not None or not folder.model.exists():
        return given
    model = load_model(folder.model)
    if not isinstance(model, Classifiers):
        raise ValueError("the model tells genres only; train one on pages labelled relevant and not")
    return model


def _check_strategy(settings: Settings) -> None:
    known = [name for name in strategies.all_strategies() if name not in ALL_KNOWING]
    if settings.strategy in ALL_KNOWING:
        raise ValueError(
            f"{settings.strategy} knows which pages are relevant before they are fetched, so it cannot crawl "
            f"the web; take {DEFAULT}, or compare with it on a web of the lab"
        )
    if settings.strategy not in known:
        near = get_close_matches(settings.strategy, known, n=1)
        raise ValueError(f"no strategy named {settings.strategy!r}; try {', '.join(near or known)}")
    if settings.pig and settings.strategy != "genre_enhanced":
        raise ValueError(f"--pig is for genre_enhanced, not {settings.strategy}; leave it out")


def _seeds(given: Iterable[str], named: TopicFile, settings: Settings) -> tuple[str, ...]:
    """Where to start: what was given, what the topic names, and its relevant examples on the web."""
    seeds: dict[str, None] = {}
    for written in (*given, *named.topic.seeds):
        url = canonical(written.strip())
        if not url:
            raise ValueError(f"seed {written!r} is no web address; start it with http:// or https://")
        seeds[url] = None
    if settings.example_seeds:
        seeds |= dict.fromkeys(filter(None, map(canonical, named.examples.relevant)))
    inside = tuple(url for url in seeds if settings.scope.allows(url))
    if seeds and not inside:
        raise ValueError(
            f"all {len(seeds)} seeds are out of scope, such as {next(iter(seeds))}; "
            "change --include, --exclude, --domains or --not-domains"
        )
    if not inside:
        raise ValueError(
            "there are no seeds; give --seeds FILE with an address on each line, or seeds: in the topic"
        )
    return inside
