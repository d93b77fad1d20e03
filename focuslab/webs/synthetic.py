"""The built-in web: known truth, true links, and HTML written on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from focuslab.features.pig import PigTable
from focuslab.pages.parse import parse
from focuslab.types import GENRES, Example, Response, Topic, Truth
from focuslab.webs.builtin.addresses import host_names, page_urls
from focuslab.webs.builtin.connectivity import connect
from focuslab.webs.builtin.faults import Dirt
from focuslab.webs.builtin.links import draw_links
from focuslab.webs.builtin.lists import gather
from focuslab.webs.builtin.plan import Plan, plan
from focuslab.webs.builtin.quotas import link_classes
from focuslab.webs.builtin.render import Renderer
from focuslab.webs.builtin.structure import Pages, draw_pages
from focuslab.webs.builtin.vocabulary import vocabulary

__all__ = ["DirtyWeb", "SyntheticWeb", "synthetic"]

SMALLEST = 200
SISTER_PAGES = 20_000
JAPANESE_SHARE = 0.45
OTHER_STYLE = 300.0
"""A pair of different styles is as bad as so many words more or fewer."""
Flags = NDArray[np.bool_]


def synthetic(
    pages: int = 5_000,
    seed: int = 7,
    dirt: bool = False,
    links_per_page: float = 0.0,
    *,
    shares: Mapping[str, float] | Sequence[tuple[str, float]] = (),
    lists: bool = False,
    language: str = "",
) -> SyntheticWeb:
    """Build a web: a function of its arguments, on any machine and in any process.

    Parameters
    ----------
    pages : int
        How many; 42,447 is the size of the web of Qian et al., with about 2.7 million links.
    seed : int
        Which web.
    dirt : bool
        With 404s, redirects, copies, traps and the rest; pages, links and truth stay the same.
    links_per_page : float
        Mean number of links; 0 takes the paper's 63 at its size and fewer on smaller webs (our choice).
    shares : mapping, or pairs, optional
        Shares of the web that are relevant to topics, such as ``{"movie": 0.12}``; the other topics shrink or
        grow alike.
    lists : bool
        With a few large hosts, most of them universities, employers and shops, on which syllabi, job offers
        and sale offers are reached by lists (see `focuslab.webs.builtin.lists`). The published tables of
        links then hold no longer.
    language : {"", "en", "ja"}
        The only language in which pages are about a topic; both by default.

    Notes
    -----
    From Qian et al.: the shares of pages relevant to baseball and gaming, and the chance that a link leads
    to one, by relevance and genre of its source (their Tables 2 and 3). All else is our choice: the words,
    the other 28 topics, hosts, languages, layouts, and how much R and genre can be told from a page.

    References
    ----------
    J. Qian, T. Suebchua, H. Yamana. Enhancing focused crawler through genre detection.

    Examples
    --------
    >>> web = synthetic(pages=400)
    >>> seed = web.topic("baseball").seeds[0]
    >>> web.fetch(seed).status, len(web)
    (200, 400)
    """
    if pages < SMALLEST:
        raise ValueError(
            f"a built-in web of {pages} pages is too small for 30 topics; ask for {SMALLEST} or more"
        )
    aim = plan(vocabulary(), pages, links_per_page, dict(shares), lists, language)
    web = _build(aim, seed)
    return DirtyWeb(**vars(web)) if dirt else web


def _build(aim: Plan, seed: int, ending: str = ".example") -> SyntheticWeb:
    words, rng = vocabulary(), np.random.default_rng([seed, aim.pages])
    drawn = draw_pages(words, aim, rng)
    source, klass = link_classes(words, aim, drawn, rng)
    indptr, indices = draw_links(aim, drawn, source, klass, rng)
    if aim.lists:
        indptr, indices = gather(indptr, indices, drawn, rng)
    core = connect(indptr, indices, drawn, rng)
    names = host_names(words, drawn.hosts, ending, rng)
    urls = page_urls(words, drawn, names, rng)
    return SyntheticWeb(seed, drawn, indptr, indices, core, names, urls)


@dataclass(frozen=True, eq=False)
class SyntheticWeb:
    """A web whose truth is known: pages are numbers, and everything about them is in arrays.

    Links of page ``p`` are ``indices[indptr[p]:indptr[p + 1]]``, all distinct and none to itself; a page
    fetched and parsed has the same. HTML is not stored but written when a page is asked for.
    """

    seed: int
    pages: Pages
    """What each page is: class, genre, language, grade, host and so on."""
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    core: Flags
    """Pages from which every other page can be reached."""
    names: list[str]
    """Of the hosts, by number."""
    urls: list[str]
    """Of the pages, by number."""

    def __len__(self) -> int:
        return len(self.urls)

    def fetch(self, url: str) -> Response:
        """A page as HTML; the same bytes whenever it is asked for. Any other address is a 404."""
        page = self._numbers.get(url)
        if page is None:
            return Response(url, 404, error="")
        return Response(url, 200, self._renderer.html(page).encode(), "text/html; charset=utf-8", 0.1)

    def topics(self) -> tuple[str, ...]:
        """Names of the 30 topics."""
        return vocabulary().topics

    def topic(self, name: str, seed: int = 0, count: int = 7) -> Topic:
        """The task, with ``count`` relevant pages as seeds, popular ones more likely; none is hidden."""
        number = self._number(name)
        subject = vocabulary().subjects[number]
        likely = np.flatnonzero((self.pages.klass == number) & self.core & ~self.pages.hidden)
        weight = self.pages.popularity[likely]
        rng = np.random.default_rng([self.seed, 2, number, seed])
        seeds = rng.choice(likely, min(count, len(likely)), replace=False, p=weight / weight.sum())
        return Topic(
            name,
            tuple(self.urls[page] for page in seeds),
            subject.keywords,
            subject.genre_terms,
            subject.content_terms,
            subject.url,
        )

    def truth(self, topic: str) -> Truth:
        """The addresses of all relevant pages."""
        return Truth(frozenset(self.urls[page] for page in np.flatnonzero(self.relevant(topic))))

    def relevant(self, topic: str) -> Flags:
        """Which pages are relevant: about the topic, and of its form where it asks for one."""
        return self.pages.klass == self._number(topic)

    @property
    def genre(self) -> NDArray[np.int8]:
        """Number of the true genre of each page, in the order of ``GENRES``."""
        return self.pages.genre

    @property
    def field(self) -> NDArray[np.int8]:
        """Number of the topic each page is about, whatever its form; -1: none."""
        return self.pages.content

    @property
    def grade(self) -> NDArray[np.float32]:
        """How much each page is about its topic, in (0, 1]; 0 if it has none."""
        return self.pages.grade

    @property
    def host(self) -> NDArray[np.int32]:
        """Number of the host of each page."""
        return self.pages.host

    def url(self, page: int) -> str:
        """Address of a page."""
        return self.urls[page]

    def number(self, url: str) -> int:
        """The page at an address; KeyError if there is none."""
        return self._numbers[url]

    def genre_of(self, url: str) -> str:
        """The true genre of a page, for judging."""
        return GENRES[self.genre[self.number(url)]]

    def form_of(self, url: str) -> str:
        """The form of a page (syllabus, job, sale), whatever it is about; empty: none."""
        form = int(self.pages.form[self.number(url)])
        return list(vocabulary().forms)[form] if form >= 0 else ""

    def true_pig(self, topic: str) -> PigTable:
        """The chance that a link leads to a relevant page, by true relevance and genre of its source."""
        relevant = self.relevant(topic)
        source = np.repeat(np.arange(len(self)), np.diff(self.indptr))
        cell = relevant[source] * 5 + self.genre[source]
        links = np.bincount(cell, minlength=10).reshape(2, 5)
        hits = np.bincount(cell[relevant[self.indices]], minlength=10).reshape(2, 5)
        return PigTable.from_counts(hits, links, source="truth")

    def examples(self, topic: str, count: int = 400, seed: int = 0) -> list[Example]:
        """Labelled pages of a sister web, never of this one; about ``count`` of them, half relevant.

        There are fewer where the sister has too few relevant pages of some language (our choice: it is
        20,000 pages large, or ten times ``count``, and has neither lists nor the shares that were asked for).
        Irrelevant ones are paired with relevant ones by language, style and length.
        """
        number = self._number(topic)
        sister = _sister(self.seed, max(SISTER_PAGES, 10 * count), round(len(self.indices) / len(self), 3))
        rng = np.random.default_rng([self.seed, 3, number, seed])
        chosen = _sample(sister, number, count, rng)
        relevant = sister.pages.klass == number
        return [
            Example(parse(sister.fetch(sister.urls[page])), bool(relevant[page]), GENRES[sister.genre[page]])
            for page in chosen
        ]

    def _number(self, name: str) -> int:
        names = self.topics()
        if name not in names:
            raise ValueError(f"no topic named {name!r}; try {', '.join(names)}")
        return names.index(name)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {url: page for page, url in enumerate(self.urls)}

    @cached_property
    def _renderer(self) -> Renderer:
        return Renderer(
            vocabulary(), self.pages, self.names, self.urls, (self.indptr, self.indices), self.seed
        )


class DirtyWeb(SyntheticWeb):
    """The same pages and the same truth, with the web's dirt around them; see `Dirt` for its kinds.

    A copy of a relevant page under another address is not in the truth: who fetches it has wasted a fetch.
    """

    def fetch(self, url: str) -> Response:
        """A page, dirty or not; what fails is a Response too."""
        return self._dirt.fetch(url)

    @cached_property
    def _dirt(self) -> Dirt:
        return Dirt(self._renderer, self._numbers)


@lru_cache(maxsize=2)
def _sister(seed: int, pages: int, links_per_page: float) -> SyntheticWeb:
    """A web like this one that nobody crawls, to take examples from."""
    return _build(plan(vocabulary(), pages, links_per_page), seed + 1_000_003, ending=".test")


def _sample(web: SyntheticWeb, topic: int, count: int, rng: np.random.Generator) -> list[int]:
    """Relevant pages of all genres, and for each an irrelevant one in the same language and about as long.

    Without such pairs naive Bayes would learn to tell languages, which show in every word, and not topics.
    Of six irrelevant pages one is a near miss and three are about nothing in particular; one page in
    fifty is in a language without relevant pages.
    """
    relevant, tongue = web.pages.klass == topic, np.minimum(web.pages.language, 2)
    near, plain = _near_misses(web, topic), web.pages.content < 0
    plain &= ~near
    rest = ~(near | plain | relevant)
    foreign = rng.permutation(np.flatnonzero(tongue == 2))[: count // 50]
    pairs = (count - len(foreign)) // 2
    chosen = foreign.tolist()
    for language in (1, 0):
        spoken = rng.permutation(np.flatnonzero(tongue == language))
        wanted = round(JAPANESE_SHARE * pairs) if language else pairs - len(chosen[len(foreign) :]) // 2
        likely = _by_turns(web, spoken[relevant[spoken]], wanted)
        chosen += likely.tolist()
        turn = np.arange(len(likely)) % 6
        for share, pool in ((turn == 0, near), (turn % 2 == 1, plain), ((turn == 2) | (turn == 4), rest)):
            others = _by_turns(web, spoken[pool[spoken]], 12 * share.sum())
            chosen += _alike(web, likely[share], others).tolist()
    return [int(page) for page in rng.permutation(chosen)]


def _near_misses(web: SyntheticWeb, topic: int) -> Flags:
    """Irrelevant pages about a kindred topic, or with the content but not the form, or the reverse."""
    subject, pages = vocabulary().subjects[topic], web.pages
    near = np.isin(pages.content, [topic, *subject.overlaps]) | (pages.mention == topic)
    if subject.form:
        near |= pages.form == list(vocabulary().forms).index(subject.form)
    return near & (pages.klass != topic)


def _by_turns(web: SyntheticWeb, pool: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """The first of each genre, then the second of each, until there are enough or no more."""
    turn, genre = np.empty(len(pool), np.int64), web.genre[pool]
    for code in range(len(GENRES)):
        turn[genre == code] = np.arange((genre == code).sum())
    return pool[np.argsort(turn, kind="stable")][:count]


def _alike(web: SyntheticWeb, pages: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """As many of the others, each in the style of one of the pages, if possible, and nearest in length."""
    renderer = web._renderer
    length = np.array([renderer.length(page) for page in others.tolist()])
    style = np.array([renderer.style(page) for page in others.tolist()])
    taken: list[int] = []
    for page in pages.tolist():
        unlike = np.abs(length - renderer.length(page)) + OTHER_STYLE * (style != renderer.style(page))
        taken.append(int(unlike.argmin()))
        length[taken[-1]] = np.inf
    return others[taken]
