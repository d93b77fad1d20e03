"""What else is wrong with a web, added to a clean one; every answer is a function of the seed and the URL.

Dirt is only added: each page of the clean web is still there under its address, so the truth is the same.
How much there is of each kind is our choice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from zlib import crc32

import numpy as np

from focuslab.fetchers.failures import Reason
from focuslab.types import Response
from focuslab.webs.builtin.render import Renderer

__all__ = ["Dirt"]

FAILING = ".invalid"
FAILURES = (
    Reason.CONNECTION.because("refused"),
    Reason.TIMEOUT.because("no answer in 30 seconds"),
    Reason.DNS.because("no such host"),
)
"""Ending of the names of hosts that never answer well; reserved, like the others."""
ROBOTS = "User-agent: *\nDisallow: /private/\nDisallow: /calendar/\n"
FILES = {
    "pdf": ("application/pdf", b"%PDF-1.4\n"),
    "zip": ("application/zip", b"PK\x03\x04"),
    "png": ("image/png", b"\x89PNG\r\n\x1a\n"),
    "mp4": ("video/mp4", b"\x00\x00\x00\x18ftypmp42"),
    "doc": ("text/html", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),  # Some servers know no better.
}
# What a host writes, what its header says, what its pages say of themselves; "" is silence.
JAPANESE = (
    ("cp932", "Shift_JIS", ""),
    ("euc_jp", "", "EUC-JP"),
    ("iso2022_jp", "", "ISO-2022-JP"),
    ("cp932", "", ""),
    ("euc_jp", "utf-8", "EUC-JP"),
    ("cp932", "ISO-8859-1", "utf-8"),
)
EUROPEAN = (
    ("cp1252", "windows-1252", ""),
    ("cp1252", "", ""),
    ("cp1252", "utf-8", "utf-8"),
    ("utf-8", "windows-1251", ""),
    ("utf-16", "", ""),
)


@dataclass(frozen=True)
class Dirt:
    """A fetcher over the pages of a clean web.

    The kinds, by path: ``/gone/`` 404 and 410, ``/go/`` redirects, ``/loop/`` redirects that never end,
    ``/calendar/`` months without end, ``/files/`` binary files, ``/private/`` areas that robots.txt
    disallows, ``/busy/`` 503; ``sid=`` in a query is a copy of a page. One host in three mistreats its
    charset, one in twelve is slow, and hosts under ``.invalid`` do not answer.
    """

    renderer: Renderer
    numbers: Mapping[str, int]
    """The page at each address of the clean web."""

    def fetch(self, url: str) -> Response:
        """What is at an address; never raises."""
        page = self.numbers.get(url)
        if page is not None:
            return self._page(page, url)
        found = re.fullmatch(r"http://([^/?#]+)(/[^?#]*)(\?.*)?", url)
        if not found:
            return Response(url, 404)
        host, path, query = found[1], found[2], found[3] or ""
        if host.endswith(FAILING):
            return self._failing(url)
        if host not in self._hosts:
            return Response(url, error=Reason.DNS.because("no such host"))
        return self._odd(url, host, path, query)

    def _odd(self, url: str, host: str, path: str, query: str) -> Response:
        """An address that the clean web does not have."""
        if query and (original := self.numbers.get(_without_session(url))) is not None:
            return self._page(original, url)
        for pattern, answer in self._areas.items():
            if found := re.fullmatch(pattern, path):
                return answer(url, host, found[1] if found.groups() else "")
        return Response(url, 404, b"<title>Not found</title>", "text/html", 0.1)

    @cached_property
    def _hosts(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.renderer.names)}

    @cached_property
    def _areas(self) -> dict[str, Callable[[str, str, str], Response]]:
        return {
            "/robots[.]txt": self._robots,
            "/gone/([0-9]{1,9})[.]html": self._gone,
            "/go/([0-9]{1,9})": self._redirect,
            "/loop/([ab])": self._loop,
            "/calendar/([0-9]{4,30}-[0-9]{2})": self._calendar,
            "/files/([0-9]{1,9}[.][a-z0-9]{3})": self._file,
            "/private/([0-9]{1,9})[.]html": self._private,
            "/busy/([0-9]{1,9})": self._busy,
        }

    # Answers, one for each kind.

    def _page(self, page: int, url: str) -> Response:
        host = int(self.renderer.pages.host[page])
        written, header, meta = self._charset(host)
        text = self.renderer.html(page, self._links(page, url), meta)
        kind = f"text/html; charset={header}" if header else "text/html"
        return Response(url, 200, text.encode(written, "xmlcharrefreplace"), kind, self._seconds(host))

    def _failing(self, url: str) -> Response:
        errors = [*FAILURES, ""]
        error = errors[int(self._luck(url).integers(len(errors)))]
        return Response(url, 0 if error else 503, seconds=30.0 if "timeout" in error else 0.2, error=error)

    def _robots(self, url: str, host: str, _: str) -> Response:
        luck = self._luck("robots", host).random()
        if luck < 0.3 and not self._has_private(host):
            return Response(url, 404)
        pause = "Crawl-delay: 1\n" if luck > 0.9 else ""
        return Response(url, 200, (ROBOTS + pause).encode(), "text/plain; charset=utf-8", 0.1)

    def _gone(self, url: str, host: str, number: str) -> Response:
        return Response(url, 410 if int(number) % 5 == 0 else 404, b"<title>Gone</title>", "text/html", 0.1)

    def _redirect(self, url: str, host: str, number: str) -> Response:
        page = int(number)
        if page >= len(self.renderer.urls):
            return Response(url, 404)
        return self._page(page, self.renderer.urls[page])

    def _loop(self, url: str, host: str, side: str) -> Response:
        other = f"http://{host}/loop/{'b' if side == 'a' else 'a'}"
        error = Reason.TOO_MANY_REDIRECTS.because("a loop")
        return Response(other, 302, error=error, seconds=0.5, headers={"location": other})

    def _calendar(self, url: str, host: str, month: str) -> Response:
        year, number = (int(part) for part in month.split("-"))
        if not 1 <= number <= 12:
            return Response(url, 404)
        later = f"{year + number // 12:04}-{number % 12 + 1:02}"
        sooner = f"{year - (number == 1):04}-{(number - 2) % 12 + 1:02}"
        links = f'<a href="/calendar/{sooner}">{sooner}</a> <a href="/calendar/{later}">{later}</a>'
        days = " ".join(str(day) for day in range(1, 29))
        text = (
            f"<title>{month}</title><h1>{month}</h1><p>{links}</p><p>{days}</p><p><a href='/'>{host}</a></p>"
        )
        return Response(url, 200, text.encode(), "text/html; charset=utf-8", 0.1)

    def _file(self, url: str, host: str, name: str) -> Response:
        if name[-3:] not in FILES:
            return Response(url, 404)
        kind, head = FILES[name[-3:]]
        luck = self._luck(url)
        return Response(url, 200, head + luck.bytes(int(luck.integers(200, 4_000))), kind, 0.3)

    def _private(self, url: str, host: str, number: str) -> Response:
        """A page of the host once more, where robots are not welcome."""
        hosts, place = self.renderer.pages.hosts, self._hosts[host]
        if not self._has_private(host):
            return Response(url, 404)
        return self._page(int(hosts.start[place]) + int(number) % int(hosts.size[place]), url)

    def _busy(self, url: str, host: str, _: str) -> Response:
        return Response(url, 503, b"busy", "text/plain", 1.0, headers={"retry-after": "120"})

    # How a host is, and which odd links a page has.

    def _luck(self, *key: object) -> np.random.Generator:
        text = "\n".join(map(str, key)).encode("utf-8", "surrogatepass")
        return np.random.default_rng([self.renderer.seed, 9, crc32(text)])

    def _has_private(self, host: str) -> bool:
        return bool(self._luck("private", host).random() < 0.25)

    def _seconds(self, host: int) -> float:
        luck = self._luck("seconds", host).random(2)
        return float(round(3 + 20 * luck[1], 1)) if luck[0] < 1 / 12 else 0.1

    def _charset(self, host: int) -> tuple[str, str, str]:
        luck = self._luck("charset", host)
        if luck.random() > 1 / 3:
            return "utf-8", "utf-8", "utf-8"
        ways = JAPANESE if self.renderer.pages.hosts.language[host] == 1 else EUROPEAN
        return ways[int(luck.integers(len(ways)))]

    def _links(self, page: int, url: str) -> str:
        """Odd links of a page. A copy names another session than its original, so copies have no end."""
        luck, names = self._luck("links", url), self.renderer.names
        host = names[self.renderer.pages.host[page]]
        size = len(self.renderer.urls)
        wishes = (
            (0.25, lambda: f"/gone/{luck.integers(1_000)}.html"),
            (0.25, lambda: f"/go/{luck.integers(size)}"),
            (0.20, lambda: f"http://{names[luck.integers(len(names))]}/go/{page}"),
            (0.05, lambda: "/loop/a"),
            (0.30, lambda: _with_session(url, int(luck.integers(16**6)))),
            (0.20, lambda: f"/files/{luck.integers(100)}.{luck.choice(list(FILES))}"),
            (0.30 * self._has_private(host), lambda: f"/private/{luck.integers(50)}.html"),
            (0.10, lambda: f"/busy/{luck.integers(100)}"),
            (0.10, lambda: f"http://down-{luck.integers(40)}{FAILING}/{luck.integers(10)}.html"),
            (0.30 * (crc32(host.encode()) % 3 == 0), lambda: f"/calendar/2007-{luck.integers(1, 13):02}"),
        )
        hrefs = [make() for chance, make in wishes if luck.random() < chance]
        return "".join([f' <a href="{escape(href)}">{place}</a>' for place, href in enumerate(hrefs)])


def _with_session(url: str, number: int) -> str:
    plain = _without_session(url)
    return f"{plain}{'&' if '?' in plain else '?'}sid={number:06x}"


def _without_session(url: str) -> str:
    return re.sub(r"[?&]sid=[0-9a-f]{6}$", "", url)
