"""``focuslab suggest-terms``: genre and content terms from example pages, as the YAML file of a topic."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from focuslab.cli import Subparsers, say

if TYPE_CHECKING:
    from focuslab.types import Fetcher, Page, Response
    from focuslab.webs import SyntheticWeb

PAGE = (
    "a file, a folder, a WARC (.warc.gz), a CSV with a column url, file, html or text, "
    "or an address, of the built-in web or of the real one"
)
ARCHIVE = ".warc.gz"
LOCAL = "http://file.invalid/"
"""Stands for the address of a page that has none."""


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser(
        "suggest-terms",
        help="suggest genre and content terms from example pages",
        description="Take the most frequent words and phrases of example pages, by the rules of de Assis "
        f"et al. PAGE is {PAGE}.",
    )
    command.add_argument(
        "--genre", nargs="+", default=[], metavar="PAGE", help="pages of the genre, about anything"
    )
    command.add_argument("--relevant", nargs="+", default=[], metavar="PAGE", help="pages that are wanted")
    command.add_argument(
        "--others",
        nargs="+",
        default=[],
        metavar="PAGE",
        help="pages that are not wanted: content terms are then words that tell the two apart, by log-odds",
    )
    command.add_argument("--contact", default="", help="e-mail or page about you, told to every server")
    command.add_argument("--topic", help="take example pages and language from this topic's file too")
    command.add_argument("--genre-count", type=int, default=40, metavar="N", help="genre terms (40)")
    command.add_argument("--content-count", type=int, default=40, metavar="N", help="content terms (40)")
    command.add_argument("--language", default="", help="whose stop words to leave out (en)")
    command.add_argument("--name", default="", help="name of the topic")
    command.add_argument("--out", type=Path, help="file to write; else the terms are printed")
    command.add_argument("--pages", type=int, default=5_000, help="size of the built-in web (5000)")
    command.add_argument("--seed", type=int, default=7, help="which built-in web (7)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print a topic's file, or write it."""
    text = suggest(options)
    if options.out is None:
        say(text.rstrip("\n"))
    elif options.out.exists():
        raise ValueError(f"{options.out} exists already; choose another name, or remove it")
    else:
        options.out.write_text(text, encoding="utf-8")
        say(f"wrote {options.out}; strike out what does not belong, and add seeds")
    return 0


def suggest(options: argparse.Namespace) -> str:
    """The terms as YAML that `focuslab.classifiers.training.topic_file` reads."""
    from focuslab.classifiers.term_sets import LANGUAGE, generate_terms
    from focuslab.classifiers.training.topic_file import LANGUAGE as CODE
    from focuslab.classifiers.training.topic_file import Examples, read_topic
    from focuslab.features.telling_words import telling_words

    _positive(options)
    file = read_topic(options.topic) if options.topic else None
    named = file.examples if file else Examples()
    genre, relevant = [*named.genre, *options.genre], [*named.relevant, *options.relevant]
    if not genre and not relevant:
        raise ValueError("no example pages; give --genre and --relevant pages, or a --topic that names some")
    language = options.language or (file.topic.language if file else "") or LANGUAGE
    if not CODE.fullmatch(language):
        raise ValueError(f"--language {language} is no language code; write en, ja, pt …")
    wanted = list(read_pages(relevant, options))
    others = list(read_pages([*named.irrelevant, *options.others], options))
    genre_terms, content = generate_terms(
        read_pages(genre, options), wanted, options.genre_count, options.content_count, language
    )
    if others and wanted:
        content = telling_words(wanted, others, options.content_count, language)
    name = options.name or (file.topic.name if file else "suggested terms")
    return _topic_file(name, language, genre_terms, content)


def _positive(options: argparse.Namespace) -> None:
    for option in ("genre_count", "content_count"):
        if getattr(options, option) < 1:
            name = option.replace("_", "-")
            raise ValueError(f"--{name} {getattr(options, option)} asks for nothing; give 1 or more")


def _topic_file(name: str, language: str, genre: tuple[str, ...], content: tuple[str, ...]) -> str:
    import yaml

    lists = {key: list(terms) for key, terms in (("genre", genre), ("content", content)) if terms}
    if not lists:
        raise ValueError("the example pages hold no words but stop words; give pages with text")
    head = yaml.safe_dump({"name": name, "language": language}, sort_keys=False, allow_unicode=True)
    # plain lines, each of which a person can strike out
    return head + yaml.safe_dump(lists, sort_keys=False, allow_unicode=True)


def read_pages(sources: Iterable[str], options: argparse.Namespace) -> Iterator[Page]:
    """The pages that words on the command line stand for."""
    from focuslab.pages.parse import parse

    for source in sources:
        yield from (parse(response) for response in _responses(source, options))


def _responses(source: str, options: argparse.Namespace) -> Iterator[Response]:
    if "://" in source:
        yield _at(source, options)
        return
    path = Path(source).expanduser()
    if not path.exists():
        raise ValueError(f"no page at {source}; PAGE is {PAGE}")
    if path.is_dir():
        for inner in sorted(file for file in path.rglob("*") if file.is_file()):
            yield from _responses(str(inner), options)
    elif path.name.endswith(ARCHIVE):
        yield from _archived(path)
    elif path.suffix.lower() == ".csv":
        yield from _listed(path, options)
    else:
        yield _local(path.read_bytes(), path.name)


def _local(body: bytes, name: str) -> Response:
    from urllib.parse import quote

    from focuslab.types import Response

    kind = "text/plain" if name.lower().endswith(".txt") else "text/html"
    return Response(LOCAL + quote(name), 200, body, kind)


def _archived(path: Path) -> Iterator[Response]:
    from focuslab.fetchers.warc import read

    found = False
    for recorded in read(path):
        if recorded.response.ok and "html" in recorded.response.content_type:
            found = True
            yield recorded.response
    if not found:
        raise ValueError(f"{path} holds no HTML page that a crawl recorded; give another archive")


def _listed(path: Path, options: argparse.Namespace) -> Iterator[Response]:
    """Addresses or files in the CSV are relative to its own folder; texts are pages themselves."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error) as problem:
        raise ValueError(f"{path} is not a CSV in UTF-8 ({problem}); save it as one") from None
    columns = [name for name in ("html", "text", "file", "url") if rows and name in rows[0]]
    if not columns:
        raise ValueError(f"{path} has no column url, file, html or text; name one so in its first line")
    for row in rows:
        cell = (row[columns[0]] or "").strip()
        if not cell:
            continue
        if columns[0] in ("html", "text"):
            yield _local(cell.encode(), "cell.txt" if columns[0] == "text" else "cell.html")
        else:
            yield from _responses(cell if "://" in cell else str(path.parent / cell), options)


def _at(url: str, options: argparse.Namespace) -> Response:
    """A page of the built-in web, else of the real one, asked as politely as a crawl asks."""
    from focuslab.pages.urls import canonical

    response = _web(options.pages, options.seed).fetch(canonical(url) or url)
    if not response.ok:
        response = _real_web(options.contact).fetch(url)
    if not response.ok:
        why = response.error or f"status {response.status}"
        raise ValueError(f"{url} cannot be read ({why}); correct the address, or save the page as a file")
    return response


@cache
def _real_web(contact: str) -> Fetcher:
    from focuslab.crawling.live import Settings
    from focuslab.crawling.live.fetcher_stack import polite_web

    return polite_web(Settings(contact=contact))


@cache
def _web(pages: int, seed: int) -> SyntheticWeb:
    from focuslab import webs

    return webs.synthetic(pages=pages, seed=seed)
