"""Where a crawl may go: patterns of addresses, domains, and languages of pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from focuslab.pages.directives import directives
from focuslab.pages.urls import host
from focuslab.types import Assessment, Assessor, Page, Proposal, Strategy, Topic, Visit

__all__ = ["InLanguages", "Kept", "Scope", "unscoped"]


@dataclass(frozen=True)
class Scope:
    """What addresses a crawl follows; an empty list asks for nothing.

    Parameters
    ----------
    include, exclude
        Regular expressions, looked for anywhere in an address: one of ``include`` must be there, none of
        ``exclude`` may.
    domains, not_domains
        Names such as ``example.org``, which stands for all its hosts too.

    Examples
    --------
    >>> scope = Scope(domains=("example.org",), exclude=("/print/",))
    >>> scope.allows("http://www.example.org/a"), scope.allows("http://example.org/print/a")
    (True, False)
    >>> scope.allows("http://notexample.org/")
    False
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    not_domains: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for pattern in (*self.include, *self.exclude):
            try:
                re.compile(pattern)
            except re.error as problem:
                raise ValueError(
                    f"{pattern!r} is no regular expression ({problem}); to find it as it is written, put a "
                    rf"backslash before each of .?*+()[]"
                ) from None
        for domain in (*self.domains, *self.not_domains):
            if "/" in domain or not domain.strip("."):
                raise ValueError(f"{domain!r} is no domain; write example.org, without http:// and path")

    def allows(self, url: str) -> bool:
        """Whether the crawl may follow a link to this address."""
        if self.include and not any(re.search(pattern, url) for pattern in self.include):
            return False
        if any(re.search(pattern, url) for pattern in self.exclude):
            return False
        place = host(url)
        if self.domains and not _within(place, self.domains):
            return False
        return not _within(place, self.not_domains)


def _within(place: str, domains: Iterable[str]) -> bool:
    place = place.partition(":")[0]
    names = (domain.lower().strip(".") for domain in domains)
    return any(place == name or place.endswith(f".{name}") for name in names)


class Kept(Strategy):
    """Wrap a strategy: links out of scope, and links or pages that say ``nofollow``, are not proposed.

    The strategy still sees such pages, but none of these links.
    """

    name: ClassVar[str] = "kept"

    def __init__(self, strategy: Strategy, scope: Scope, robots: bool = True, nofollow: bool = True) -> None:
        self.strategy, self.scope, self.robots = strategy, scope, robots
        self.nofollow = nofollow and robots
        """Whether single links are heeded too (``rel="nofollow"``)."""
        self.name = strategy.name  # type: ignore[misc]
        self.frontier = strategy.frontier  # type: ignore[misc]
        self._anywhere = scope == Scope()

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        self.refused_: set[str] = set()
        self._shown: Visit | None = None
        self.strategy.start(topic, rng)

    def seed_score(self, url: str) -> float:
        return self.strategy.seed_score(url)

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        self._shown = self._within_scope(visit)
        return self.strategy.propose(self._shown)

    def revise(self, visit: Visit) -> Iterable[tuple[str, float]]:
        return self.strategy.revise(self._shown or visit)

    def _within_scope(self, visit: Visit) -> Visit:
        links = visit.page.links
        if self.robots and links and "nofollow" in directives(visit.response, visit.page):
            links = ()
        if self.nofollow and any(link.nofollow for link in links):
            links = tuple(link for link in links if not link.nofollow)
        if links and not self._anywhere:
            allowed = {url: self.scope.allows(url) for url in {link.url for link in links}}
            self.refused_.update(url for url, fine in allowed.items() if not fine)
            links = tuple(link for link in links if allowed[link.url])
        return visit if links is visit.page.links else replace(visit, page=replace(visit.page, links=links))


@dataclass
class InLanguages:
    """Wrap an assessor: pages known to be in none of some languages are not relevant."""

    assessor: Assessor
    languages: tuple[str, ...]

    def assess(self, page: Page) -> Assessment:
        """What is wrapped says, if it is asked."""
        if page.language and page.language not in self.languages:
            return Assessment(0.0, False)
        return self.assessor.assess(page)

    def score_text(self, text: str, language: str = "") -> float:
        """What is wrapped says."""
        return self.assessor.score_text(text, language)


def unscoped(seeds: Iterable[str], scope: Scope) -> Iterator[str]:
    """Seeds that the scope itself forbids."""
    return (url for url in seeds if not scope.allows(url))
