"""The real web, repeatable: Common Crawl and the Wayback Machine as webs with topics, and without truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from focuslab.classifiers.training.topic_file import TopicFile, catalogue, read_topic
from focuslab.fetchers.archives.archived import Archived
from focuslab.fetchers.archives.common_crawl import CommonCrawl
from focuslab.fetchers.archives.named import archive_named
from focuslab.fetchers.archives.wayback import Wayback
from focuslab.pages.parse import parse
from focuslab.types import Example, Response, Topic

__all__ = ["ArchivedWeb", "archived", "common_crawl", "wayback"]

PAGES = 2_500_000_000
"""The size of a monthly crawl, of which nobody needs the last digit."""
SEEDS = 5


def common_crawl(
    crawl: str = "latest", topics: Iterable[str | Path | TopicFile] = (), **options: Any
) -> ArchivedWeb:
    """A crawl of Common Crawl as a web: real pages of today, the same for everybody and for ever.

    Parameters
    ----------
    crawl
        Such as ``CC-MAIN-2026-43``, or ``latest``.
    topics
        Names out of the catalogue, or topic files; the whole catalogue if not given.
    **options
        See `focuslab.fetchers.archives.common_crawl.CommonCrawl`: index, data, server, cache, contact,
        connections and others.

    Examples
    --------
    >>> web = webs.common_crawl("CC-MAIN-2026-43", contact="you@example.org")    # doctest: +SKIP
    >>> web.fetch("https://en.wikipedia.org/wiki/Web_crawler").status            # doctest: +SKIP
    200
    """
    return ArchivedWeb(CommonCrawl(crawl, **options), topics)


def wayback(at: str, topics: Iterable[str | Path | TopicFile] = (), **options: Any) -> ArchivedWeb:
    """The web as it was, by the Wayback Machine: at each address the capture nearest to a time.

    Parameters
    ----------
    at
        ``2015``, ``2015-06`` or ``2015-06-30``.
    topics, **options
        As for `common_crawl`, without ``index`` and ``data``.
    """
    return ArchivedWeb(Wayback(at, **options), topics)


def archived(name: str, topics: Iterable[str | Path | TopicFile] = (), contact: str = "") -> ArchivedWeb:
    """An archive by its name in files and on the command line, such as ``common-crawl:CC-MAIN-2026-43``."""
    return ArchivedWeb(archive_named(name, contact), topics)


class ArchivedWeb:
    """Pages of an archive, and topics that say by example addresses what they are about.

    Nobody knows all relevant pages of the web, so there is no truth: a comparison on it needs
    ``judge="majority"``, or labels of people (`focuslab.experiments.sample`).

    Attributes
    ----------
    archive : Archived
        Its ``counts`` say what it had, its ``service`` what it was asked.
    missing : dict
        Example addresses that brought no page, and why.
    """

    def __init__(self, archive: Archived, topics: Iterable[str | Path | TopicFile] = ()) -> None:
        self.archive, self.name = archive, archive.name
        files = [topic if isinstance(topic, TopicFile) else read_topic(topic) for topic in topics]
        if not files:
            files = [read_topic(name) for name in catalogue()]
        self._topics = {file.topic.name: file for file in files}
        self.missing: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"{self.archive!r}"

    def __len__(self) -> int:
        return PAGES

    def fetch(self, url: str) -> Response:
        """The page as the archive has it."""
        return self.archive.fetch(url)

    def topics(self) -> tuple[str, ...]:
        """Names of the topics, in alphabetical order."""
        return tuple(sorted(self._topics))

    def topic(self, name: str, seed: int = 0) -> Topic:
        """The task as its file says it; seeds other than 0 draw and order the addresses to start from."""
        found = self._known(name).topic
        if not seed:
            return found
        order = np.random.default_rng([seed, self.topics().index(name)]).permutation(len(found.seeds))
        return Topic(
            found.name,
            tuple(found.seeds[place] for place in order[:SEEDS]),
            found.keywords,
            found.genre_terms,
            found.content_terms,
            found.url_terms,
            found.language,
        )

    def examples(self, topic: str, count: int = 400, seed: int = 0) -> Sequence[Example]:
        """Half of the topic's example pages, and as many again that are examples of other topics.

        The other half is what ``seed ^ 1`` gives, so that a judge can be trained on pages that the guide
        never saw. Addresses that the archive lacks are left out, and named in ``missing``.
        """
        named, half = self._known(topic).examples, seed % 2
        rng = np.random.default_rng([seed // 2, self.topics().index(topic)])
        others = [
            url for name in self.topics() if name != topic for url in self._topics[name].examples.relevant
        ]
        good = _half(named.relevant, half, rng)
        bad = _half([*named.irrelevant, *others], half, rng)
        labelled = [(url, True) for url in good[: count // 2]]
        labelled += [(url, False) for url in bad if url not in named.relevant][: max(len(labelled), 2)]
        return [Example(parse(page), relevant) for url, relevant in labelled if (page := self._page(url))]

    def truth(self, topic: str) -> NoReturn:
        """There is none."""
        self._known(topic)
        raise ValueError(
            f"nobody knows all pages about {topic!r} in {self.name}; "
            "let a majority of classifiers judge (judge='majority'), or label a sample by hand"
        )

    def _page(self, url: str) -> Response | None:
        response = self.fetch(url)
        if response.ok:
            return response
        self.missing[url] = response.error or f"status {response.status}"
        return None

    def _known(self, name: str) -> TopicFile:
        if name not in self._topics:
            raise ValueError(f"no topic named {name!r} in {self.name}; try {', '.join(self.topics()[:3])}")
        return self._topics[name]


def _half(urls: Sequence[str], half: int, rng: np.random.Generator) -> list[str]:
    distinct = list(dict.fromkeys(urls))
    return [distinct[place] for place in rng.permutation(len(distinct))[half::2]]
