"""The nine numbers by which Fiol-Roig et al. tell the genre of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from focuslab.pages.urls import host, registered_domain
from focuslab.types import Link, Page

__all__ = ["FEATURES", "GenreFeatures", "genre_features"]

FEATURES = (
    "text_length",
    "internal_links",
    "external_links",
    "video_words",
    "multimedia",
    "image_words",
    "img_tags",
    "blog_words",
    "news_words",
)


def _encoded(*words: str) -> tuple[bytes, ...]:
    return tuple(word.encode() for word in words)


# As bytes: in UTF-8 one word is never found inside another's character, and searching is much faster.
VIDEO = _encoded("video", "動画")
IMAGE = _encoded("image", "写真", "画像")
BLOG = _encoded("blog", "ブログ", "日記")
NEWS = _encoded("news", "ニュース", "新聞")

SITES: dict[str, Callable[[str], str]] = {"registered": registered_domain, "host": str}
"""What stands for the site of a host."""


@dataclass(frozen=True, slots=True)
class GenreFeatures:
    """Counts what a page's genre shows in: text, links, pictures, films and a few telling words.

    Words are counted as substrings of the visible text, whatever their case, because Japanese writes no
    spaces; so "weblog" and "newspaper" count too. Links are counted at every occurrence.

    Parameters
    ----------
    domain_mode : {"registered", "host"}
        What makes a link internal: the same registered domain, or the same host. The paper says "domain"
        only; the registered domain is our choice.

    References
    ----------
    G. Fiol-Roig, M. Miró-Julià, E. Herraiz. Data mining techniques for web page classification.
    PAAMS 2011, 61-68. Japanese words: J. Qian, T. Suebchua, H. Yamana.
    Enhancing focused crawler through genre detection.

    Examples
    --------
    >>> genre_features(Page("http://a.example/", text="Weblog: no video, two videos", images=2)).astype(int)
    array([28,  0,  0,  2,  0,  0,  2,  1,  0])
    """

    domain_mode: str = "registered"
    names: ClassVar[tuple[str, ...]] = FEATURES

    def __post_init__(self) -> None:
        if self.domain_mode not in SITES:
            raise ValueError(f"no domain mode named {self.domain_mode!r}; try {', '.join(SITES)}")

    def __call__(self, page: Page) -> np.ndarray:
        """The nine features of a page, in the order of ``FEATURES``."""
        text = page.text.encode("utf-8", "surrogatepass").lower()
        links = [link for link in page.links if not link.embedded]  # a[href] and area[href] only
        internal = self._internal(page.url, links)
        return np.array(
            (
                len(page.text),
                internal,
                len(links) - internal,
                _count(text, VIDEO),
                page.multimedia,
                _count(text, IMAGE),
                page.images,
                _count(text, BLOG),
                _count(text, NEWS),
            ),
            dtype=np.float64,
        )

    def _internal(self, url: str, links: Sequence[Link]) -> int:
        """Links to the page's own site; each distinct address is looked up once, as most repeat."""
        site = SITES[self.domain_mode]
        home = site(host(url))
        # Links are canonical, so the part between "//" and the next "/" needs no URL parser.
        places = Counter([link.url.split("/", 3)[2] for link in links])
        return sum([times for place, times in places.items() if site(_host(place)) == home])


def _host(place: str) -> str:
    """Host name of "name" or "name:port"."""
    return host(f"http://{place}/") if ":" in place else place


def _count(text: bytes, words: tuple[bytes, ...]) -> int:
    return sum([text.count(word) for word in words])


genre_features = GenreFeatures()
