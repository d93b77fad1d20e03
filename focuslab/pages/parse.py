"""From a Response to a Page in one walk over the tree that a browser would build.

The page is seen as a browser that runs scripts shows it, before any script has run: what stands in
``noscript`` and ``template`` is not there, neither as text nor as links or images (our choice).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError, create_tag

from focuslab.pages.charset import decode, text_of
from focuslab.pages.decoders import encoder
from focuslab.pages.directives import in_meta
from focuslab.pages.limits import bounded
from focuslab.pages.text import language, windows
from focuslab.pages.urls import canonical, registered_domain
from focuslab.types import Link, Page, Response

__all__ = ["CONTEXT_WORDS", "MOST_LINKS", "VIDEO_HOSTS", "decode", "parse"]

CONTEXT_WORDS = 20
"""Words in the context of a link, its anchor included (T of the OTIE paper)."""
MOST_LINKS = 10_000
"""Links of a page that are read: to score each takes a crawl longer than to find it (our choice)."""
VIDEO_HOSTS = frozenset(
    ("youtube.com", "youtube-nocookie.com", "youtu.be", "vimeo.com", "dailymotion.com", "nicovideo.jp")
)

# What the walk does at a node. An element not named here breaks the text as blocks do (custom ones too).
# Only elements of HTML can be named: lexbor numbers all others by chance, anew in each tree.
_INLINE, _TEXT, _SKIP, _BREAK, _LINK, _AREA, _IMAGE, _VIDEO, _OBJECT, _EMBED, _FRAME, _TITLE, _BASE, _META = (
    range(14)
)
_DRAWING = 14
_KINDS: Final = {
    _INLINE: "abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label map mark"
    " nobr picture q rp rt ruby s samp slot small span strike strong sub sup time tt u var"
    " wbr path",
    _SKIP: "script style noscript template noframes noembed",
    _LINK: "a",
    _AREA: "area",
    _IMAGE: "img",
    _VIDEO: "video",
    _OBJECT: "object",
    _EMBED: "embed",
    _FRAME: "iframe frame",
    _TITLE: "title",
    _BASE: "base",
    _META: "meta",
    _DRAWING: "svg math",
}
_BREAKING = frozenset((_VIDEO, _OBJECT, _FRAME, _META))
_WITH_TEXT = frozenset((_LINK, _VIDEO, _OBJECT, _DRAWING))
_MARK = "\0"  # where an anchor begins or ends: the one character that no text node can hold
_REFRESH = re.compile(r"""\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.+))""", re.IGNORECASE)
_VOID = "area|base|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr"
_CLOSED = re.compile(
    rf"""<(?!(?:{_VOID})[\s/])([a-zA-Z][^\s/>]{{0,99}}+)((?:[^>"'/]|"[^"]{{0,9999}}+"|'[^']{{0,9999}}+'|/(?!>)){{0,999}}+)/>"""
)
"""An element of XHTML that ends where it begins, which HTML cannot say: there it goes on."""
_READABLE = re.compile(r"|text/.*|.*[/+](?:html|xml|xhtml)|application/(?:octet-stream|unknown)")


def _kinds_by_tag() -> dict[int, int]:
    """What to do at a node, by the number lexbor gives its tag."""
    kinds = {create_tag(name).tag_id: kind for kind, names in _KINDS.items() for name in names.split()}
    paragraph = LexborHTMLParser("<p>text<!--comment-->").css("p")[0]
    text, comment = paragraph.iter(include_text=True)
    return kinds | {text.tag_id: _TEXT, comment.tag_id: _SKIP}


_KIND_OF = _kinds_by_tag()


def parse(response: Response, context_words: int = CONTEXT_WORDS) -> Page:
    """Read a page: title, visible text, links with anchor and context, counts of images and media.

    Whatever the bytes are, there is a Page. A response that is not text gives an empty one.

    - Visible text: the text nodes inside the body, except in script, style, noscript, template, title and
      the never shown fallbacks of frames; a space where a block begins or ends, runs of whitespace one space.
    - Links: every a[href] and area[href] that resolves to http(s), in order, up to ``MOST_LINKS``, and where
      frames and a meta refresh lead, except to a video host's player, which is multimedia. The anchor is
      visible text only: a linked image has an empty one, its alt text is not used (our choice).
    - Context: some words of the visible text around the anchor, see `text.windows`.
    - Directives: every ``<meta name="robots">`` or one with our name, wherever it stands.
    - Multimedia: video, outermost object, embed outside any object, and iframe of a known video host.

    Parameters
    ----------
    response : Response
        What a fetcher brought back.
    context_words : int
        Words in the context of a link.

    Returns
    -------
    Page
        Its ``url`` is canonical if the response's can be made so.

    Examples
    --------
    >>> page = parse(Response("http://a.example/x/", 200, b"<title>Hi</title><p>See <a href='../y'>why</a>"))
    >>> page.title, page.text, page.links[0].url
    ('Hi', 'See why', 'http://a.example/y')
    """
    url = canonical(response.url) or response.url
    kind = response.content_type.partition(";")[0].strip().lower()
    if not response.body or not _READABLE.fullmatch(kind):
        return Page(url)
    html, charset = text_of(response.body, response.content_type)
    if kind == "text/plain":
        text = " ".join(html.split())
        return Page(url, text=text, language=language(text))
    if kind == "application/xhtml+xml":
        html = _CLOSED.sub(r"<\1\2></\1>", html)
    try:
        tree = LexborHTMLParser(bounded(html.encode("utf-8", "replace")), scripting=True)
    except SelectolaxError:
        return Page(url)
    return _page(url, tree, encoder(charset), context_words)


def _page(url: str, tree: LexborHTMLParser, charset: str, context_words: int) -> Page:
    seen, lang = _Seen(), None
    if tree.root is not None:  # not tree.body: lexbor still names one that a frameset has replaced
        seen.walk(tree.root)
        lang = tree.root.attributes.get("lang")
    base = canonical(seen.base, url) or url
    text, starts, ends = seen.visible()
    contexts = windows(text, starts, ends, context_words)
    return Page(
        url,
        " ".join(seen.title.split()),
        text,
        tuple(_links(seen, url, base, charset, text, starts, ends, contexts)),
        seen.images,
        seen.multimedia
        + sum(_is_video(canonical(seen.hrefs[frame], base)) for frame in seen.frames if frame >= 0),
        language(text, lang or ""),
        frozenset(seen.directives),
    )


def _is_video(frame: str) -> bool:
    return registered_domain(frame) in VIDEO_HOSTS


def _links(
    seen: _Seen,
    page: str,
    base: str,
    charset: str,
    text: str,
    starts: list[int],
    ends: list[int],
    contexts: list[str],
) -> Iterator[Link]:
    for number, (href, context, start, end) in enumerate(
        zip(seen.hrefs, contexts, starts, ends, strict=True)
    ):
        url = canonical(href, base, charset)
        if url and not (number in seen.frames and _is_video(url)):
            yield Link(
                url, text[start:end].strip(), context, page, number in seen.unfollowed, number in seen.led
            )


def refreshed(content: str) -> str:
    """Where a ``<meta http-equiv="refresh">`` leads; "" if nowhere else.

    >>> refreshed("5; URL='/next'"), refreshed("30")
    ('/next', '')
    """
    target = _REFRESH.match(content)
    return next(filter(None, target.groups()), "") if target else ""


class _Seen:
    """What one walk over a tree collects."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        """Text in pieces, with a mark wherever an anchor begins or ends."""
        self.marks: list[int] = []
        """For each mark the number of the link that begins there, or its complement where it ends."""
        self.hrefs: list[str] = []
        self.frames: set[int] = set()
        """Numbers of the links that are frames."""
        self.led: set[int] = set()
        """Numbers of the links that are no anchors: frames and refreshes."""
        self.unfollowed: set[int] = set()
        self.directives: set[str] = set()
        self.title = self.base = ""
        self.images = self.multimedia = self.objects = self.drawings = 0

    def walk(self, top: LexborNode) -> None:
        """Visit all that is below a node, in order; no recursion, for pages nest as deep as they like."""
        parts, above = self.parts, [(top, _INLINE, -1)]
        node = top.first_child
        while above:
            if node is None:  # no more siblings: leave the element they are in
                node, kind, link = above.pop()
                if kind == _BREAK:
                    parts.append(" ")
                elif kind != _INLINE:
                    self.leave(kind, link)
                node = node.next
                continue
            kind = _KIND_OF.get(node.tag_id, _BREAK)
            if kind == _TEXT:
                parts.append(node.text_content or "")
                node = node.next
            elif kind == _SKIP:
                node = node.next
            elif kind in (_INLINE, _BREAK):  # the two commonest: no call for them
                if kind == _BREAK:
                    parts.append(" ")
                above.append((node, kind, -1))
                node = node.first_child
            else:
                above.append((node, kind, self.enter(node, kind)))
                node = node.first_child if kind in _WITH_TEXT else None

    def enter(self, node: LexborNode, kind: int) -> int:
        """Note what an element is; the number of the link it starts, or -1."""
        if kind in _BREAKING:
            self.parts.append(" ")
        if kind in (_LINK, _AREA):
            return self.begin_link(node)
        if kind == _IMAGE:
            self.images += 1
        elif kind == _VIDEO:
            self.multimedia += 1
        elif kind in (_OBJECT, _EMBED):
            self.multimedia += not self.objects
            self.objects += kind == _OBJECT
        elif kind == _FRAME:
            self.frames.add(self.lead(node.attributes.get("src") or ""))
        elif kind == _DRAWING:
            self.drawings += 1
        elif kind == _META:
            self.read_meta(node)
        elif self.drawings:  # titles of drawings, and what is no base
            return -1
        elif kind == _TITLE:
            self.title = self.title or node.text()
        elif kind == _BASE:
            self.base = self.base or (node.attributes.get("href") or "").strip()
        return -1

    def read_meta(self, node: LexborNode) -> None:
        said = node.attributes
        content = said.get("content") or ""
        self.directives |= in_meta(said.get("name") or "", content)
        if (said.get("http-equiv") or "").strip().lower() == "refresh":
            self.lead(refreshed(content))

    def lead(self, href: str) -> int:
        """A link without words."""
        link = self.begin(href.strip())
        self.led.add(link)
        self.leave(_LINK, link)
        return link

    def begin_link(self, node: LexborNode) -> int:
        said = node.attributes
        link = self.begin((said.get("href") or said.get("xlink:href") or "").strip())
        if link >= 0 and "rel" in said and "nofollow" in (said["rel"] or "").lower().split():
            self.unfollowed.add(link)
        return link

    def begin(self, href: str) -> int:
        if not href or href[0] == "#" or len(self.hrefs) == MOST_LINKS:
            return -1
        self.hrefs.append(href)
        self.parts.append(_MARK)
        self.marks.append(len(self.hrefs) - 1)
        return len(self.hrefs) - 1

    def leave(self, kind: int, link: int) -> None:
        if link >= 0:
            self.parts.append(_MARK)
            self.marks.append(~link)
        elif kind in _BREAKING:
            self.parts.append(" ")
            self.objects -= kind == _OBJECT
        self.drawings -= kind == _DRAWING

    def visible(self) -> tuple[str, list[int], list[int]]:
        """The text with whitespace collapsed, and where in it each link begins and ends."""
        starts, ends = [0] * len(self.hrefs), [0] * len(self.hrefs)
        pieces = "".join(self.parts).split(_MARK)
        shown: list[str] = []
        length, space = 0, False
        for piece, link in zip(pieces, [*self.marks, None], strict=True):
            if piece:
                words = " ".join(piece.split())
                if words:
                    if length and (space or piece[0].isspace()):
                        words = " " + words
                    shown.append(words)
                    length += len(words)
                space = piece[-1].isspace() or (space and not words)
            if link is not None:
                (starts if link >= 0 else ends)[link if link >= 0 else ~link] = length
        return "".join(shown), starts, ends
