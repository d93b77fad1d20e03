"""What a URL is to a crawler: one spelling per page, its host, its registered domain, its words.

Pure functions; no network, and no input makes them raise.
"""

from __future__ import annotations

import codecs
import ipaddress
import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote

import tldextract
from ada_url import join_url, normalize_url

__all__ = ["MAX_LENGTH", "canonical", "host", "registered_domain", "tokens"]

MAX_LENGTH = 4_096
"""Longer URLs are traps or data; servers and browsers promise far less (our choice)."""

_PATH = r"[!$-.0-;=@-\[\]_a-z|~]"  # what browsers leave as it is in a path, "/" apart
_QUERY = r"[!$-&(-;=?-~]"  # and in a query
_SEGMENT = rf"(?!\.|%2[eE]){_PATH}*+"  # one that cannot be "." or "..", however spelled
_CLEAN = re.compile(
    r"(?P<origin>https?://(?:[a-z0-9-]{1,63}\.)+(?!xn--)[a-z][a-z0-9-]{0,62}(?=[/?#]|\Z))?"
    r"(?P<up>(?:\.\./)++(?!/))?"
    rf"(?P<path>(?:/(?!/)|(?!/|[^/?#]*:))(?:{_SEGMENT}/)*+{_SEGMENT})?"
    rf"(?P<query>\?{_QUERY}*+)?(?:#.*)?\Z",
    re.DOTALL,
)
"""URLs and references that need no repair: nearly all of them."""

_WHOLE = re.compile(r"(https?)://(?:[^/?#@]*@)?([^/?#]+)([^#]*)")
_LABEL = "[a-z0-9_-]{1,63}"
_HOST = re.compile(rf"(?:(?=[^:]{{1,254}}(?::|\Z)){_LABEL}(?:\.{_LABEL})*\.?|\[[^\]]+\])(?::[0-9]+)?")
"""A host that can be looked up; browsers take others too, and then find nobody there."""
_QUERY_SAFE = "!$%&()*+,-./:;=?@[\\]^_`{|}~"
_PORT = re.compile(r":\d+\Z")
_TOKEN = re.compile(r"[^\W_]+")
_suffixes = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


class _Base(NamedTuple):
    """A canonical URL in the pieces that references are joined to."""

    origin: str
    folder: str
    page: str
    query: str


def canonical(url: str, base: str = "", charset: str = "") -> str:
    """Give the one spelling of an http(s) URL, or "" if it has none.

    Scheme and host in lower case, no fragment, no default port, no user name, "/" for an empty path, "."
    and ".." resolved. The query keeps its order, "www." and a final "/" stay. Unsafe and non-ASCII
    characters are percent-encoded and host names turned to punycode, as browsers do (the URL Standard of the
    WHATWG, by ``ada``); other than they, we take no host that no name server could know.

    Parameters
    ----------
    url : str
        An absolute URL, or a reference if ``base`` is given.
    base : str
        The URL of the page (or its ``<base href>``) that holds the reference.
    charset : str
        The page's charset, by its Python name: what a query is written in. Default: UTF-8.

    Examples
    --------
    >>> canonical("HTTP://User@Example.COM:80/a/../b#top")
    'http://example.com/b'
    >>> canonical("../日記?q=1", "http://www.example.co.jp/blog/2007/")
    'http://www.example.co.jp/blog/%E6%97%A5%E8%A8%98?q=1'
    >>> canonical("mailto:a@b.example")
    ''
    """
    clean = _CLEAN.match(url)
    if clean is None:
        return _repaired(url, base, charset)
    origin, up, path, query = clean.groups("")
    if origin:
        found = f"{origin}{path or '/'}{query}"
    elif not (parts := _split(base)).origin:
        return ""
    elif up:
        found = f"{_above(parts.folder, len(up) // 3)}{path}{query}"
    elif path:
        found = f"{parts.origin}{path}{query}" if path[0] == "/" else f"{parts.folder}{path}{query}"
    else:
        found = f"{parts.page}{query or parts.query}"
    return found if len(found) <= MAX_LENGTH else ""


@lru_cache(maxsize=4_096)
def _split(base: str) -> _Base:
    address = canonical(base) if base else ""
    if not address:
        return _Base("", "", "", "")
    page, mark, query = address.partition("?")
    origin = page[: page.index("/", page.index("://") + 3)]
    return _Base(origin, page[: page.rindex("/") + 1], page, mark + query)


@lru_cache(maxsize=4_096)
def _above(folder: str, levels: int) -> str:
    """The folder some levels up, or the root if there are not that many."""
    root = folder.index("/", folder.index("://") + 3)
    for _ in range(levels):
        folder = folder[: max(folder.rfind("/", root, -1), root) + 1]
    return folder


def _repaired(url: str, base: str, charset: str) -> str:
    """Canonical form as browsers find it, for whatever the pattern of clean URLs does not cover."""
    url, mark, _ = url.partition("#")
    if len(url) > MAX_LENGTH:
        return ""
    if charset and charset != "utf-8" and not url.isascii():
        url = _in_charset(url, charset)
    url = url.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    page = _split(base)
    try:
        found = join_url(page.page + page.query, url + mark) if base else normalize_url(url + mark)
    except ValueError:
        return ""
    whole = _WHOLE.match(found)
    if not whole or not _HOST.fullmatch(whole[2]):
        return ""
    found = f"{whole[1]}://{whole[2]}{whole[3]}"
    return found if len(found) <= MAX_LENGTH else ""


def _in_charset(url: str, charset: str) -> str:
    """The URL with its query as a form on a page in this charset would send it."""
    address, mark, query = url.partition("?")
    return address + mark + quote(query.encode(charset, "focuslab-reference"), safe=_QUERY_SAFE)


def _reference(error: UnicodeError) -> tuple[str, int]:
    """What a charset has no place for goes into a query by its number, as browsers have it."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join(f"%26%23{ord(character)}%3B" for character in missing), error.end


codecs.register_error("focuslab-reference", _reference)


def host(url: str) -> str:
    """Host name of a URL, in lower case and without its port; "" if it has none.

    >>> host("http://www.Example.co.jp:8080/index.html")
    'www.example.co.jp'
    """
    return _PORT.sub("", _split(url).origin.partition("://")[2])


@lru_cache(maxsize=65_536)
def _domain(name: str) -> str:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        found = _suffixes(name)
        return found.top_domain_under_public_suffix or (
            name if found.suffix else ".".join(name.rstrip(".").split(".")[-2:])
        )
    return name


def registered_domain(url_or_host: str) -> str:
    """The domain somebody registered, by the Public Suffix List as bundled with tldextract.

    Private suffixes (``blogspot.com`` and the like) count as ordinary domains. IP addresses stay as they
    are; under an unknown suffix the last two labels count (our choice).

    >>> registered_domain("http://sub.example.co.jp/y"), registered_domain("www.shop.example")
    ('example.co.jp', 'shop.example')
    """
    name = host(url_or_host) if "/" in url_or_host else url_or_host.lower()
    return _domain(name)


def tokens(url: str) -> list[str]:
    """The runs of letters and digits of a URL, decoded and in lower case.

    >>> tokens("http://www.example.com/Video_Games/new-2.html")
    ['http', 'www', 'example', 'com', 'video', 'games', 'new', '2', 'html']
    """
    return _TOKEN.findall(unquote(url).lower())
