"""Robots.txt, pauses and backing off: on a clock of our own, and once over real sockets."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from tiny_hosts import ROBOTS, A, Site, Time, moved, rules

from focuslab.fetchers.http import Http
from focuslab.fetchers.polite import Polite
from focuslab.pages.urls import host
from focuslab.types import Fetcher, Response
from focuslab.webs.server import serve


def page(url: str) -> Response:
    return Response(url, 200, b"page", "text/html")


def polite(site: Site, **settings: object) -> Polite:
    return Polite(site, **({"clock": site.time, "sleep": site.time.sleep} | settings))


# ---------------------------------------------------------------- pauses


def test_refused_by_robots_is_data_and_is_not_fetched():
    site = Site({ROBOTS: rules("User-agent: *\nDisallow: /1"), A: page, "http://a.example/2": page})
    fetcher = polite(site, delay=0)
    assert isinstance(fetcher, Fetcher)
    assert fetcher.fetch(A) == Response(A, error=f"robots: disallowed by {ROBOTS}")
    assert fetcher.fetch("http://a.example/2").ok
    assert site.urls == [ROBOTS, "http://a.example/2"]


def test_pauses_between_the_starts_of_requests_to_one_host():
    site = Site()
    fetcher = polite(site, delay=2)
    for url in (A, A, "http://b.example/1", A):
        fetcher.fetch(url)
    by_host = {
        name: [when for when, url in site.asked if host(url) == name] for name in ("a.example", "b.example")
    }
    assert by_host == {"a.example": [0, 2, 4, 6], "b.example": [4, 6]}  # robots.txt has its pause as well


def test_a_slow_answer_counts_as_part_of_the_pause():
    site = Site()

    def slow(url: str) -> Response:
        site.time.sleep(5)
        return page(url)

    site.answers = {A: slow}
    fetcher = polite(site, delay=2, robots=False)
    fetcher.fetch(A), fetcher.fetch(A)
    assert [when for when, _ in site.asked] == [0, 5]


def test_crawl_delay_makes_the_pause_longer_never_shorter():
    for asked, expected in ((3, [0, 1, 4, 7]), (0.5, [0, 1, 2, 3])):
        site = Site({ROBOTS: rules(f"User-agent: *\nCrawl-delay: {asked}")})
        fetcher = polite(site, delay=1)
        for _ in range(3):
            fetcher.fetch(A)
        assert [when for when, _ in site.asked] == expected


def test_a_crawl_delay_beyond_patience_refuses_instead_of_waiting():
    site = Site({ROBOTS: rules("User-agent: *\nCrawl-delay: 500"), A: page})
    fetcher = polite(site, delay=0, patience=60)
    assert fetcher.fetch(A).ok
    assert fetcher.fetch(A).error == "back-off: a.example is to be left alone for 500 s"
    site.time.sleep(450)
    assert fetcher.fetch(A).ok


def test_ready_in_tells_how_long_a_host_must_rest():
    fetcher = polite(Site(), delay=3, robots=False)
    assert fetcher.ready_in(A) == 0
    fetcher.fetch(A)
    assert (fetcher.ready_in(A), fetcher.ready_in("http://b.example/")) == (3, 0)


# ---------------------------------------------------------------- threads


def test_one_at_a_time_per_host_under_threads():
    inside, most, lock = Counter(), Counter(), threading.Lock()

    def watched(url: str) -> Response:
        name = host(url)
        with lock:
            inside[name] += 1
            most[name] = max(most[name], inside[name])
        threading.Event().wait(0.001)
        with lock:
            inside[name] -= 1
        return page(url)

    urls = [f"http://h{n % 3}.example/{n}" for n in range(60)]
    fetcher = polite(Site(dict.fromkeys(urls, watched)), delay=0)
    with ThreadPoolExecutor(8) as threads:
        assert all(response.ok for response in threads.map(fetcher.fetch, urls))
    assert most == {"h0.example": 1, "h1.example": 1, "h2.example": 1}
    assert len([url for url in fetcher.fetcher.urls if url.endswith("robots.txt")]) == 3


def test_a_slow_host_holds_up_nobody_else():
    answered = threading.Event()

    def stuck(url: str) -> Response:
        assert answered.wait(5), "the other host was held up"
        return page(url)

    site = Site({"http://slow.example/robots.txt": stuck, "http://slow.example/": stuck, A: page})
    fetcher = polite(site, delay=0)
    with ThreadPoolExecutor(3) as threads:
        waiting = [threads.submit(fetcher.fetch, "http://slow.example/") for _ in range(2)]
        assert threads.submit(fetcher.fetch, A).result(5).ok
        assert not any(future.done() for future in waiting)
        answered.set()
        assert all(future.result(5).ok for future in waiting)


# ---------------------------------------------------------------- backing off


def busy_once(status: int, **headers: str) -> Callable[[str], Response]:
    answers = iter([Response(A, status, headers=headers)])
    return lambda url: next(answers, page(url))


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0"}, 2),
        ({"retry-after": "Sat, 01 Jan 2000 00:00:30 GMT", "date": "Sat, 01 Jan 2000 00:00:10 GMT"}, 20),
        ({"retry-after": "Sat, 01 Jan 2000 00:00:30 GMT"}, 2),
        ({"retry-after": "later"}, 2),
        ({"retry-after": "-3"}, 2),
        ({}, 2),
    ],
    ids=["seconds", "zero", "date", "past", "words", "negative", "none"],
)
@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_host_is_left_alone_as_long_as_it_asks_then_asked_again(status, headers, wait):
    site = Site({A: busy_once(status, **headers)})
    assert polite(site, delay=2, robots=False).fetch(A).ok
    assert [when for when, _ in site.asked] == [0, wait]


def test_a_host_that_stays_busy_is_asked_less_and_less():
    site = Site({A: Response(A, 429)})
    fetcher = polite(site, delay=1, robots=False, retries=0)
    for _ in range(5):
        assert fetcher.fetch(A).status == 429
    assert [when for when, _ in site.asked] == [0, 1, 3, 7, 15]


def test_a_long_back_off_is_not_waited_for_and_bounded():
    site = Site({A: Response(A, 503, headers={"retry-after": "9" * 30})})
    fetcher = polite(site, delay=0, robots=False, patience=60)
    assert fetcher.fetch(A).status == 503
    assert fetcher.fetch(A).error.startswith("back-off: a.example is to be left alone for 86400 s")
    assert fetcher.fetch("http://b.example/").status == 404
    site.answers = {A: page}
    site.time.sleep(86_400)
    assert fetcher.fetch(A).ok


def test_a_delay_below_nothing_is_refused():
    with pytest.raises(ValueError, match="delay=-1 must be 0 or more"):
        Polite(Site(), delay=-1)


# ---------------------------------------------------------------- redirects


def test_every_hop_waits_and_is_checked():
    there = "http://b.example/private"
    site = Site({A: moved(there), "http://b.example/robots.txt": rules("User-agent: *\nDisallow: /private")})
    assert polite(site).fetch(A).error == "robots: disallowed by http://b.example/robots.txt"
    assert there not in site.urls


def test_a_fetcher_that_was_led_astray_keeps_nothing():
    there = "http://b.example/private"
    site = Site({A: page(there), "http://b.example/robots.txt": rules("User-agent: *\nDisallow: /private")})
    response = polite(site).fetch(A)
    assert (response.url, response.body) == (there, b"")
    assert response.error.startswith("robots: ")


def test_redirects_end():
    site = Site({A: moved("/1")})
    assert polite(site, delay=0).fetch(A).error == f"redirect-loop: back to {A}"
    assert site.urls.count(A) == 1


@pytest.mark.parametrize("target", ["file:///etc/passwd", "http://[::1"])
def test_a_redirect_out_of_the_web_is_left_to_the_fetcher_to_refuse(target):
    site = Site({A: moved(target), target: lambda url: Response(url, error="invalid-url: no")})
    assert polite(site, delay=0).fetch(A).error == "invalid-url: no"


# ---------------------------------------------------------------- all of it, over sockets


def test_http_politely_on_a_served_web():
    target = "http://b.example/here"
    web = Site(
        {
            ROBOTS: rules("User-agent: focuslab\nDisallow: /no"),
            A: busy_once(429, **{"Retry-After": "1"}),
            "http://a.example/2": page(target),
            target: page,
            "http://down.example/robots.txt": lambda url: Response(url, error="reset: by peer"),
        }
    )
    time = Time()
    with serve(web) as served:
        fetcher = Polite(Http(proxy=served.url, max_redirects=0), delay=1, clock=time, sleep=time.sleep)
        assert fetcher.fetch(A).body == b"page"
        assert fetcher.fetch("http://a.example/2").url == target
        assert fetcher.fetch("http://a.example/no").error.startswith("robots: ")
        assert fetcher.fetch("http://down.example/").error.startswith("robots-unreachable: ")
    assert web.urls == [
        *(ROBOTS, A, A, "http://a.example/2"),
        *("http://b.example/robots.txt", target),
        *["http://down.example/robots.txt"] * 2,  # once on the connection kept alive, once on a new one
    ]
