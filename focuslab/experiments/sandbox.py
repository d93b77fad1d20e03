"""A stranger's strategy in a process of its own, where no truth is, with limits of time and memory.

The crawl loop stays here, with the web, the frontier and the truth; the child gets the pages that were
fetched, one by one through a pipe, and answers with scores in JSON. What it does wrong ends it, and nobody
else.

This is for a class, not for enemies: an audit hook shuts files, sockets and processes, and the kernel counts
seconds and bytes. Whoever means harm can get around a hook; run the files of strangers in a container.
"""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import types
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from focuslab.crawling.frontier import Frontier
from focuslab.types import Link, Proposal, Strategy, Task, Topic, Visit

__all__ = ["Entry", "Limits", "Sandboxed"]

COMMAND = (sys.executable, "-c", "from focuslab.experiments.sandbox import serve; serve()")
LOADING = 300.0
"""Seconds to wait until a process stands, however busy the machine."""
LONGEST = 8_000_000
"""Bytes of an answer: thousands of links."""
SHUT = ("webs", "graphs", "experiments", "explore", "cli")
"""Rooms of ours that know answers, or those who do."""
ALONE = (
    "socket.",
    "subprocess.",
    "os.exec",
    "os.fork",
    "os.kill",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "pty.",
)
"""What reaches beyond the process."""
WRITES = ("os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate")


class Limits(NamedTuple):
    """What an entry may use of one crawl."""

    seconds: int = 30
    """Of the processor, for one crawl: a busy machine costs nobody anything. Windows does not count them."""
    patience: float = 120.0
    """Of waiting for its answers in one crawl, which also ends who sleeps."""
    megabytes: int = 4_000
    """Of address space, with what Python and its libraries take; not counted on Windows."""


class Entry:
    """Somebody's file, as a factory of strategies for `compare`.

    Attributes
    ----------
    name : str
        The name of the file.
    failed : str
        A sentence if it did what ends an entry: it crashed, was too slow, or peeked.
    waits : list of float
        Seconds that each visited page took to be answered, the pipe included.
    """

    def __init__(self, path: Path, limits: Limits = Limits()) -> None:  # noqa: B008
        self.name, self.limits = path.stem, limits
        self.source = path.read_text(encoding="utf-8")
        self.failed, self.waits = "", list[float]()
        self._running: Sandboxed | None = None

    def __call__(self, task: Task) -> Strategy:
        """A fresh process, so that no crawl knows what another one saw; none for who is out."""
        self.close()
        if self.failed:
            return Out()
        self._running = Sandboxed(self, task)
        return self._running

    def close(self) -> None:
        """End the process of the last crawl."""
        if self._running is not None:
            self._running.close()
            self._running = None


class Out(Strategy):
    """What crawls in the place of an entry that failed: it follows nothing."""

    name: ClassVar[str] = "out"

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        return ()


class Sandboxed(Strategy):
    """A strategy that lives in a child; once it has failed, it proposes nothing more."""

    name: ClassVar[str] = "sandboxed"

    def __init__(self, entry: Entry, task: Task) -> None:
        self._entry, self._left = entry, LOADING
        self._revised: list[tuple[str, float]] = []
        self._scratch = tempfile.TemporaryDirectory(prefix="focuslab-entry-")
        self._child = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._scratch.name,
            env=_environment(self._scratch.name),
        )
        # rememberers and what a setup found out stay here
        assessor = getattr(task.assessor, "remembered", task.assessor)
        bare = Task(task.topic, assessor, task.examples)
        told = self._ask(entry.name, entry.source, entry.limits, bare) or {}
        self.frontier: Mapping[str, Any] = self._rules(told.get("frontier", {}))  # type: ignore[misc]
        self._left = entry.limits.patience

    @classmethod
    def from_task(cls, task: Task, **parameters: Any) -> Any:
        raise TypeError("a sandboxed strategy is made by an Entry")

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        self._ask("start", topic, rng)

    def seed_score(self, url: str) -> float:
        return _number(self._ask("seed_score", url), math.inf)

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        """Also hears what the strategy revises, which may not depend on what becomes of its proposals."""
        before = time.perf_counter()
        answer = self._ask("visit", visit)
        if not self._entry.failed:
            self._entry.waits.append(time.perf_counter() - before)
        known = {link.url: link for link in visit.page.links}
        try:
            proposed, revised = answer or ([], [])
            self._revised = [(str(url), _number(score)) for url, score in revised]
            return [
                Proposal(
                    known.get(url) or Link(str(url), source=visit.page.url),
                    _number(score),
                    {str(term): _number(value) for term, value in terms.items()},
                )
                for url, score, terms in proposed
            ]
        except (TypeError, ValueError, AttributeError) as problem:
            self._fail(f"crashed: its answer makes no sense, {problem}")
            return []

    def revise(self, visit: Visit) -> Iterable[tuple[str, float]]:
        revised, self._revised = self._revised, []
        return [] if self._entry.failed else revised

    def close(self) -> None:
        """End the process, and forget its folder."""
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()
        self._scratch.cleanup()

    def _rules(self, said: Any) -> Mapping[str, Any]:
        """What the strategy asks of the frontier, if that can be had."""
        try:
            Frontier(rng=np.random.default_rng(0), **said)
        except (TypeError, ValueError) as problem:
            self._fail(f"crashed: it asks of the frontier what that can't do, {problem}")
            return {}
        return dict(said)

    def _ask(self, *question: Any) -> Any:
        """What the child answers; None once it has failed."""
        if self._entry.failed:
            return None
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        alarm, start, line = threading.Timer(self._left, self._child.kill), time.perf_counter(), b""
        alarm.start()
        try:
            pickle.dump(question, self._child.stdin)
            self._child.stdin.flush()
            line = self._child.stdout.readline(LONGEST)
        except OSError:  # it ended before it heard
            line = self._child.stdout.readline(LONGEST)
        finally:
            alarm.cancel()
        self._left -= time.perf_counter() - start
        return self._heard(line)

    def _heard(self, line: bytes) -> Any:
        if not line.endswith(b"\n"):
            return self._fail(self._end(len(line)))
        try:
            said, what = json.loads(line)
        except ValueError:
            return self._fail("crashed: its answer makes no sense")
        return self._fail(str(what)) if said == "failed" else what

    def _end(self, size: int) -> str:
        """Why a child fell silent."""
        limits = self._entry.limits
        if size >= LONGEST:
            return f"crashed: an answer of more than {LONGEST // 1_000_000} MB"
        if self._left <= 0:
            return f"too slow: it kept everybody waiting for more than {limits.patience:g} s in one crawl"
        code = self._child.wait()
        if code == -getattr(signal, "SIGXCPU", 0):
            return f"too slow: it used more than {limits.seconds} s of the processor in one crawl"
        return f"crashed: its process ended, exit code {code}"

    def _fail(self, sentence: str) -> None:
        self._entry.failed = self._entry.failed or sentence
        self._child.kill()


def _number(value: Any, default: float = math.nan) -> float:
    number = default if value is None else float(value)
    if math.isnan(number):
        raise ValueError("a score that is not a number")
    return number


def _environment(scratch: str) -> dict[str, str]:
    """As little as Python needs to start; the same hashes in every crawl."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
    one = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    places = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), scratch)
    path = os.pathsep.join(str(Path(folder).resolve()) for folder in sys.path)
    return {**kept, **one, **places, "PYTHONPATH": path, "PYTHONHASHSEED": "0", "TQDM_DISABLE": "1"}


# ---------------------------------------------------------------- in the child


def serve() -> None:
    """Load the entry, then answer one question after the other."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what an entry prints is no answer
    name, source, limits, task = pickle.load(sys.stdin.buffer)
    _limit(limits)
    sys.addaudithook(_guard(out))

    def tell(said: str, what: Any) -> None:
        out.write(json.dumps([said, what]).encode() + b"\n")
        out.flush()

    try:
        strategy = _load(name, source).from_task(task)
        tell("ready", {"frontier": dict(strategy.frontier)})
        while True:
            question, *said = pickle.load(sys.stdin.buffer)
            tell("scored", _answer(strategy, question, said))
    except EOFError:
        return
    except MemoryError:
        tell("failed", f"crashed: it needed more than {limits.megabytes:,} MB of memory")
    except BaseException as problem:
        tell("failed", f"crashed: {_told(problem, name)}")


def _answer(strategy: Strategy, question: str, said: list[Any]) -> Any:
    if question == "start":
        return strategy.start(*said)
    if question == "seed_score":
        return float(strategy.seed_score(*said))
    proposed = [
        (link.url, _number(score), {term: float(value) for term, value in terms.items()})
        for link, score, terms in strategy.propose(*said)
    ]
    return proposed, [(url, _number(score)) for url, score in strategy.revise(*said)]


def _load(name: str, source: str) -> type[Strategy]:
    """The one strategy of the file."""
    module = types.ModuleType(f"entry_{name}")  # a file may be called random.py
    sys.modules[module.__name__] = module
    exec(compile(source, f"{name}.py", "exec"), vars(module))
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "propose")
    ]
    if len(found) != 1:
        raise ValueError(f"the file has {len(found)} classes with a method propose; it needs one")
    return found[0]


def _told(problem: BaseException, name: str) -> str:
    steps = traceback.walk_tb(problem.__traceback__)  # it opens no file
    lines = [line for frame, line in steps if frame.f_code.co_filename == f"{name}.py"]
    place = f" (line {lines[-1]})" if lines else ""
    return f"{type(problem).__name__}: {problem}"[:200] + place


def _limit(limits: Limits) -> None:
    """The kernel counts, so that an endless loop also ends whose parent is gone."""
    try:
        import resource
    except ImportError:  # Windows: the parent's clock is the only limit there
        return
    seconds = math.ceil(time.process_time()) + limits.seconds
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    with suppress(ValueError, OSError):  # some systems have no limit of address space
        resource.setrlimit(resource.RLIMIT_AS, (limits.megabytes * 1_000_000,) * 2)


def _guard(out: Any) -> Any:
    """An audit hook that ends the process when it looks where answers could be, and says so."""
    package = Path(__file__).resolve().parents[1]
    shut = tuple(str(package / room) + os.sep for room in SHUT)
    homes = {sys.prefix, sys.base_prefix, str(package), *filter(os.path.isabs, sys.path)}
    system = (
        "/usr/",
        "/etc/",
        "/lib",
        "/sys/",
        "/System/",
    )  # time zones, libraries, the number of processors
    libraries = (*(os.path.realpath(home) + os.sep for home in homes), *system)
    scratch = os.path.realpath(Path.cwd()) + os.sep
    harmless = {os.devnull, "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo", "/proc/self/maps"}

    def end(what: str) -> None:
        words = f"peeked: it {what}; an entry sees the pages it is shown, and nothing else"
        os.write(out.fileno(), json.dumps(["failed", words]).encode() + b"\n")
        os._exit(3)

    def may(path: str, writing: bool) -> bool:
        place = os.path.realpath(path)
        if place.startswith(scratch) or path in harmless:
            return True
        if writing:  # compiled kernels are kept beside their sources
            return place.startswith(str(package)) and f"{os.sep}__pycache__" in place
        return place.startswith(libraries) and not place.startswith(shut)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | bytes):
            writing = bool(arguments[2] & (os.O_WRONLY | os.O_RDWR)) or bool(
                set(arguments[1] or "") & set("wax+")
            )
            if not may(os.fsdecode(arguments[0]), writing):
                end(f"opened {os.fsdecode(arguments[0])[-80:]}")
        elif event in WRITES:
            if not may(os.fsdecode(arguments[0]), writing=True):
                end(f"changed files ({event})")
        elif event.startswith(ALONE):
            end(f"reached out of its process ({event})")

    return hook
