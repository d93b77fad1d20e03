"""Servers and a clock for tests of manners: what they answer, and when."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from focuslab.types import Response

Answer = Response | Callable[[str], Response]


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lock = threading.Lock()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        with self.lock:
            self.now += seconds


@dataclass
class Site:
    """Answers as told, 404 otherwise, and remembers who was asked when."""

    answers: Mapping[str, Answer] = field(default_factory=dict)
    time: Time = field(default_factory=Time)
    asked: list[tuple[float, str]] = field(default_factory=list)

    def fetch(self, url: str) -> Response:
        self.asked.append((self.time(), url))
        answer = self.answers.get(url, Response(url, 404))
        return answer(url) if callable(answer) else answer

    @property
    def urls(self) -> list[str]:
        return [url for _, url in self.asked]


def rules(text: str, status: int = 200, **headers: str) -> Callable[[str], Response]:
    return lambda url: Response(url, status, text.encode(), "text/plain", headers=headers)


def moved(target: str) -> Callable[[str], Response]:
    return lambda url: Response(url, 302, headers={"location": target})


ROBOTS, A = "http://a.example/robots.txt", "http://a.example/1"
