"""The quizzes: one right answer each, a reason for every option, and nothing to be read in the file."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from focuslab.explore.quiz import _stored, quiz, seal

LESSONS = sorted(_stored())
STORED = (files("focuslab.explore") / "static" / "quizzes.json").read_text(encoding="utf-8")


def test_every_lesson_but_the_appendices_has_one() -> None:
    notebooks = (Path(__file__).parents[2] / "notebooks").glob("*.ipynb")
    assert [
        number for number in sorted(path.name.split("_")[0] for path in notebooks) if number.isdigit()
    ] == LESSONS


@pytest.mark.parametrize("lesson", LESSONS)
def test_one_option_is_right_and_every_option_has_its_reason(lesson: str) -> None:
    asked = quiz(lesson)
    for number, question in enumerate(asked.questions, 1):
        said = [asked.answer(number, "abcdef"[place]) for place in range(len(question["options"]))]
        assert sum(reason.startswith("Right: ") for reason in said) == 1
        assert all(reason.startswith(("Right: ", "No: ")) for reason in said)
        assert len(set(said)) == len(said)
        assert not any(reason in STORED for reason in said)
        assert len({len(sealed) for sealed in question["sealed"]}) == 1, "their lengths would tell"


def test_right_answers_stand_at_every_place() -> None:
    places = [
        next(letter for letter in "abc" if quiz(lesson).answer(number, letter).startswith("Right"))
        for lesson in LESSONS
        for number in range(1, len(quiz(lesson).questions) + 1)
    ]
    assert set(places) == set("abc")


def test_what_cannot_be_answered_is_said() -> None:
    with pytest.raises(ValueError, match="no questions for lesson '77'"):
        quiz("77")
    with pytest.raises(ValueError, match="no question 9"):
        quiz("00").answer(9, "a")
    with pytest.raises(ValueError, match="a letter from a to c"):
        quiz("00").answer(1, "z")


def test_a_seal_opens_with_its_own_option_only() -> None:
    (one,) = seal("5", [("?", {"x": "Right: x", "y": "No: y"})])
    assert one["sealed"][0] != one["sealed"][1]
    assert "Right" not in str(one)
