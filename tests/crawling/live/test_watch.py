"""The line that says how a crawl goes, and the curve of its harvest."""

from __future__ import annotations

from io import StringIO
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from tiny import url

from focuslab.crawling.live.watch import Watch, _clock, harvest_svg
from focuslab.types import Assessment, Link, Page, Response, Visit


def seen(pages: int, failures: int = 0, recorded: int = 0) -> Watch:
    watch = Watch(StringIO())
    crawl = SimpleNamespace(failures=["x"] * failures, frontier=range(3))
    watch.start(crawl, budget=10, recorded=recorded)  # type: ignore[arg-type]
    for n in range(pages):
        page = url(f"h{n % 2}")
        answer = Response(page, 200)
        watch.see(Visit(n, Link(page), 1.0, 0, answer, Page(page), Assessment(1.0, n % 2 == 0)))
    return watch


def test_the_line_counts_pages_hosts_errors_and_what_waits() -> None:
    line = seen(5, failures=2).line()
    assert line.startswith("5/10 pages  harvest 0.60")
    assert "2 hosts  2 errors  3 waiting" in line
    assert not line.startswith("replaying")


def test_before_the_first_page_nobody_knows_how_long() -> None:
    assert seen(0).line().endswith("? left")


def test_a_replay_says_so_and_is_not_counted_into_the_speed() -> None:
    assert seen(3, recorded=5).line().startswith("replaying 3/10")
    assert "0.0/s" in seen(3, recorded=5).line()


def test_the_last_line_is_always_said() -> None:
    watch = seen(2)
    watch.stop()
    assert watch.stream is not None
    assert watch.stream.getvalue().startswith("2/10 pages")  # type: ignore[attr-defined]


@pytest.mark.parametrize(("seconds", "said"), [(0, "0:00"), (61.9, "1:01"), (3_600, "1:00:00")])
def test_clock(seconds: float, said: str) -> None:
    assert _clock(seconds) == said


def test_the_curve_is_drawn_to_its_end_with_few_points() -> None:
    drawn = ElementTree.fromstring(harvest_svg([*range(1, 1_001)], points=100))
    line = drawn.find("polyline")
    assert line is not None
    points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    assert len(points) == 100
    assert {height for _, height in points} == {10.0}  # all relevant: at the top all the way
    assert points[-1][0] > 600
