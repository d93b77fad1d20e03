"""A page about to be written: its words, links and pictures, handed out piece by piece to a layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from focuslab.webs.builtin.prose import Speaker


class Anchor(NamedTuple):
    """A link as it will be written: where to, in which words, and words of its target to set beside it."""

    href: str
    text: str
    near: tuple[str, ...] = ()

    @property
    def html(self) -> str:
        return f'<a href="{self.href}">{self.text}</a>'


@dataclass
class Draft:
    """What a layout may use. Whatever it leaves, `leftovers` writes at the end, so that no link is lost."""

    speaker: Speaker
    title: str
    here: str
    site: str
    labels: dict[str, str]
    people: Sequence[str]
    date: str
    nav: list[Anchor]
    inline: list[Anchor]
    """Links to stand inside sentences."""
    shown: list[Anchor]
    """Links of this host to stand in lists, or under pictures."""
    elsewhere: list[Anchor]
    sentences: int
    pictures: int
    films: int
    number: int
    drawn: int = field(default=0)
    """Pictures written so far."""

    def chance(self) -> float:
        return next(self.speaker.luck)

    def paragraphs(self, share: float = 1.0) -> str:
        """Sentences in paragraphs, with links inside and a picture now and then."""
        parts, left = [], max(1, round(self.sentences * share))
        while left > 0:
            size = min(left, 2 + int(self.chance() * 4))
            left -= size
            parts.append(f"<p>{''.join([self._sentence(left + size) for _ in range(size)])}</p>")
            if self.drawn < self.pictures and self.chance() < 0.3:
                parts.append(
                    f"<figure>{self.picture()}<figcaption>{self.speaker.few(3)}</figcaption></figure>"
                )
        return "\n".join(parts)

    def _sentence(self, left: int) -> str:
        if self.inline and self.chance() < len(self.inline) / left:
            link = self.inline.pop()
            return self.speaker.sentence(link.html, link.near)
        return self.speaker.sentence()

    def picture(self) -> str:
        self.drawn += 1
        words = self.speaker.few(2) if self.chance() < 0.7 else ""
        return f'<img src="/img/{self.number * 100 + self.drawn}.svg" alt="{words}" width="160" height="120">'

    def tiles(self, count: int, caption: str = "") -> str:
        """Pictures in a grid, each over a link of this host while there are any."""
        cells = []
        for _ in range(count):
            link = self.shown.pop() if self.shown else None
            below = link.html if link else f"<span>{self.speaker.few(2)}</span>"
            picture = self.picture()
            if link and self.chance() < 0.4:
                picture = f'<a href="{link.href}">{picture}</a>'
            cells.append(f'<div class="tile">{picture}<br>{below}{self._price(caption)}</div>')
        return f'<div class="grid">{"".join(cells)}</div>'

    def _price(self, caption: str) -> str:
        amount = 3 + int(self.chance() * 300)
        return (
            f'<br>{caption} {amount}.90 <button title="{self.labels["cart"]}">+</button>' if caption else ""
        )

    def film(self) -> str:
        name = f"/media/{self.number}"
        if self.chance() < 0.7:
            return f'<video controls width="480" height="270" src="{name}.mp4" poster="{name}.svg"></video>'
        return f'<object data="{name}.swf" width="480" height="270"><embed src="{name}.swf"></object>'

    def all_films(self) -> str:
        return "".join([f"<p>{self.film()}</p>" for _ in range(self.films)])

    def listed(self, links: list[Anchor], label: str, name: str) -> str:
        """The rest of some links as a list; a few with a sentence, so that their context says something."""
        if not links:
            return ""
        items = "".join([f"<li>{link.html}{self._teaser(link)}</li>" for link in links])
        links.clear()
        return f'<section class="{name}"><h3>{label}</h3><ul>{items}</ul></section>'

    def _teaser(self, link: Anchor) -> str:
        if self.chance() > 0.2:
            return ""
        return f" – {self.speaker.chain([*link.near, *self.speaker.few(2).split(' ')])}"

    def leftovers(self) -> str:
        """Lists of all links not yet written, and the pictures that are due."""
        self.elsewhere += self.inline
        self.inline.clear()
        parts = [self.listed(self.shown, self.labels["related"], "related")]
        parts.append(self.listed(self.elsewhere, self.labels["links"], "links"))
        parts += [self.picture() for _ in range(self.pictures - self.drawn)]
        return "\n".join(parts)
