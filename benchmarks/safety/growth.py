"""Does any input take more than its size? Inputs are grown until they show it.

Random pieces of what each reader has rules for are repeated, mixed and nested, to 60 kB and then to twice and
four times that. Those that promise to take longest at two megabytes, by how they grew, are grown to that and
measured, each in a process of its own. Prints a JSON line for each reader:
``python benchmarks/safety/growth.py [tries] [seed] [readers]``.
"""

# ruff: noqa: E501, SIM905, RUF005

from __future__ import annotations

import json
import math
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeAlias

from focuslab.classifiers.term_sets import TermAssessor
from focuslab.fetchers.robots import Robots
from focuslab.pages.charset import decode
from focuslab.pages.directives import in_header
from focuslab.pages.parse import parse
from focuslab.pages.text import language, words
from focuslab.pages.urls import canonical, registered_domain, tokens
from focuslab.types import Page, Response, Topic
from focuslab.webs.warc_scan import Part, scan

Recipe: TypeAlias = list[tuple[str, float]]

FULL = 2_000_000
SMALL = 60_000
LOOKED_AT = 12
"""Inputs of each reader that are grown to the full size."""
PATIENCE = 20.0
"""Seconds after which one is given up."""
ENOUGH = 1.0
"""Seconds at a small size that say enough, so that it is grown no further."""

HTML = (
    "<a> </a> <a href=x> <a <b> <p> </p> <i> <table> <tr> <td> <div> </div> <svg> <math> <select> <option> <font>"
    " <form> <input> <button> <nobr> <script> </script> <style> <title> <textarea> <template> <frameset> <iframe>"
    " <!-- --> <!DOCTYPE ]]> <![CDATA[ <? </ < > = ' \" / & &amp; &lt &#x41; &#999999999; a b \0 x='1' x='<' x='>'"
    " y=1 class id href= <base <meta <meta_name=robots_content=none> <img_src=x> <video> <object> <embed>"
    " <h1> <li> <dd> <ul> <body> <html> <head> <col> <caption> <rt> <noscript> <plaintext> <foreignObject> é 日 ́ ̖"
)
PIECES = {
    "parse": HTML.replace("_", "\0").split(" "),
    "decode": "\\x1b$B \\x1b(B \\x8e \\x8f\\xa1\\xa1 \\xff\\xfe \\x80 \\xe3\\x81 a charset=utf-8 <meta \\x00 \\xa4\\xa2".split(),
    "words": "a 1 日 ア ｱ ﾞ ́ ̖ ี ั ﷺ ﬃ ß İ ᄀ ᅡ ㌀ ․ - _ ' . ̈́ 🇯 \u200d \ufe0f".split() + [" "],
    "directives": "noindex , : a: focuslab: unavailable_after: none ; max-snippet:1 a".split() + ["\n", " "],
    "robots": "User-agent: Disallow: Allow: * $ / a focuslab # Sitemap: Crawl-delay: 1 % %41 ? \r".split() + ["\n", " "],
    "urls": "http:// // / \\ .. . %2e ? # : @ [ ] % a é 日 .com 80 xn-- ☃ \t".split(),
    "warc": "WARC/1.0 WARC/ \r\n\r\n \r\n Content-Length:_0 Content-Length:_5 WARC-Type:_response a http://a/_1.1.1.1_20040101000000_text/html_5\n \x1f\x8b\x08 PK".replace("_", "\0").split(" "),
}  # fmt: skip
PIECES["terms"] = PIECES["words"]


@cache
def assessor() -> TermAssessor:
    return TermAssessor(Topic("ball games", content_terms=("ball", "ball games", "a"), genre_terms=("a 1",)))


def read_page(text: str) -> None:
    page = parse(
        Response("http://a.example/", 200, text.encode("utf-8", "replace"), "text/html; charset=utf-8")
    )
    page.out  # noqa: B018


def read_bytes(text: str) -> None:
    decode(text.encode("latin-1", "replace"))


def read_text(text: str) -> None:
    words(text)
    language(text)


def read_terms(text: str) -> None:
    assessor().assess(Page("http://a.example/", text=text))


def read_robots(text: str) -> None:
    class Site:
        def fetch(self, url: str) -> Response:
            return Response(url, 200, text.encode("utf-8", "replace")[:512_000])

    rules = Robots(Site())
    rules.allowed("http://a.example/" + "a/" * 500)
    rules.delay("http://a.example/")


def read_url(text: str) -> None:
    found = canonical(text, "http://a.example/b/c?d")
    registered_domain(found)
    tokens(found)


def read_warc(text: str) -> None:
    with tempfile.NamedTemporaryFile(suffix=".warc") as file:
        raw = text.encode("latin-1", "replace")
        file.write(raw)
        file.flush()
        with suppress(ValueError):
            for _ in scan(Part(Path(file.name), 0, len(raw))):
                pass


READERS: dict[str, Callable[[str], None]] = {
    "parse": read_page,
    "decode": read_bytes,
    "words": read_text,
    "terms": read_terms,
    "directives": lambda text: void(in_header(text)),
    "robots": read_robots,
    "urls": read_url,
    "warc": read_warc,
}


def void(_: object) -> None:
    """What is read is not wanted."""


def recipe(rng: random.Random, pieces: list[str]) -> Recipe:
    """Up to three stretches: a few pieces that repeat, and the share of the whole that they take."""
    stretches = rng.randint(1, 3)
    picked = ["".join(rng.choice(pieces) for _ in range(rng.randint(1, 4))) or "a" for _ in range(stretches)]
    return [(piece.replace("\0", " "), rng.choice((1.0, 1.0, 0.2, 0.02))) for piece in picked]


def grown(made: Recipe, size: int) -> str:
    """The input of this size; where a piece has ``a`` or ``x`` alone, it is numbered, so that all differ."""
    total = sum(share for _, share in made)
    return "".join(_stretch(piece, int(size * share / total)) for piece, share in made)


def _stretch(piece: str, size: int) -> str:
    if "x=" not in piece:
        return piece * max(1, size // len(piece.encode()))
    return "".join(piece.replace("x=", f"x{n}=") for n in range(max(1, size // (len(piece) + 5))))


def seconds(name: str, text: str) -> float:
    start = time.process_time()
    READERS[name](text)
    return time.process_time() - start


def promise(name: str, made: Recipe) -> float:
    """Seconds that the full size would take, if the input goes on as it grew from small sizes."""
    before, size = 0.0, SMALL
    while True:
        took = max(seconds(name, grown(made, size)), 1e-4)
        if size == 4 * SMALL or took > ENOUGH:
            power = math.log2(max(took / before, 1.0)) if before else 1.0
            return took * (FULL / size) ** min(power, 2.0)
        before, size = took, 2 * size


def full_size(name: str, made: Recipe) -> dict[str, float]:
    """Seconds and megabytes of two megabytes of this, in a process of its own."""
    command = [sys.executable, __file__, "--one", name, json.dumps(made)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    except subprocess.TimeoutExpired:
        return {"seconds": PATIENCE, "MB": 0.0}
    found: dict[str, float] = json.loads(done.stdout)
    return found


def one(name: str, made: Recipe) -> None:
    for size in (10, SMALL):  # whatever is made at first use
        READERS[name](grown(made, size))
    text = grown(made, FULL)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took = seconds(name, text)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps({"seconds": took, "MB": used / 1024}))


def search(name: str, tries: int, seed: int) -> dict[str, object]:
    rng = random.Random(seed)
    pieces = PIECES[name]
    if name == "decode":
        pieces = [piece.encode().decode("unicode_escape") for piece in pieces]
    made = [recipe(rng, pieces) for _ in range(tries)]
    promises = [promise(name, each) for each in made]
    order = sorted(range(tries), key=lambda place: -promises[place])[:LOOKED_AT]
    found = {place: full_size(name, made[place]) for place in order}
    slowest = max(order, key=lambda place: found[place]["seconds"])
    largest = max(order, key=lambda place: found[place]["MB"])
    return {
        "benchmark": "growth",
        "reader": name,
        "inputs": tries,
        "grown_to_2_MB": len(order),
        "seconds": round(found[slowest]["seconds"], 2),
        "slowest": made[slowest],
        "MB": round(found[largest]["MB"]),
        "largest": made[largest],
    }


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], json.loads(sys.argv[3]))
        return
    tries, seed = [int(value) for value in sys.argv[1:3]] + [300, 0][len(sys.argv[1:3]) :]
    for name in sys.argv[3:] or READERS:
        print(json.dumps(search(name, tries, seed), ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
