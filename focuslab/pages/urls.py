"""What a URL is to a crawler: one spelling per page, its host, its registered domain, its words.

Pure functions; no network, and no input makes them raise.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote

import idna
import tldextract

__all__ = ["MAX_LENGTH", "canonical", "host", "registered_domain", "tokens"]

MAX_LENGTH = 4_096
"""Longer URLs are traps or data; servers and browsers promise far less (our choice)."""

_PATH = r"[!$-.0-;=@-\[\]_a-z|~]"  # what browsers leave as it is in a path, "/" apart
_QUERY = r"[!$-&(-;=?-~]"  # and in a query
_SEGMENT = rf"(?!\.|%2[eE]){_PATH}*+"  # one that cannot be "." or "..", however spelled
_CLEAN = re.compile(
    r"(?P<origin>https?://[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+(?=[/?#]|\Z))?"
    r"(?P<up>(?:\.\./)++(?!/))?"
    rf"(?P<path>(?:/(?!/)|(?!/|[^/?#]*:))(?:{_SEGMENT}/)*+{_SEGMENT})?"
    rf"(?P<query>\?{_QUERY}*+)?(?:#.*)?\Z",
    re.DOTALL,
)
"""URLs and references that need no repair: nearly all of them."""

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_IGNORED = re.compile(r"[\t\n\r]")
_EDGES = "".join(map(chr, range(0x21))) + "\x7f\xa0\u3000\ufeff"
_HOST = re.compile(r"(?=.{1,253}\Z)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?|\[[0-9a-f:.]+\]")
_DOTS = {".": ".", "%2e": ".", "..": "..", ".%2e": "..", "%2e.": "..", "%2e%2e": ".."}
_PATH_SAFE = "!$%&'()*+,-./:;=@[]_|~"
_QUERY_SAFE = "!$%&()*+,-./:;=?@[\\]^_`{|}~"
_PORT = re.compile(r":\d+\Z")
_TOKEN = re.compile(r"[^\W_]+")
_suffixes = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


class _Base(NamedTuple):
    """A canonical URL in the pieces that references are joined to."""

    scheme: str
    origin: str
    folder: str
    page: str
    query: str


def canonical(url: str, base: str = "") -> str:
    """Give the one spelling of an http(s) URL, or "" if it has none.

    Scheme and host in lower case, no fragment, no default port, no user name, "/" for an empty path, "."
    and ".." resolved. The query keeps its order, "www." and a final "/" stay. Unsafe and non-ASCII
    characters are percent-encoded as UTF-8 and host names turned to punycode, as browsers do.

    Parameters
    ----------
    url : str
        An absolute URL, or a reference if ``base`` is given.
    base : str
        The URL of the page (or its ``<base href>``) that holds the reference.

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
        return _repaired(url, base)
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
        return _Base("", "", "", "", "")
    page, mark, query = address.partition("?")
    scheme, _, rest = page.partition("://")
    origin = f"{scheme}://{rest.partition('/')[0]}"
    return _Base(scheme, origin, page[: page.rindex("/") + 1], page, mark + query)


@lru_cache(maxsize=4_096)
def _above(folder: str, levels: int) -> str:
    """The folder some levels up, or the root if there are not that many."""
    root = folder.index("/", folder.index("://") + 3)
    for _ in range(levels):
        folder = folder[: max(folder.rfind("/", root, -1), root) + 1]
    return folder


def _repaired(url: str, base: str) -> str:
    """Canonical form the slow way, for whatever the pattern of clean URLs does not cover."""
    url = _IGNORED.sub("", url.strip(_EDGES)).partition("#")[0].strip(_EDGES)
    parts = _split(base)
    if scheme := _SCHEME.match(url):
        name, url = scheme[1].lower(), url[scheme.end() :]
        if name not in ("http", "https"):
            return ""
        if url[:1] not in ("/", "\\") and name == parts.scheme:
            return _finished(parts.origin, *_joined(url, parts))
    elif not parts.origin:
        return ""
    elif url[:1] not in ("/", "\\") or url[1:2] not in ("/", "\\"):
        return _finished(parts.origin, *_joined(url, parts))
    else:
        name = parts.scheme
    rest, mark, query = url.lstrip("/\\").partition("?")
    authority, slash, path = rest.replace("\\", "/").partition("/")
    return _finished(_origin(name, authority), slash + path, mark + query)


def _joined(reference: str, base: _Base) -> tuple[str, str]:
    """Path and query of a reference that has no host of its own."""
    path, mark, query = reference.partition("?")
    path = path.replace("\\", "/")
    if not path:
        return base.page[len(base.origin) :], mark + query or base.query
    if not path.startswith("/"):
        path = base.folder[len(base.origin) :] + path
    return path, mark + query


def _finished(origin: str, path: str, query: str) -> str:
    if not origin or len(path) + len(query) > MAX_LENGTH:
        return ""
    path, query = (part.encode("utf-8", "replace").decode() for part in (path, query))
    found = origin + _without_dots(quote(path, safe=_PATH_SAFE)) + quote(query, safe=_QUERY_SAFE)
    return found if len(found) <= MAX_LENGTH else ""


def _without_dots(path: str) -> str:
    """Resolve "." and ".." in a path (RFC 3986, 5.2.4), percent-encoded ones too, as browsers do."""
    kept: list[str] = []
    segments = path.split("/")[1:] or [""]
    for segment in segments:
        dots = _DOTS.get(segment.lower())
        if dots is None:
            kept.append(segment)
        elif dots == ".." and kept:
            kept.pop()
    if _DOTS.get(segments[-1].lower()):
        kept.append("")
    return "/" + "/".join(kept)


@lru_cache(maxsize=4_096)
def _origin(scheme: str, authority: str) -> str:
    """``scheme://host[:port]``, or "" if the host is none."""
    address = unquote(authority.rpartition("@")[2])
    name, colon, port = address.rpartition(":")
    if not colon or address.endswith("]"):
        name, port = address, ""
    name = _host_name(name)
    if not name or (port and not (port.isascii() and port.isdigit() and int(port[-9:]) < 65_536)):
        return ""
    default = {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{name}" + (f":{int(port)}" if port and int(port) != default else "")


def _host_name(name: str) -> str:
    name = name.lower()
    if not name.isascii():
        try:
            name = idna.encode(name, uts46=True, transitional=False).decode()
        except (idna.IDNAError, UnicodeError):
            return ""
    return name if _HOST.fullmatch(name) else ""


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
