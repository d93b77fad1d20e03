"""Many more small signs of a page's genre than the nine, for the web of today."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from focuslab.features.genre import FEATURES, genre_features
from focuslab.types import Page

__all__ = ["RICH_FEATURES", "RichGenreFeatures", "rich_genre_features"]

READ_TEXT, READ_LINKS = 4_000, 8_000
"""Characters of the text, and of the addresses of links, that are searched: enough, and never slow."""


def _signs(**words: str) -> dict[str, tuple[bytes, ...]]:
    """Words by sign; they are found anywhere, so stems do for many languages. ``_`` stands for a space."""
    return {
        sign: tuple(word.replace("_", " ").encode() for word in listed.split())
        for sign, listed in words.items()
    }


ADDRESS = _signs(
    news="news nachricht noticia notizi actualit novosti haber press politi artic artik times zeitung daily"
    " journal tribun gazet post herald story",
    blog="blog wordpress typepad livejournal tumblr diary",
    video="video watch /tv tv. .tv player movie film mediathek stream clip",
    image="photo picture galler image imgres slideshow pics album foto wallpaper",
    service="product shop store login regist account contact about search forum recipe wiki .edu jobs auth"
    " cart",
)
"""What the address and the title of a page are searched for."""
LINKS = _signs(
    tag="/tag/ /tags/ /category/ /label/ /author/ /archive",
    feed="/feed rss atom .xml",
    comment="comment respond reply disqus",
    share="sharer /share intent/tweet pinterest addtoany addthis plusone",
    video="youtu vimeo video /watch dailymotion",
    image="photo galler picture album slideshow .jpg .jpeg .gif .png",
    blog="blogspot wordpress typepad blogger /blog blog.",
    news="news /politi /sport /world /econom /business /opinion /cultur nachricht noticia",
    shop="product cart checkout basket wishlist /shop /store",
    account="login signin sign-in regist account password",
    site="privacy contact about terms impressum faq career jobs",
)
"""What the addresses of links are searched for."""
TEXT = _signs(
    byline="posted_ written_by staff correspondent reporter editor _by_ _von_",
    agency="reuters associated_press _afp dpa bbc police polizei minister president government",
    comment="comment kommentar reply replies trackback pingback コメント комментар leave_a",
    archive="archiv blogroll older_post newer_post previous_post next_post permalink filed_under tagged"
    " kategorie categories powered_by wordpress blogger",
    play="play watch episode trailer duration _views stream subscribe _live player 再生",
    picture="photo picture galler slide wallpaper caption credit foto thumbnail album 写真",
    price="$ € £ ¥ 円 add_to_cart in_stock shipping price buy_now",
    contact="e-mail email phone _tel fax address contact_us copyright all_rights",
    form="password log_in login sign_in sign_up register forgot username search submit",
    self="_i_ _my_ _me_ _i'm _ich_ _mein _mich_ 私",
    reader="_you _we_ _our_ _sie_ _ihre",
    speech="_said _says _told_ _sagte according_to laut_ “ ” „ « »",
)
"""What the text is searched for."""
MONTHS = r"jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]"
DATES = re.compile(
    r"[0-3]?\d[./-][01]?\d[./-](?:19|20)?\d\d\b|(?:19|20)\d\d[-./年] ?[01]?\d[-./月]"
    rf"|[0-3]?\d(?:st|nd|rd|th)?\.? (?:{MONTHS})[a-zä]*\.?,? (?:19|20)\d\d"
    rf"|(?:{MONTHS})[a-z]*\.? [0-3]?\d(?:st|nd|rd|th)?,? (?:19|20)\d\d"
)
TIMES = re.compile(r"\d:[0-5]\d\b")
DATED = re.compile(r"/(?:19|20)\d\d[/-]?(?:[01]\d)?")
FRONT = frozenset(("", "index.html", "index.htm", "index.php"))

SHAPE = (
    "title_length",
    "path_length",
    "path_depth",
    "path_hyphens",
    "path_digits",
    "path_query",
    "path_front",
    "path_dated",
    "links_dated",
    "links_distinct",
    "links_external",
    "links_inside",
    "images_per_link",
    "anchor_share",
    "anchor_mean",
    "anchor_long",
    "anchor_empty",
    "plain_text",
    "plain_per_link",
    "text_dates",
    "text_times",
    "text_stops",
    "text_commas",
)
RICH_FEATURES = (
    *FEATURES,
    *(f"{name}_rate" for name in FEATURES[1:]),
    *SHAPE,
    *(f"url_{sign}" for sign in ADDRESS),
    *(f"title_{sign}" for sign in ADDRESS),
    *(f"links_{sign}" for sign in LINKS),
    *(f"text_{sign}" for sign in TEXT),
)
LONG_ANCHOR = 30


@dataclass(frozen=True, slots=True)
class RichGenreFeatures:
    """The nine features, also per thousand characters; the shape of address, links and text; telling words.

    Everything is read from a Page: what an address looks like (dates, hyphens, words), what the links lead
    to (tags, feeds, comments, players, carts), how anchors and plain text share the page, dates, bylines,
    prices, forms, quotations, and in which person it speaks. Use it with a forest that tries more features
    at each split: ``GenreClassifier(features=rich_genre_features, max_features=8)``.

    Notes
    -----
    All signs are our choice. Words were listed by hand, in a few languages, after a look at some dozen
    addresses of labelled pages, not by counting in them.

    Examples
    --------
    >>> found = rich_genre_features(Page("http://a.example/blog/2024/05/my-trip", "My blog"))
    >>> float(dict(zip(RICH_FEATURES, found))["url_blog"]), len(found) == len(RICH_FEATURES)
    (1.0, True)
    """

    names: ClassVar[tuple[str, ...]] = RICH_FEATURES

    def __call__(self, page: Page) -> np.ndarray:
        """The features of a page, in the order of ``RICH_FEATURES``."""
        nine = genre_features(page).tolist()
        links = max(len(page.links), 1)
        text = page.text[:READ_TEXT].lower()
        addresses = "\n".join([link.url for link in page.links])[:READ_LINKS].lower()
        searched = max(addresses.count("\n") + 1, 1)
        values = [*nine, *[1_000 * count / (len(page.text) + 1) for count in nine[1:]]]
        values += _shape(page, nine[2] / links, text, DATED.findall(addresses), searched)
        values += _counts(page.url.lower(), ADDRESS, 1)
        values += _counts(page.title.lower(), ADDRESS, 1)
        values += _counts(addresses, LINKS, 1 / searched)
        values += _counts(text, TEXT, 1_000 / (len(text) + 1))
        return np.array(values, dtype=np.float64)


def _counts(text: str, signs: Mapping[str, tuple[bytes, ...]], unit: float) -> list[float]:
    """How often the words of each sign occur; as bytes, for that is faster."""
    raw = text.encode("utf-8", "replace")
    return [unit * sum([raw.count(word) for word in words]) for words in signs.values()]


def _shape(page: Page, external: float, text: str, dated: list[str], searched: int) -> list[float]:
    """The values of ``SHAPE``."""
    path = page.url.split("/", 3)[-1] if page.url.count("/") > 2 else ""
    inside = page.url.rstrip("/") + "/"
    links = max(len(page.links), 1)
    anchors = [len(link.anchor) for link in page.links]
    plain = len(page.text) - sum(anchors)
    unit = 1_000 / (len(text) + 1)
    return [
        len(page.title),
        len(path),
        path.count("/"),
        path.count("-"),
        sum([char.isdigit() for char in path]),
        path.count("?"),
        path.lower() in FRONT,
        DATED.search("/" + path) is not None,
        len(dated) / searched,
        len({link.url for link in page.links}) / links,
        external,
        sum([link.url.startswith(inside) for link in page.links]) / links,
        page.images / links,
        sum(anchors) / (len(page.text) + 1),
        sum(anchors) / links,
        sum([length > LONG_ANCHOR for length in anchors]) / links,
        anchors.count(0) / links,
        plain,
        plain / links,
        unit * len(DATES.findall(text)),
        unit * len(TIMES.findall(text)),
        unit * text.count("."),
        unit * text.count(","),
    ]


rich_genre_features = RichGenreFeatures()
