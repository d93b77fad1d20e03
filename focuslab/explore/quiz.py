"""Questions at the end of a lesson, which check themselves: an answer is met by its reason, right or wrong.

The reasons are stored sealed, each by a key made of its own option, so that no answer stands in plain sight:
not in the notebook, and not in the file of questions. Who answers opens one seal.
"""

from __future__ import annotations

import json
from base64 import b85decode, b85encode
from functools import cache
from hashlib import shake_256
from importlib.resources import files
from typing import Any

__all__ = ["Quiz", "quiz", "seal"]


def quiz(lesson: str) -> Quiz:
    """The questions of a lesson; show ``quiz("03")``, then answer: ``quiz("03").answer(1, "b")``."""
    known = _stored()
    if lesson not in known:
        raise ValueError(f"no questions for lesson {lesson!r}; there are some for {', '.join(known)}")
    return Quiz(lesson, known[lesson])


class Quiz:
    """Some questions; each option opens its own reason.

    Examples
    --------
    >>> reasons = {"yes": "Right: it leaves 1.", "no": "No: it leaves 1."}
    >>> asked = Quiz("99", seal("99", [("Is 1 odd?", reasons)]))
    >>> asked
    1. Is 1 odd?
       a) yes
       b) no
    >>> asked.answer(1, "a")
    'Right: it leaves 1.'
    """

    def __init__(self, lesson: str, questions: list[dict[str, Any]]) -> None:
        self.lesson, self.questions = lesson, questions

    def __repr__(self) -> str:
        lines = []
        for number, question in enumerate(self.questions, 1):
            lines.append(f"{number}. {question['asked']}")
            lines += [f"   {chr(97 + i)}) {option}" for i, option in enumerate(question["options"])]
        return "\n".join(lines)

    def answer(self, number: int, letter: str) -> str:
        """Whether that is right, and why."""
        if not 1 <= number <= len(self.questions):
            raise ValueError(f"no question {number}; there are {len(self.questions)}")
        question = self.questions[number - 1]
        place = ord(letter.strip().lower()[:1] or " ") - ord("a")
        if not 0 <= place < len(question["options"]):
            last = chr(96 + len(question["options"]))
            raise ValueError(f"no option {letter!r}; answer with a letter from a to {last}")
        sealed = b85decode(question["sealed"][place])
        return _mixed(sealed, f"{self.lesson}/{number}/{letter.strip().lower()}").decode().rstrip()


def seal(lesson: str, questions: list[tuple[str, dict[str, str]]]) -> list[dict[str, Any]]:
    """What is stored of questions, given as pairs of a question and its options, each with its reason.

    All reasons of a question are made equally long, so that their lengths tell nothing.
    """
    stored = []
    for number, (asked, options) in enumerate(questions, 1):
        reasons = [reason.encode() for reason in options.values()]
        longest = max(map(len, reasons))
        keys = [f"{lesson}/{number}/{chr(97 + place)}" for place in range(len(options))]
        sealed = [_mixed(r.ljust(longest), key) for r, key in zip(reasons, keys, strict=True)]
        stored.append(
            {"asked": asked, "options": list(options), "sealed": [b85encode(s).decode() for s in sealed]}
        )
    return stored


@cache
def _stored() -> dict[str, list[dict[str, Any]]]:
    text = (files("focuslab.explore") / "static" / "quizzes.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def _mixed(text: bytes, key: str) -> bytes:
    """Seal or unseal: every byte is mixed with one that the key gives."""
    return bytes(a ^ b for a, b in zip(text, shake_256(key.encode()).digest(len(text)), strict=True))
