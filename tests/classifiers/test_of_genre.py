"""A page must be of the genre and about the subject; each alone is not enough."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuslab import webs
from focuslab.classifiers.of_genre import OfGenre
from focuslab.classifiers.training.topic_file import load_topic
from focuslab.pages.parse import parse
from focuslab.types import Page, Topic

TOPIC = Topic(
    "database courses",
    genre_terms=("syllabus", "course", "grading", "exams"),
    content_terms=("database", "sql", "query optimization", "relational model"),
)
KIND, SUBJECT, REST = (
    "syllabus course exams grading ",
    "database sql relational model ",
    "and of the room " * 20,
)


@pytest.mark.parametrize(
    ("text", "wanted"), [(KIND + SUBJECT, True), (KIND + "pottery ", False), (SUBJECT + "for sale ", False)]
)
def test_both_are_needed(text: str, wanted: bool) -> None:
    found = OfGenre.of(TOPIC).assess(Page("http://a.example/", text=text + REST))
    assert found.relevant == wanted
    assert (found.relevance > 0.5) == wanted


def test_courses_on_databases_in_webkb(data: Path) -> None:
    """The topic that ships, on real courses; what is a course on databases, their titles say."""
    web, judge = webs.webkb(data), OfGenre.of(load_topic("database_syllabus"))
    truth = web.truth("course")
    courses = [parse(web.fetch(url)) for url in web.urls if truth(url)]
    for page in courses:
        judge.assess(page)
    told = [page for page in courses if judge.assess(page).relevant]
    about = [page for page in courses if "database" in page.title.lower()]
    found = sum(page in told for page in about)
    assert found >= 3
    assert len(told) < len(courses) / 20
