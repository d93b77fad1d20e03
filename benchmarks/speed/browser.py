"""How many pages a second does a browser render, beside the same pages unrendered? One JSON line.

``python benchmarks/speed/browser.py [--pages 60]``

Each page of a site on loopback is a shell of two lines; one script, the same for all, fetches the page's
words as JSON and writes them, with links. Robots and delays are off. A page as it came is shells only.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from contextlib import closing

from focuslab.fetchers.browser import NEEDED, Rendered
from focuslab.fetchers.http import HTML, Http
from focuslab.pages.parse import parse
from focuslab.types import Fetcher, Response
from focuslab.webs.server import serve

HOST = "http://app.example"
SHELL = b"<title>app</title><div id=app></div><script src=/app.js></script>"
SCRIPT = b"""
fetch('/data' + location.pathname).then(answer => answer.json()).then(data => {
  document.title = data.title;
  const links = data.words.map(word => `<p><a href=/${word}>${word}</a>`);
  document.getElementById('app').innerHTML = links.join('');
});
"""


class App:
    """Pages that are empty without their script."""

    def fetch(self, url: str) -> Response:
        path = url.removeprefix(HOST)
        if path == "/app.js":
            return Response(url, 200, SCRIPT, "text/javascript")
        if path.startswith("/data/"):
            said = {"title": path, "words": [f"word{path[6:]}-{n}" for n in range(60)]}
            return Response(url, 200, json.dumps(said).encode(), "application/json")
        return Response(url, 200, SHELL, "text/html")


def measured(web: Fetcher, urls: Sequence[str]) -> dict[str, float]:
    """Pages a second, and how many had links."""
    web.fetch(f"{HOST}/first")  # starts the browser
    start = time.perf_counter()
    pages = [parse(web.fetch(url)) for url in urls]
    seconds = time.perf_counter() - start
    return {
        "pages_per_second": round(len(pages) / seconds, 1),
        "with_links": sum(bool(page.out) for page in pages),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pages", type=int, default=60)
    urls = [f"{HOST}/{number}" for number in range(options.parse_args().pages)]
    found: dict[str, object] = {"pages": len(urls)}
    with serve(App()) as served:
        plain = Http(proxy=served.url, types=(*HTML, *NEEDED))
        found["as_they_came"] = measured(plain, urls)
        with closing(Rendered(plain)) as rendered:
            found["rendered"] = measured(rendered, urls)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
