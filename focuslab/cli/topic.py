"""``focuslab topic``: the file that says what a crawl wants, written with you."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from focuslab.cli import Subparsers, say

if TYPE_CHECKING:
    from focuslab.types import Page

FIELDS = """a topic file is YAML with any of these fields:
  name: astronomy
  language: en                        only pages of this language; leave out for any
  keywords: [planet, star]            what such pages talk about; ten are a good number
  threshold: 0.6                      how much of it a page must have; leave out at first
  seeds: [http://www.example.org/]    where a crawl starts
  examples:                           addresses, or files beside this one
    relevant: [http://a.example/1]    seeds too; with irrelevant ones they train a classifier
    irrelevant: [http://b.example/]
  genre: [...]  content: [...]  url: [...]     terms as in de Assis et al."""
MOST = 30
"""Pages taken of a category."""


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser(
        "topic",
        help="write the file of a topic with you: focuslab topic new astronomy",
        epilog=FIELDS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("what", choices=["new"], help="new: make a file")
    command.add_argument("name", help="of the topic, such as astronomy")
    add_argument = command.add_argument
    add_argument("--words", nargs="+", default=[], help="keywords you think of")
    add_argument("--examples", nargs="+", default=[], metavar="PAGE", help="relevant pages: addresses, files")
    add_argument("--others", nargs="+", default=[], metavar="PAGE", help="pages that are not wanted")
    add_argument(
        "--category", metavar="ADDRESS", help="a page that lists examples, such as one of Wikipedia's"
    )
    add_argument("--language", default="", help="only pages of this language: en, ja, …")
    add_argument("--out", type=Path, help="file to write (NAME.yaml)")
    add_argument("--contact", default="", help="e-mail or page about you, told to every server")
    add_argument("--delay", type=float, default=1.0, help="seconds between requests to one host (1)")
    add_argument("--allow-private", action="store_true", help="also ask private addresses (labs)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read the pages, suggest words, show what they would call relevant, and write the file."""
    out = options.out or Path(f"{options.name.replace(' ', '_')}.yaml")
    if out.exists():
        raise ValueError(f"{out} exists already; choose another name with --out, or remove it")
    if not (options.words or options.examples or options.category):
        _ask(options)
    examples, addresses = _examples(options)
    others, other_addresses = _pages(options.others, options)
    words = _keywords(options, examples, others)
    if not words:
        raise ValueError("nothing says what is wanted; give --words, --examples or --category")
    say(f"keywords: {', '.join(words)}")
    _show(options, words, examples, others)
    out.write_text(_file(options, words, addresses, other_addresses), encoding="utf-8")
    say(f"wrote {out}; strike out what does not belong, then: focuslab crawl {out} --contact YOU")
    return 0


def _ask(options: argparse.Namespace) -> None:
    """A person at a terminal is asked."""
    if not sys.stdin.isatty():
        raise ValueError("nothing says what is wanted; give --words, --examples or --category")
    options.words = input("words such pages use, with spaces between (or nothing): ").split()
    options.examples = input("addresses of such pages, with spaces between (or nothing): ").split()


def _examples(options: argparse.Namespace) -> tuple[list[Page], list[str]]:
    pages, addresses = _pages(options.examples, options)
    if options.category:
        from focuslab.pages.urls import host

        (listing,), _ = _pages([options.category], options)
        inside = [link.url for link in listing.out if host(link.url) == host(listing.url)]
        named = [
            url for url in inside if "#" not in url and ":" not in url.partition("://")[2].partition("/")[2]
        ]
        listed, found = _pages(named[:MOST], options)
        return pages + listed, addresses + found
    return pages, addresses


def _pages(addresses: Sequence[str], options: argparse.Namespace) -> tuple[list[Page], list[str]]:
    """The pages that can be read, and their addresses."""
    from tqdm.auto import tqdm

    from focuslab.classifiers.training.from_topic import FilesToo
    from focuslab.crawling.live import Settings
    from focuslab.crawling.live.fetcher_stack import polite_web
    from focuslab.pages.parse import parse

    told = Settings(contact=options.contact, delay=options.delay, allow_private=options.allow_private)
    web = FilesToo(polite_web(told))
    found: dict[str, Page] = {}
    for address in tqdm(addresses, unit="page", leave=False):
        response = web.fetch(address)
        if response.ok:
            found[address] = parse(response)
        else:
            say(f"note: {address} cannot be read ({response.error or f'status {response.status}'}), left out")
    if addresses and not found:
        raise ValueError(f"none of the {len(addresses)} pages can be read; correct their addresses")
    return list(found.values()), list(found)


def _keywords(options: argparse.Namespace, examples: list[Page], others: list[Page]) -> list[str]:
    """Those of the person first, then those that the pages suggest."""
    from focuslab.features.telling_words import shared_words, telling_words

    suggested: tuple[str, ...] = ()
    if examples:
        language = options.language
        tell = telling_words(examples, others, 10, language)
        suggested = tell if others else shared_words(examples, 10, language)
    return list(dict.fromkeys([*options.words, *suggested]))


def _show(options: argparse.Namespace, words: list[str], examples: list[Page], others: list[Page]) -> None:
    """What keywords alone would say of the pages that were given."""
    from focuslab.classifiers.keywords import KeywordJudge
    from focuslab.types import Topic

    judge = KeywordJudge(Topic(options.name, keywords=tuple(words), language=options.language), learn=False)
    for wanted, pages in (("wanted", examples), ("not wanted", others)):
        for page in pages[:10]:
            found = judge.assess(page)
            verdict = "relevant" if found.relevant else "not relevant"
            say(f"  {found.relevance:.2f} {verdict} ({wanted}): {page.title or page.url}")


def _file(options: argparse.Namespace, words: list[str], yes: list[str], no: list[str]) -> str:
    import yaml

    def part(values: object) -> str:
        return yaml.safe_dump(values, sort_keys=False, allow_unicode=True)

    lines = [part({"name": options.name})]
    if options.language:
        lines.append("# only pages of this language are relevant\n" + part({"language": options.language}))
    about_words = "# what such pages talk about; strike out what other pages talk about too\n"
    lines.append(about_words + part({"keywords": words}))
    lines.append("# threshold: 0.6   # how much of it a page must have: more is stricter\n")
    lists = {name: pages for name, pages in (("relevant", yes), ("irrelevant", no)) if pages}
    if lists:
        about = "# pages that teach what is wanted; relevant ones are where a crawl starts, too\n"
        lines.append(about + part({"examples": lists}))
    return "".join(lines)
