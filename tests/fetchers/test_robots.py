"""robots.txt by RFC 9309."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_hosts import ROBOTS, A, Site, moved, rules

from focuslab.fetchers.http import Http
from focuslab.fetchers.polite import Polite
from focuslab.fetchers.robots import FRESH, UNREACHABLE_FOR, Robots
from focuslab.types import Response
from focuslab.webs.server import serve


def test_rules_of_our_name_come_before_those_for_all():
    robots = Robots(
        Site({ROBOTS: rules("User-agent: *\nDisallow: /\n\nUser-agent: Focuslab\nDisallow: /x\nAllow: /x/y")})
    )
    assert [robots.allowed(f"http://a.example{path}") for path in ("/", "/x", "/x/y", "/robots.txt")] == [
        1,
        0,
        1,
        1,
    ]
    assert not Robots(robots.fetcher, agent="other").allowed(A)


@pytest.mark.parametrize(
    ("answer", "allowed"),
    [
        (rules("", 404), True),
        (rules("", 401), True),
        (rules("", 403), True),
        (rules("", 500), False),
        (rules("", 503), False),
        (lambda url: Response(url, error="timeout: no answer within 10 s"), False),
        (rules("<html><p>Not found"), True),
        (rules("\ufeffUser-agent: *\nDisallow: /"), False),
        (lambda url: Response(url, 200, b"# caf\xe9\nUser-agent: *\nDisallow: /"), False),
    ],
    ids=["404", "401", "403", "500", "503", "silent", "soft-404", "bom", "not-utf8"],
)
def test_missing_rules_allow_and_unreachable_ones_do_not(answer, allowed):
    assert Robots(Site({ROBOTS: answer})).allowed(A) is allowed


def test_says_why():
    site = Site({ROBOTS: rules("User-agent: *\nDisallow: /"), "http://b.example/robots.txt": rules("", 500)})
    robots = Robots(site)
    assert robots.refusal(A) == f"robots: disallowed by {ROBOTS}"
    assert (
        robots.refusal("http://b.example/") == "robots-unreachable: http://b.example/robots.txt (status 500)"
    )


def test_of_a_huge_file_the_first_500_kib_count():
    start = "User-agent: *\nDisallow: /first\n"
    filler = "#" * (512_000 - len(start) - len("\nDisallow: /x"))
    robots = Robots(Site({ROBOTS: rules(start + filler + "\nDisallow: /xyz\nDisallow: /last\n")}))
    paths = ("/first", "/last", "/x", "/xyz")  # the cut leaves "Disallow: /x", which nobody wrote
    assert [robots.allowed(f"http://a.example{path}") for path in paths] == [False, True, True, True]


@pytest.mark.parametrize(("hops", "allowed"), [(1, False), (5, False), (6, True)])
def test_five_redirects_are_followed_more_mean_no_rules(hops, allowed):
    places = [ROBOTS, *(f"http://b.example/{n}" for n in range(hops))]
    answers = {place: moved(after) for place, after in pairwise(places)}
    site = Site(answers | {places[-1]: rules("User-agent: *\nDisallow: /")})
    assert Robots(site).allowed(A) is allowed
    assert len(site.asked) == min(hops, 5) + 1


def test_each_origin_has_its_own_rules():
    site = Site({ROBOTS: rules("User-agent: *\nDisallow: /")})
    robots = Robots(site)
    assert [robots.allowed(url) for url in (A, "https://a.example/1", "http://a.example:81/1")] == [
        False,
        True,
        True,
    ]
    assert site.urls == [ROBOTS, "https://a.example/robots.txt", "http://a.example:81/robots.txt"]


def test_the_1001st_host_evicts_the_one_asked_longest_ago():
    site = Site()
    robots = Robots(site)
    urls = [f"http://h{n}.example/" for n in range(1001)]
    for url in urls[:1000]:
        robots.allowed(url)
    robots.allowed(urls[0])  # so the second is now the least recently used
    robots.allowed(urls[1000])
    assert len(site.asked) == 1001
    robots.allowed(urls[0])
    robots.allowed(urls[2])
    assert len(site.asked) == 1001
    robots.allowed(urls[1])
    assert site.urls[-1] == "http://h1.example/robots.txt"
    assert len(site.asked) == 1002


def test_rules_are_read_again_after_a_day_and_failures_sooner():
    site = Site({ROBOTS: rules("", 500)})
    robots = Robots(site, clock=site.time)
    assert not robots.allowed(A)
    site.answers = {}
    assert not robots.allowed(A)
    site.time.sleep(UNREACHABLE_FOR)
    assert robots.allowed(A)
    site.answers = {ROBOTS: rules("User-agent: *\nDisallow: /")}
    assert robots.allowed(A)
    site.time.sleep(FRESH)
    assert not robots.allowed(A)


@pytest.mark.parametrize(("said", "seconds"), [("2.5", 2.5), ("soon", 0), ("-1", 0), ("inf", 0), ("nan", 0)])
def test_crawl_delay(said, seconds):
    assert Robots(Site({ROBOTS: rules(f"User-agent: *\nCrawl-delay: {said}")})).delay(A) == seconds


@given(st.binary(max_size=300))
def test_no_bytes_make_it_raise(noise):
    site = Site({ROBOTS: Response(ROBOTS, 200, b"User-agent: *\nDisallow: " + noise)})
    assert Robots(site).allowed(A) in (True, False)
    assert Robots(site).delay(A) >= 0


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("User-agent: focuslab/0.1\nDisallow: /", False),
        ("User-agent: focuslab bot\nDisallow: /", False),
        ("User-agent: FocusLab\nDisallow: /", False),
        ("User-agent: f\nDisallow: /", True),
        ("User-agent: focuslabs\nDisallow: /", True),
        ("User-agent: focus\nDisallow: /", True),
        ("User-agent: *bot\nDisallow: /", False),
        ("User-agent: *\nNonsense: 1\nDisallow: /", False),
        ("User-agent: *\nSitemap: http://a.example/s\nDisallow: /", False),
        ("User-agent: *\nwhat is this\nDisallow: /", False),
        ("User-agent: *\n\n\nDisallow: /", False),
        ("User-agent: *\rDisallow: /", False),
        ("User-agent: x\r\nUser-agent: focuslab\r\nDisallow: /", False),
        (
            "User-agent: focuslab\nAllow: /\nUser-agent: *\nDisallow: /\nUser-agent: focuslab\nDisallow: /1",
            False,
        ),
        ("User-agent: focuslab # that is us\nDisallow: / # all of it", False),
        (" user-AGENT : focuslab \n DISALLOW : /", False),
        ("Disallow: /", True),
        ("User-agent: *\nDisallow:", True),
        ("User-agent: *\nDisallow: /\nAllow: /1$", True),
        ("User-agent: *\nDisallow: /*1", False),
        ("User Agent: *\nDisallow: /", False),
        ("useragent: *\nDisallow: /", False),
        ("user-agent *\ndisallow /", False),
        ("User-agent: *\nDisalow: /", False),
        ("User-agent: *\nDisallow all of this", True),
        ("User-agent: *\nDisallowed: /", True),
    ],
)
def test_lines_are_read_as_the_standard_has_it(text: str, allowed: bool) -> None:
    assert Robots(Site({ROBOTS: rules(text)})).allowed(A) is allowed


def test_a_busy_host_has_not_said_that_all_is_allowed() -> None:
    assert not Robots(Site({ROBOTS: rules("", 429)})).allowed(A)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_of_a_long_file_whole_lines_count(end: str) -> None:
    filler = ("# " + 97 * "x" + end) * 6_000
    text = f"User-agent: *{end}Disallow: /1{end}" + filler + f"Disallow: /{end}"
    robots = Robots(Site({ROBOTS: rules(text)}))
    assert not robots.allowed(A)
    assert robots.allowed("http://a.example/2")


def test_what_cannot_be_read_as_rules_allows_nothing() -> None:
    answer = Response(ROBOTS, 200, error="not-html: image/png", content_type="image/png")
    assert not Robots(Site({ROBOTS: answer})).allowed(A)


@pytest.mark.parametrize("max_bytes", [2_000_000, 64])
def test_rules_of_any_type_are_read_where_they_moved_to(max_bytes: int) -> None:
    """Over real sockets: the type is an image's, and the fetcher keeps little of a page."""
    text = b"# " + b"x" * 200 + b"\nUser-agent: *\nDisallow: /1"

    class Web:
        def fetch(self, url: str) -> Response:
            if url == ROBOTS:
                return Response(url, 302, headers={"location": "/rules.png"})
            return Response(url, 200, text, "image/png")

    with serve(Web()) as served:
        http = Http(proxy=served.url, max_redirects=0, max_bytes=max_bytes)
        assert not Robots(http).allowed(A)
        assert Polite(http, delay=0).fetch(A).error == f"robots: disallowed by {ROBOTS}"
