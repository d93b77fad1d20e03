"""Topics as small YAML files that a person can write; those of de Assis et al. come with the lab.

A file may hold these fields, all but one of them lists::

    name: syllabi of databases courses
    language: en                              # keep pages of this language only; leave out for any
    genre: [syllabus, course, class hours]    # what such pages sound like, whatever they are about
    content: [database, relational model]     # what they are about
    url: [course, db]                         # words of their addresses
    keywords: [database, sql]                 # for crawlers that do not tell genre from content
    threshold: 0.6                            # how much of it a page must have; leave out for the default
    seeds: [http://www.example.com/]          # where a crawl starts
    examples:                                 # addresses, or files beside this one
      genre: [pages/chemistry.html]           # of the genre, about anything
      relevant: [pages/databases.html]
      irrelevant: [pages/news.html]

Words are taken as they are written: ``no`` and ``2024`` need no quotes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import NoReturn

import yaml

from focuslab.pages.urls import canonical
from focuslab.types import Topic

__all__ = ["Examples", "TopicFile", "catalogue", "load_topic", "read_topic", "topic_names"]

TEXTS = ("name", "language")
LISTS = ("genre", "content", "url", "keywords", "seeds")
KINDS = ("genre", "relevant", "irrelevant")
FIELDS = (*TEXTS, *LISTS, "threshold", "examples")
TOPICS = files("focuslab.classifiers.training") / "topics"
CATALOGUE = files("focuslab.classifiers.training") / "catalogue"
LANGUAGE = re.compile(r"[a-z]{2,3}(-\w+)?")


@dataclass(frozen=True, slots=True)
class Examples:
    """Addresses of example pages: URLs, or paths of files."""

    genre: tuple[str, ...] = ()
    """Pages of the genre, whatever they are about."""
    relevant: tuple[str, ...] = ()
    irrelevant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TopicFile:
    """What a file says: the topic, and where example pages are."""

    topic: Topic
    examples: Examples
    threshold: float | None = None
    """Of the judge by terms; None: its own."""


def topic_names(language: str = "") -> tuple[str, ...]:
    """Names of the topics that come with the lab, in alphabetical order; "ja" has the same five in Japanese.

    >>> topic_names("ja")[1]
    'computer_science_jobs.ja'
    """
    stems = (Path(entry.name).stem for entry in TOPICS.iterdir() if entry.name.endswith(".yaml"))
    return tuple(sorted(stem for stem in stems if stem.partition(".")[2] == language))


def catalogue() -> tuple[str, ...]:
    """Names of the topics of today's web, with addresses to start from and examples; `read_topic` reads them.

    The addresses are from memory and were not looked up: what is gone, or not captured, is left out.

    >>> len(catalogue()), catalogue()[0]
    (20, 'astronomy')
    """
    return tuple(sorted(Path(entry.name).stem for entry in CATALOGUE.iterdir()))


def load_topic(path_or_name: str | Path) -> Topic:
    """The topic in a YAML file, or one that comes with the lab.

    >>> load_topic("database_syllabus").content_terms[:3]
    ('database', 'dbms', 'database management')
    """
    return read_topic(path_or_name).topic


def read_topic(path_or_name: str | Path) -> TopicFile:
    """All that a topic's file says, its examples too; a mistake in it is a ValueError that names the line."""
    if isinstance(path_or_name, str) and path_or_name in topic_names(path_or_name.partition(".")[2]):
        entry = TOPICS.joinpath(f"{path_or_name}.yaml")
        return _Reader(f"{path_or_name}.yaml", Path()).read(entry.read_bytes())
    if isinstance(path_or_name, str) and path_or_name in catalogue():
        return _Reader(f"{path_or_name}.yaml", Path()).read(
            CATALOGUE.joinpath(f"{path_or_name}.yaml").read_bytes()
        )
    path = Path(path_or_name).expanduser()
    if not path.is_file():
        near = ", ".join(topic_names())
        raise FileNotFoundError(f"no topic named '{path_or_name}'; try {near}, or the path of a YAML file")
    return _Reader(str(path), path.parent).read(path.read_bytes())


class _Reader:
    """Turns the nodes of a YAML file into a TopicFile. Nodes know their lines, plain values do not."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder

    def read(self, raw: bytes) -> TopicFile:
        try:
            root = yaml.compose(raw.decode("utf-8-sig"), yaml.SafeLoader)
        except UnicodeDecodeError as problem:
            line = raw.count(b"\n", 0, problem.start) + 1
            raise ValueError(f"{self.name}, line {line}: not UTF-8 text; save the file as UTF-8") from None
        except yaml.MarkedYAMLError as problem:
            self._refuse_yaml(problem)
        except (yaml.YAMLError, RecursionError):
            why = "it holds control characters or lists without end; write plain lines of text"
            raise ValueError(f"{self.name}: not YAML, {why}") from None
        if root is None:
            raise ValueError(
                f"{self.name}, line 1: the file is empty; give seeds, and genre or content terms"
            )
        return self._topic(root)

    def _topic(self, root: yaml.Node) -> TopicFile:
        nodes = dict(self._fields(root, FIELDS))
        texts = {key: self._text(nodes[key]) for key in TEXTS if key in nodes}
        lists = {key: self._list(nodes[key]) for key in LISTS if key in nodes}
        if "seeds" in nodes:
            lists["seeds"] = self._urls(nodes["seeds"])
        if "language" in nodes and not LANGUAGE.fullmatch(texts["language"]):
            self._refuse(nodes["language"], f"{texts['language']!r} is no language code; write en, ja, pt …")
        examples = self._examples(nodes["examples"]) if "examples" in nodes else Examples()
        if not any(lists.get(key) for key in ("genre", "content", "keywords")) and examples == Examples():
            self._refuse(root, "nothing says what is wanted; give genre, content, keywords or examples")
        name = texts.get("name") or Path(self.name).stem
        terms = {f"{key}_terms": lists.pop(key, ()) for key in ("genre", "content", "url")}
        topic = Topic(name, language=texts.get("language", ""), **lists, **terms)
        threshold = self._number(nodes["threshold"]) if "threshold" in nodes else None
        return TopicFile(topic, examples, threshold)

    def _number(self, node: yaml.Node) -> float:
        try:
            number = float(self._text(node))
        except ValueError:
            number = math.nan
        if not 0 < number < 10:
            self._refuse(
                node, f"threshold {self._text(node)!r} is no number above 0; write 0.5, or leave it out"
            )
        return number

    def _fields(self, node: yaml.Node, known: tuple[str, ...]) -> Iterator[tuple[str, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            self._refuse(node, f"expected fields such as '{known[0]}: …'; known are {', '.join(known)}")
        seen: dict[str, int] = {}
        for key, value in node.value:
            name = self._text(key)
            if name not in known:
                near = get_close_matches(name, known, n=1) or known
                self._refuse(key, f"no field named {name!r}; try {', '.join(near)}")
            if name in seen:
                self._refuse(key, f"{name!r} stands in line {seen[name]} already; join the two")
            seen[name] = key.start_mark.line + 1
            yield name, value

    def _text(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            self._refuse(node, "expected a single word or phrase; put it in quotes if it holds : or [")
        return str(node.value).strip()

    def _list(self, node: yaml.Node) -> tuple[str, ...]:
        """The items, each once."""
        if isinstance(node, yaml.ScalarNode) and not node.value:
            return ()
        if not isinstance(node, yaml.SequenceNode):
            self._refuse(node, "expected a list; write [one, another], or a line '- one' for each")
        return tuple(dict.fromkeys(filter(None, map(self._text, node.value))))

    def _urls(self, node: yaml.Node) -> tuple[str, ...]:
        urls = {written: canonical(written) for written in self._list(node)}
        for item in node.value:
            if isinstance(item, yaml.ScalarNode) and not urls.get(item.value.strip(), "empty"):
                self._refuse(item, f"{item.value!r} is no web address; start it with http:// or https://")
        return tuple(dict.fromkeys(urls.values()))

    def _examples(self, node: yaml.Node) -> Examples:
        lists = {kind: self._list(value) for kind, value in self._fields(node, KINDS)}
        return Examples(**{kind: tuple(map(self._address, lists.get(kind, ()))) for kind in KINDS})

    def _address(self, written: str) -> str:
        return canonical(written) if "://" in written else str(self.folder / Path(written).expanduser())

    def _refuse(self, node: yaml.Node, why: str) -> NoReturn:
        raise ValueError(f"{self.name}, line {node.start_mark.line + 1}: {why}")

    def _refuse_yaml(self, problem: yaml.MarkedYAMLError) -> NoReturn:
        mark = problem.problem_mark or problem.context_mark
        line = mark.line + 1 if mark else 1
        remedy = "close every bracket and quote, and indent with spaces"
        raise ValueError(f"{self.name}, line {line}: not YAML ({problem.problem}); {remedy}") from None
