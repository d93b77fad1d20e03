"""A site of two subjects that commands are tried on: articles about the sky, and about cooking."""

from __future__ import annotations

import gzip
import time
import zlib
from collections.abc import Collection, Mapping
from types import MappingProxyType

from focuslab.types import Response

STARS = "planet star galaxy telescope orbit comet asteroid moon astronomer nebula"
COOKING = "flour butter oven recipe sugar onion boil fry soup cake"
HOST = "http://sky.example"
KITCHEN = "http://kitchen.example"


def page(number: int, words: str) -> bytes:
    """An article of its own: other words in another order on every page."""
    known = words.split()
    said = " ".join(
        f"{known[(number + i) % 10]} {['the', 'of', 'and', 'with', 'a'][i % 5]}"
        for i in range(30 + 7 * number % 40)
    )
    near = [number * 2 + 1, number * 2 + 2]
    home = HOST if words is STARS else KITCHEN
    links = "".join(f"<a href={home}/{n}>{known[n % 10]}</a> " for n in near if n < 24)
    other = f"<a href={KITCHEN if words is STARS else HOST}/{number}>elsewhere</a>"
    return f"<html><title>{known[number % 10]} {number}</title><p>{said}</p>{links}{other}</html>".encode()


class Site:
    """Two hosts of 24 pages, and what sites have beside pages."""

    slow = 0.0
    tagged = False
    """Whether pages have tags, so that visitors may ask on condition."""
    gone: Collection[str] = ()
    moved: Mapping[str, str] = MappingProxyType({})

    def __init__(self) -> None:
        listed = "".join(f"<url><loc>{HOST}/{n}</loc></url>" for n in range(3))
        items = "".join(f"<item><link>{HOST}/{n}</link></item>" for n in range(2))
        self.files = {
            f"{HOST}/robots.txt": (b"User-agent: *\nSitemap: http://sky.example/map.xml.gz\n", "text/plain"),
            f"{HOST}/map.xml.gz": (gzip.compress(f"<urlset>{listed}</urlset>".encode()), "application/gzip"),
            f"{HOST}/feed.xml": (f"<rss><channel>{items}</channel></rss>".encode(), "application/rss+xml"),
        }

    def fetch(self, url: str) -> Response:
        if url in self.files:
            body, kind = self.files[url]
            return Response(url, 200, body, kind)
        if url in self.gone:
            return Response(url, 404)
        if url in self.moved:
            return Response(url, 301, headers={"location": self.moved[url]})
        if url.endswith("/picture"):
            return Response(url, 200, b"\x89PNG", "image/png")
        home, _, number = url.rpartition("/")
        if home in (HOST, KITCHEN) and number.isdigit() and int(number) < 24:
            time.sleep(self.slow)
            body = page(int(number), STARS if home == HOST else COOKING)
            tag = {"etag": f'"{zlib.crc32(body)}"'} if self.tagged else {}
            return Response(url, 200, body, "text/html; charset=utf-8", headers=tag)
        return Response(url, 404)
