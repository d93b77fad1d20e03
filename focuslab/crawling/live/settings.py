"""All that decides how a live crawl goes, its topic apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self
from urllib.parse import urlsplit

from focuslab.crawling.live.scope import Scope

__all__ = ["Settings"]

BOUNDS = frozenset({"width", "delay", "max_bytes", "warc_size", "patience", "timeouts"})
LIMITS = frozenset({"budget", "max_seconds", "max_requests", "max_failures"})
SCOPE = frozenset({"include", "exclude", "domains", "not_domains", "languages"})
ORDER = SCOPE | {"host_cap", "domain_cap", "max_depth"}
"""Settings that change which link comes next: the record is read first then, in its own order."""
CHANGEABLE = BOUNDS | LIMITS | ORDER | {"contact", "proxy", "allow_private", "since", "cluster"}
"""Settings that may change when a crawl is resumed: they do not change what the record says."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that decides how a live crawl goes, its topic apart.

    Parameters
    ----------
    budget
        Pages to fetch.
    max_seconds, max_requests, max_failures
        Other ends: time of this run, fetches of all kinds, fetches that brought no page; 0: no such end.
        What is in flight then is not waited for; with a width of 1 it is, for nothing else goes on.
    strategy
        Name of a strategy, see `focuslab.strategies`.
    width
        Fetches in flight. With 1, the crawl is a function of its inputs and of what the web answers.
    delay
        Seconds between requests to one host.
    contact
        An e-mail address or a page about your crawl, told to every server.
    robots
        Whether to heed robots.txt, X-Robots-Tag and meta robots.
    nofollow
        Whether to heed ``rel="nofollow"`` too, which speaks of a link and not of robots' right to a page.
    max_bytes
        Most bytes of the record on disk.
    warc_size
        Bytes of a file of the record after which another one is begun.
    page_bytes
        Most bytes of a page, unpacked. Wang et al. keep 10,240.
    host_cap, domain_cap
        Most pages of one host, and of one registered domain; 0: no cap. 300 is what Qian et al. use.
    max_depth
        Most links between a seed and a page.
    patience
        Most seconds a fetch waits for a host that asks to be left alone.
    include, exclude, domains, not_domains
        Where links are followed to, see `focuslab.crawling.live.scope.Scope`.
    languages
        Pages known to be in another language are not relevant.
    near_duplicates
        Whether to keep a page that says nearly the same as one before. If not, it counts as a fetch that
        brought no page, and its links are not followed.
    example_seeds
        Whether the topic's relevant example pages are seeds too.
    browser
        Render pages by a browser: "auto", those that only scripts build; else a regular expression of their
        addresses. Needs the extra ``browser``.
    pdf
        Whether to read documents in PDF, where the extra ``pdf`` is installed.
    pig, w_r
        Of ``genre_enhanced``: a CSV such as ``focuslab survey`` writes, and the weight of relevance.
    timeouts
        Seconds to ``connect``, to ``read`` on, and in ``total``, see `focuslab.fetchers.http.Http`.
    allow_private
        Also ask private, loopback and reserved addresses: for labs.
    proxy
        Address of a proxy; None: as the environment says.
    since
        Folder of an earlier crawl: what has not changed since is not sent again.
    genres
        Files in folders named by genre, to train the genre classifier.
    seed
        Of all chance in the crawl.
    web
        An archive to crawl instead of the live web: ``common-crawl:CC-MAIN-2026-43``, ``wayback:2015-06``;
        see `focuslab.fetchers.archives.named`. No site is asked then, so delay and robots.txt mean nothing.
    cluster
        Address of a Dask scheduler whose workers fetch, parse and judge, see CLUSTER.md.
    """

    budget: int = 1_000
    max_seconds: float = 0
    max_requests: int = 0
    max_failures: int = 0
    strategy: str = "adaptive"
    width: int = 8
    delay: float = 1.0
    contact: str = ""
    robots: bool = True
    nofollow: bool = True
    max_bytes: int = 10_000_000_000
    warc_size: int = 1_000_000_000
    page_bytes: int = 2_000_000
    host_cap: int = 300
    domain_cap: int = 0
    max_depth: int = 50
    patience: float = 20.0
    timeouts: Mapping[str, Any] = field(default_factory=dict)
    allow_private: bool = False
    proxy: str | None = None
    since: str = ""
    genres: tuple[str, ...] = ()
    seed: int = 0
    web: str = ""
    cluster: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    not_domains: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    near_duplicates: bool = True
    example_seeds: bool = True
    browser: str = ""
    pdf: bool = True
    pig: str = ""
    w_r: float = 0.95
    reordered: bool = False
    """Whether the order of links was changed on resuming."""

    def __post_init__(self) -> None:
        for name in ("budget", "width", "max_bytes", "warc_size", "page_bytes"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be 1 or more")
        ends = ("max_seconds", "max_requests", "max_failures")
        for name in ("delay", "host_cap", "domain_cap", "max_depth", "patience", *ends):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be 0 or more")
        if not 0 <= self.w_r <= 1:
            raise ValueError(f"w_r is {self.w_r}; it is a share, so give a number from 0 to 1")
        if urlsplit(self.proxy or "http://a").scheme not in ("http", "https"):
            raise ValueError(f"{self.proxy!r} is no address of a proxy; write http://127.0.0.1:8080")
        self.scope  # noqa: B018 - its patterns and domains are checked

    @property
    def scope(self) -> Scope:
        """Where links are followed to."""
        return Scope(self.include, self.exclude, self.domains, self.not_domains)

    def changed(self, **changes: Any) -> Self:
        """The same with other values where a resumed crawl may have them."""
        fixed = sorted(set(changes) - CHANGEABLE)
        if fixed:
            raise ValueError(
                f"{', '.join(fixed)} cannot change when a crawl is resumed; start another one with --out"
            )
        reorders = any(value != getattr(self, name) for name, value in changes.items() if name in ORDER)
        return replace(self, **changes, reordered=self.reordered or reorders)
