"""Names of hosts and addresses of pages: some tell what a page is about, some are only a number."""

from __future__ import annotations

import numpy as np

from focuslab.webs.builtin.hosts import Hosts
from focuslab.webs.builtin.structure import HOME, SECTION, Pages
from focuslab.webs.builtin.vocabulary import Kind, Vocabulary

GENERAL_NAMES = [
    "atlas",
    "harbor",
    "maple",
    "north",
    "river",
    "summit",
    "lantern",
    "meadow",
    "copper",
    "willow",
    "orbit",
    "pioneer",
    "anchor",
    "bridge",
    "cedar",
    "delta",
    "ember",
    "falcon",
    "garnet",
    "hazel",
    "island",
    "juniper",
    "kestrel",
    "lagoon",
    "midori",
    "nagare",
    "otter",
    "pebble",
    "quartz",
    "raven",
    "sakura",
    "tsubame",
    "umber",
    "violet",
    "wander",
    "yuki",
    "zephyr",
    "hinode",
    "komorebi",
    "sora",
]
ENDINGS = ["", "bay", "brook", "dale", "field", "gate", "hill", "moor", "side", "ton", "view", "wood"]
"""A name and an ending make a name that says nothing, and few hosts share it."""
BLOG_PLATFORMS = ("hibi", "pageleaf", "inkwell")
"""Domains on which many blogs live side by side, as on the real web."""
SLUG_WORDS = [
    "index",
    "story",
    "view",
    "item",
    "note",
    "report",
    "topic",
    "part",
    "page",
    "detail",
    "review",
    "list",
    "info",
    "guide",
    "update",
    "misc",
]

# Ways to write an address, by kind of host; {s} is a word or two, {n} the page's number on its host.
PATHS = {
    "news": ("/{s}/{y}/{m:02}/{n}.html", "/articles/{n}", "/{y}{m:02}/{s}-{n}.html"),
    "blog": ("/{y}/{m:02}/{s}-{n}/", "/archives/{n}.html", "/entry-{n}.html"),
    "gallery": ("/gallery/{s}/{n}.html", "/photo/{n}/", "/{s}-{n}.html"),
    "video": ("/watch?v={n}", "/videos/{s}-{n}", "/v/{n}"),
    "shop": ("/products/{s}-{n}.html", "/item/{n}", "/shop?cat={s}&item={n}"),
    "official": ("/{s}/{n}.html", "/page/{n}", "/{y}/{s}-{n}.html"),
    "forum": ("/thread?f={m}&t={n}", "/t/{s}/{n}", "/topic/{n}"),
    "university": ("/courses/{s}-{n}.html", "/~staff{m}/{n}.html", "/{y}/{s}/{n}/"),
    "reference": ("/wiki/{s}_{n}", "/entry/{n}", "/{s}/{n}.html"),
}


def host_names(words: Vocabulary, hosts: Hosts, ending: str, rng: np.random.Generator) -> list[str]:
    """A name of its own for every host, under a reserved ending such as ``.example``."""
    taken: dict[str, int] = {}
    general = [name + ending for name in GENERAL_NAMES for ending in ENDINGS]
    draws = rng.random((len(hosts), 3)).tolist()
    names = []
    for kind, subject, luck in zip(hosts.kind.tolist(), hosts.subject.tolist(), draws, strict=True):
        telling = subject >= 0 and luck[0] < 0.55
        first = _pick(words.subjects[subject].url if telling else general, luck[1])
        name = _host_name(words.kinds[kind], first, luck[2])
        taken[name] = taken.get(name, 0) + 1
        again = str(taken[name]) if taken[name] > 1 else ""
        head, *tail = name.split(".")
        names.append(".".join([head + again, *tail]) + ending)
    return names


def _host_name(kind: Kind, first: str, luck: float) -> str:
    if kind.name == "blog" and luck < 0.35:
        return f"{first}.{_pick(BLOG_PLATFORMS, luck / 0.35)}"
    return f"{first}-{_pick(kind.stems, luck)}"


def page_urls(words: Vocabulary, pages: Pages, names: list[str], rng: np.random.Generator) -> list[str]:
    """The address of every page."""
    size, hosts = len(pages), pages.hosts
    style = rng.choice(3, len(hosts), p=(0.45, 0.3, 0.25))[pages.host]
    telling = (pages.content >= 0) & (rng.random(size) < 0.2 + 0.55 * pages.grade)
    columns = (
        pages.host,
        pages.role,
        hosts.kind[pages.host],
        style,
        np.where(telling, pages.content, -1),
        np.arange(size) - hosts.start[pages.host],
        2004 + (rng.random(size) * 16).astype(int),
        rng.integers(1, 13, size),
        rng.random(size),
    )
    roots = [f"http://{name}" for name in names]
    paths = [PATHS[kind.name] for kind in words.kinds]
    slugs = [_slugs(subject.url) for subject in words.subjects] + [_slugs(SLUG_WORDS)]
    return [
        roots[host]
        + (
            "/"
            if role == HOME
            else _path(paths[kind], role, style, _pick(slugs[about], luck), number, year, month)
        )
        for host, role, kind, style, about, number, year, month, luck in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]


def _path(
    paths: tuple[str, ...], role: int, style: int, slug: str, number: int, year: int, month: int
) -> str:
    if role == SECTION:
        return f"/{slug}/{number}/"
    return paths[style].format(s=slug, n=number, y=year, m=month)


def _slugs(words: tuple[str, ...] | list[str]) -> list[str]:
    """Single words, and pairs of them."""
    return list(words) + [f"{one}-{other}" for one in words[:3] for other in SLUG_WORDS[1:4]]


def _pick(options: tuple[str, ...] | list[str], luck: float) -> str:
    return options[int(luck * len(options))]
