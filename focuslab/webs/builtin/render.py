"""The HTML of a page, written when asked for: a function of the web's seed and the page's number alone."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from focuslab.types import GENRES
from focuslab.webs.builtin.layouts import LAYOUTS, STYLE
from focuslab.webs.builtin.page_draft import Anchor, Draft
from focuslab.webs.builtin.prose import Lexicon, Speaker, draw_words, mixture, phrases
from focuslab.webs.builtin.structure import LEAF, Pages
from focuslab.webs.builtin.vocabulary import LANGUAGES, Vocabulary

# Middle and spread (of the logarithm) of sentences and pictures, and mean number of films, by genre.
SENTENCES = ((9, 0.35), (6, 0.35), (2.5, 0.4), (3, 0.35), (6, 0.4))
PICTURES = ((4, 0.5), (3, 0.7), (22, 0.4), (9, 0.5), (2, 0.9))
FILMS = (0.06, 0.12, 0.03, 2.2, 0.03)
SHOP_PICTURES = (8, 0.4)
DISGUISE = 0.02
"""Pages that look, in one respect, like pages of another genre."""
WORDS_PER_SENTENCE = 9


class Renderer:
    """Writes the pages of one web."""

    def __init__(
        self,
        words: Vocabulary,
        pages: Pages,
        names: list[str],
        urls: list[str],
        links: tuple[NDArray[np.int64], NDArray[np.int32]],
        seed: int,
    ) -> None:
        self.words, self.pages, self.names, self.urls, self.seed = words, pages, names, urls, seed
        self.indptr, self.indices = links
        self.lexicon = Lexicon(words)
        self.luck = np.random.default_rng([seed, 77]).random((len(pages), 4), dtype=np.float32)
        self.forms = list(words.forms)
        self._titles: dict[int, str] = {}

    def title(self, page: int) -> str:
        """The page's title, ready for HTML."""
        known = self._titles.get(page)
        if known is None:
            known = self._titles[page] = self._title(page)
        return known

    def _title(self, page: int) -> str:
        pages, luck = self.pages, self.luck[page].tolist()
        lang, content = int(pages.language[page]), int(pages.content[page])
        titles = phrases()["titles"]
        patterns = (titles["foreign"] if lang > 1 else titles[self.style(page)])[LANGUAGES[lang]]
        telling = content >= 0 and luck[3] < 0.15 + 0.5 * pages.grade[page]
        pool = self.lexicon.topic[content][lang] if telling else self.lexicon.background[lang]
        table = self.lexicon.table(pool)
        a, b = (table[int(part * len(table))] for part in luck[1:3])
        title: str = patterns[int(luck[0] * len(patterns))].format(a=a, b=b)
        return title[0].upper() + title[1:]

    def style(self, page: int) -> str:
        """The name of what a page is: its form, or the kind its genre or its host gives it."""
        form, genre = self.pages.form[page], int(self.pages.genre[page])
        if form >= 0:
            return self.forms[form]
        kind = self.words.kinds[self.pages.hosts.kind[self.pages.host[page]]]
        if kind.genre == genre:
            return kind.name
        return ("news", "blog", "gallery", "video", "official")[genre]

    def html(self, page: int, extra: str = "", charset: str = "utf-8") -> str:
        """The whole page; ``extra`` is set before the footer, ``charset`` is what the page says of itself."""
        rng = np.random.default_rng([self.seed, 1, page])
        draft = self._draft(page, rng)
        style = self.style(page)
        genre = GENRES[self.pages.genre[page]]
        main = LAYOUTS[style if style in LAYOUTS else genre](draft)
        nav = " ".join([link.html for link in draft.nav])
        rest = draft.leftovers()
        lang = LANGUAGES[self.pages.language[page]]
        declared = f'<meta charset="{charset}">' if charset else ""
        return (
            f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>{declared}'
            f"<title>{draft.title} - {draft.site}</title>\n<style>{STYLE}</style></head>\n"
            f"<body>\n<header><strong>{draft.site}</strong> <nav>{nav}</nav></header>\n"
            f"<main>{main}</main>\n<aside>{rest}{extra}</aside>\n{self._footer(draft)}\n</body>\n</html>\n"
        )

    def _footer(self, draft: Draft) -> str:
        again = " ".join([link.html for link in draft.nav[:2]]) if draft.chance() < 0.5 else ""
        top = f'<a href="#top">{draft.labels["top"]}</a>'
        return f"<footer>{again} {top} <small>{draft.site}. {draft.labels['rights']}.</small></footer>"

    def _draft(self, page: int, rng: np.random.Generator) -> Draft:
        pages, said = self.pages, phrases()
        lang = LANGUAGES[pages.language[page]]
        sentences, pictures, films = self._amounts(page, rng)
        kin = self.words.subjects[pages.content[page]].overlaps[:2] if pages.content[page] >= 0 else ()
        matter = draw_words(
            self.lexicon, *mixture(self.lexicon, pages, page, kin), sentences * WORDS_PER_SENTENCE + 90, rng
        )
        luck = cycle(rng.random(1_500).tolist())
        speaker = Speaker(lang, cycle(matter), luck)
        nav, inline, shown, elsewhere = self._anchors(page, speaker, sentences, rng)
        return Draft(
            speaker,
            self.title(page),
            escape(_path(self.urls[page])),
            self.names[pages.host[page]].rsplit(".", 1)[0],
            said["labels"][lang],
            said["people"]["ja" if lang == "ja" else "en"],
            f"{2004 + page % 16}-{page % 12 + 1:02}-{page % 28 + 1:02}",
            nav,
            inline,
            shown,
            elsewhere,
            sentences,
            pictures,
            films,
            page,
        )

    def length(self, page: int) -> float:
        """About how many words a page has: those of its sentences and those of its links."""
        sentences, _, _ = self._amounts(page, np.random.default_rng([self.seed, 1, page]))
        return 12.0 * sentences + 5.0 * float(self.indptr[page + 1] - self.indptr[page])

    def _amounts(self, page: int, rng: np.random.Generator) -> tuple[int, int, int]:
        """Sentences, pictures and films: as the genre has them, but now and then as another has them."""
        genre = int(self.pages.genre[page])
        looks = np.where(rng.random(3) < DISGUISE, rng.integers(0, 5, 3), genre).tolist()
        spread = rng.normal(size=2).tolist()
        shop = genre == 4 and self.style(page) in ("shop", "sale")
        middle, width = SENTENCES[looks[0]]
        many, wide = SHOP_PICTURES if shop else PICTURES[looks[1]]
        terse = 0.55 if self.pages.language[page] == 1 else 1.0
        sentences = round(terse * middle * np.exp(width * spread[0]))
        pictures = round(many * np.exp(wide * spread[1]))
        films = int(rng.poisson(FILMS[looks[2]]))
        return min(max(sentences, 2), 120), min(pictures, 80), films

    def _anchors(
        self, page: int, speaker: Speaker, sentences: int, rng: np.random.Generator
    ) -> tuple[list[Anchor], list[Anchor], list[Anchor], list[Anchor]]:
        """The links of a page in the order they will appear: navigation, prose, this host, elsewhere."""
        pages, host = self.pages, self.pages.host[page]
        targets = rng.permutation(self.indices[self.indptr[page] : self.indptr[page + 1]])
        inside = pages.host[targets] == host
        signs = inside & (pages.role[targets] < LEAF)
        signs &= np.cumsum(signs) <= 8
        rest = np.flatnonzero(~signs)
        spoken = np.zeros(len(targets), bool)
        spoken[rest[: min(int(0.4 * len(rest)), int(0.7 * sentences))]] = True
        groups = (signs, spoken, inside & ~signs & ~spoken, ~inside & ~spoken)
        lists = [
            [self._anchor(target, host, speaker) for target in targets[group].tolist()] for group in groups
        ]
        if lists[1] and next(speaker.luck) < 0.4:
            lists[3].append(lists[1][0])  # Said once in prose and once in a list, as real pages do.
        return lists[0], lists[1], lists[2], lists[3]

    def _anchor(self, target: int, host: int, speaker: Speaker) -> Anchor:
        pages, url, luck = self.pages, self.urls[target], speaker.luck
        href = _path(url) if pages.host[target] == host else url
        if "&" in href:
            href = escape(href)
        about = self._about(target, luck)
        way = next(luck)
        if way < 0.20:
            text = self.title(target)
        elif way < 0.36 and about:
            text = about[0]
        elif way < 0.46:
            text = self.names[pages.host[target]].split(".", 1)[0]
        else:
            text = speaker.pick(phrases()["generic"][speaker.lang])
        return Anchor(href, text, about[1:] if next(luck) < 0.3 else ())

    def _about(self, target: int, luck: Iterator[float]) -> tuple[str, ...]:
        """A few words of what the target is about, none if it is about nothing."""
        content = self.pages.content[target]
        if content < 0:
            return ()
        table = self.lexicon.table(self.lexicon.topic[content][self.pages.language[target]])
        return tuple([table[int(next(luck) * len(table))] for _ in range(3)])


def _path(url: str) -> str:
    return url[url.index("/", 7) :]
